//! What is wrong with a certificate when there is no connection for that reason.

use rustls::{AlertDescription, CertificateError};
use std::error::Error;
use std::io;

/// Whose certificate is not accepted, and why: what to put right.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Trouble {
    /// For the metric.
    pub reason: &'static str,
    /// For people.
    pub says: &'static str,
}

const fn trouble(reason: &'static str, says: &'static str) -> Trouble {
    Trouble { reason, says }
}

/// Looks through what an error comes from.
pub fn find(error: &(dyn Error + 'static)) -> Option<Trouble> {
    let mut next = Some(error);
    while let Some(error) = next {
        if let Some(error) = error.downcast_ref::<rustls::Error>() {
            return of(error);
        }
        // The source of such an error is what comes after what it holds.
        if let Some(held) = error.downcast_ref::<io::Error>().and_then(io::Error::get_ref) {
            return find(held);
        }
        next = error.source();
    }
    None
}

fn of(error: &rustls::Error) -> Option<Trouble> {
    use CertificateError as Server;
    Some(match error {
        rustls::Error::InvalidCertificate(Server::Expired | Server::ExpiredContext { .. }) => {
            trouble("expired", "its certificate has expired")
        }
        rustls::Error::InvalidCertificate(Server::NotValidYet | Server::NotValidYetContext { .. }) => {
            trouble("not_valid_yet", "its certificate is not valid yet")
        }
        rustls::Error::InvalidCertificate(Server::UnknownIssuer) => {
            trouble("unknown_issuer", "its certificate is not from the authority in the kubeconfig")
        }
        rustls::Error::InvalidCertificate(Server::NotValidForName | Server::NotValidForNameContext { .. }) => {
            trouble("other_name", "its certificate is for another name")
        }
        rustls::Error::InvalidCertificate(_) => trouble("invalid", "its certificate is not accepted"),
        rustls::Error::AlertReceived(AlertDescription::CertificateExpired) => {
            trouble("client_expired", "the client certificate in the kubeconfig has expired")
        }
        rustls::Error::AlertReceived(
            AlertDescription::BadCertificate
            | AlertDescription::CertificateRequired
            | AlertDescription::CertificateRevoked
            | AlertDescription::CertificateUnknown
            | AlertDescription::UnknownCA,
        ) => trouble("client_refused", "it does not accept the client certificate in the kubeconfig"),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::find;
    use rustls::{CertificateError, Error};
    use std::io;

    #[test]
    fn the_reason_is_found_however_deep_it_is() {
        let reason = |error: &(dyn std::error::Error + 'static)| find(error).map(|trouble| trouble.reason);
        let expired = || Error::InvalidCertificate(CertificateError::Expired);
        assert_eq!(reason(&expired()), Some("expired"));
        let deep = io::Error::other(io::Error::other(expired()));
        assert_eq!(reason(&deep), Some("expired"));
        let service = kube::Error::Service(Box::new(deep));
        assert_eq!(reason(&service), Some("expired"));
        assert_eq!(reason(&Error::AlertReceived(rustls::AlertDescription::UnknownCA)), Some("client_refused"));
        assert_eq!(reason(&io::Error::other("refused")), None);
    }
}

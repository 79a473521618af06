//! Which servers kubeconfig Secrets may lead to.

use std::net::IpAddr;
use std::str::FromStr;

/// A list of servers; an empty one allows every server.
#[derive(Clone, Debug, Default)]
pub struct ServerList(Vec<Entry>);

#[derive(Clone, Debug)]
struct Entry {
    host: Host,
    port: Option<u16>,
}

#[derive(Clone, Debug)]
enum Host {
    /// `api.example.com`, `10.0.0.1`
    Named(String),
    /// `*.example.com`: what comes after the star.
    Below(String),
    /// `10.0.0.0/8`
    Network(IpAddr, u32),
}

impl ServerList {
    /// Whether a server may be reached; without a port it is that of https.
    pub fn allows(&self, host: &str, port: Option<u16>) -> bool {
        let port = port.unwrap_or(443);
        self.0.is_empty()
            || self.0.iter().any(|entry| entry.port.is_none_or(|allowed| allowed == port) && entry.host.matches(host))
    }
}

impl Host {
    fn matches(&self, host: &str) -> bool {
        match self {
            Self::Named(name) => name.eq_ignore_ascii_case(host),
            Self::Below(suffix) => {
                let start = host.len().checked_sub(suffix.len());
                start
                    .filter(|start| *start > 0)
                    .and_then(|start| host.get(start..))
                    .is_some_and(|end| end.eq_ignore_ascii_case(suffix))
            }
            Self::Network(network, bits) => {
                host.parse().is_ok_and(|address: IpAddr| prefix(address, *bits) == prefix(*network, *bits))
            }
        }
    }
}

/// The first bits of an address; those of different families never are the same.
fn prefix(address: IpAddr, bits: u32) -> (bool, u128) {
    match address {
        IpAddr::V4(address) => {
            (false, u128::from(address.to_bits().checked_shr(32_u32.saturating_sub(bits)).unwrap_or(0)))
        }
        IpAddr::V6(address) => (true, address.to_bits().checked_shr(128_u32.saturating_sub(bits)).unwrap_or(0)),
    }
}

impl FromStr for ServerList {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let entries = text.split(',').map(str::trim).filter(|entry| !entry.is_empty());
        match entries.map(entry).collect::<Result<Vec<_>, _>>()? {
            // Most likely a variable that is not set; the default would allow every server.
            none if none.is_empty() => Err("no server is named".to_owned()),
            some => Ok(Self(some)),
        }
    }
}

fn entry(text: &str) -> Result<Entry, String> {
    let wrong = || format!("{text:?}: expected HOST, HOST:PORT, *.DOMAIN or a network like 10.0.0.0/8");
    if let Some((network, bits)) = text.split_once('/') {
        let network: IpAddr = network.parse().map_err(|_| wrong())?;
        let bits =
            bits.parse().ok().filter(|bits| *bits <= if network.is_ipv4() { 32 } else { 128 }).ok_or_else(wrong)?;
        return Ok(Entry { host: Host::Network(network, bits), port: None });
    }
    let (host, port) = match text.rsplit_once(':') {
        // An IPv6 address has colons of its own: a port comes after its brackets.
        Some((host, port)) if !host.contains(':') || host.ends_with(']') => {
            (host, Some(port.parse().map_err(|_| wrong())?))
        }
        _ => (text, None),
    };
    let host = host.trim_start_matches('[').trim_end_matches(']');
    let host = match host.strip_prefix('*') {
        Some(suffix) if suffix.starts_with('.') && suffix.len() > 1 => Host::Below(suffix.to_owned()),
        None if !host.is_empty() && !host.contains('*') => Host::Named(host.to_owned()),
        _ => return Err(wrong()),
    };
    Ok(Entry { host, port })
}

#[cfg(test)]
mod tests {
    use super::ServerList;

    #[test]
    fn servers_by_name_domain_network_and_port() {
        let list: ServerList =
            "api.example.com, *.prod.example:6443, 10.1.0.0/16, fd00::/8, [::1]:7443".parse().expect("a list");
        let allowed = |host: &str, port: u16| list.allows(host, Some(port));
        assert!(allowed("API.example.com", 1) && allowed("a.b.prod.example", 6443) && allowed("10.1.255.1", 1));
        assert!(allowed("fd12::1", 443) && allowed("::1", 7443));
        assert!(!allowed("prod.example", 6443) && !allowed("a.prod.example", 443) && !allowed("10.2.0.1", 443));
        assert!(!allowed("evilapi.example.com", 443) && !allowed("::1", 443) && !allowed("example.com", 443));
        assert!(ServerList::default().allows("anything", None));
    }

    #[test]
    fn what_is_no_server_is_refused() {
        for text in ["", " , ", "10.0.0.0/33", "*", "*example", "a:b", "a*.b", "x/8"] {
            assert!(text.parse::<ServerList>().is_err(), "{text}");
        }
    }
}

//! A certificate authority, and a server's certificate from it that expires when a test says so.

use anyhow::{Context, Result, ensure};
use k8s_openapi::ByteString;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Arc, Mutex, PoisonError};
use tokio_rustls::rustls::ServerConfig;
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::pki_types::pem::PemObject;
use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer};

const CURVE: &[&str] = &["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"];

/// An authority, with the files that it consists of.
pub struct Authority {
    directory: PathBuf,
    server: Mutex<Arc<ServerConfig>>,
}

impl Authority {
    /// One with a certificate for 127.0.0.1 that is good.
    pub fn create(directory: &Path, name: &str) -> Result<Arc<Self>> {
        let directory = directory.join(name);
        std::fs::create_dir(&directory)?;
        std::fs::write(directory.join("extensions"), "subjectAltName=IP:127.0.0.1\n")?;
        let of_authority = ["-x509", "-subj", "/CN=authority", "-days", "2", "-keyout", "ca.key", "-out", "ca.pem"];
        openssl(&directory, &[&["req"], CURVE, &of_authority].concat())?;
        let of_server = ["-subj", "/CN=server", "-keyout", "server.key", "-out", "server.csr"];
        openssl(&directory, &[&["req"], CURVE, &of_server].concat())?;
        let server = Mutex::new(issue(&directory, 1)?);
        Ok(Arc::new(Self { directory, server }))
    }

    /// The authority, as it is named in a kubeconfig.
    pub fn data(&self) -> Result<Value> {
        Ok(json!(ByteString(std::fs::read(self.directory.join("ca.pem"))?)))
    }

    /// From now on the server has a certificate that has expired, or a good one again.
    pub fn expired(&self, expired: bool) -> Result<()> {
        let server = issue(&self.directory, if expired { -1 } else { 1 })?;
        *self.server.lock().unwrap_or_else(PoisonError::into_inner) = server;
        Ok(())
    }

    /// What new connections are made with.
    pub fn server(&self) -> Arc<ServerConfig> {
        self.server.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

/// A certificate that is good for so many days.
fn issue(directory: &Path, days: i32) -> Result<Arc<ServerConfig>> {
    let days = days.to_string();
    let authority = ["-CA", "ca.pem", "-CAkey", "ca.key", "-CAcreateserial"];
    let request = ["-in", "server.csr", "-extfile", "extensions", "-days", &days, "-out", "server.pem"];
    openssl(directory, &[&["x509", "-req"], &authority[..], &request].concat())?;
    let certificate = CertificateDer::from_pem_file(directory.join("server.pem"))?;
    let key = PrivateKeyDer::from_pem_file(directory.join("server.key"))?;
    let server = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()?
        .with_no_client_auth()
        .with_single_cert(vec![certificate], key)?;
    Ok(Arc::new(server))
}

fn openssl(directory: &Path, arguments: &[&str]) -> Result<()> {
    let output = Command::new("openssl").args(arguments).current_dir(directory).output().context("openssl")?;
    ensure!(output.status.success(), "openssl {arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    Ok(())
}

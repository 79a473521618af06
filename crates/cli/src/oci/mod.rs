//! Policies in OCI registries, in the layout that CNCF agreed on for WebAssembly: one config, one layer.
//!
//! Pinned policies (`@sha256:…`) are kept in the user's cache, so a second use needs no network.

mod cache;
mod layout;
mod manifest;
mod referrers;

use crate::trust::Trust;
use anyhow::{Context, Result, bail};
use futures::StreamExt;
use layout::{CONFIG_TYPE, LAYER_TYPE};
use oci_client::Reference;
use oci_client::client::{Client, ClientConfig, ClientProtocol, Config, ImageLayer};
use oci_client::errors::DigestError;
use oci_client::manifest::{OciDescriptor, OciImageManifest};
use oci_client::secrets::RegistryAuth;
use sha2::{Digest, Sha256};
use std::io;
use std::net::IpAddr;
use std::time::Duration;

pub use layout::Facts;

/// The most that a policy may take: it is one of a few hundred kilobytes.
const MOST_BYTES: i64 = 64 << 20;
/// How long a registry may take for all of it.
const PULL_WITHIN: Duration = Duration::from_mins(2);

/// How long a connection may take, and how long nothing may arrive.
const CONNECT_WITHIN: Duration = Duration::from_secs(10);
const READ_WITHIN: Duration = Duration::from_mins(1);
const USER_AGENT: &str = concat!("capi-policy/", env!("CARGO_PKG_VERSION"));

/// What a reference to a registry starts with.
pub const SCHEME: &str = "oci://";

/// A policy from a registry.
pub struct Pulled {
    /// The component's bytes.
    pub component: Vec<u8>,
    /// The reference, pinned to what was pulled.
    pub pinned: String,
}

/// Fetches a policy; refuses one that is not what its digests say, or that is not trusted.
pub fn pull(reference: &str, trust: Option<&Trust>) -> Result<Pulled> {
    let image = parse(reference)?;
    let cached = image.digest().and_then(|digest| Some((digest, cache::read(digest)?)));
    let (digest, pulled) = if let Some((digest, component)) = cached {
        (digest.to_owned(), Pulled { component, pinned: reference.to_owned() })
    } else {
        let (manifest, digest, component) =
            block_on(within(PULL_WITHIN, fetch(&image))).with_context(|| format!("pulling {reference}"))?;
        cache::write(&manifest, &component);
        let pinned = pinned(&image, &digest);
        (digest, Pulled { component, pinned })
    };
    if let Some(trust) = trust {
        verify(&image, &digest, trust).with_context(|| reference.to_owned())?;
    }
    Ok(pulled)
}

/// Signatures prove themselves, so those that were seen before are as good as those in the registry.
fn verify(image: &Reference, digest: &str, trust: &Trust) -> Result<()> {
    if trust.check(&cache::bundles(digest), digest).is_ok() {
        return Ok(());
    }
    let bundles = block_on(within(PULL_WITHIN, async {
        let (client, auth) = connect(image);
        referrers::bundles(&client, &auth, &image.clone_with_digest(digest.to_owned())).await
    }))?;
    trust.check(&bundles, digest)?;
    cache::write_bundles(digest, &bundles);
    Ok(())
}

/// The digest of a policy's manifest, which is what signatures are about.
pub fn resolve(reference: &str) -> Result<String> {
    let image = parse(reference)?;
    if let Some(digest) = image.digest() {
        return Ok(digest.to_owned());
    }
    let manifest = async {
        let (client, auth) = connect(&image);
        manifest::read(&client, &auth, &image).await
    };
    let manifest = block_on(within(PULL_WITHIN, manifest)).with_context(|| format!("resolving {reference}"))?;
    Ok(digest(&manifest))
}

/// Puts a bundle beside a policy, which the reference names by its digest.
pub fn attach(reference: &str, digest: &str, bundle: &[u8], predicate_type: &str) -> Result<()> {
    let image = parse(reference)?;
    let upload = async {
        let (client, auth) = connect(&image);
        let image = image.clone_with_digest(digest.to_owned());
        referrers::attach(&client, &auth, &image, bundle, predicate_type).await
    };
    block_on(upload).with_context(|| format!("attaching to {reference}"))
}

/// Uploads a policy and returns its reference, pinned.
pub fn push(reference: &str, component: Vec<u8>, facts: &Facts) -> Result<String> {
    let image = parse(reference)?;
    if image.digest().is_some() {
        bail!("{reference}: the digest follows from the content; push to a tag, as in {SCHEME}registry/name:0.1.0");
    }
    let config = Config::new(layout::config(&component, facts)?, CONFIG_TYPE.to_owned(), None);
    let layers = [ImageLayer::new(component, LAYER_TYPE.to_owned(), None)];
    let manifest = OciImageManifest::build(&layers, &config, Some(layout::annotations(facts)));
    let upload = async {
        let (client, auth) = connect(&image);
        client.push(&image, &layers, config, &auth, Some(manifest.clone())).await?;
        let stored = manifest::read(&client, &auth, &image).await?;
        layout::stored(&manifest, &stored)
    };
    let digest = block_on(upload).with_context(|| format!("pushing to {reference}"))?;
    Ok(pinned(&image, &digest))
}

/// `sha256:…` of some bytes.
pub fn digest(bytes: &[u8]) -> String {
    let hex: Vec<_> = Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect();
    format!("sha256:{}", hex.concat())
}

async fn within<T>(limit: Duration, work: impl Future<Output = Result<T>>) -> Result<T> {
    tokio::time::timeout(limit, work).await.with_context(|| format!("not within {} s", limit.as_secs()))?
}

async fn fetch(image: &Reference) -> Result<(Vec<u8>, String, Vec<u8>)> {
    let (client, auth) = connect(image);
    let manifest = match manifest::read(&client, &auth, image).await {
        Ok(manifest) => manifest,
        Err(error) => return Err(explain(&client, image, &auth, error).await),
    };
    let found = digest(&manifest);
    if let Some(wanted) = image.digest().filter(|wanted| *wanted != found) {
        bail!("refused: the digest is {found}, but {wanted} was asked for");
    }
    let layer = layout::layer(&manifest)?;
    let component = read_blob(&client, image, &layer, MOST_BYTES).await?;
    layout::verify(&layer, &component)?;
    Ok((manifest, found, component))
}

/// A blob that is no larger than its descriptor says, which is no larger than `most`.
async fn read_blob(client: &Client, image: &Reference, layer: &OciDescriptor, most: i64) -> Result<Vec<u8>> {
    if layer.size > most {
        bail!("refused: {} bytes; {most} are the most", layer.size);
    }
    let mut content = Vec::new();
    let mut blob = client.pull_blob_stream(image, layer).await?.stream;
    while let Some(chunk) = blob.next().await {
        content.extend_from_slice(&chunk.map_err(changed)?);
        if i64::try_from(content.len()).is_ok_and(|length| length > layer.size) {
            bail!("refused: the registry sends more than the {} bytes that the manifest names", layer.size);
        }
    }
    Ok(content)
}

/// What is the matter with a blob that is not what its digest says.
fn changed(error: io::Error) -> anyhow::Error {
    let not_its_digest = error.get_ref().is_some_and(<dyn std::error::Error + Send + Sync>::is::<DigestError>);
    let error = anyhow::Error::from(error);
    if not_its_digest { error.context(layout::CHANGED) } else { error }
}

/// A pinned policy that the registry does not have: says what the tag stands for instead.
async fn explain(client: &Client, image: &Reference, auth: &RegistryAuth, error: anyhow::Error) -> anyhow::Error {
    let (Some(wanted), Some(tag)) = (image.digest(), image.tag()) else { return error };
    let by_tag = Reference::with_tag(image.registry().to_owned(), image.repository().to_owned(), tag.to_owned());
    match manifest::read(client, auth, &by_tag).await {
        Ok(found) => {
            let found = digest(&found);
            anyhow::anyhow!("refused: the tag {tag} stands for {found}, but {wanted} was asked for")
        }
        Err(_) => error,
    }
}

fn parse(reference: &str) -> Result<Reference> {
    let name =
        reference.strip_prefix(SCHEME).with_context(|| format!("{reference}: expected {SCHEME}registry/name:tag"))?;
    name.parse().with_context(|| format!("{reference}: expected {SCHEME}registry/name:tag or …@sha256:…"))
}

fn pinned(image: &Reference, digest: &str) -> String {
    let tag = image.tag().map(|tag| format!(":{tag}")).unwrap_or_default();
    format!("{SCHEME}{}/{}{tag}@{digest}", image.registry(), image.repository())
}

fn connect(image: &Reference) -> (Client, RegistryAuth) {
    // An earlier call may have installed it: that is as good.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let registry = image.resolve_registry().to_owned();
    let protocol = if is_loopback(&registry) {
        ClientProtocol::HttpsExcept(vec![registry.clone()])
    } else {
        ClientProtocol::Https
    };
    let config = ClientConfig {
        protocol,
        connect_timeout: Some(CONNECT_WITHIN),
        read_timeout: Some(READ_WITHIN),
        user_agent: USER_AGENT,
        ..ClientConfig::default()
    };
    (Client::new(config), credentials(&registry))
}

/// Plain HTTP is for registries on this very machine only.
fn is_loopback(registry: &str) -> bool {
    let host = registry.rsplit_once(':').map_or(registry, |(host, _)| host);
    let host = host.trim_start_matches('[').trim_end_matches(']');
    host == "localhost" || host.parse::<IpAddr>().is_ok_and(|address| address.is_loopback())
}

/// What `docker login` stored, else nobody.
fn credentials(registry: &str) -> RegistryAuth {
    match docker_credential::get_credential(registry) {
        Ok(docker_credential::DockerCredential::UsernamePassword(user, password)) => {
            RegistryAuth::Basic(user, password)
        }
        Ok(docker_credential::DockerCredential::IdentityToken(token)) => RegistryAuth::Bearer(token),
        Err(_) => RegistryAuth::Anonymous,
    }
}

fn block_on<T, E>(work: impl Future<Output = Result<T, E>>) -> Result<T>
where
    anyhow::Error: From<E>,
{
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    Ok(runtime.block_on(work)?)
}

#[cfg(test)]
mod tests {
    use super::is_loopback;

    #[test]
    fn plain_http_is_for_loopback_only() {
        for here in ["localhost:5000", "127.0.0.1:5000", "127.8.9.1", "[::1]:5000", "localhost"] {
            assert!(is_loopback(here), "{here}");
        }
        for elsewhere in ["registry.example", "localhost.example:5000", "10.0.0.1:5000", "[2001:db8::1]:5000"] {
            assert!(!is_loopback(elsewhere), "{elsewhere}");
        }
    }
}

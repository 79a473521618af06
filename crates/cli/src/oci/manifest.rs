//! Manifests, and the lists of those that refer to one, of no more than a fixed size: `oci-client` reads whatever a registry
//! sends.

use super::{CONNECT_WITHIN, READ_WITHIN, USER_AGENT, is_loopback};
use anyhow::{Context, Result, bail};
use oci_client::client::Client;
use oci_client::manifest::{
    IMAGE_MANIFEST_MEDIA_TYPE, OCI_IMAGE_INDEX_MEDIA_TYPE, OCI_IMAGE_MEDIA_TYPE, OciImageIndex,
};
use oci_client::secrets::RegistryAuth;
use oci_client::{Reference, RegistryOperation};
use reqwest::StatusCode;

/// What registries have to take, and none needs more.
const MOST_BYTES: usize = 4 << 20;

/// The manifest behind a reference, by its digest where it has one. Nothing is verified yet.
pub async fn read(client: &Client, auth: &RegistryAuth, image: &Reference) -> Result<Vec<u8>> {
    let name = image.digest().or(image.tag()).context("neither tag nor digest")?;
    let accept = format!("{OCI_IMAGE_MEDIA_TYPE}, {IMAGE_MANIFEST_MEDIA_TYPE}");
    let manifest = get(client, auth, image, &format!("manifests/{name}"), &accept).await?;
    manifest.with_context(|| format!("{image} is not in the registry"))
}

/// The manifests that refer to the one that `image` names by its digest, from the registry's own list or, where it keeps
/// none, from the tag that stands in for it.
pub async fn referrers(client: &Client, auth: &RegistryAuth, image: &Reference) -> Result<OciImageIndex> {
    let digest = image.digest().context("no digest")?;
    for place in [format!("referrers/{digest}"), format!("manifests/{}", digest.replace(':', "-"))] {
        if let Some(index) = get(client, auth, image, &place, OCI_IMAGE_INDEX_MEDIA_TYPE).await? {
            return serde_json::from_slice(&index).context("the list of what refers to it");
        }
    }
    Ok(OciImageIndex {
        schema_version: 2,
        media_type: Some(OCI_IMAGE_INDEX_MEDIA_TYPE.to_owned()),
        manifests: Vec::new(),
        artifact_type: None,
        annotations: None,
    })
}

/// What is there, if anything is.
async fn get(
    client: &Client,
    auth: &RegistryAuth,
    image: &Reference,
    place: &str,
    accept: &str,
) -> Result<Option<Vec<u8>>> {
    let registry = image.resolve_registry();
    let scheme = if is_loopback(registry) { "http" } else { "https" };
    let url = format!("{scheme}://{registry}/v2/{}/{place}", image.repository());
    let http = reqwest::Client::builder()
        .connect_timeout(CONNECT_WITHIN)
        .read_timeout(READ_WITHIN)
        .user_agent(USER_AGENT)
        .build()?;
    let request = http.get(&url).header("accept", accept);
    // One who is refused a token may still read what everybody may.
    let token = client.auth(image, auth, RegistryOperation::Pull).await.ok().flatten();
    let request = match (token, auth) {
        (Some(token), _) => request.bearer_auth(token),
        (None, RegistryAuth::Basic(user, password)) => request.basic_auth(user, Some(password)),
        (None, _) => request,
    };
    let mut answer = request.send().await?;
    let status = answer.status();
    let mut content = Vec::new();
    while let Some(chunk) = answer.chunk().await? {
        content.extend_from_slice(&chunk);
        if content.len() > MOST_BYTES {
            bail!("refused: the registry answers with more than {MOST_BYTES} bytes to {url}");
        }
    }
    match status {
        StatusCode::OK => Ok(Some(content)),
        StatusCode::NOT_FOUND => Ok(None),
        _ => bail!("{url}: {status}: {}", String::from_utf8_lossy(content.get(..500).unwrap_or(&content))),
    }
}

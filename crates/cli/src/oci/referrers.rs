//! Bundles beside an artifact: manifests that refer to it, listed by the registry, or under the tag that stands in where a
//! registry lists none.

use super::{digest, manifest, read_blob};
use anyhow::{Context, Result};
use capi_policy_signing::BUNDLE_TYPE;
use oci_client::Reference;
use oci_client::client::Client;
use oci_client::manifest::{
    ImageIndexEntry, OCI_IMAGE_INDEX_MEDIA_TYPE, OCI_IMAGE_MEDIA_TYPE, OciDescriptor, OciImageIndex, OciImageManifest,
};
use oci_client::secrets::RegistryAuth;
use std::collections::BTreeMap;

/// The most that one bundle may have: a bill of materials has some ten kilobytes.
const MOST_BYTES: i64 = 8 << 20;
/// How many bundles are read: whoever may push to the repository can add some.
const MOST_BUNDLES: usize = 64;

/// The config of manifests that need none.
const EMPTY: &[u8] = b"{}";
const EMPTY_TYPE: &str = "application/vnd.oci.empty.v1+json";

/// Puts a bundle beside the artifact that `image` names by its digest.
pub async fn attach(
    client: &Client,
    auth: &RegistryAuth,
    image: &Reference,
    bundle: &[u8],
    predicate_type: &str,
) -> Result<()> {
    let subject = manifest::read(client, auth, image).await?;
    let manifest = OciImageManifest {
        media_type: Some(OCI_IMAGE_MEDIA_TYPE.to_owned()),
        config: OciDescriptor { artifact_type: Some(BUNDLE_TYPE.to_owned()), ..descriptor(EMPTY_TYPE, EMPTY) },
        layers: vec![descriptor(BUNDLE_TYPE, bundle)],
        subject: Some(descriptor(OCI_IMAGE_MEDIA_TYPE, &subject)),
        artifact_type: Some(BUNDLE_TYPE.to_owned()),
        annotations: Some(BTreeMap::from([
            ("dev.sigstore.bundle.content".to_owned(), "dsse-envelope".to_owned()),
            ("dev.sigstore.bundle.predicateType".to_owned(), predicate_type.to_owned()),
        ])),
        ..OciImageManifest::default()
    };
    for blob in [EMPTY, bundle] {
        client.push_blob(image, blob.to_vec(), &digest(blob)).await?;
    }
    let bytes = serde_json::to_vec(&manifest)?;
    let place = image.clone_with_digest(digest(&bytes));
    client.push_manifest_raw(&place, bytes.clone(), OCI_IMAGE_MEDIA_TYPE.parse()?).await?;
    list(client, auth, image, &bytes, manifest.annotations).await
}

/// Registries without the referrers API list nothing by themselves; then the list is kept under a tag.
async fn list(
    client: &Client,
    auth: &RegistryAuth,
    image: &Reference,
    manifest: &[u8],
    annotations: Option<BTreeMap<String, String>>,
) -> Result<()> {
    let mut index = manifest::referrers(client, auth, image).await?;
    let OciDescriptor { media_type, digest, size, .. } = descriptor(OCI_IMAGE_MEDIA_TYPE, manifest);
    if index.manifests.iter().any(|entry| entry.digest == digest) {
        return Ok(());
    }
    let artifact_type = Some(BUNDLE_TYPE.to_owned());
    index.manifests.push(ImageIndexEntry { media_type, digest, size, platform: None, annotations, artifact_type });
    let index = OciImageIndex { media_type: Some(OCI_IMAGE_INDEX_MEDIA_TYPE.to_owned()), ..index };
    let tag = image.digest().unwrap_or_default().replace(':', "-");
    let place = Reference::with_tag(image.registry().to_owned(), image.repository().to_owned(), tag);
    client.push_manifest_list(&place, auth, index).await?;
    Ok(())
}

/// The bundles beside the artifact that `image` names by its digest. What can't be read of them is passed over where others
/// can: none counts before its signature has been verified.
pub async fn bundles(client: &Client, auth: &RegistryAuth, image: &Reference) -> Result<Vec<Vec<u8>>> {
    client.store_auth_if_needed(image.resolve_registry(), auth).await;
    let index = manifest::referrers(client, auth, image).await.context("listing its signatures")?;
    let (mut bundles, mut failed) = (Vec::new(), None);
    for entry in index.manifests.iter().filter(|entry| is_bundle(entry)).take(MOST_BUNDLES) {
        match bundle(client, auth, image, &entry.digest).await {
            Ok(bundle) => bundles.extend(bundle),
            Err(error) => failed = Some(error.context(unreadable(&entry.digest))),
        }
    }
    match failed {
        Some(error) if bundles.is_empty() => Err(error),
        _ => Ok(bundles),
    }
}

/// The bundle in a manifest that refers to the artifact; none where it holds something else.
async fn bundle(client: &Client, auth: &RegistryAuth, image: &Reference, named: &str) -> Result<Option<Vec<u8>>> {
    let place = image.clone_with_digest(named.to_owned());
    let content = manifest::read(client, auth, &place).await?;
    anyhow::ensure!(digest(&content) == named, "its digest is {}", digest(&content));
    let manifest: OciImageManifest = serde_json::from_slice(&content)?;
    match &*manifest.layers {
        [layer] if layer.media_type == BUNDLE_TYPE => Ok(Some(read_blob(client, image, layer, MOST_BYTES).await?)),
        _ => Ok(None),
    }
}

fn unreadable(digest: &str) -> String {
    format!(
        "reading the signature {digest}, which was changed in the registry or on the way; pull again, or sign again with \
         `capi-policy push --sign KEY`"
    )
}

/// Registries that don't know artifact types leave them out.
fn is_bundle(entry: &ImageIndexEntry) -> bool {
    entry.artifact_type.as_deref().is_none_or(|artifact_type| artifact_type == BUNDLE_TYPE)
}

fn descriptor(media_type: &str, content: &[u8]) -> OciDescriptor {
    OciDescriptor {
        media_type: media_type.to_owned(),
        digest: digest(content),
        size: i64::try_from(content.len()).unwrap_or(i64::MAX),
        ..OciDescriptor::default()
    }
}

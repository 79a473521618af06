//! Makes a component with its metadata of the core module; nothing may be imported.

use anyhow::{Result, ensure};
use capi_policy::catalog;
use wasm_metadata::{AddMetadata, AddMetadataField, Description, Licenses, Revision, Source, Version};
use wasmparser::{Parser, Payload};
use wit_component::ComponentEncoder;

/// Wraps the module into a component and says in it what it is.
pub fn encode(module: &[u8], revision: &str) -> Result<Vec<u8>> {
    let component = ComponentEncoder::default().validate(true).module(module)?.encode()?;
    metadata(revision)?.to_wasm(&component)
}

fn metadata(revision: &str) -> Result<AddMetadata> {
    let policy = catalog::describe();
    let about = format!(
        "Cluster API's condition logic and health checks as pure functions. Conformant with Cluster API {}.",
        policy.cluster_api.join(", ")
    );
    let mut metadata = AddMetadata::default();
    metadata.name = AddMetadataField::Set(policy.name.to_owned());
    metadata.version = AddMetadataField::Set(Version::new(policy.version));
    metadata.description = AddMetadataField::Set(Description::new(about));
    metadata.licenses = AddMetadataField::Set(Licenses::new(env!("CARGO_PKG_LICENSE"))?);
    metadata.source = AddMetadataField::Set(Source::new(env!("CARGO_PKG_REPOSITORY"))?);
    if !revision.is_empty() {
        metadata.revision = AddMetadataField::Set(Revision::new(revision.to_owned()));
    }
    Ok(metadata)
}

/// Fails when a component or module imports anything: then it would not be a pure function.
pub fn refuse_imports(component: &[u8]) -> Result<()> {
    let imports = imports(component)?;
    ensure!(imports.is_empty(), "the policy must not import anything, but it imports {}", imports.join(", "));
    Ok(())
}

/// What the component or module itself imports. What is inside a component can only be given what the component has.
fn imports(component: &[u8]) -> Result<Vec<String>> {
    let mut imports = Vec::new();
    let mut depth = 0;
    for payload in Parser::new(0).parse_all(component) {
        match payload? {
            Payload::Version { .. } => depth += 1,
            Payload::End(_) => depth -= 1,
            Payload::ComponentImportSection(section) if depth == 1 => {
                for import in section {
                    imports.push(import?.name.name.to_owned());
                }
            }
            Payload::ImportSection(section) if depth == 1 => {
                for import in section.into_imports() {
                    let import = import?;
                    imports.push(format!("{}#{}", import.module, import.name));
                }
            }
            _ => {}
        }
    }
    Ok(imports)
}

#[cfg(test)]
mod tests {
    use super::{encode, refuse_imports};

    fn refusal(text: &str) -> String {
        refuse_imports(&wat::parse_str(text).expect("a component")).expect_err("imports").to_string()
    }

    #[test]
    fn a_component_that_imports_nothing_is_accepted() {
        let component = wat::parse_str("(component (core module))").expect("a component");
        refuse_imports(&component).expect("no imports");
    }

    #[test]
    fn an_import_is_refused_by_name() {
        assert_eq!(
            refusal(r#"(component (import "wasi:clocks/wall-clock@0.2.0" (instance)))"#),
            "the policy must not import anything, but it imports wasi:clocks/wall-clock@0.2.0"
        );
        assert_eq!(
            refusal(r#"(module (import "env" "now" (func)))"#),
            "the policy must not import anything, but it imports env#now"
        );
    }

    #[test]
    fn the_component_says_what_it_is() {
        let module = wat::parse_str("(module)").expect("a module");
        let component = encode(&module, "0123abc").expect("a component");
        let payload = wasm_metadata::Payload::from_binary(&component).expect("metadata");
        let metadata = payload.metadata();
        let text = |field: Option<String>| field.unwrap_or_default();
        assert_eq!(metadata.name.as_deref(), Some("capi-policy"));
        assert_eq!(text(metadata.version.as_ref().map(ToString::to_string)), env!("CARGO_PKG_VERSION"));
        assert_eq!(text(metadata.licenses.as_ref().map(ToString::to_string)), "Apache-2.0");
        assert_eq!(text(metadata.revision.as_ref().map(ToString::to_string)), "0123abc");
        let description = text(metadata.description.as_ref().map(ToString::to_string));
        let conformant = capi_policy::catalog::describe().cluster_api;
        assert!(conformant.contains(&"v1.13.6") && description.contains(&conformant.join(", ")), "{description}");
    }
}

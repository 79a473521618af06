//! Compares the template a Machine was made from with the one it should be made from, and describes what differs.

use crate::view::{MachineTemplate, ObjectRef, Str};

/// A difference that asks for a new Machine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// What a condition says about it.
    pub message: String,
    /// The field and both values.
    pub detail: String,
}

/// One entry per difference that asks for a new Machine.
pub fn differences(current: &MachineTemplate<'_>, desired: &MachineTemplate<'_>) -> Vec<Difference> {
    let (current, desired) = (&current.spec, &desired.spec);
    let mut found = Vec::new();
    let mut add = |message: String, detail: String| found.push(Difference { message, detail });
    if current.version != desired.version {
        let versions = format!("{}, {} required", current.version, desired.version);
        add(format!("Version {versions}"), format!("spec.version {versions}"));
    }
    if current.bootstrap != desired.bootstrap {
        if current.bootstrap.config_ref.is_defined() {
            let references = references(&current.bootstrap.config_ref, &desired.bootstrap.config_ref);
            let message = not_up_to_date(&current.bootstrap.config_ref.kind);
            add(message, format!("spec.bootstrap.configRef {references}"));
        } else {
            let secret = |name: &Option<Str<'_>>| name.as_deref().unwrap_or("nil").to_owned();
            let (current, desired) = (&current.bootstrap.data_secret_name, &desired.bootstrap.data_secret_name);
            let text = format!("spec.bootstrap.dataSecretName {}, {} required", secret(current), secret(desired));
            add(text.clone(), text);
        }
    }
    if current.infrastructure_ref != desired.infrastructure_ref {
        let references = references(&current.infrastructure_ref, &desired.infrastructure_ref);
        add(not_up_to_date(&current.infrastructure_ref.kind), format!("spec.infrastructureRef {references}"));
    }
    if current.failure_domain != desired.failure_domain {
        let domains = format!("{}, {} required", current.failure_domain, desired.failure_domain);
        add(format!("Failure domain {domains}"), format!("spec.failureDomain {domains}"));
    }
    found
}

/// What conditions say about the differences.
pub fn messages(current: &MachineTemplate<'_>, desired: &MachineTemplate<'_>) -> Vec<String> {
    differences(current, desired).into_iter().map(|difference| difference.message).collect()
}

fn references(current: &ObjectRef<'_>, desired: &ObjectRef<'_>) -> String {
    format!("{} {}, {} {} required", current.kind, current.name, desired.kind, desired.name)
}

/// A person looks at the Machine, so the kind is that of its object, not of the template.
fn not_up_to_date(template_kind: &str) -> String {
    format!("{} is not up-to-date", template_kind.strip_suffix("Template").unwrap_or(template_kind))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn between(current: &str, desired: &str) -> Vec<String> {
        let read = |spec: &str| format!(r#"{{"spec": {spec}}}"#);
        let (current, desired) = (read(current), read(desired));
        messages(
            &capi_policy_json::read(&current).unwrap_or_default(),
            &capi_policy_json::read(&desired).unwrap_or_default(),
        )
    }

    #[test]
    fn what_is_changed_in_place_is_no_difference() {
        assert_eq!(between(r#"{"minReadySeconds": 5}"#, "{}"), [""; 0]);
    }

    #[test]
    fn version_objects_and_failure_domain_are_listed_in_this_order() {
        let current = r#"{"version": "v1", "failureDomain": "a", "infrastructureRef": {"kind": "XTemplate", "name": "1"},
            "bootstrap": {"configRef": {"kind": "YTemplate", "name": "1"}}}"#;
        let desired = r#"{"version": "v2", "infrastructureRef": {"kind": "XTemplate", "name": "2"},
            "bootstrap": {"configRef": {"kind": "YTemplate", "name": "2"}}}"#;
        let expected =
            ["Version v1, v2 required", "Y is not up-to-date", "X is not up-to-date", "Failure domain a,  required"];
        assert_eq!(between(current, desired), expected);
    }

    #[test]
    fn without_a_config_the_secrets_are_compared() {
        let secret = r#"{"bootstrap": {"dataSecretName": "s1"}}"#;
        assert_eq!(between(secret, "{}"), ["spec.bootstrap.dataSecretName s1, nil required"]);
    }
}

//! Messages about templates that do not exist.

use crate::observed::Observed;
use crate::view::MachineTemplate;

/// The templates that an owner can't make machines from because they do not exist.
pub struct MissingReferences<'a> {
    kinds: Vec<&'a str>,
}

impl<'a> MissingReferences<'a> {
    /// Of the two templates that a machine template refers to, those that do not exist.
    pub fn of(template: &'a MachineTemplate<'a>, observed: &Observed<'_>) -> Self {
        let bootstrap = observed.bootstrap_template_not_found.then_some(&*template.spec.bootstrap.config_ref.kind);
        let mut missing = Self::infrastructure(&template.spec.infrastructure_ref.kind, observed);
        missing.kinds.splice(0..0, bootstrap);
        missing
    }

    /// Nothing but the infrastructure template can be missing.
    pub fn infrastructure(kind: &'a str, observed: &Observed<'_>) -> Self {
        Self { kinds: observed.infrastructure_template_not_found.then_some(kind).into_iter().collect() }
    }

    /// How many do not exist.
    pub fn missing_templates(&self) -> usize {
        self.kinds.len()
    }

    /// Some template does not exist.
    pub fn template_missing(&self) -> bool {
        !self.kinds.is_empty()
    }

    /// `A does not exist`, `A and B do not exist`; empty when all of them exist.
    pub fn what_is_missing(&self) -> String {
        match self.kinds.as_slice() {
            [] => String::new(),
            [one] => format!("{one} does not exist"),
            several => format!("{} do not exist", several.join(" and ")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::MissingReferences;
    use crate::observed::Observed;
    use crate::view::MachineTemplate;

    #[test]
    fn one_does_not_exist_and_two_do_not() {
        let mut template = MachineTemplate::default();
        template.spec.bootstrap.config_ref.kind = "A".into();
        template.spec.infrastructure_ref.kind = "B".into();
        let sentence = |bootstrap_template_not_found, infrastructure_template_not_found| {
            let observed =
                Observed { bootstrap_template_not_found, infrastructure_template_not_found, ..Observed::default() };
            MissingReferences::of(&template, &observed).what_is_missing()
        };
        assert_eq!(sentence(false, false), "");
        assert_eq!(sentence(true, false), "A does not exist");
        assert_eq!(sentence(false, true), "B does not exist");
        assert_eq!(sentence(true, true), "A and B do not exist");
    }
}

//! Takes the one core module out of the component, byte for byte, for hosts that can't call components.

use anyhow::{Result, ensure};
use wasmparser::{Parser, Payload};

/// The module inside the component.
pub fn cut_out(component: &[u8]) -> Result<Vec<u8>> {
    let mut modules = Vec::new();
    for payload in Parser::new(0).parse_all(component) {
        if let Payload::ModuleSection { unchecked_range, .. } = payload? {
            let range = usize::try_from(unchecked_range.start)?..usize::try_from(unchecked_range.end)?;
            modules.extend(component.get(range));
        }
    }
    ensure!(modules.len() == 1, "expected one core module in the component, found {}", modules.len());
    Ok(modules.concat())
}

#[cfg(test)]
mod tests {
    use super::cut_out;

    #[test]
    fn the_module_comes_out_as_it_went_in() {
        let module = wat::parse_str("(module (func (export \"f\")))").expect("a module");
        let component = wat::parse_str("(component (core module (func (export \"f\"))))").expect("a component");
        assert_eq!(cut_out(&component).expect("one module"), module);
    }

    #[test]
    fn two_modules_are_refused() {
        let component = wat::parse_str("(component (core module) (core module))").expect("a component");
        let error = cut_out(&component).expect_err("two modules").to_string();
        assert_eq!(error, "expected one core module in the component, found 2");
    }
}

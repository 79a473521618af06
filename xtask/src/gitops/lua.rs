//! Argo CD: health checks in Lua, as a patch of `argocd-cm`.

use super::HEADER;
use super::health::{Clause, Compiled, Health, Kind};
use std::fmt::Write;

/// What every script starts with. The rule about the generation stands after `Paused`, since a paused object is not reconciled.
const READ: &str = r#"local conditions = {}
if obj.status ~= nil and obj.status.conditions ~= nil then
  for _, condition in ipairs(obj.status.conditions) do
    if condition.type ~= nil then
      conditions[condition.type] = condition
    end
  end
end
local function is(type, statuses, reasons, other_than)
  local condition = conditions[type]
  if condition == nil or not statuses[condition.status] then return false end
  if reasons ~= nil and not reasons[condition.reason] then return false end
  return other_than == nil or condition.message ~= other_than
end
local function health(status, type)
  local condition = conditions[type]
  if condition == nil then return { status = status, message = type .. " is not reported yet" } end
  local message = condition.message
  if message == nil or message == "" then message = condition.reason or "" end
  return { status = status, message = type .. "=" .. condition.status .. ": " .. message }
end
"#;

const OBSERVED: &str = r#"if obj.status ~= nil and obj.status.observedGeneration ~= nil and obj.status.observedGeneration ~= obj.metadata.generation then
  return { status = "Progressing", message = "The latest generation has not been observed yet" }
end
"#;

/// The ConfigMap with one script per kind.
pub fn config_map(kinds: &[(&Kind, Vec<Compiled>)]) -> String {
    let mut text = format!(
        "# {HEADER}\n# kubectl -n argocd patch configmap argocd-cm --patch-file deploy/gitops/argocd-cm.yaml\n\
         apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: argocd-cm\n  namespace: argocd\ndata:\n"
    );
    for (kind, rules) in kinds {
        let _ = writeln!(text, "  resource.customizations.health.{}_{}: |", kind.group, kind.kind);
        for line in script(rules).lines() {
            let _ = writeln!(text, "    {line}");
        }
    }
    text
}

fn script(rules: &[Compiled]) -> String {
    let mut text = READ.to_owned();
    for rule in rules {
        let tests: Vec<_> = rule.clauses.iter().map(test).collect();
        let subject = rule.clauses.first().map_or("", |clause| clause.condition);
        let _ = writeln!(text, "if {} then return health(\"{}\", \"{subject}\") end", tests.join(" and "), rule.health);
        if rule.health == Health::Suspended {
            text.push_str(OBSERVED);
        }
    }
    text.push_str("return { status = \"Healthy\", message = \"\" }\n");
    text
}

fn test(clause: &Clause) -> String {
    let set = |names: &mut dyn Iterator<Item = &str>| {
        let names: Vec<_> = names.map(|name| format!("{name} = true")).collect();
        format!("{{ {} }}", names.join(", "))
    };
    let mut arguments = vec![format!("{:?}", clause.condition), set(&mut clause.statuses.iter().copied())];
    if !clause.reasons.is_empty() || clause.other_than.is_some() {
        let reasons = &clause.reasons;
        arguments.push(if reasons.is_empty() {
            "nil".to_owned()
        } else {
            set(&mut reasons.iter().map(String::as_str))
        });
    }
    arguments.extend(clause.other_than.as_ref().map(|message| format!("{message:?}")));
    format!("{}is({})", if clause.matches { "" } else { "not " }, arguments.join(", "))
}

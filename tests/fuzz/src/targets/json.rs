//! The JSON reader against `serde_json`.

use capi_policy_json::{MAX_DEPTH, Problem, Raw, Str, read};
use serde::de::IgnoredAny;
use serde_json::{Value, json};

/// Accepted by both or by neither, and the same value.
pub fn json(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let theirs = serde_json::from_str::<Value>(text);
    let raw = match read::<Raw<'_>>(text) {
        Ok(raw) => raw,
        Err(fault) if *fault.problem() == Problem::TooDeep => return assert!(depth(text) > MAX_DEPTH, "{fault}"),
        Err(fault) => {
            assert!(theirs.is_err(), "refused here only: {fault}");
            return assert!(fault.at() <= text.len() && fault.line_and_column() >= (1, 1), "{fault}");
        }
    };
    let string = read::<Str<'_>>(text).ok().map(|text| text.to_string());
    let null = raw.is_null().then(String::new);
    assert_eq!(string, serde_json::from_str::<String>(text).ok().or(null));
    // A number may be too large for a `Value`, in a document that is otherwise fine.
    let Ok(value) = theirs else {
        return assert!(serde_json::from_str::<IgnoredAny>(text).is_ok(), "accepted here only");
    };
    assert_eq!(looked_into(raw), value);
}

/// How many lists and objects are open at most, strings aside.
fn depth(text: &str) -> usize {
    let (mut depth, mut deepest, mut in_string, mut escaped) = (0_usize, 0, false, false);
    for byte in text.bytes() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if in_string => escaped = true,
            b'"' => in_string = !in_string,
            b'[' | b'{' if !in_string => depth += 1,
            b']' | b'}' if !in_string => depth = depth.saturating_sub(1),
            _ => {}
        }
        deepest = deepest.max(depth);
    }
    deepest
}

/// The same value, as looking into it piece by piece finds it.
fn looked_into(raw: Raw<'_>) -> Value {
    if let Some(members) = raw.members() {
        return members.into_iter().map(|(name, value)| (name.to_string(), looked_into(value))).collect();
    }
    if let Some(items) = raw.items() {
        return items.into_iter().map(looked_into).collect();
    }
    match (raw.as_str(), raw.as_bool(), raw.as_i64()) {
        (Some(text), _, _) => json!(&*text),
        (_, Some(flag), _) => json!(flag),
        _ if raw.is_null() => Value::Null,
        // A whole number beyond 64 bits, a fraction, or minus zero.
        _ => serde_json::from_str(raw.text()).unwrap_or_default(),
    }
}

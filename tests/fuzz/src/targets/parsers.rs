//! The small parsers: times against a calendar library, selectors and thresholds against the plainest reading of them.

use crate::bytes::Bytes;
use crate::shape::SELECTOR;
use capi_policy::evaluate_json;
use capi_policy::time::Time;
use capi_policy::view::{LabelSelector, Metadata};
use capi_policy_json::read;
use jiff::civil::{DateTime, date};
use serde_json::{Map, Value, json};

/// Times to start from.
pub const TIMES: &[&str] = &[
    "2026-01-01T12:00:00Z",
    "2024-02-29T23:59:60.123+02:00",
    "0000-01-01T00:00:00-23:59",
    "9999-12-31 23:59:59z",
    "0001-01-01T00:00:00Z",
];

const EPOCH: DateTime = date(1970, 1, 1).at(0, 0, 0, 0);

/// The first second of year 1, which `Time::ZERO` is, since 1970.
const YEAR_1: i64 = -62_135_596_800;

/// Text as a time: read as a calendar library reads it, and written so that it is read again.
pub fn time(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let (ours, theirs) = (Time::parse(text), calendar(text));
    let since_1970 = |time: Time| time.since(Time::ZERO) + YEAR_1;
    assert_eq!(ours.map(since_1970), theirs, "{text:?}");
    if let Some(written) = ours.map(|time| time.to_string()) {
        let again = Time::parse(&written).expect("what is written can be read");
        let writable = ("0000-01-01T00:00:00Z", "9999-12-31T23:59:59Z");
        assert!(Some(again) == ours || written == writable.0 || written == writable.1, "{text:?} became {written}");
    }
}

/// Seconds since 1970 of strict RFC 3339 text, the calendar being the library's.
fn calendar(text: &str) -> Option<i64> {
    let (civil, rest) = text.split_at_checked(19)?;
    let shape = |(i, byte): (usize, u8)| match i {
        4 | 7 => byte == b'-',
        10 => b"Tt ".contains(&byte),
        13 | 16 => byte == b':',
        _ => byte.is_ascii_digit(),
    };
    if !civil.bytes().enumerate().all(shape) {
        return None;
    }
    let civil: DateTime = civil.replace(['t', ' '], "T").parse().ok()?;
    let rest = match rest.strip_prefix('.') {
        Some(fraction) => {
            let zone = fraction.trim_start_matches(|letter: char| letter.is_ascii_digit());
            (zone.len() < fraction.len()).then_some(zone)?
        }
        None => rest,
    };
    let offset = match rest.as_bytes() {
        [b'Z' | b'z'] => 0,
        [sign @ (b'+' | b'-'), digits @ ..] => {
            let (hours, minutes) = std::str::from_utf8(digits).ok()?.split_once(':')?;
            let two = |text: &str| {
                (text.len() == 2 && text.bytes().all(|b| b.is_ascii_digit())).then(|| text.parse::<i64>().ok())?
            };
            let (hours, minutes) = (two(hours)?, two(minutes)?);
            let seconds = (hours < 24 && minutes < 60).then_some(hours * 3_600 + minutes * 60)?;
            if *sign == b'-' { -seconds } else { seconds }
        }
        _ => return None,
    };
    Some(civil.duration_since(EPOCH).as_secs() - offset)
}

/// A label selector, against a reading of it that knows nothing of views.
pub fn selector(bytes: &[u8]) {
    let bytes = &mut Bytes::new(bytes);
    let (mut selector, mut labels) = (SELECTOR.value(bytes), Map::new());
    for _ in 0..bytes.below(5) {
        let key = *bytes.pick(&["a", "b", "c", "", "cluster.x-k8s.io/cluster-name"]);
        labels.insert(key.to_owned(), json!(bytes.pick(&["a", "b", "", "c1"])));
    }
    if let Some(labels) = selector.get_mut("matchLabels").filter(|labels| labels.is_null()) {
        *labels = json!({});
    }
    let (text, metadata) = (selector.to_string(), json!({ "labels": labels }).to_string());
    let Ok(view) = read::<LabelSelector<'_>>(&text) else { return };
    let metadata: Metadata<'_> = read(&metadata).expect("labels");
    let _ = view.to_string();
    if view.validate("selector").is_err() {
        return assert!(!valid(&selector), "refused: {text}");
    }
    assert!(valid(&selector), "accepted: {text}");
    let ignored = "cluster.x-k8s.io/cluster-name";
    assert_eq!(view.matches_apart_from(ignored, &metadata), matches(&selector, ignored, &labels), "{text}");
}

fn requirements(selector: &Value) -> impl Iterator<Item = (&str, &str, Vec<&str>)> {
    selector["matchExpressions"].as_array().into_iter().flatten().map(|requirement| {
        let text = |field: &str| requirement[field].as_str().unwrap_or_default();
        let values = requirement["values"].as_array().into_iter().flatten();
        (text("key"), text("operator"), values.map(|value| value.as_str().unwrap_or_default()).collect())
    })
}

fn valid(selector: &Value) -> bool {
    requirements(selector).all(|(_, operator, values)| match operator {
        "In" | "NotIn" => !values.is_empty(),
        "Exists" | "DoesNotExist" => values.is_empty(),
        _ => false,
    })
}

fn matches(selector: &Value, ignored: &str, labels: &Map<String, Value>) -> bool {
    let label = |key: &str| labels.get(key).and_then(Value::as_str);
    let wanted = selector["matchLabels"].as_object().into_iter().flatten();
    let mut wanted = wanted.filter(|(key, _)| *key != ignored);
    wanted.all(|(key, value)| label(key) == Some(value.as_str().unwrap_or_default()))
        && requirements(selector).all(|(key, operator, values)| match operator {
            "In" => label(key).is_some_and(|value| values.contains(&value)),
            "NotIn" => !label(key).is_some_and(|value| values.contains(&value)),
            "Exists" => label(key).is_some(),
            _ => label(key).is_none(),
        })
}

/// Ranges, numbers and percentages of a health check's trigger: the arithmetic, and what is refused.
pub fn threshold(bytes: &[u8]) {
    let bytes = &mut Bytes::new(bytes);
    let (machines, documented) = (bytes.below(9), bytes.byte().is_multiple_of(2));
    let (mut range, mut limit) = (String::new(), Value::Null);
    match bytes.below(6) {
        0 => range = format!("[{}-{}]", bytes.below(12), bytes.below(12)),
        1 => range = format!("[{}-{}]", bytes.number(), bytes.number()),
        2 => range = bytes.text(),
        3 => limit = json!(format!("{}%", bytes.number())),
        4 => limit = json!(bytes.number()),
        _ => limit = json!(bytes.text()),
    }
    let machine =
        |i| json!({ "metadata": { "name": format!("m{i}"), "labels": { "cluster.x-k8s.io/cluster-name": "c" } } });
    let mut snapshot = json!({
        "now": "2026-01-01T00:00:00Z",
        "profile": if documented { "documented" } else { "cluster-api" },
        "machineHealthCheck": { "metadata": { "name": "mhc" }, "spec": { "clusterName": "c" },
            "status": { "conditions": [{ "type": "Paused", "status": "False", "reason": "NotPaused" }] } },
        "cluster": { "metadata": { "name": "c" } },
        "machines": (0..machines).map(machine).collect::<Vec<_>>(),
    });
    snapshot["machineHealthCheck"]["spec"]["remediation"]["triggerIf"] =
        json!({ "unhealthyInRange": range, "unhealthyLessThanOrEqualTo": limit });
    let wanted = bounds(&range, &limit, i128::try_from(machines).unwrap_or(0), documented);
    let answer = evaluate_json(&snapshot.to_string()).map(|text| serde_json::from_str::<Value>(&text).expect("JSON"));
    let Ok(answer) = answer else { return assert_eq!(wanted, None, "refused: {snapshot}") };
    let Some(threshold) = answer.get("threshold") else { return };
    let number = |field: &str| threshold[field].as_i64().map(i128::from);
    assert_eq!(number("targets"), i128::try_from(machines).ok());
    let (min, max) = wanted.unwrap_or_else(|| panic!("accepted: {snapshot}"));
    // Far beyond any number of machines, products stay at the end of the numbers.
    let far = i128::from(i64::MAX) / 100;
    assert!(number("limit") == Some(max) || max.abs() >= far, "limit {} instead of {max}", threshold["limit"]);
    assert_eq!(number("min"), min);
    let counted = number("counted").unwrap_or(-1);
    assert_eq!(threshold["allowed"], counted <= max && min.is_none_or(|min| counted >= min), "{threshold}");
}

/// The bounds that a trigger sets; `None` when it has to be refused.
fn bounds(range: &str, limit: &Value, targets: i128, documented: bool) -> Option<(Option<i128>, i128)> {
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    if !range.is_empty() {
        let (min, max) = range.strip_prefix('[')?.strip_suffix(']')?.split_once('-')?;
        let number = |text: &str| digits(text).then(|| text.parse::<u32>().ok())?.map(i128::from);
        let (min, max) = (number(min)?, number(max)?);
        return (min <= max).then_some((Some(min), max));
    }
    match limit {
        Value::Null => Some((None, targets)),
        Value::Number(number) => {
            let number = i128::from(number.as_i64()?);
            (number >= 0 || !documented).then_some((None, number))
        }
        _ => {
            let percent = limit.as_str()?.strip_suffix('%')?;
            let signless = if documented { percent } else { percent.strip_prefix(['+', '-']).unwrap_or(percent) };
            let percent = digits(signless).then(|| percent.parse::<i64>().ok())??;
            Some((None, (i128::from(percent) * targets).div_euclid(100)))
        }
    }
}

//! What is read and refused is what `serde_json` reads and refuses.

use capi_policy_json::{MAX_DEPTH, Problem, Raw, Str, by_name, fields, read};
use proptest::prelude::*;
use proptest::test_runner::{Config, RngSeed};
use serde_json::{Value, json};

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
        (_, _, Some(number)) => json!(number),
        _ if raw.is_null() => Value::Null,
        _ => raw.text().parse::<f64>().map_or(Value::Null, |number| json!(number)),
    }
}

fn any_value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<String>().prop_map(Value::from),
        "[ -~]{0,20}".prop_map(Value::from),
        (-1e9..1e9_f64).prop_map(Value::from),
    ];
    leaf.prop_recursive(5, 40, 6, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..6).prop_map(Value::from),
            prop::collection::btree_map(any::<String>(), inner, 0..6).prop_map(|m| m.into_iter().collect()),
        ]
    })
}

proptest! {
    #![proptest_config(Config { failure_persistence: None, rng_seed: RngSeed::Fixed(2026), ..Config::default() })]

    #[test]
    fn every_value_is_found(value in any_value(), pretty in any::<bool>()) {
        let text = if pretty { serde_json::to_string_pretty(&value) } else { serde_json::to_string(&value) }.unwrap();
        prop_assert_eq!(looked_into(read(&text).unwrap()), value);
    }

    #[test]
    fn a_text_with_a_letter_changed_is_accepted_by_both_or_by_neither(
        value in any_value(),
        at in any::<prop::sample::Index>(),
        letter in prop::sample::select(r#"{}[]",:\ 0123456789.-+eEtrufalsn/b"#.chars().chain(['\u{0}', '\u{1f}', 'ä']).collect::<Vec<_>>()),
        remove in any::<bool>(),
    ) {
        let mut letters: Vec<char> = value.to_string().chars().collect();
        let at = at.index(letters.len());
        if remove { letters.remove(at); } else { letters.insert(at, letter); }
        let text: String = letters.into_iter().collect();
        let (ours, theirs) = (read::<Raw<'_>>(&text), serde_json::from_str::<serde::de::IgnoredAny>(&text));
        prop_assert_eq!(ours.is_ok(), theirs.is_ok(), "{}: {:?} {:?}", text, ours, theirs);
    }

    #[test]
    fn any_text_is_accepted_by_both_or_by_neither(text in r#"[\[\]{}",:\\ \n0-9.eE+\-truefalsn/bu]{0,12}"#) {
        let (ours, theirs) = (read::<Raw<'_>>(&text), serde_json::from_str::<serde::de::IgnoredAny>(&text));
        prop_assert_eq!(ours.is_ok(), theirs.is_ok(), "{}: {:?} {:?}", text, ours, theirs);
    }

    #[test]
    fn escapes_mean_the_same(text in r#"(\\u[dD][89a-fA-F][0-9a-f]{2}|\\u00[0-9a-f]{2}|\\[nrtbf"\\/x]|[a-z]){0,6}"#) {
        let text = format!("\"{text}\"");
        let (ours, theirs) = (read::<Str<'_>>(&text), serde_json::from_str::<String>(&text));
        prop_assert_eq!(ours.ok().map(|text| text.to_string()), theirs.ok());
    }
}

fields! {
    /// A list of names.
    #[derive(PartialEq)]
    struct Names<'a> requires "name" name {
        "name" | "alias" => name: Str<'a>,
        "more" => more: Vec<Names<'a>>,
        "size" => size: i64,
        /// And not more.
        "ready" => ready: Option<bool>,
        "inner" => inner: Size,
    }
}

fields! {
    /// No text.
    #[derive(PartialEq)]
    struct Size {
        "size" => size: i64,
    }
}

fn refused(text: &str) -> String {
    read::<Names<'_>>(text).expect_err("refused").to_string()
}

#[test]
fn members_are_read_in_place_and_null_is_absent() {
    let names = read::<Names<'_>>(
        r#" {"alias": "a", "x": {"y": [1, "\ud83d\ude00", null]}, "size": null, "more": [{"name": "b\n"}], "inner": {"size": -3}} "#,
    );
    let inner = Names { name: "b\n".into(), ..Names::default() };
    assert_eq!(names, Ok(Names { name: "a".into(), more: vec![inner], inner: Size { size: -3 }, ..Names::default() }));
    assert_eq!(read::<Option<Names<'_>>>("null"), Ok(None));
}

#[test]
fn faults_say_what_and_where() {
    for (text, fault) in [
        (r#"{"name": 5}"#, "name: expected a string, found number 5 (line 1 column 10)"),
        ("{\"name\": \"n\",\n \"size\": 1.5}", "size: expected a whole number, found number 1.5 (line 2 column 10)"),
        (
            r#"{"name": "n", "size": 9223372036854775808}"#,
            "size: expected a whole number, found number 9223372036854775808 (line 1 column 23)",
        ),
        (r#"{"name": "n", "ready": "yes"}"#, "ready: expected true or false, found \"yes\" (line 1 column 24)"),
        (r#"{"name": "n", "more": {}}"#, "more: expected a list, found an object (line 1 column 23)"),
        (r#"{"name": "n", "inner": []}"#, "inner: expected an object, found a list (line 1 column 24)"),
        (
            r#"{"name": "n", "more": [{"name": "m"}, {"name": []}]}"#,
            "more[1].name: expected a string, found a list (line 1 column 48)",
        ),
        (r#"{"name": "n", "more": [{}]}"#, "more[0]: missing field `name` (line 1 column 24)"),
        (r"{}", "missing field `name` (line 1 column 1)"),
        (r#"{"name": "n",}"#, "expected a name in quotes (line 1 column 14)"),
        (r#"{"name": "n"} x"#, "expected the end (line 1 column 15)"),
        ("{\"name\": \"a\nb\"}", "name: expected the rest of a string (line 1 column 12)"),
    ] {
        assert_eq!(refused(text), fault, "{text}");
    }
}

#[test]
fn depth_is_bounded() {
    let nested = |depth: usize| "[".repeat(depth) + &"]".repeat(depth);
    assert!(read::<Raw<'_>>(&nested(MAX_DEPTH)).is_ok());
    let fault = read::<Raw<'_>>(&nested(MAX_DEPTH + 1)).expect_err("too deep");
    assert_eq!((fault.problem(), fault.at()), (&Problem::TooDeep, MAX_DEPTH + 1));
}

#[test]
fn members_are_in_the_order_of_their_names() {
    let members = by_name([("status", 0), ("a", 1), ("statu", 2), ("statusX", 3), ("", 4)]);
    assert_eq!(members, [("", 4), ("a", 1), ("statu", 2), ("status", 0), ("statusX", 3)]);
}

#[test]
fn text_behaves_like_text() {
    let (short, escaped): (Str<'_>, Str<'_>) = (read(r#""a""#).expect("text"), read(r#""\u0062""#).expect("text"));
    assert_eq!((short.to_string(), &*escaped.clone().into_owned()), ("a".to_owned(), "b"));
    assert_eq!(
        (short.partial_cmp(&escaped), short == *"a", short == "a", short == escaped),
        (Some(std::cmp::Ordering::Less), true, true, false)
    );
}

//! Reading in the order of servers gives what reading by the table gives, whatever the text.

use capi_policy_json::{Skipped, Str, fields, read};
use proptest::prelude::*;

/// The same members, read in one of three ways.
macro_rules! one_way {
    ($way:ident: $($order:tt)*) => {
        mod $way {
            use super::*;

            fields! {
                /// Something with members of all sorts.
                #[derive(PartialEq)]
                pub struct Object<'a> $($order)* requires "name" name {
                    "count" => count: Option<i64>,
                    "items" => items: Vec<Object<'a>>,
                    "kept" => kept: bool,
                    "lastTransitionTime" => long: Str<'a>,
                    "name" => name: Str<'a>,
                    "skipped" => skipped: Skipped,
                    "uid" => short: Str<'a>,
                }
            }

            /// What is read, in words, or why not.
            pub fn said(text: &str) -> String {
                read::<Object<'_>>(text).map_or_else(|fault| fault.to_string(), |object| format!("{object:?}"))
            }
        }
    };
}

one_way!(by_table:);
one_way!(in_order: in order);

fn member() -> impl Strategy<Value = String> {
    let name = prop::sample::select(vec![
        "count",
        "items",
        "kept",
        "lastTransitionTime",
        "name",
        "other",
        "skipped",
        "uid",
        r"n\u0061me",
        "",
    ]);
    let value = prop::sample::select(vec![
        "7",
        "10",
        "-3",
        "1.5",
        "null",
        "true",
        "false",
        r#""""#,
        r#""text""#,
        r#""with \\n escapes""#,
        "[]",
        "{}",
        r#"[{"name":"inner","uid":"u"}]"#,
        r#"[{"count":1,"name":"inner"},{"uid":2}]"#,
        r#""\u{e9}t\u{e9} is longer than eight""#,
        "nul",
    ]);
    let space = prop::sample::select(vec!["", "", "", " ", "\n"]);
    (name, value, space).prop_map(|(name, value, space)| format!("{space}\"{name}\"{space}:{space}{value}{space}"))
}

proptest! {
    #[test]
    fn all_ways_read_the_same(mut members in prop::collection::vec(member(), 0..8), sorted in any::<bool>(), cut in 0_usize..200) {
        if sorted {
            members.sort();
        }
        let mut text = format!("{{{}}}", members.join(","));
        if text.is_char_boundary(cut) {
            text.truncate(cut);
        }
        let said = by_table::said(&text);
        prop_assert_eq!(&in_order::said(&text), &said, "{}", text);
    }
}

#[test]
fn what_servers_write_is_read_in_every_way() {
    let text = r#"{"count":3,"items":[{"name":"a"}],"kept":true,"lastTransitionTime":"2026-01-01T00:00:00Z","name":"m","skipped":{"a":[1]},"uid":"u"}"#;
    let said = by_table::said(text);
    assert!(said.contains("count: Some(3)") && said.contains("2026-01-01T00:00:00Z"), "{said}");
    assert_eq!(in_order::said(text), said);
}

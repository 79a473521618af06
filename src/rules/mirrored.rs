//! Tables that take over a condition of the object behind a reference.

/// A table about the object behind a reference: the condition that it reports, else whether a field of the evaluated object says
/// that it was done.
///
/// - `first` are rows of the kind's own, `words` the facts that only their messages name.
/// - `mirrors` names the part of the facts that is [`Referenced`](crate::mirror::Referenced), the condition that it reports, and the
///   reason where that does not hold; `stand_in` the fact that is read where it reports none, and the name of its field.
/// - `rows` has the codes of the rows that all such tables share; `too_early` is a row of the kind's own.
macro_rules! mirrored {
    (
        id: $id:literal, kind: $kind:literal, condition: $condition:literal, source: $source:literal,
        about: $about:literal,
        first: [$($first:expr),*], words: [$($word:ident)?],
        mirrors: $part:ident $holds:tt else $fails:literal, stand_in: $done:ident $field:literal,
        in_deletion: $in_deletion:ident $(. $deletion:ident)?,
        rows: invalid $invalid:literal, reported $reported:literal, done $by_field:literal, not_done $not_yet:literal,
        unreadable $unreadable:literal, deleted $deleted:literal, too_early [$($too_early:expr)?], missing $missing:literal,
    ) => {
        $crate::table::Table {
            id: $id,
            kind: $kind,
            condition: $condition,
            about: $about,
            source: $source,
            facts: $crate::table::facts![
                $part.reference, $part.found, $done, $in_deletion $(. $deletion)?;
                $($word,)? $part.what_is_invalid, $part.kind
            ],
            rows: &[
                $($first,)*
                $crate::table::row!($invalid, $part.conditions_invalid => Unknown, "InvalidConditionReported", (concat!("{", stringify!($part), ".what_is_invalid}"))),
                $crate::table::row!($reported, $part.reports($holds) => copy $part.mirror($holds, $holds)),
                $crate::table::row!($by_field, $part.found and $done => True, $holds, ""),
                $crate::table::row!($not_yet, $part.found => False, $fails, (concat!("{", stringify!($part), ".kind} status.initialization.", $field, " is false"))),
                $crate::table::row!($unreadable, $part.unreadable => Unknown, "InternalError", CHECK_CONTROLLER_LOGS),
                $crate::table::row!($deleted, $done and $in_deletion $(.$deletion)? => False, "ObjectDeleted", (concat!("{", stringify!($part), ".kind} has been deleted"))),
                $($too_early,)?
                $crate::table::row!($missing, otherwise => False, "ObjectDoesNotExist", (concat!("{", stringify!($part), ".kind} does not exist"))),
            ],
        }
    };
}
pub(crate) use mirrored;

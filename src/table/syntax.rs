//! How tables are written down. The macros' only service is that guards, facts and messages are also printed.

/// One row of a table:
///
/// ```text
/// row!("MD-DEL-2", not in_deletion             => False, "NotDeleting", "")
/// row!("MD-REM-1", remediations.nothing_unhealthy => False, "NotRemediating", "")
/// row!("MD-DEL-4", machines > 1 and not any_stale => True, "Deleting", "Deleting {machines} Machines")
/// row!("M-INF-2",  infrastructure.reports("Ready") => copy infrastructure.mirror("Ready", "Ready"))
/// row!("MHC-HCS-6", node_not_found             => False, "NodeDeleted", "{complaints}", act Unhealthy(NodeNotFound))
/// row!("M-DEL-3",  otherwise                   => True, "Deleting", "{m}"; cluster_api: True, "", "{m}")
/// row!("M-UTD-9",  only cluster_api_v1_14, kubelet_differs => False, "NotUpToDate", "{difference}")
/// row!("M-UTD-2",  except cluster_api_v1_14, spec_differs  => False, "NotUpToDate", "{difference}")
/// ```
///
/// - A guard is one or more facts with `not`, `and`, `or`, and comparisons with a number. A name alone is a function of the
///   facts; a path is a method of a part of the facts, so that what another module knows needs no function here.
/// - An outcome is `STATUS, REASON, MESSAGE`, `keep`, `copy FACT` or nothing, each followed by `act ACTION` where the table
///   decides more than a condition.
/// - `; COLUMN: OUTCOME` is the outcome under other profiles (see [`Column`](crate::profile::Column)).
macro_rules! row {
    ($id:literal, only $column:ident, $($rest:tt)+) => {
        $crate::table::row!(@guard $id, Some($crate::profile::Column::$column), None, [] $($rest)+)
    };
    ($id:literal, except $column:ident, $($rest:tt)+) => {
        $crate::table::row!(@guard $id, None, Some($crate::profile::Column::$column), [] $($rest)+)
    };
    ($id:literal, $($rest:tt)+) => {
        $crate::table::row!(@guard $id, None, None, [] $($rest)+)
    };

    // Everything before the arrow is the guard.
    (@guard $id:literal, $only:expr, $except:expr, [$($when:tt)+] => $($outcome:tt)+) => {
        $crate::table::row!(@split $id, $only, $except, [$($when)+], [] [] $($outcome)+)
    };
    (@guard $id:literal, $only:expr, $except:expr, [$($when:tt)*] $next:tt $($rest:tt)+) => {
        $crate::table::row!(@guard $id, $only, $except, [$($when)* $next] $($rest)+)
    };

    // Semicolons separate the columns.
    (@split $id:literal, $only:expr, $except:expr, $when:tt, [$($columns:tt)*] [$($outcome:tt)+] ; $($rest:tt)+) => {
        $crate::table::row!(@split $id, $only, $except, $when, [$($columns)* [$($outcome)+]] [] $($rest)+)
    };
    (@split $id:literal, $only:expr, $except:expr, $when:tt, [$($columns:tt)*] [$($outcome:tt)*] $next:tt $($rest:tt)*) => {
        $crate::table::row!(@split $id, $only, $except, $when, [$($columns)*] [$($outcome)* $next] $($rest)*)
    };
    (@split $id:literal, $only:expr, $except:expr, [$($when:tt)+], [] [$($then:tt)+]) => {
        $crate::table::row!(@row $id, $only, $except, [$($when)+], [$($then)+])
    };
    (@split $id:literal, $only:expr, $except:expr, [$($when:tt)+], [[$($then:tt)+] $($columns:tt)*] [$($last:tt)+]) => {
        $crate::table::row!(@row $id, $only, $except, [$($when)+], [$($then)+] $($columns)* [$($last)+])
    };
    (@row $id:literal, $only:expr, $except:expr, [$($when:tt)+], [$($then:tt)+] $([$column:ident : $($other:tt)+])*) => {
        $crate::table::Row {
            head: $crate::table::Head {
                id: $id,
                when: stringify!($($when)+),
                only: $only,
                except: $except,
                columns: &[$($crate::profile::Column::$column),*],
            },
            holds: |facts| $crate::table::guard!(facts; $($when)+),
            then: $crate::table::row!(@outcome $($then)+),
            others: &[$($crate::table::row!(@outcome $($other)+)),*],
        }
    };

    (@outcome act $($act:tt)+) => { $crate::table::row!(@both Nothing, None, act $($act)+) };
    (@outcome keep $(, $($act:tt)+)?) => { $crate::table::row!(@both Keep, None $(, $($act)+)?) };
    (@outcome nothing) => { $crate::table::row!(@both Nothing, None) };
    (@outcome copy $($from:tt)+) => {
        $crate::table::row!(
            @both (Copy(stringify!($($from)+))), (Some(|facts| $crate::table::fact!(facts; $($from)+)))
        )
    };
    (@outcome $status:ident, $reason:tt, $message:tt $(, $($act:tt)+)?) => {
        $crate::table::row!(
            @both
            (Set(
                $crate::outcome::ConditionStatus::$status,
                $crate::table::row!(@words $reason),
                $crate::table::row!(@words $message),
            )),
            None $(, $($act)+)?
        )
    };
    (@both $effect:tt, $copied:tt $(, act $act:ident $(($($of:tt)+))?)?) => {
        $crate::table::Outcome {
            says: $crate::table::Says {
                condition: $crate::table::row!(@effect $effect),
                act: concat!($(stringify!($act $(($($of)+))?))?),
            },
            copied: $copied,
            act: $crate::table::row!(@act $($act $(($($of)+))?)?),
        }
    };
    (@effect ($effect:ident ($($of:tt)+))) => { $crate::table::Effect::$effect($($of)+) };
    (@effect $effect:ident) => { $crate::table::Effect::$effect };
    (@act) => { None };
    (@act $act:ident $(($($of:tt)+))?) => { Some(Act::$act $(($($of)+))?) };

    (@words none) => { "" };
    (@words CHECK_CONTROLLER_LOGS) => { $crate::rules::CHECK_CONTROLLER_LOGS };
    (@words ($template:expr)) => { $template };
    (@words $template:literal) => { $template };
}
pub(crate) use row;

/// A row for what could not be read: `internal_error!("MS-RDY-1", machines_not_listed)`.
macro_rules! internal_error {
    ($id:literal, $guard:ident) => {
        $crate::table::row!($id, $guard => Unknown, "InternalError", CHECK_CONTROLLER_LOGS)
    };
}
pub(crate) use internal_error;

/// Whether a guard holds: facts joined by `and` and `or`, where `and` binds tighter.
macro_rules! guard {
    ($facts:ident; $($when:tt)+) => { $crate::table::guard!(@join $facts; [] $($when)+) };
    (@join $facts:ident; [$($term:tt)+] and $($rest:tt)+) => {
        $crate::table::guard!(@term $facts; $($term)+) && $crate::table::guard!(@join $facts; [] $($rest)+)
    };
    (@join $facts:ident; [$($term:tt)+] or $($rest:tt)+) => {
        $crate::table::guard!(@term $facts; $($term)+) || $crate::table::guard!(@join $facts; [] $($rest)+)
    };
    (@join $facts:ident; [$($term:tt)*] $next:tt $($rest:tt)*) => {
        $crate::table::guard!(@join $facts; [$($term)* $next] $($rest)*)
    };
    (@join $facts:ident; [$($term:tt)+]) => { $crate::table::guard!(@term $facts; $($term)+) };
    (@term $facts:ident; not $($fact:tt)+) => { !$crate::table::fact!($facts; $($fact)+) };
    (@term $facts:ident; $name:ident $(. $part:ident)* > $number:literal) => {
        $crate::table::fact!($facts; $name $(. $part)*) > $number
    };
    (@term $facts:ident; $name:ident $(. $part:ident)* == $number:literal) => {
        $crate::table::fact!($facts; $name $(. $part)*) == $number
    };
    (@term $facts:ident; $($fact:tt)+) => { $crate::table::fact!($facts; $($fact)+) };
}
pub(crate) use guard;

/// The value of a fact: `name` is a function of the facts, `part.name` a method of a part of them.
macro_rules! fact {
    ($facts:ident; $name:ident) => { $name($facts) };
    ($facts:ident; $part:ident . $name:ident $(($($argument:tt)*))?) => { $facts.$part.$name($($($argument)*)?) };
    ($facts:ident; $part:ident . $inner:ident . $name:ident $(($($argument:tt)*))?) => {
        $facts.$part.$inner.$name($($($argument)*)?)
    };
}
pub(crate) use fact;

/// The facts of a table: first those that an explanation shows, after a semicolon those that only messages name.
macro_rules! facts {
    ($($name:ident $(. $part:ident)*),* $(; $($word:ident $(. $of:ident)*),+)? $(,)?) => {
        &[
            $($crate::table::facts!(@one true, $name $(. $part)*),)*
            $($($crate::table::facts!(@one false, $word $(. $of)*),)+)?
        ]
    };
    (@one $explained:literal, $name:ident $(. $part:ident)*) => {
        $crate::table::Shown {
            name: concat!(stringify!($name) $(, ".", stringify!($part))*),
            value: |facts| $crate::table::in_text(&$crate::table::fact!(facts; $name $(. $part)*)),
            explained: $explained,
        }
    };
}
pub(crate) use facts;

/// What tables decide about: `subject!(OfMachineSet, Facts, Act)` makes a type a [`Subject`](crate::table::Subject) with these
/// facts and actions.
macro_rules! subject {
    ($subject:ident, $facts:ident, $act:ty) => {
        impl $crate::table::Subject for $subject {
            type Facts<'a> = $facts<'a>;
            type Act = $act;
        }
    };
}
pub(crate) use subject;

/// Facts with a field `progress`, where the decisions about their object are recorded.
macro_rules! in_progress {
    ($facts:ident) => {
        impl<'a> $crate::progress::InProgress<'a> for $facts<'a> {
            fn progress(&mut self) -> &mut $crate::progress::Progress<'a> {
                &mut self.progress
            }
        }
    };
}
pub(crate) use in_progress;

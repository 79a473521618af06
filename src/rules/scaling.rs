//! Whether an owner has to add or remove machines.

use crate::view::Metadata;

/// How far an owner is from the number of machines it should have.
pub struct Scaling {
    wanted: Option<i64>,
    in_deletion: bool,
    current: i64,
}

impl Scaling {
    /// Compares what an owner's spec wants with what it has.
    pub fn of(owner: &Metadata<'_>, wanted: Option<i64>, current: i64) -> Self {
        Self { wanted, in_deletion: owner.in_deletion(), current }
    }

    /// The spec does not say how many machines there should be.
    pub fn replicas_not_set(&self) -> bool {
        self.wanted.is_none()
    }

    /// How many machines there should be: none once the owner is being deleted.
    pub fn desired_replicas(&self) -> i64 {
        if self.in_deletion { 0 } else { self.wanted.unwrap_or(0) }
    }

    /// How many machines there are.
    pub fn current_replicas(&self) -> i64 {
        self.current
    }

    /// There are too few machines.
    pub fn too_few_replicas(&self) -> bool {
        self.current < self.desired_replicas()
    }

    /// There are too many machines.
    pub fn too_many_replicas(&self) -> bool {
        self.current > self.desired_replicas()
    }
}

/// The table of `ScalingDown` for an owner whose Machines can be stuck in deletion: `first` are rows of the kind's own, then the part
/// of the facts that is [`Scaling`], with the codes of the rows that all such tables share.
macro_rules! scaling_down {
    (
        id: $id:literal, kind: $kind:literal, source: $source:literal,
        about: $about:literal,
        first: [$($first:expr),*], $part:ident: not_set $not_set:literal, stuck $stuck:literal, down $down:literal, done $done:literal,
    ) => {
        $crate::table::Table {
            id: $id,
            kind: $kind,
            condition: "ScalingDown",
            about: $about,
            source: $source,
            facts: $crate::table::facts![$part.current_replicas, $part.desired_replicas, stale.stale_machines],
            rows: &[
                $($first,)*
                $crate::table::row!($not_set, $part.replicas_not_set => Unknown, "WaitingForReplicasSet", "Waiting for spec.replicas set"),
                $crate::table::row!($stuck, $part.too_many_replicas and stale.some_stale => True, "ScalingDown", (concat!("Scaling down from {", stringify!($part), ".current_replicas} to {", stringify!($part), ".desired_replicas} replicas\n* {stale.stale_machines}"))),
                $crate::table::row!($down, $part.too_many_replicas => True, "ScalingDown", (concat!("Scaling down from {", stringify!($part), ".current_replicas} to {", stringify!($part), ".desired_replicas} replicas"))),
                $crate::table::row!($done, otherwise => False, "NotScalingDown", ""),
            ],
        }
    };
}
pub(crate) use scaling_down;

#[cfg(test)]
mod tests {
    use super::Scaling;
    use crate::time::Time;
    use crate::view::Metadata;

    #[test]
    fn an_owner_in_deletion_wants_no_machines() {
        let mut owner = Metadata::default();
        let scaling = Scaling::of(&owner, Some(3), 1);
        assert!(scaling.too_few_replicas() && !scaling.too_many_replicas());
        assert_eq!((scaling.current_replicas(), scaling.desired_replicas()), (1, 3));
        owner.deletion_timestamp = Some(Time::ZERO);
        let scaling = Scaling::of(&owner, Some(3), 1);
        assert!(scaling.too_many_replicas() && !scaling.too_few_replicas());
        assert_eq!((scaling.current_replicas(), scaling.desired_replicas()), (1, 0));
    }

    #[test]
    fn unset_replicas_are_not_zero_replicas() {
        let owner = Metadata::default();
        assert!(Scaling::of(&owner, None, 0).replicas_not_set());
        assert!(!Scaling::of(&owner, Some(0), 0).replicas_not_set());
    }
}

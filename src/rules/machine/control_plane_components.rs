//! Groups a summary's messages: one entry for all control-plane components that report the same.

/// Groups the messages of control-plane components; leaves them alone when they differ or there is just one.
pub fn grouped(messages: Vec<String>) -> Vec<String> {
    let of_components: Vec<&str> = messages.iter().filter_map(|message| of_component(message)).collect();
    let Some((first, others)) = of_components.split_first() else { return messages };
    if others.is_empty() || others.iter().any(|other| other != first) {
        return messages;
    }
    let group = format!("* Control plane components:{first}");
    let mut group = Some(group);
    messages
        .into_iter()
        .filter_map(|message| if of_component(&message).is_some() { group.take() } else { Some(message) })
        .collect()
}

/// What a message of a control-plane component says.
fn of_component(message: &str) -> Option<&str> {
    let (condition, report) = message.split_once(':')?;
    let component =
        ["* APIServer", "* ControllerManager", "* Scheduler"].iter().any(|component| condition.starts_with(component))
            || condition == "* EtcdPodHealthy";
    component.then_some(report)
}

#[cfg(test)]
mod tests {
    use super::grouped;

    fn group(messages: &[&str]) -> Vec<String> {
        grouped(messages.iter().map(ToString::to_string).collect())
    }

    #[test]
    fn components_that_say_the_same_are_named_once_where_the_first_stood() {
        let messages =
            ["* Deleting: x", "* APIServerPodHealthy: down", "* EtcdMemberHealthy: down", "* EtcdPodHealthy: down"];
        assert_eq!(
            group(&messages),
            ["* Deleting: x", "* Control plane components: down", "* EtcdMemberHealthy: down"]
        );
    }

    #[test]
    fn one_component_and_components_that_differ_stay_as_they_are() {
        for messages in [&["* SchedulerPodHealthy: a"][..], &["* SchedulerPodHealthy: a", "* EtcdPodHealthy: b"]] {
            assert_eq!(group(messages), messages);
        }
    }
}

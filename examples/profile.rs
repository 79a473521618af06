//! Evaluates one large snapshot a few times: something for a profiler to look at.

fn main() {
    let snapshot = capi_policy_corpus::synthetic::machine_deployment(1_000).to_string();
    for _ in 0..10 {
        let evaluation = capi_policy::evaluate_json(&snapshot).unwrap_or_default();
        assert!(!evaluation.is_empty());
    }
}

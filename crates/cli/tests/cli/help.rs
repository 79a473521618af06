use crate::command::{command, finish, fleet, run};

const COMMANDS: [&str; 10] =
    ["evaluate", "explain", "forecast", "conform", "diff", "inspect", "bench", "push", "pull", "completions"];

#[test]
fn help_shows_the_way() {
    let help = run(&["--help"]);
    help.says(0, &["Examples:", "kubectl get", "CAPI_POLICY", "Exit codes"]);
    for command in COMMANDS {
        assert!(help.stdout.contains(&format!("  {command} ")), "{command}");
        run(&[command, "--help"]).says(0, &["Usage: capi-policy", "Examples:"]);
    }
}

#[test]
fn every_shell_gets_its_completions() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        run(&["completions", shell]).says(0, &["capi-policy", "forecast"]);
    }
    run(&["completions", "abacus"]).says(2, &["bash"]);
}

#[test]
fn a_wrong_command_is_a_usage_error() {
    run(&["evalute"]).says(2, &["evaluate"]);
}

#[test]
fn a_plugin_is_called_what_people_type() {
    let folder = tempfile::tempdir().expect("a folder");
    for (file, typed) in
        [("kubectl-capi_policy", "kubectl capi-policy"), ("clusterctl-capi_policy", "clusterctl capi-policy")]
    {
        let link = folder.path().join(file);
        std::os::unix::fs::symlink(env!("CARGO_BIN_EXE_capi-policy"), &link).expect("a link");
        let output = std::process::Command::new(link).args(["tree", "--help"]).output().expect("the command starts");
        let text = String::from_utf8(output.stdout).expect("UTF-8");
        assert!(text.contains(&format!("Usage: {typed} tree")), "{text}");
        assert!(text.contains(&format!("\n  {typed} tree blue\n")), "the examples can be typed: {text}");
    }
    let link = folder.path().join("kubectl_complete-capi_policy");
    std::os::unix::fs::symlink(env!("CARGO_BIN_EXE_capi-policy"), &link).expect("a link");
    let output = std::process::Command::new(link).args(["tr"]).output().expect("the command starts");
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    assert_eq!(text, "tree\tDraw a cluster as a tree: control plane, workers, machines, health checks\n:4\n");
}

#[test]
fn without_files_and_without_a_cluster_it_says_what_to_name() {
    let home = tempfile::tempdir().expect("a folder");
    let alone = finish(command(&["evaluate"]).env_remove("KUBECONFIG").env("HOME", home.path()));
    alone.says(2, &["no cluster to read from; name files with -f, or a kubeconfig with --kubeconfig"]);
    let missing = "No such file or directory";
    assert_eq!(alone.stderr.matches(missing).count(), 1, "the cause is named once: {}", alone.stderr);
    run(&["evaluate", "-f", "/nonexistent.yaml"])
        .says(2, &["error: /nonexistent.yaml: No such file or directory (os error 2)\n"]);
    run(&["evaluate", "-f", &fleet(), "--profile", "auto"]).says(2, &["--profile auto is for a cluster"]);
    run(&["evaluate", "-f", &fleet(), "-A"]).says(2, &["cannot be used with"]);
}

#[test]
fn a_cluster_that_does_not_answer_is_named() {
    let folder = tempfile::tempdir().expect("a folder");
    let kubeconfig = folder.path().join("kubeconfig");
    let text = r#"{ "kind": "Config", "current-context": "a", "contexts": [{ "name": "a", "context": { "cluster": "a", "user": "a" } }],
        "clusters": [{ "name": "a", "cluster": { "server": "https://127.0.0.1:1" } }], "users": [{ "name": "a", "user": {} }] }"#;
    std::fs::write(&kubeconfig, text).expect("a file");
    let path = kubeconfig.display().to_string();
    for command in ["evaluate", "explain", "forecast", "tree", "plan"] {
        run(&[command, "--kubeconfig", &path])
            .says(2, &["https://127.0.0.1:1", "--context names another cluster", "refused"]);
    }
    run(&["tree", "--kubeconfig", &path, "--context", "b"]).says(2, &["context", "b"]);
}

//! Which kubeconfig Secrets are accepted. Whoever can write one chooses a server and how to log in there; it must not
//! make this process run, read or reach anything else.

use super::server_list::ServerList;
use hyper::Uri;
use hyper::header::HeaderValue;
use kube::config::Kubeconfig;
use serde_json::{Map, Value, json};
use std::net::IpAddr;

/// Fields of the cluster and of the user that are passed on. All others are refused by name unless they are empty.
const CLUSTER: &[&str] = &["server", "certificate-authority-data", "tls-server-name"];
const USER: &[&str] = &["token", "client-certificate-data", "client-key-data"];
/// Fields that change nothing.
const IGNORED: &[&str] = &["extensions", "disable-compression"];
/// Fields that are counted by name; what else a kubeconfig may hold is counted as `other`.
const KNOWN: &[&str] = &[
    "exec",
    "auth-provider",
    "tokenFile",
    "client-certificate",
    "client-key",
    "certificate-authority",
    "proxy-url",
    "insecure-skip-tls-verify",
    "username",
    "password",
    "as",
    "as-uid",
    "as-groups",
    "as-user-extra",
];

/// Why a kubeconfig is not accepted. None of these repeats a value of the Secret but the server's address.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refused {
    /// It holds something that is not inline.
    #[error("{0:?} is not accepted; only an inline token, client certificate and certificate authority are")]
    Field(String),
    /// Its server is not one of those allowed.
    #[error("the server {0:?} is not one that --workload-servers names")]
    Server(String),
    /// Its server would be spoken to in the clear.
    #[error("the server {0:?} is not accepted: it has to be https://HOST[:PORT]; http is for loopback only")]
    Insecure(String),
    /// It can't be read.
    #[error("not a kubeconfig: {0}")]
    Malformed(&'static str),
}

impl Refused {
    /// For metrics: one of a few words.
    pub fn reason(&self) -> &'static str {
        match self {
            Self::Field(field) => KNOWN.iter().find(|known| *known == field).copied().unwrap_or("other"),
            Self::Server(_) | Self::Insecure(_) => "server",
            Self::Malformed(_) => "malformed",
        }
    }
}

/// The kubeconfig made of what is accepted of a text, and of nothing else.
pub fn accept(text: &str, servers: &ServerList) -> Result<Kubeconfig, Refused> {
    let config: Value = serde_saphyr::from_str(text).map_err(|_| Refused::Malformed("the YAML can't be read"))?;
    let current = config["current-context"].as_str().ok_or(Refused::Malformed("no current-context"))?;
    let context = named(&config["contexts"], current, "context").ok_or(Refused::Malformed("no current context"))?;
    let part = |list: &str, field: &str| {
        let name = context.get(field).and_then(Value::as_str)?;
        named(&config[list], name, field)
    };
    let cluster = part("clusters", "cluster").ok_or(Refused::Malformed("no cluster of the current context"))?;
    let user = part("users", "user").ok_or(Refused::Malformed("no user of the current context"))?;
    let (cluster, user) = (inline(cluster, CLUSTER)?, inline(user, USER)?);
    // The client would panic.
    let token = user.get("token").and_then(Value::as_str).unwrap_or_default();
    HeaderValue::from_str(token).map_err(|_| Refused::Malformed("a token with characters that can't be sent"))?;
    reachable(cluster.get("server").and_then(Value::as_str).unwrap_or_default(), servers)?;
    let kubeconfig = json!({
        "current-context": "workload",
        "contexts": [{ "name": "workload", "context": { "cluster": "workload", "user": "workload" } }],
        "clusters": [{ "name": "workload", "cluster": cluster }],
        "users": [{ "name": "workload", "user": user }],
    });
    serde_json::from_value(kubeconfig).map_err(|_| Refused::Malformed("fields of other types"))
}

fn named<'v>(list: &'v Value, name: &str, content: &str) -> Option<&'v Map<String, Value>> {
    list.as_array()?.iter().find(|item| item["name"] == name)?.get(content)?.as_object()
}

fn inline(fields: &Map<String, Value>, accepted: &[&str]) -> Result<Map<String, Value>, Refused> {
    let mut kept = Map::new();
    for (name, value) in fields {
        let empty = value.is_null() || value == "" || value == false;
        if accepted.contains(&&**name) {
            kept.insert(name.clone(), value.clone());
        } else if !empty && !IGNORED.contains(&&**name) {
            return Err(Refused::Field(name.chars().take(64).collect()));
        }
    }
    Ok(kept)
}

fn reachable(server: &str, servers: &ServerList) -> Result<(), Refused> {
    let refused = || Refused::Insecure(server.chars().take(256).collect());
    let uri: Uri = server.parse().map_err(|_| refused())?;
    let authority = uri.authority().filter(|authority| !authority.as_str().contains('@')).ok_or_else(refused)?;
    let host = authority.host().trim_start_matches('[').trim_end_matches(']');
    let loopback = host == "localhost" || host.parse::<IpAddr>().is_ok_and(|address| address.is_loopback());
    match uri.scheme_str() {
        Some("https") => {}
        Some("http") if loopback => {}
        _ => return Err(refused()),
    }
    if !servers.allows(host, uri.port_u16()) {
        return Err(Refused::Server(server.chars().take(256).collect()));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::{Refused, accept};
    use crate::server_list::ServerList;
    use serde_json::{Value, json};

    fn kubeconfig(cluster: &Value, user: &Value) -> String {
        json!({
            "apiVersion": "v1", "kind": "Config", "current-context": "c",
            "contexts": [{ "name": "c", "context": { "cluster": "k", "user": "u" } }],
            "clusters": [{ "name": "k", "cluster": cluster }],
            "users": [{ "name": "u", "user": user }],
        })
        .to_string()
    }

    fn refused(cluster: &Value, user: &Value) -> Option<Refused> {
        accept(&kubeconfig(cluster, user), &ServerList::default()).err()
    }

    #[test]
    fn inline_credentials_are_accepted() {
        let cluster = json!({ "server": "https://10.0.0.1:6443", "certificate-authority-data": "Y2E=", "insecure-skip-tls-verify": false });
        let user =
            json!({ "token": "t", "client-certificate-data": "Y2VydA==", "client-key-data": "a2V5", "exec": null });
        let accepted = accept(&kubeconfig(&cluster, &user), &ServerList::default()).expect("accepted");
        let server = accepted.clusters.first().and_then(|named| named.cluster.as_ref()?.server.clone());
        assert_eq!(server.as_deref(), Some("https://10.0.0.1:6443"));
    }

    #[test]
    fn everything_else_is_refused_by_name() {
        let server = "https://10.0.0.1:6443";
        for (field, value) in [
            (
                "exec",
                json!({ "apiVersion": "client.authentication.k8s.io/v1", "command": "touch", "args": ["/tmp/x"] }),
            ),
            ("auth-provider", json!({ "name": "gcp", "config": { "cmd-path": "touch" } })),
            ("tokenFile", json!("/var/run/secrets/kubernetes.io/serviceaccount/token")),
            ("client-certificate", json!("/dev/zero")),
            ("client-key", json!("/tmp/fifo")),
            ("username", json!("admin")),
            ("password", json!("x")),
            ("as", json!("system:masters")),
            ("as-groups", json!(["system:masters"])),
        ] {
            let refusal = refused(&json!({ "server": server }), &json!({ field: value, "token": "t" })).expect(field);
            assert_eq!(refusal, Refused::Field(field.to_owned()));
            assert_eq!(refusal.reason(), field);
        }
        for (field, value) in [
            ("certificate-authority", json!("/dev/zero")),
            ("proxy-url", json!("http://elsewhere:3128")),
            ("insecure-skip-tls-verify", json!(true)),
        ] {
            let refusal = refused(&json!({ "server": server, field: value }), &json!({})).expect(field);
            assert_eq!(refusal, Refused::Field(field.to_owned()));
        }
        let later = refused(&json!({ "server": server }), &json!({ "credential-plugin": {} })).expect("unknown");
        assert_eq!(later.reason(), "other");
    }

    #[test]
    fn a_server_is_spoken_to_in_private() {
        for server in ["https://10.0.0.1", "https://[2001:db8::1]:6443", "http://127.0.0.1:80", "http://localhost:80"] {
            assert_eq!(refused(&json!({ "server": server }), &json!({})), None, "{server}");
        }
        for server in [
            "http://10.0.0.1",
            "http://localhost.example",
            "10.0.0.1:6443",
            "https://",
            "",
            "file:///dev/zero",
            "https://a@b",
        ] {
            assert_eq!(
                refused(&json!({ "server": server }), &json!({})).map(|r| r.reason()),
                Some("server"),
                "{server}"
            );
        }
    }

    #[test]
    fn servers_can_be_limited() {
        let servers: ServerList = "10.0.0.0/8,*.example.com:6443".parse().expect("a list");
        let refused = |server: &str| accept(&kubeconfig(&json!({ "server": server }), &json!({})), &servers).err();
        assert_eq!(refused("https://10.9.8.7:443"), None);
        assert_eq!(refused("https://a.example.com:6443"), None);
        assert!(matches!(refused("https://a.example.com"), Some(Refused::Server(_))));
        assert!(matches!(refused("https://169.254.169.254"), Some(Refused::Server(_))));
    }

    /// What is not of the current context is not even looked at, let alone used.
    #[test]
    fn only_the_current_context_counts() {
        let exec = json!({ "exec": { "apiVersion": "client.authentication.k8s.io/v1", "command": "touch" } });
        let server = json!({ "server": "https://10.0.0.1" });
        let text = |user: &str| {
            json!({
                "current-context": "b",
                "contexts": [
                    { "name": "a", "context": { "cluster": "k", "user": "evil" } },
                    { "name": "b", "context": { "cluster": "k", "user": user } },
                ],
                "clusters": [{ "name": "other", "cluster": { "server": "http://169.254.169.254" } }, { "name": "k", "cluster": server }],
                "users": [{ "name": "evil", "user": exec }, { "name": "good", "user": { "token": "t" } }],
            })
            .to_string()
        };
        let accepted = accept(&text("good"), &ServerList::default()).expect("accepted");
        let all = serde_json::to_string(&accepted).expect("JSON");
        assert!(!all.contains("exec") && !all.contains("169.254"), "{all}");
        assert_eq!(accept(&text("evil"), &ServerList::default()).err(), Some(Refused::Field("exec".to_owned())));
    }

    #[test]
    fn odd_spellings_change_nothing() {
        let yaml = |user: &str| {
            format!(
                "current-context: c\ncontexts: [{{ name: c, context: {{ cluster: k, user: u }} }}]\n\
                 clusters: [{{ name: k, cluster: {{ server: 'https://10.0.0.1' }} }}]\nusers:\n- name: u\n  user:\n{user}"
            )
        };
        let refused = |user: &str| accept(&yaml(user), &ServerList::default()).err().map(|refused| refused.reason());
        assert_eq!(refused("    token: t\n"), None);
        assert_eq!(refused("    \"tokenFile\": /etc/hostname\n"), Some("tokenFile"));
        assert_eq!(refused("    token\\x46ile: x\n"), Some("other"));
        assert_eq!(refused("    TokenFile: x\n"), Some("other"));
        assert_eq!(refused("    token: t\n    token: u\n"), Some("malformed"), "twice the same key");
        assert_eq!(refused("    ? exec\n    : { command: touch }\n"), Some("exec"));
        let merged = refused("    <<: { exec: { command: touch } }\n    token: t\n");
        assert!([Some("exec"), Some("other")].contains(&merged), "{merged:?}");
        for token in ["\"a\\nb\"", "\"a\\0\"", "\"a\\rHost: x\""] {
            assert_eq!(refused(&format!("    token: {token}\n")), Some("malformed"), "{token}");
        }
        assert_eq!(refused("    token: [t]\n"), Some("malformed"));
    }

    /// An alias a few levels deep would be gigabytes; and no message repeats what is secret.
    #[test]
    fn what_cannot_be_read_is_refused_without_repeating_it() {
        let level = |level: usize| {
            let inner = if level == 0 { "x".to_owned() } else { format!("*a{}", level - 1) };
            format!("a{level}: &a{level} [{}]\n", vec![inner; 10].join(", "))
        };
        let bomb = (0..12).map(level).collect::<Vec<_>>().concat();
        let deep = ["[", "{a: ", "- "].map(|open| open.repeat(200_000));
        let half_deep = format!("a: {}{}", "[".repeat(1_500), "]".repeat(1_500));
        let texts = ["token: very-secret: {", "", "[]", &bomb, &half_deep].into_iter();
        for text in texts.chain(deep.iter().map(String::as_str)) {
            let error = accept(text, &ServerList::default()).expect_err("refused");
            assert_eq!(error.reason(), "malformed");
            assert!(!error.to_string().contains("secret"), "{error}");
        }
    }
}

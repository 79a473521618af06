//! Push and pull with the real registry of Debian's `docker-registry`, started on loopback.

use crate::command::{NOW, Run, command, finish, fleet, policy};
use serde_json::Value;
use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use tempfile::TempDir;

/// A registry, until it is dropped.
pub struct Registry {
    process: Child,
    pub folder: TempDir,
    pub address: String,
}

impl Registry {
    /// Starts one on a port of the system's choice.
    pub fn start() -> Self {
        Self::of("docker-registry")
    }

    /// Starts this program, which is a version of the same registry.
    pub fn of(program: &str) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let config = folder.path().join("config.yml");
        let storage = folder.path().join("storage");
        let text = format!(
            "version: 0.1\nlog: {{ level: info, formatter: json }}\nstorage:\n  filesystem: {{ rootdirectory: {} }}\n  delete: {{ enabled: true }}\nhttp: {{ addr: \"127.0.0.1:0\" }}\n",
            storage.display()
        );
        fs::write(&config, text).expect("a file");
        let mut process = Command::new(program)
            .arg("serve")
            .arg(&config)
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .expect("docker-registry; install Debian's package docker-registry");
        let mut log = BufReader::new(process.stderr.take().expect("a log"));
        let address = listening_address(&mut log);
        // A registry that can't write its log stops.
        std::thread::spawn(move || std::io::copy(&mut log, &mut std::io::sink()));
        Self { process, folder, address }
    }

    pub fn reference(&self, rest: &str) -> String {
        format!("oci://{}/{rest}", self.address)
    }

    /// Runs the command with a cache of its own.
    pub fn run(&self, arguments: &[&str]) -> Run {
        finish(
            command(arguments)
                .env("XDG_CACHE_HOME", self.folder.path().join("cache"))
                .env("DOCKER_CONFIG", self.folder.path())
                .env("COSIGN_PASSWORD", "correct"),
        )
    }

    /// Where a file is in the registry's own folder.
    pub fn file(&self, name: &str) -> String {
        self.folder.path().join(name).display().to_string()
    }

    /// Changes one byte of a blob where it is stored.
    pub fn change(&self, digest: &str) {
        let hex = digest.strip_prefix("sha256:").expect("a digest");
        let blobs = self.folder.path().join("storage/docker/registry/v2/blobs/sha256");
        let blob = blobs.join(&hex[..2]).join(hex).join("data");
        let mut content = fs::read(&blob).expect("a blob");
        let place = content.len() - 10;
        content[place] ^= 1;
        fs::write(&blob, content).expect("a blob");
    }

    /// A GET by hand.
    pub fn get(&self, path: &str) -> Value {
        let mut stream = TcpStream::connect(&self.address).expect("a connection");
        let accept = "application/vnd.oci.image.manifest.v1+json, application/vnd.oci.image.index.v1+json";
        write!(stream, "GET {path} HTTP/1.0\r\nHost: {}\r\nAccept: {accept}\r\n\r\n", self.address).expect("a request");
        let mut answer = String::new();
        stream.read_to_string(&mut answer).expect("an answer");
        let (_, body) = answer.split_once("\r\n\r\n").expect("a body");
        serde_json::from_str(body).expect("JSON")
    }
}

impl Drop for Registry {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

fn listening_address(log: &mut impl BufRead) -> String {
    let mut seen = String::new();
    loop {
        let mut line = String::new();
        assert!(log.read_line(&mut line).expect("a log") > 0, "the registry stopped:\n{seen}");
        if let Some((_, rest)) = line.split_once("listening on ") {
            return rest.chars().take_while(|c| c.is_ascii_digit() || ".:".contains(*c)).collect();
        }
        seen.push_str(&line);
    }
}

#[test]
fn what_is_pushed_can_be_pulled_and_run_by_its_digest() {
    let registry = Registry::start();
    let pushed = registry.run(&["push", &registry.reference("policies/capi-policy")]);
    assert_eq!(pushed.code, Some(0), "{}", pushed.stderr);
    let pinned = pushed.stdout.trim();
    assert!(pinned.starts_with(&registry.reference("policies/capi-policy:0.1.0@sha256:")), "{pinned}");

    let file = registry.folder.path().join("pulled.wasm");
    let pulled = registry.run(&["pull", pinned, "--to", &file.display().to_string()]);
    pulled.says(0, &[pinned]);
    assert!(fs::read(&file).expect("a file") == fs::read(policy()).expect("the policy"), "the same bytes");

    let run = registry.run(&["evaluate", "-f", &fleet(), "--now", NOW, "--policy", pinned]);
    run.says(0, &["21 objects"]);
    let again = registry.run(&["push", &registry.reference("policies/capi-policy:again")]);
    assert_eq!(
        again.stdout.rsplit('@').next(),
        pushed.stdout.rsplit('@').next(),
        "the same content has the same digest"
    );
}

#[test]
fn the_layout_is_the_one_for_webassembly() {
    let registry = Registry::start();
    registry.run(&["push", &registry.reference("p:1.2.3")]).says(0, &["p:1.2.3@sha256:"]);
    let manifest = registry.get("/v2/p/manifests/1.2.3");
    assert_eq!(manifest["config"]["mediaType"], "application/vnd.wasm.config.v0+json");
    let layers = manifest["layers"].as_array().expect("layers");
    assert_eq!((layers.len(), &layers[0]["mediaType"]), (1, &Value::from("application/wasm")));
    let config = registry.get(&format!("/v2/p/blobs/{}", manifest["config"]["digest"].as_str().expect("a digest")));
    assert_eq!((&config["architecture"], &config["os"]), (&Value::from("wasm"), &Value::from("wasip2")));
    assert_eq!(config["layerDigests"][0], layers[0]["digest"]);
    assert_eq!(config["component"]["imports"], serde_json::json!([]));
}

#[test]
fn another_digest_is_refused() {
    let registry = Registry::start();
    let pushed = registry.run(&["push", &registry.reference("p:1.0.0")]);
    let digest = pushed.stdout.trim().rsplit('@').next().expect("a digest").to_owned();
    let wrong = format!("sha256:{}", "0".repeat(64));
    let run = registry.run(&["evaluate", "-f", &fleet(), "--policy", &registry.reference(&format!("p:1.0.0@{wrong}"))]);
    run.says(2, &["refused: the tag 1.0.0 stands for", &digest, &wrong]);
}

#[test]
fn content_that_was_tampered_with_is_refused() {
    let registry = Registry::start();
    let pushed = registry.run(&["push", &registry.reference("p:1.0.0")]);
    let blob = find_blob(registry.folder.path(), &fs::read(policy()).expect("the policy"));
    let mut bytes = fs::read(&blob).expect("a blob");
    let last = bytes.len() - 1;
    bytes[last] ^= 1;
    fs::write(&blob, bytes).expect("a blob");
    for reference in [pushed.stdout.trim(), &registry.reference("p:1.0.0")] {
        let run = registry.run(&["pull", reference, "--to", &registry.folder.path().join("x").display().to_string()]);
        assert_eq!(run.code, Some(2), "{}", run.stdout);
        assert!(run.stderr.to_lowercase().contains("digest"), "{}", run.stderr);
    }
}

/// A registry that answers without end, whatever it is asked for: reading stops, and with it the answer.
#[test]
fn a_manifest_without_end_is_refused() {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = listener.local_addr().expect("an address");
    std::thread::spawn(move || {
        for mut stream in listener.incoming().map_while(Result::ok) {
            std::thread::spawn(move || {
                let mut line = String::new();
                let _ = BufReader::new(&stream).read_line(&mut line);
                let _ = stream.write_all(b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n\r\n");
                while !line.contains("/v2/ ") && stream.write_all(&[b' '; 1 << 12]).is_ok() {}
            });
        }
    });
    for rest in ["p:1.0.0".to_owned(), format!("p@sha256:{}", "0".repeat(64))] {
        finish(&mut command(&["pull", &format!("oci://{address}/{rest}"), "--to", "x.wasm"]))
            .says(2, &["refused: the registry answers with more than 4194304 bytes"]);
    }
}

#[test]
fn a_pinned_policy_is_there_without_the_registry() {
    let mut registry = Registry::start();
    let pinned = registry.run(&["push", &registry.reference("p:1.0.0")]).stdout.trim().to_owned();
    registry.run(&["inspect", &pinned]).says(0, &["capi-policy"]);
    registry.process.kill().expect("the registry ends");
    registry.process.wait().expect("the registry ends");
    registry.run(&["inspect", &pinned]).says(0, &["capi-policy"]);
    registry.run(&["inspect", &registry.reference("p:1.0.0")]).says(2, &["pulling oci://"]);
}

#[test]
fn what_is_no_policy_is_not_pushed() {
    let registry = Registry::start();
    let file = registry.folder.path().join("other.wasm");
    fs::write(&file, b"\0asm\x01\0\0\0").expect("a file");
    registry
        .run(&["push", &registry.reference("p:1.0.0"), "--policy", &file.display().to_string()])
        .says(2, &["not a policy"]);
    registry.run(&["pull", &registry.reference("p:1.0.0")]).says(2, &["pulling oci://"]);
}

fn find_blob(folder: &Path, content: &[u8]) -> std::path::PathBuf {
    let mut folders = vec![folder.join("storage")];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                folders.push(path);
            } else if fs::read(&path).expect("a file") == content {
                return path;
            }
        }
    }
    panic!("the registry does not have the policy");
}

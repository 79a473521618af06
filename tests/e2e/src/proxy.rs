//! A proxy on loopback before the API server: it counts, refuses, holds back.

use crate::kube_objects::Kube;
use anyhow::Result;
use http_body_util::{BodyExt, Full};
use hyper::body::{Bytes, Incoming};
use hyper::service::service_fn;
use hyper::{Method, Request, Response, StatusCode};
use hyper_util::rt::TokioIo;
use kube::client::Body;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::net::TcpListener;

/// A write that reached the server and was done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Done {
    /// `POST`, `PATCH`, …
    pub method: String,
    /// The path.
    pub path: String,
    /// The name in the body of a new object.
    pub name: String,
}

/// What the proxy does.
#[derive(Default)]
pub struct Rules {
    /// Every so many writes one fails, in turn: a conflict, an error, and an error although it was done. None at 0.
    pub refuse_every: AtomicUsize,
    /// Creations and deletions are held back until the client goes away.
    pub hold_actions: AtomicBool,
    /// Deletions wait until this is false again.
    pub delay_deletions: AtomicBool,
    /// Writes are taken and never answered; Leases are.
    pub mute: AtomicBool,
    /// Requests whose path contains the text are answered with the code.
    pub answer: Mutex<Option<(String, u16)>>,
    /// Nodes are listed without end.
    pub endless_nodes: AtomicBool,
    /// Only these Nodes are shown, as a label selector.
    pub nodes: Option<String>,
    held: AtomicUsize,
    refused: AtomicUsize,
    writes: AtomicUsize,
    done: Mutex<Vec<Done>>,
}

impl Rules {
    /// How many deletions are or were held back.
    pub fn held(&self) -> usize {
        self.held.load(Ordering::SeqCst)
    }

    /// Answers requests whose path contains the text with a code from now on.
    pub fn answer_with(&self, answer: Option<(&str, u16)>) {
        *self.answer.lock().unwrap_or_else(PoisonError::into_inner) =
            answer.map(|(text, code)| (text.to_owned(), code));
    }

    /// How many writes were answered with an error of ours.
    pub fn refused(&self) -> usize {
        self.refused.load(Ordering::SeqCst)
    }

    /// Writes that were done, in order.
    pub fn done(&self) -> Vec<Done> {
        self.done.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

/// A running proxy.
pub struct Proxy {
    /// A kubeconfig that leads through it.
    pub kubeconfig: PathBuf,
    /// What it does.
    pub rules: Arc<Rules>,
}

impl Proxy {
    /// Starts one that speaks to the server with the client's rights.
    pub async fn start(kube: &Kube, directory: &Path, name: &str, rules: Rules) -> Result<Self> {
        let listener = TcpListener::bind("127.0.0.1:0").await?;
        let kubeconfig = directory.join(format!("{name}.kubeconfig"));
        let text = json!({
            "apiVersion": "v1", "kind": "Config", "current-context": "proxy",
            "clusters": [{ "name": "proxy", "cluster": { "server": format!("http://{}", listener.local_addr()?) } }],
            "users": [{ "name": "proxy", "user": {} }],
            "contexts": [{ "name": "proxy", "context": { "cluster": "proxy", "user": "proxy", "namespace": "default" } }],
        });
        std::fs::write(&kubeconfig, text.to_string())?;
        let rules = Arc::new(rules);
        tokio::spawn(serve(listener, kube.clone(), rules.clone()));
        Ok(Self { kubeconfig, rules })
    }
}

async fn serve(listener: TcpListener, kube: Kube, rules: Arc<Rules>) {
    while let Ok((stream, _)) = listener.accept().await {
        let (kube, rules) = (kube.clone(), rules.clone());
        tokio::spawn(async move {
            let service = service_fn(|request| forward(request, &kube, &rules));
            let _ = hyper::server::conn::http1::Builder::new().serve_connection(TokioIo::new(stream), service).await;
        });
    }
}

type Answer = Response<http_body_util::combinators::UnsyncBoxBody<Bytes, kube::Error>>;

async fn forward(request: Request<Incoming>, kube: &Kube, rules: &Rules) -> Result<Answer, hyper::Error> {
    let (mut parts, body) = request.into_parts();
    let body = body.collect().await?.to_bytes();
    let rehearsal = parts.uri.query().is_some_and(|query| query.contains("dryRun"));
    let writes = parts.method != Method::GET && !rehearsal;
    let path = parts.uri.path().to_owned();
    let is_lease = path.contains("/leases");
    if rules.hold_actions.load(Ordering::SeqCst) && [Method::POST, Method::DELETE].contains(&parts.method) && !is_lease
    {
        rules.held.fetch_add(usize::from(parts.method == Method::DELETE), Ordering::SeqCst);
        // Dropped when the client goes away.
        std::future::pending::<()>().await;
    }
    if writes && !is_lease && rules.mute.load(Ordering::SeqCst) {
        rules.held.fetch_add(1, Ordering::SeqCst);
        std::future::pending::<()>().await;
    }
    let answer = rules.answer.lock().unwrap_or_else(PoisonError::into_inner).clone();
    if let Some((_, code)) = answer.filter(|(text, _)| path.contains(&**text)) {
        rules.refused.fetch_add(1, Ordering::SeqCst);
        return Ok(failure(StatusCode::from_u16(code).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR)));
    }
    if path == "/api/v1/nodes" && rules.endless_nodes.load(Ordering::SeqCst) {
        return Ok(endless());
    }
    if parts.method == Method::DELETE && rules.delay_deletions.load(Ordering::SeqCst) {
        rules.held.fetch_add(1, Ordering::SeqCst);
        while rules.delay_deletions.load(Ordering::SeqCst) {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    }
    let number = if writes && !is_lease { rules.writes.fetch_add(1, Ordering::SeqCst) } else { 0 };
    let every = rules.refuse_every.load(Ordering::SeqCst);
    let fault = (every > 0 && number % every == every - 1).then(|| number / every % 3);
    if let Some(fault @ (0 | 1)) = fault {
        rules.refused.fetch_add(1, Ordering::SeqCst);
        return Ok(failure(if fault == 0 { StatusCode::CONFLICT } else { StatusCode::INTERNAL_SERVER_ERROR }));
    }
    if let (Some(selector), true) = (&rules.nodes, path == "/api/v1/nodes") {
        let query = parts.uri.query().map_or_else(String::new, |query| format!("{query}&"));
        if let Ok(uri) = format!("{path}?{query}labelSelector={selector}").parse() {
            parts.uri = uri;
        }
    }
    parts.headers.remove("host");
    parts.headers.remove("authorization");
    let name =
        serde_json::from_slice::<Value>(&body).ok().and_then(|b| b["metadata"]["name"].as_str().map(str::to_owned));
    let method = parts.method.to_string();
    match kube.client.send(Request::from_parts(parts, Body::from(body.to_vec()))).await {
        Ok(response) => {
            if writes && response.status().is_success() {
                let done = Done { method, path, name: name.unwrap_or_default() };
                rules.done.lock().unwrap_or_else(PoisonError::into_inner).push(done);
            }
            if fault.is_some() {
                rules.refused.fetch_add(1, Ordering::SeqCst);
                return Ok(failure(StatusCode::INTERNAL_SERVER_ERROR));
            }
            Ok(response.map(BodyExt::boxed_unsync))
        }
        Err(_) => Ok(failure(StatusCode::BAD_GATEWAY)),
    }
}

fn failure(code: StatusCode) -> Answer {
    let reason = if code == StatusCode::CONFLICT { "Conflict" } else { "InternalError" };
    let status = json!({
        "kind": "Status", "apiVersion": "v1", "metadata": {}, "status": "Failure",
        "message": "a fault on purpose", "reason": reason, "code": code.as_u16(),
    });
    let body = Full::new(Bytes::from(status.to_string())).map_err(|never| match never {}).boxed_unsync();
    let mut response = Response::new(body);
    *response.status_mut() = code;
    response.headers_mut().insert("content-type", hyper::header::HeaderValue::from_static("application/json"));
    response
}

/// A list that goes on as long as somebody reads it.
fn endless() -> Answer {
    let chunk = Bytes::from(vec![b' '; 1 << 16]);
    let start = Bytes::from_static(b"{\"kind\":\"NodeList\",\"apiVersion\":\"v1\",\"metadata\":{},\"items\":[");
    let chunks = futures::stream::iter(std::iter::once(start).chain(std::iter::repeat(chunk)));
    let frames = futures::StreamExt::map(chunks, |bytes| Ok::<_, kube::Error>(hyper::body::Frame::data(bytes)));
    Response::new(http_body_util::StreamBody::new(frames).boxed_unsync())
}

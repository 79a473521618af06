//! A proxy on loopback before the API server: it counts, refuses, holds back.

use crate::authority::Authority;
use crate::harm::{self, Harm};
use crate::kube_objects::Kube;
use anyhow::Result;
use http_body_util::{BodyExt, Full};
use hyper::body::{Bytes, Incoming};
use hyper::service::service_fn;
use hyper::{Method, Request, Response, StatusCode};
use hyper_util::rt::TokioIo;
use kube::client::Body;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio_rustls::TlsAcceptor;

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

/// How far a single write is.
const UNLIMITED: usize = 0;
const ALLOWED: usize = 1;
const ON_ITS_WAY: usize = 2;
const DONE: usize = 3;

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
    /// How Nodes are answered.
    pub nodes_are: Harm,
    /// How often somebody asked for Nodes.
    pub asked_for_nodes: AtomicUsize,
    /// Only these Nodes are shown, as a label selector.
    pub nodes: Option<String>,
    /// Lists are remembered.
    pub remember: AtomicBool,
    /// Lists are answered as they are remembered, by a server that is behind, and watches bring nothing.
    pub behind: AtomicBool,
    remembered: Mutex<BTreeMap<String, Bytes>>,
    silent: AtomicBool,
    /// How often it has fallen silent: what was open then never says anything again.
    silences: AtomicUsize,
    single_write: AtomicUsize,
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

    /// From now on requests are taken and never answered, and watches bring nothing.
    pub fn fall_silent(&self) {
        self.silences.fetch_add(1, Ordering::SeqCst);
        self.silent.store(true, Ordering::SeqCst);
    }

    /// New requests are answered again.
    pub fn speak(&self) {
        self.silent.store(false, Ordering::SeqCst);
    }

    /// Of the writes from now on, Leases and events aside, one is done and not answered; the others never get through.
    pub fn allow_a_single_write(&self) {
        self.single_write.store(ALLOWED, Ordering::SeqCst);
    }

    /// Whether that one is done.
    pub fn single_write_is_done(&self) -> bool {
        self.single_write.load(Ordering::SeqCst) == DONE
    }

    /// Every write gets through again.
    pub fn allow_writes(&self) {
        self.single_write.store(UNLIMITED, Ordering::SeqCst);
    }

    /// How many writes were answered with an error of ours.
    pub fn refused(&self) -> usize {
        self.refused.load(Ordering::SeqCst)
    }

    fn harm(&self, path: &str, watches: bool) -> Option<Answer> {
        let about_nodes = path == "/api/v1/nodes";
        self.asked_for_nodes.fetch_add(usize::from(about_nodes), Ordering::SeqCst);
        if about_nodes { self.nodes_are.answer(watches) } else { None }
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
    /// Where it is.
    pub url: String,
    /// What it does.
    pub rules: Arc<Rules>,
    connections: watch::Sender<()>,
}

impl Proxy {
    /// Starts one that speaks to the server with the client's rights.
    pub async fn start(kube: &Kube, directory: &Path, name: &str, rules: Rules) -> Result<Self> {
        Self::launch(kube, directory, name, rules, None).await
    }

    /// One that has the certificate that the authority gives it just now.
    pub async fn start_tls(kube: &Kube, directory: &Path, name: &str, authority: &Arc<Authority>) -> Result<Self> {
        Self::launch(kube, directory, name, Rules::default(), Some(authority.clone())).await
    }

    async fn launch(
        kube: &Kube,
        directory: &Path,
        name: &str,
        rules: Rules,
        authority: Option<Arc<Authority>>,
    ) -> Result<Self> {
        let listener = TcpListener::bind("127.0.0.1:0").await?;
        let kubeconfig = directory.join(format!("{name}.kubeconfig"));
        let address = listener.local_addr()?;
        let url = format!("{}://{address}", if authority.is_some() { "https" } else { "http" });
        let cluster = match &authority {
            None => json!({ "server": url }),
            Some(authority) => json!({ "server": url, "certificate-authority-data": authority.data()? }),
        };
        let text = json!({
            "apiVersion": "v1", "kind": "Config", "current-context": "proxy",
            "clusters": [{ "name": "proxy", "cluster": cluster }],
            "users": [{ "name": "proxy", "user": {} }],
            "contexts": [{ "name": "proxy", "context": { "cluster": "proxy", "user": "proxy", "namespace": "default" } }],
        });
        std::fs::write(&kubeconfig, text.to_string())?;
        let rules = Arc::new(rules);
        let connections = watch::Sender::new(());
        tokio::spawn(serve(listener, kube.clone(), rules.clone(), authority, connections.subscribe()));
        Ok(Self { kubeconfig, url, rules, connections })
    }

    /// Cuts every connection that there is.
    pub fn cut(&self) {
        self.connections.send_replace(());
    }
}

async fn serve(
    listener: TcpListener,
    kube: Kube,
    rules: Arc<Rules>,
    authority: Option<Arc<Authority>>,
    cut: watch::Receiver<()>,
) {
    while let Ok((stream, _)) = listener.accept().await {
        let (kube, rules, authority, mut cut) = (kube.clone(), rules.clone(), authority.clone(), cut.clone());
        cut.mark_unchanged();
        tokio::spawn(async move {
            tokio::select! {
                () = serve_connection(stream, &kube, &rules, authority) => {}
                // A proxy that nobody holds any more goes on.
                Ok(()) = cut.changed() => {}
            }
        });
    }
}

async fn serve_connection(stream: TcpStream, kube: &Kube, rules: &Arc<Rules>, authority: Option<Arc<Authority>>) {
    let service = service_fn(|request| forward(request, kube, rules));
    let server = hyper::server::conn::http1::Builder::new();
    let _ = match authority {
        None => server.serve_connection(TokioIo::new(stream), service).await,
        Some(authority) => match TlsAcceptor::from(authority.server()).accept(stream).await {
            Ok(stream) => server.serve_connection(TokioIo::new(stream), service).await,
            // Whoever does not accept the certificate hangs up.
            Err(_) => return,
        },
    };
}

type Answer = Response<harm::Body>;

async fn forward(request: Request<Incoming>, kube: &Kube, rules: &Arc<Rules>) -> Result<Answer, hyper::Error> {
    let silences = rules.silences.load(Ordering::SeqCst);
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
    if rules.silent.load(Ordering::SeqCst) {
        std::future::pending::<()>().await;
    }
    let answer = rules.answer.lock().unwrap_or_else(PoisonError::into_inner).clone();
    if let Some((_, code)) = answer.filter(|(text, _)| path.contains(&**text)) {
        rules.refused.fetch_add(1, Ordering::SeqCst);
        return Ok(failure(StatusCode::from_u16(code).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR)));
    }
    let watches = parts.uri.query().is_some_and(|query| query.contains("watch=true"));
    if !writes && rules.behind.load(Ordering::SeqCst) {
        let remembered = rules.remembered.lock().unwrap_or_else(PoisonError::into_inner).get(&path).cloned();
        match remembered {
            Some(_) if watches => std::future::pending().await,
            Some(list) => return Ok(json_answer(StatusCode::OK, list)),
            None => {}
        }
    }
    if let Some(harm) = rules.harm(&path, watches) {
        return Ok(harm);
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
    let counted = writes && !is_lease && !path.contains("/events");
    let single = counted && rules.single_write.load(Ordering::SeqCst) != UNLIMITED;
    if single && rules.single_write.compare_exchange(ALLOWED, ON_ITS_WAY, Ordering::SeqCst, Ordering::SeqCst).is_err() {
        std::future::pending::<()>().await;
    }
    parts.headers.remove("host");
    parts.headers.remove("authorization");
    let name =
        serde_json::from_slice::<Value>(&body).ok().and_then(|b| b["metadata"]["name"].as_str().map(str::to_owned));
    let method = parts.method.to_string();
    match kube.client.send(Request::from_parts(parts, Body::from(body.to_vec()))).await {
        Ok(response) => {
            if writes && response.status().is_success() {
                let done = Done { method, path: path.clone(), name: name.unwrap_or_default() };
                rules.done.lock().unwrap_or_else(PoisonError::into_inner).push(done);
            }
            if single {
                let done = response.status().is_success();
                rules.single_write.store(if done { DONE } else { ALLOWED }, Ordering::SeqCst);
                if done {
                    std::future::pending::<()>().await;
                }
            }
            if fault.is_some() {
                rules.refused.fetch_add(1, Ordering::SeqCst);
                return Ok(failure(StatusCode::INTERNAL_SERVER_ERROR));
            }
            if !writes && !watches && rules.remember.load(Ordering::SeqCst) {
                let (parts, body) = response.into_parts();
                let Ok(body) = body.collect().await else { return Ok(failure(StatusCode::BAD_GATEWAY)) };
                let body = body.to_bytes();
                if body.starts_with(b"{\"") && body.windows(8).any(|part| part == b"\"items\":") {
                    rules.remembered.lock().unwrap_or_else(PoisonError::into_inner).insert(path, body.clone());
                }
                let body = Full::new(body).map_err(|never| match never {}).boxed_unsync();
                return Ok(Response::from_parts(parts, body));
            }
            Ok(response.map(|body| until_silent(body, rules.clone(), silences)))
        }
        Err(_) => Ok(failure(StatusCode::BAD_GATEWAY)),
    }
}

/// The rest of an answer, which ends in silence when the proxy falls silent.
fn until_silent(body: Body, rules: Arc<Rules>, silences: usize) -> harm::Body {
    let frames = futures::StreamExt::then(http_body_util::BodyStream::new(body), move |frame| {
        let silent = rules.silences.load(Ordering::SeqCst) != silences;
        async move {
            if silent {
                std::future::pending::<()>().await;
            }
            frame
        }
    });
    http_body_util::StreamBody::new(frames).boxed_unsync()
}

fn failure(code: StatusCode) -> Answer {
    let reason = if code == StatusCode::CONFLICT { "Conflict" } else { "InternalError" };
    let status = json!({
        "kind": "Status", "apiVersion": "v1", "metadata": {}, "status": "Failure",
        "message": "a fault on purpose", "reason": reason, "code": code.as_u16(),
    });
    json_answer(code, Bytes::from(status.to_string()))
}

fn json_answer(code: StatusCode, content: Bytes) -> Answer {
    let body = Full::new(content).map_err(|never| match never {}).boxed_unsync();
    let mut response = Response::new(body);
    *response.status_mut() = code;
    response.headers_mut().insert("content-type", hyper::header::HeaderValue::from_static("application/json"));
    response
}

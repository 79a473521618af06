//! `/healthz`, `/readyz` and `/metrics`, and on loopback `/differences` for people who want to know which.

use super::decide::Decider;
use super::differences::Difference;
use super::gate::Readiness;
use super::progress::Progress;
use http_body_util::Full;
use hyper::body::{Bytes, Incoming};
use hyper::service::service_fn;
use hyper::{Request, Response, StatusCode, header};
use hyper_util::rt::{TokioIo, TokioTimer};
use serde::Serialize;
use std::collections::{BTreeMap, VecDeque};
use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;
use tokio::net::{TcpListener, TcpStream};
use tokio::task::AbortHandle;

/// How many connections there are at a time. One more ends the oldest: whoever holds on to connections must not keep a
/// probe out.
const CONNECTIONS: usize = 64;
/// How long a request may take to arrive.
const HEADER_WITHIN: Duration = Duration::from_secs(5);
/// How long a connection may last. Each serves one request.
const CONNECTION_WITHIN: Duration = Duration::from_secs(15);
/// How long nobody is accepted after accepting has failed: most often there are too many open files.
const PAUSE: Duration = Duration::from_millis(200);

/// How many of each condition and status field, by kind.
type ByKind = BTreeMap<String, BTreeMap<String, usize>>;

/// What `/differences` answers.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Report {
    /// Objects that were decided about.
    objects: usize,
    /// Conditions and status fields compared with what is stored.
    compared: usize,
    /// The same for each condition and status field, by kind.
    compared_by_kind: ByKind,
    /// Those that can't be, since their facts are the controller's own.
    not_compared: usize,
    /// Those that stay as they are stored because something was not read, by kind.
    kept_by_kind: ByKind,
    differences: Vec<Difference>,
}

/// What answers are made of.
pub struct Ends {
    pub decider: Arc<Decider>,
    pub readiness: Arc<Readiness>,
    pub progress: Arc<Progress>,
}

/// Answers until the program ends.
pub async fn serve(listener: TcpListener, ends: Arc<Ends>) {
    let mut connections: VecDeque<AbortHandle> = VecDeque::new();
    loop {
        let (stream, peer) = match listener.accept().await {
            Ok(accepted) => accepted,
            Err(error) => {
                tracing::warn!(%error, "no connection accepted");
                tokio::time::sleep(PAUSE).await;
                continue;
            }
        };
        connections.retain(|connection| !connection.is_finished());
        while connections.len() >= CONNECTIONS {
            if let Some(oldest) = connections.pop_front() {
                oldest.abort();
            }
        }
        let connection = connection(stream, ends.clone(), peer.ip().to_canonical().is_loopback());
        // A client that goes away, or stays too long, is no matter of ours.
        connections.push_back(tokio::spawn(tokio::time::timeout(CONNECTION_WITHIN, connection)).abort_handle());
    }
}

async fn connection(stream: TcpStream, ends: Arc<Ends>, loopback: bool) {
    let service = service_fn(|request| {
        let answer = ends.answer(&request, loopback);
        async { Ok::<_, Infallible>(answer) }
    });
    let mut http = hyper::server::conn::http1::Builder::new();
    http.timer(TokioTimer::new()).header_read_timeout(HEADER_WITHIN).keep_alive(false).max_buf_size(16 << 10);
    let _ = http.serve_connection(TokioIo::new(stream), service).await;
}

impl Ends {
    fn answer(&self, request: &Request<Incoming>, loopback: bool) -> Response<Full<Bytes>> {
        let state = |why: Option<String>| match why {
            None => (StatusCode::OK, "text/plain", "ok\n".to_owned()),
            Some(why) => (StatusCode::SERVICE_UNAVAILABLE, "text/plain", format!("{why}\n")),
        };
        let (status, kind, text) = match request.uri().path() {
            "/healthz" => state(self.progress.stalled()),
            "/readyz" => state(self.readiness.why_not()),
            "/metrics" => {
                let kind = "application/openmetrics-text; version=1.0.0; charset=utf-8";
                (StatusCode::OK, kind, self.decider.metrics.text())
            }
            "/differences" if loopback => (StatusCode::OK, "application/json", report(&self.decider)),
            "/differences" => {
                (StatusCode::FORBIDDEN, "text/plain", "only from loopback, as with kubectl port-forward\n".to_owned())
            }
            _ => (StatusCode::NOT_FOUND, "text/plain", "not here\n".to_owned()),
        };
        let mut response = Response::new(Full::new(Bytes::from(text)));
        *response.status_mut() = status;
        response.headers_mut().insert(header::CONTENT_TYPE, header::HeaderValue::from_static(kind));
        response
    }
}

fn report(decider: &Decider) -> String {
    let memory = decider.memory();
    let comparisons = || memory.values().map(|memory| &memory.comparison);
    let compared_by_kind = by_kind(comparisons().flat_map(|comparison| &*comparison.compared));
    let report = Report {
        objects: memory.len(),
        compared: compared_by_kind.values().flat_map(BTreeMap::values).sum(),
        compared_by_kind,
        not_compared: comparisons().map(|comparison| comparison.not_compared).sum(),
        kept_by_kind: by_kind(comparisons().flat_map(|comparison| &*comparison.kept)),
        differences: comparisons().flat_map(|comparison| comparison.differences.clone()).collect(),
    };
    serde_json::to_string_pretty(&report).unwrap_or_default()
}

fn by_kind<'c>(counted: impl Iterator<Item = (&'c (String, String), &'c usize)>) -> ByKind {
    let mut sums = ByKind::new();
    for ((kind, what), number) in counted {
        let sum = sums.entry(kind.clone()).or_default().entry(what.clone()).or_default();
        *sum = sum.saturating_add(*number);
    }
    sums
}

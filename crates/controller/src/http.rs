//! `/healthz`, `/readyz`, `/metrics`, and `/differences` for people who want to know which.

use super::decide::Decider;
use super::differences::Difference;
use http_body_util::Full;
use hyper::body::{Bytes, Incoming};
use hyper::service::service_fn;
use hyper::{Request, Response, StatusCode, header};
use hyper_util::rt::TokioIo;
use serde::Serialize;
use std::convert::Infallible;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use tokio::net::TcpListener;

/// What `/differences` answers.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Report {
    /// Objects that were decided about.
    objects: usize,
    /// Conditions and status fields compared with what is stored.
    compared: usize,
    /// Those that can't be, since their facts are the controller's own.
    not_compared: usize,
    differences: Vec<Difference>,
}

/// Answers until the program ends.
pub async fn serve(listener: TcpListener, decider: Arc<Decider>, ready: Arc<AtomicBool>) {
    loop {
        let Ok((stream, _)) = listener.accept().await else { continue };
        let (decider, ready) = (decider.clone(), ready.clone());
        tokio::spawn(async move {
            let service = service_fn(|request| {
                let answer = answer(&request, &decider, ready.load(Ordering::Relaxed));
                async { Ok::<_, Infallible>(answer) }
            });
            // A client that goes away is no matter of ours.
            let _ = hyper::server::conn::http1::Builder::new().serve_connection(TokioIo::new(stream), service).await;
        });
    }
}

fn answer(request: &Request<Incoming>, decider: &Decider, ready: bool) -> Response<Full<Bytes>> {
    let (status, kind, text) = match request.uri().path() {
        "/healthz" => (StatusCode::OK, "text/plain", "ok\n".to_owned()),
        "/readyz" if ready => (StatusCode::OK, "text/plain", "ok\n".to_owned()),
        "/readyz" => (StatusCode::SERVICE_UNAVAILABLE, "text/plain", "the first lists are not complete\n".to_owned()),
        "/metrics" => {
            let kind = "application/openmetrics-text; version=1.0.0; charset=utf-8";
            (StatusCode::OK, kind, decider.metrics.text())
        }
        "/differences" => (StatusCode::OK, "application/json", report(decider)),
        _ => (StatusCode::NOT_FOUND, "text/plain", "not here\n".to_owned()),
    };
    let mut response = Response::new(Full::new(Bytes::from(text)));
    *response.status_mut() = status;
    response.headers_mut().insert(header::CONTENT_TYPE, header::HeaderValue::from_static(kind));
    response
}

fn report(decider: &Decider) -> String {
    let memory = decider.memory();
    let comparisons = || memory.values().map(|memory| &memory.comparison);
    let report = Report {
        objects: memory.len(),
        compared: comparisons().map(|comparison| comparison.compared).sum(),
        not_compared: comparisons().map(|comparison| comparison.not_compared).sum(),
        differences: comparisons().flat_map(|comparison| comparison.differences.clone()).collect(),
    };
    serde_json::to_string_pretty(&report).unwrap_or_default()
}

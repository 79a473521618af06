//! What a server answers that means harm.

use hyper::body::{Bytes, Frame};
use hyper::header::{HeaderName, HeaderValue};
use hyper::{Response, StatusCode};
use serde_json::json;

/// The body of an answer.
pub type Body = http_body_util::combinators::UnsyncBoxBody<Bytes, kube::Error>;

/// How the Nodes of a workload cluster are answered.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Harm {
    /// As they are.
    #[default]
    None,
    /// By a list that goes on as long as somebody reads it.
    EndlessList,
    /// By one small page after the other.
    EndlessPages,
    /// By megabytes about why not.
    LongError,
    /// By a web page.
    WebPage,
    /// From somewhere else.
    Redirect(String),
    /// Later; how much later is for the server to say.
    Busy,
    /// By an event that never ends.
    EndlessEvent,
    /// By a list that takes small room as text and much as a value.
    Dense,
}

const LIST: &str = r#"{"kind":"NodeList","apiVersion":"v1","metadata":{"resourceVersion":"1"},"items":["#;

impl Harm {
    /// The answer to a request for Nodes; none: the true one.
    pub fn answer(&self, watches: bool) -> Option<Response<Body>> {
        let (status, header, body) = match self {
            Self::None => return None,
            Self::EndlessList => (200, None, endless(LIST, b' ')),
            Self::EndlessPages => {
                let metadata = json!({ "resourceVersion": "1", "continue": "more" });
                (200, None, all(json!({ "kind": "NodeList", "metadata": metadata, "items": [] }).to_string()))
            }
            Self::LongError => (500, None, all("why not? ".repeat(1 << 18))),
            Self::WebPage => (200, Some(("content-type", "text/html")), all("<html>Sign in</html>".to_owned())),
            Self::Redirect(elsewhere) => (302, Some(("location", &**elsewhere)), all(String::new())),
            Self::Busy => (429, Some(("retry-after", "86400")), all(String::new())),
            Self::EndlessEvent if watches => (200, None, endless(r#"{"type":"ADDED","object":{"a":""#, b'a')),
            Self::EndlessEvent => (200, None, all(format!("{LIST}]}}"))),
            Self::Dense => {
                let zeros = "0,".repeat(3 << 20);
                (200, None, all(format!(r#"{LIST}{{"metadata":{{"name":"n"}},"spec":{{"x":[{zeros}0]}}}}]}}"#)))
            }
        };
        let mut response = Response::new(body);
        *response.status_mut() = StatusCode::from_u16(status).ok()?;
        if let Some((name, value)) = header {
            response.headers_mut().insert(HeaderName::from_static(name), HeaderValue::from_str(value).ok()?);
        }
        Some(response)
    }
}

fn all(text: String) -> Body {
    frames(std::iter::once(Bytes::from(text)))
}

fn endless(start: &'static str, rest: u8) -> Body {
    let chunk = Bytes::from(vec![rest; 1 << 16]);
    frames(std::iter::once(Bytes::from_static(start.as_bytes())).chain(std::iter::repeat(chunk)))
}

fn frames(chunks: impl Iterator<Item = Bytes> + Send + 'static) -> Body {
    let frames = chunks.map(|bytes| Ok::<_, kube::Error>(Frame::data(bytes)));
    http_body_util::BodyExt::boxed_unsync(http_body_util::StreamBody::new(futures::stream::iter(frames)))
}

//! Clients whose requests all end: every answer has a deadline and a size that it may not exceed.

use super::clock;
use hyper::body::{Body as HttpBody, Bytes, Frame, SizeHint};
use hyper::{Method, Request, Response, StatusCode, Uri};
use kube::client::Body;
use kube::{Client, Config};
use std::collections::BTreeMap;
use std::future::Future;
use std::io;
use std::pin::{Pin, pin};
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll, ready};
use std::time::Duration;
use tokio::time::{Instant, Sleep};

type BoxError = Box<dyn std::error::Error + Send + Sync>;

/// What one answer may take.
#[derive(Clone, Copy, Debug)]
pub struct Bounds {
    /// Until it begins; for a watch, until it has started.
    pub begins_within: Duration,
    /// Until all of it is there. A watch has no end, only events.
    pub complete_within: Duration,
    /// Its size; of a watch, the size of one event. Parsed it takes some sixteen times as much at worst.
    pub bytes: usize,
    /// How many pages a list may have: a server that always names another one would be asked for ever.
    pub pages: u32,
}

/// For the management cluster.
pub const MANAGEMENT: Bounds = Bounds {
    begins_within: Duration::from_secs(15),
    complete_within: Duration::from_mins(1),
    bytes: 128 << 20,
    pages: 20_000,
};

/// For workload clusters, which belong to somebody else.
pub const WORKLOAD: Bounds = Bounds {
    begins_within: Duration::from_secs(10),
    complete_within: Duration::from_secs(30),
    bytes: 8 << 20,
    pages: 300,
};

/// How many objects a page of a list has: what is being read is kept several times over until it is trimmed.
pub const PAGE: u32 = 100;

/// The size of an answer that says why not, which ends up in the log.
const ERROR_BYTES: usize = 64 << 10;

/// The pauses after answers that the server has too much to do. What it asks for itself is not believed.
const BUSY: [Duration; 2] = [Duration::from_millis(500), Duration::from_secs(2)];

/// How long a watch is asked to last. One that says nothing for this long is dead, whatever the connection looks like.
pub const WATCH_SECONDS: u32 = 55;

/// An end of a watch so much before its time is not the server's routine.
const EARLY: Duration = Duration::from_secs(2);

/// A client that keeps the bounds.
pub fn connect(mut config: Config, bounds: Bounds) -> kube::Result<Client> {
    config.connect_timeout = Some(bounds.begins_within.min(Duration::from_secs(5)));
    // Whoever asks tries again with pauses of its own. One in here would wait as long as the server says, and look like a
    // server that does not answer.
    config.default_retry = false;
    let namespace = config.default_namespace.clone();
    let inner = Client::try_from(config)?;
    let pages = Arc::new(Pages::default());
    Ok(Client::new(tower::service_fn(move |request| send(inner.clone(), request, bounds, pages.clone())), namespace))
}

/// How far the lists are that are being read, by path.
#[derive(Default)]
struct Pages(Mutex<BTreeMap<String, u32>>);

impl Pages {
    /// Counts the page of a list that is asked for.
    fn count(&self, uri: &Uri, limit: u32) -> Result<(), BoxError> {
        let mut pages = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let path = format!("{}?{}", uri.path(), parameter(uri, "labelSelector").unwrap_or_default());
        if parameter(uri, "continue").is_none() {
            pages.remove(&path);
            return Ok(());
        }
        let page = pages.entry(path).or_insert(1);
        *page = page.saturating_add(1);
        if *page > limit { Err(format!("a list of more than {limit} pages").into()) } else { Ok(()) }
    }
}

/// A client that refuses to write when it may not. Reading is always allowed.
pub fn guarded(inner: Client, may_write: impl Fn() -> Result<(), String> + Clone + Send + 'static) -> Client {
    let namespace = inner.default_namespace().to_owned();
    let send = move |request: Request<Body>| {
        let (inner, may_write) = (inner.clone(), may_write.clone());
        async move {
            if request.method() != Method::GET {
                may_write()?;
            }
            inner.send(request).await.map_err(BoxError::from)
        }
    };
    Client::new(tower::service_fn(send), namespace)
}

async fn send(
    client: Client,
    request: Request<Body>,
    mut bounds: Bounds,
    pages: Arc<Pages>,
) -> Result<Response<Bounded<Body>>, BoxError> {
    pages.count(request.uri(), bounds.pages)?;
    // The answer to a write is one object: a server that falls silent in the middle of it must not hold up the next decision.
    if request.method() != Method::GET {
        bounds.complete_within = bounds.complete_within.min(bounds.begins_within);
    }
    let watch = watch_seconds(request.uri());
    let answer = tokio::time::timeout(bounds.begins_within, ask(&client, request));
    let Ok(answer) = answer.await else {
        return Err(format!("no answer within {} s", bounds.begins_within.as_secs()).into());
    };
    let answer = answer?;
    if !answer.status().is_success() {
        bounds.bytes = bounds.bytes.min(ERROR_BYTES);
    }
    Ok(answer.map(|body| Bounded::new(body, bounds, watch)))
}

/// Reads are asked for again where the server has too much to do; what is to be written is decided about anew.
async fn ask(client: &Client, request: Request<Body>) -> kube::Result<Response<Body>> {
    if request.method() != Method::GET {
        return client.send(request).await;
    }
    let (parts, _) = request.into_parts();
    for pause in BUSY {
        let answer = client.send(Request::from_parts(parts.clone(), Body::empty())).await?;
        let busy = [StatusCode::TOO_MANY_REQUESTS, StatusCode::SERVICE_UNAVAILABLE].contains(&answer.status());
        if !busy {
            return Ok(answer);
        }
        tokio::time::sleep(pause).await;
    }
    client.send(Request::from_parts(parts, Body::empty())).await
}

/// A parameter of a request.
fn parameter<'u>(uri: &'u Uri, name: &str) -> Option<&'u str> {
    let parameters = uri.query().into_iter().flat_map(|query| query.split('&')).filter_map(|p| p.split_once('='));
    parameters.into_iter().find(|(found, _)| *found == name).map(|(_, value)| value)
}

/// How long the watch is to last that a request asks for; none when it asks for something else.
fn watch_seconds(uri: &Uri) -> Option<Duration> {
    parameter(uri, "watch").filter(|value| ["true", "1"].contains(value))?;
    let seconds = parameter(uri, "timeoutSeconds").and_then(|value| value.parse().ok());
    Some(Duration::from_secs(seconds.unwrap_or(0)))
}

/// The body of an answer.
struct Bounded<B> {
    body: B,
    limit: usize,
    /// Since the start; in a watch, since the last line ended.
    read: usize,
    watch: Option<Watch>,
    deadline: Pin<Box<Sleep>>,
    within: Duration,
}

/// What is known of a watch.
struct Watch {
    started: Instant,
    lasts: Duration,
}

impl<B> Bounded<B> {
    fn new(body: B, bounds: Bounds, watch: Option<Duration>) -> Self {
        let within = watch.map_or(bounds.complete_within, |lasts| lasts.saturating_add(bounds.begins_within));
        let watch = watch.map(|lasts| Watch { started: clock::instant(), lasts });
        Self { body, limit: bounds.bytes, read: 0, watch, deadline: Box::pin(tokio::time::sleep(within)), within }
    }

    /// Counts what has arrived.
    fn count(&mut self, data: &Bytes) -> io::Result<()> {
        self.read = match data.iter().rposition(|byte| *byte == b'\n').filter(|_| self.watch.is_some()) {
            Some(end) => data.len().saturating_sub(end),
            None => self.read.saturating_add(data.len()),
        };
        if self.read > self.limit {
            return Err(io::Error::other(format!("an answer of more than {} bytes", self.limit)));
        }
        Ok(())
    }
}

impl<B: HttpBody<Data = Bytes, Error: Into<BoxError>> + Unpin> HttpBody for Bounded<B> {
    type Data = Bytes;
    type Error = BoxError;

    fn poll_frame(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, BoxError>>> {
        if self.deadline.as_mut().poll(context).is_ready() {
            let error = format!("an answer that was not complete after {} s", self.within.as_secs());
            return Poll::Ready(Some(Err(error.into())));
        }
        let frame = ready!(pin!(&mut self.body).poll_frame(context));
        Poll::Ready(match frame {
            Some(Ok(frame)) => {
                Some(frame.data_ref().map_or(Ok(()), |data| self.count(data)).map(|()| frame).map_err(BoxError::from))
            }
            Some(Err(error)) => Some(Err(error.into())),
            // Whoever cuts a watch short may be another server, or the same one with other data.
            None => self
                .watch
                .take_if(|watch| watch.started.elapsed().saturating_add(EARLY) < watch.lasts)
                .map(|_| Err(io::Error::other("the watch ended before its time").into())),
        })
    }

    fn is_end_stream(&self) -> bool {
        self.watch.is_none() && self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

#[cfg(test)]
mod tests {
    use super::{Bounded, Bounds, Pages, watch_seconds};
    use http_body_util::{BodyExt, StreamBody};
    use hyper::body::{Bytes, Frame};
    use std::convert::Infallible;
    use std::time::Duration;

    const BOUNDS: Bounds =
        Bounds { begins_within: Duration::from_secs(1), complete_within: Duration::from_secs(9), bytes: 10, pages: 3 };

    /// What becomes of these chunks, and of silence after them unless the body ends.
    async fn read(chunks: &[&'static str], ends: bool, watch: Option<u64>) -> Result<String, String> {
        let chunks: Vec<_> =
            chunks.iter().map(|c| Ok::<_, Infallible>(Frame::data(Bytes::from_static(c.as_bytes())))).collect();
        let rest = futures::stream::poll_fn(
            move |_| if ends { std::task::Poll::Ready(None) } else { std::task::Poll::Pending },
        );
        let body = StreamBody::new(futures::StreamExt::chain(futures::stream::iter(chunks), rest));
        let bounded = Bounded::new(body, BOUNDS, watch.map(Duration::from_secs));
        let all = bounded.collect().await.map_err(|error| error.to_string())?;
        Ok(String::from_utf8(all.to_bytes().to_vec()).expect("text"))
    }

    #[tokio::test(start_paused = true)]
    async fn an_answer_has_a_size_and_a_deadline() {
        assert_eq!(read(&["12345", "67890"], true, None).await, Ok("1234567890".to_owned()));
        assert_eq!(read(&["12345", "67890", "1"], true, None).await, Err("an answer of more than 10 bytes".to_owned()));
        let late = Err("an answer that was not complete after 9 s".to_owned());
        assert_eq!(read(&["12345"], false, None).await, late);
    }

    #[tokio::test(start_paused = true)]
    async fn a_watch_is_bounded_by_its_events_and_its_own_end() {
        assert_eq!(
            read(&["12345\n", "67890\n", "12345\n"], true, Some(1)).await,
            Ok("12345\n67890\n12345\n".to_owned())
        );
        let long = Err("an answer of more than 10 bytes".to_owned());
        assert_eq!(read(&["12345\n67", "890", "123456"], true, Some(1)).await, long);
        assert_eq!(read(&["1\n"], true, Some(50)).await, Err("the watch ended before its time".to_owned()));
        let late = Err("an answer that was not complete after 51 s".to_owned());
        assert_eq!(read(&["1\n"], false, Some(50)).await, late);
    }

    #[test]
    fn a_list_that_always_has_another_page_ends() {
        let pages = Pages::default();
        let page = |query: &str| pages.count(&format!("/api/v1/nodes?{query}").parse().expect("a URI"), BOUNDS.pages);
        for round in 0..2 {
            page("limit=100").expect("the first page");
            for number in 2..=BOUNDS.pages {
                page("limit=100&continue=x").unwrap_or_else(|error| panic!("round {round}, page {number}: {error}"));
            }
            page("labelSelector=a&continue=x").expect("another list");
            let error = page("limit=100&continue=x").expect_err("too many");
            assert_eq!(error.to_string(), "a list of more than 3 pages");
        }
    }

    #[test]
    fn watches_are_known_by_their_parameters() {
        let of = |text: &str| watch_seconds(&text.parse().expect("a URI"));
        assert_eq!(of("/api/v1/nodes?limit=500"), None);
        assert_eq!(of("/api/v1/nodes?&watch=true&timeoutSeconds=55"), Some(Duration::from_secs(55)));
        assert_eq!(of("/api/v1/nodes?labelSelector=watch%3Dtrue"), None);
    }
}

//! Clients whose requests all end: every answer has a deadline and a size that it may not exceed.

use super::clock;
use hyper::body::{Body as HttpBody, Bytes, Frame, SizeHint};
use hyper::{Method, Request, Response, Uri};
use kube::client::Body;
use kube::{Client, Config};
use std::future::Future;
use std::io;
use std::pin::{Pin, pin};
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
    /// Its size; of a watch, the size of one event.
    pub bytes: usize,
}

/// For the management cluster. A page is 500 objects.
pub const MANAGEMENT: Bounds =
    Bounds { begins_within: Duration::from_secs(15), complete_within: Duration::from_mins(1), bytes: 128 << 20 };

/// For workload clusters, which belong to somebody else.
pub const WORKLOAD: Bounds =
    Bounds { begins_within: Duration::from_secs(10), complete_within: Duration::from_secs(30), bytes: 32 << 20 };

/// How long a watch is asked to last. One that says nothing for this long is dead, whatever the connection looks like.
pub const WATCH_SECONDS: u32 = 55;

/// An end of a watch so much before its time is not the server's routine.
const EARLY: Duration = Duration::from_secs(2);

/// A client that keeps the bounds.
pub fn connect(mut config: Config, bounds: Bounds) -> kube::Result<Client> {
    config.connect_timeout = Some(bounds.begins_within.min(Duration::from_secs(5)));
    let namespace = config.default_namespace.clone();
    let inner = Client::try_from(config)?;
    Ok(Client::new(tower::service_fn(move |request| send(inner.clone(), request, bounds)), namespace))
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

async fn send(client: Client, request: Request<Body>, mut bounds: Bounds) -> Result<Response<Bounded<Body>>, BoxError> {
    // The answer to a write is one object: a server that falls silent in the middle of it must not hold up the next decision.
    if request.method() != Method::GET {
        bounds.complete_within = bounds.complete_within.min(bounds.begins_within);
    }
    let watch = watch_seconds(request.uri());
    let answer = tokio::time::timeout(bounds.begins_within, client.send(request));
    let Ok(answer) = answer.await else {
        return Err(format!("no answer within {} s", bounds.begins_within.as_secs()).into());
    };
    Ok(answer?.map(|body| Bounded::new(body, bounds, watch)))
}

/// How long the watch is to last that a request asks for; none when it asks for something else.
fn watch_seconds(uri: &Uri) -> Option<Duration> {
    let parameters = || uri.query().into_iter().flat_map(|query| query.split('&')).filter_map(|p| p.split_once('='));
    parameters().find(|(name, value)| *name == "watch" && ["true", "1"].contains(value))?;
    let seconds = parameters().find(|(name, _)| *name == "timeoutSeconds").and_then(|(_, value)| value.parse().ok());
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
    use super::{Bounded, Bounds, watch_seconds};
    use http_body_util::{BodyExt, StreamBody};
    use hyper::body::{Bytes, Frame};
    use std::convert::Infallible;
    use std::time::Duration;

    const BOUNDS: Bounds =
        Bounds { begins_within: Duration::from_secs(1), complete_within: Duration::from_secs(9), bytes: 10 };

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
    fn watches_are_known_by_their_parameters() {
        let of = |text: &str| watch_seconds(&text.parse().expect("a URI"));
        assert_eq!(of("/api/v1/nodes?limit=500"), None);
        assert_eq!(of("/api/v1/nodes?&watch=true&timeoutSeconds=55"), Some(Duration::from_secs(55)));
        assert_eq!(of("/api/v1/nodes?labelSelector=watch%3Dtrue"), None);
    }
}

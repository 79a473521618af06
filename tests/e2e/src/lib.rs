//! What the tests on a real API server share: the server, the controllers, the host, and objects to play with.

pub mod authority;
pub mod fleet;
pub mod harm;
pub mod host;
pub mod kube_objects;
pub mod plane;
pub mod process;
pub mod proxy;
pub mod registry;
pub mod scenario;
pub mod stage;
pub mod stored;
pub mod upstream;
pub mod wait;
pub mod wrong_clock;

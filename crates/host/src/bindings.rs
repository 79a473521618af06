//! The host's side of `wit/`, generated.

#![allow(clippy::all, clippy::pedantic, missing_docs, unused_qualifications, reason = "generated from wit/")]

wasmtime::component::bindgen!({ path: "wit", world: "policy" });

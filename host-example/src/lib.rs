//! Runs the policy component in a sandbox.

//! What the integration tests share: the golden vectors and every tolerance.
//!
//! Each test binary uses a part of it, hence the `allow`.
#![allow(dead_code)]

pub mod bench;
pub mod fingerprint;
pub mod golden;
pub mod hartmann;
pub mod sensitivity;
pub mod surrogate;
pub mod tolerance;

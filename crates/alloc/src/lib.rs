//! The lock-free memory allocator of Samite.
#![warn(missing_docs)]
// The models use a part of the crate.
#![cfg_attr(loom, allow(dead_code))]

#[cfg(not(loom))]
mod adopt;
#[cfg(not(loom))]
pub mod api;
pub mod classes;
pub mod config;
#[cfg(not(loom))]
pub mod fault;
#[cfg(not(loom))]
mod hardened;
#[cfg(not(loom))]
mod heap;
mod inbox;
#[cfg(not(loom))]
mod large;
pub mod os;
#[cfg(not(loom))]
mod page;
#[cfg(not(loom))]
mod region;
mod registry;
pub mod slab;
mod slices;
#[cfg(not(loom))]
pub mod stats;
#[cfg(not(loom))]
mod supply;
mod sync;
#[cfg(not(loom))]
pub mod thread;
#[cfg(not(loom))]
pub mod verify;
mod word;

#[cfg(all(test, loom))]
mod loom_models;

pub use sync::traffic;

#[cfg(not(loom))]
pub use global::Samite;

#[cfg(not(loom))]
mod foreign;
#[cfg(not(loom))]
mod global;

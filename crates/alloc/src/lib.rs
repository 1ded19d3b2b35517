//! The lock-free memory allocator of Samite.
#![warn(missing_docs)]

pub mod os;

//! Links the shared library so that it stays mapped once it is loaded.
//!
//! Threads that used it run its destructor when they end, children of forks its handler, and blocks may be freed at any time:
//! all of that may come after a `dlclose`, which therefore must not take the code and the heap's roots away.

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rustc-cdylib-link-arg=-Wl,-z,nodelete");
}

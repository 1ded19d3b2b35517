//! What the benchmark runners share: running one process and accounting for it, collecting the runs, laying
//! out tables. `samite-bench` (this package) compares Prolog systems, `samite-bench-alloc` allocators.

pub mod arguments;
pub mod child;
pub mod layout;
pub mod measure;

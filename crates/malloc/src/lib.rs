//! The C interface of `samite-alloc`.

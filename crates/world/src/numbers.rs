//! Numbers of the system's: of errors, of signals, limits.

pub use libc::{
    EBADF, EIO, EISDIR, ELOOP, EMFILE, ENAMETOOLONG, ENFILE, ENOMEM, PATH_MAX, SIGHUP, SIGINT,
    SIGPIPE,
};

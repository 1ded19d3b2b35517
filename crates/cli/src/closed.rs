//! Standard streams that were closed when the process began: reading and writing are errors of the system, as they would be without Rust's runtime,
//! which opens something in their place that takes everything and gives nothing.

use samite_machine::Program;
use samite_stream::StreamId;
use samite_world::numbers;
use std::io::{self, Read, Write};

struct Closed;

impl Closed {
    fn error() -> io::Error {
        io::Error::from_raw_os_error(numbers::EBADF)
    }
}

impl Read for Closed {
    fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
        Err(Closed::error())
    }
}

impl Write for Closed {
    fn write(&mut self, _: &[u8]) -> io::Result<usize> {
        Err(Closed::error())
    }
    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Tells the program's standard streams.
pub fn connect(program: &Program) {
    for (fd, id) in [StreamId::STDIN, StreamId::STDOUT, StreamId::STDERR]
        .into_iter()
        .enumerate()
    {
        if samite_start::was_closed(fd)
            && let Some(stream) = program.streams.get(id)
        {
            let mut stream = stream.lock();
            // It is open, in this direction.
            let _ = match fd {
                0 => stream.set_source(Box::new(Closed)),
                _ => stream.set_sink(Box::new(Closed)),
            };
        }
    }
}

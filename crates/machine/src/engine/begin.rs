//! From memory that is there to a worker, and the end of one.

use super::going::Go;
use super::mapped::Mapped;
use super::worker::{Collecting, Worker};
use super::{blocked, long};
use crate::state::choice::Choice;
use crate::state::program::Program;
use crate::state::room::has_system_room;
use crate::state::thread::Thread;
use samite_code::readers::{self, Call};
use samite_heap::address_space;
use samite_sched::interrupt::{Attention, Events};
use samite_sched::registry::ThreadControl;
use samite_stream::Recent;
use samite_term::{Cell, common};
use std::sync::Arc;

impl Worker {
    /// A machine for the calling OS thread; `None` if memory for it cannot be had.
    pub fn new(program: Arc<Program>, thread: Arc<ThreadControl>) -> Option<Worker> {
        let limit = program.heap_config.lock().limit;
        Worker::with_limit(program, thread, limit)
    }

    /// As [`Worker::new`], for a thread with a memory limit of its own.
    pub(in crate::engine) fn with_limit(
        program: Arc<Program>,
        thread: Arc<ThreadControl>,
        limit: usize,
    ) -> Option<Worker> {
        let config = *program.heap_config.lock();
        let mapped = Mapped::new(config, limit)?;
        Some(Worker::begin(mapped, program, thread))
    }

    /// A machine for the calling OS thread on memory that is there.
    pub(crate) fn begin(
        mapped: Mapped,
        program: Arc<Program>,
        thread: Arc<ThreadControl>,
    ) -> Worker {
        let Mapped {
            heap,
            registers,
            choices,
            ..
        } = mapped;
        common::ask_system(has_system_room, address_space::make_room);
        blocked::init();
        long::enter(&program, &thread, heap.limit());
        let (limit, stress) = (heap.limit(), heap.stress());
        let x = registers.start();
        let attention = thread.attention().clone();
        let mut m = Worker {
            heap,
            registers,
            x,
            k: std::ptr::null_mut(),
            s: std::ptr::null_mut(),
            b: Choice(std::ptr::null_mut()),
            b0: Choice(std::ptr::null_mut()),
            choices,
            inferences: 0,
            went: Ok(Go::Fail),
            blamed: None,
            pair: (Cell::ZERO, Cell::ZERO),
            decided: None,
            between: None,
            limit: attention.limit_address().cast(),
            reader: program.code.domain.register(waker(attention.clone())),
            attention,
            collecting: Collecting::new(stress),
            recent_streams: Recent::default(),
            program,
            thread: Box::new(Thread::new(thread, limit)),
        };
        // SAFETY: the machine keeps `attention` as long as the heap.
        unsafe { m.heap.set_alarm(m.limit) };
        m.arm();
        m
    }
}

/// Gets a thread to a safe point.
fn waker(attention: Arc<Attention>) -> readers::Waker {
    Box::new(move |call| {
        attention.raise(match call {
            Call::Publish => Events::TICK,
            Call::Look => Events::COLLECT,
        });
    })
}

impl Drop for Worker {
    fn drop(&mut self) {
        // First: the thread holds on to nothing any more.
        self.forget_pins();
        for (&id, p) in &self.thread.locals {
            samite_code::database::wipe(p);
            self.program
                .spare_locals
                .lock()
                .entry(id)
                .or_default()
                .push(p);
        }
        self.program.code.domain.unregister(&self.reader);
        long::leave();
    }
}

//! Who waits for whom: finds out whether a wait would never end, for programs that ask for it.
//!
//! Edges lead from a thread that waits to what it waits for: the end of a thread, or a mutex, whose owner is looked up when the edge is followed. Each thread
//! has one at most, so following them is a walk. What waits at a queue has none: anybody may send.
//!
//! *Equation*: there is no circle of edges, but of a thread's to itself: who has just got the mutex that it waited for has its edge still, which leads nowhere
//! then. Who takes a mutex does not wait, so a circle can only arise when an edge is added; and the edge that would close one is refused
//! ([`WaitGraph::begin`]), under the lock under which all are added and taken away. Who has an edge gives no mutex free, so what a walk has seen does not change
//! behind it. So of the threads of a deadlock the one that would complete it hears of it, and no other.
//!
//! The lock is taken before a mutex's. Any thread; `me` is the calling one.

use crate::mutex::{MutexStatus, PrologMutex};
use crate::registry::ThreadId;
use crate::sync::Lock;
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// What a thread waits for.
#[derive(Clone, Debug)]
pub enum Edge {
    /// That it is free.
    Mutex(Arc<PrologMutex>),
    /// That it has ended.
    Thread(ThreadId),
}

impl Edge {
    /// The thread that has to do something.
    fn target(&self) -> Option<ThreadId> {
        match self {
            Edge::Thread(id) => Some(*id),
            Edge::Mutex(mutex) => match mutex.status() {
                MutexStatus::Locked(owner, _) => Some(owner),
                MutexStatus::Unlocked => None,
            },
        }
    }
    /// The same of an edge of `waiter`: itself has nothing to do.
    fn target_of(&self, waiter: ThreadId) -> Option<ThreadId> {
        self.target().filter(|&t| t != waiter)
    }
}

/// The wait would never end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Deadlock;

/// See the module text.
#[derive(Default, Debug)]
pub struct WaitGraph(Lock<FxHashMap<ThreadId, Edge>>);

/// A thread waits, until this is dropped.
#[must_use]
#[derive(Debug)]
pub struct Waiting {
    graph: Arc<WaitGraph>,
    me: ThreadId,
}

impl Drop for Waiting {
    fn drop(&mut self) {
        self.graph.0.lock().remove(&self.me);
    }
}

impl WaitGraph {
    /// A thread begins to wait, unless all that it waits for waits for it.
    pub fn begin(self: &Arc<Self>, me: ThreadId, edge: Edge) -> Result<Waiting, Deadlock> {
        let mut edges = self.0.lock();
        let mut next = edge.target();
        // (Not more steps than there are edges, as there is no circle.)
        while let Some(thread) = next {
            if thread == me {
                return Err(Deadlock);
            }
            next = edges.get(&thread).and_then(|e| e.target_of(thread));
        }
        edges.insert(me, edge);
        Ok(Waiting {
            graph: self.clone(),
            me,
        })
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;
    use crate::registry::{Registry, ThreadControl, ThreadOptions};

    fn thread(registry: &Registry) -> Arc<ThreadControl> {
        let made = registry.create_thread(ThreadOptions::default());
        made.expect("there is room")
    }

    #[test]
    fn the_edge_that_closes_a_circle_is_refused() {
        let r = Registry::default();
        let (a, b, c) = (thread(&r).id(), thread(&r).id(), thread(&r).id());
        let mutex = r.create_mutex(None).expect("there is room");
        assert_eq!(mutex.try_lock(a), Ok(true));
        let graph = Arc::new(WaitGraph::default());
        let of_b = graph.begin(b, Edge::Mutex(mutex.clone()));
        let of_c = graph.begin(c, Edge::Thread(b));
        assert!(of_b.is_ok() && of_c.is_ok());
        assert_eq!(graph.begin(a, Edge::Thread(c)).err(), Some(Deadlock));
        assert_eq!(graph.begin(a, Edge::Thread(a)).err(), Some(Deadlock));
        // Nothing is left of what was refused, nor of what is over.
        drop(of_b);
        drop(graph.begin(a, Edge::Thread(c)));
        r.unlock_mutex(&mutex, a).expect("it is locked");
        let again = graph.begin(b, Edge::Mutex(mutex));
        assert!(again.is_ok() && graph.begin(a, Edge::Thread(c)).is_ok());
        drop((again, of_c));
        assert!(graph.0.lock().is_empty());
    }

    #[test]
    fn who_got_the_mutex_does_not_wait_for_itself() {
        let r = Registry::default();
        let (a, b) = (thread(&r).id(), thread(&r).id());
        let mutex = r.create_mutex(None).expect("there is room");
        let graph = Arc::new(WaitGraph::default());
        let of_a = graph.begin(a, Edge::Mutex(mutex.clone()));
        assert_eq!(mutex.try_lock(a), Ok(true));
        // Its edge is still there.
        let of_b = graph.begin(b, Edge::Mutex(mutex));
        assert!(of_a.is_ok() && of_b.is_ok());
    }
}

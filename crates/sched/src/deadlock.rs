//! Who waits for whom: finds out whether a wait would never end, for programs that ask for it.
//!
//! Edges lead from a thread that waits to what it waits for: the end of a thread, or a mutex, whose owner is looked up when the edge is followed, or a queue. Each thread
//! has one at most, so following those of the first two kinds is a walk.
//!
//! *Equation*: there is no circle of edges, but of a thread's to itself: who has just got the mutex that it waited for has its edge still, which leads nowhere
//! then. Who takes a mutex does not wait, so a circle can only arise when an edge is added; and the edge that would close one is refused
//! ([`WaitGraph::begin`]), under the lock under which all are added and taken away. Who has an edge gives no mutex free, so what a walk has seen does not change
//! behind it. So of the threads of a deadlock the one that would complete it hears of it, and no other.
//!
//! At a queue anybody may send, or receive: a wait for one never ends if *all* threads wait so ([`Edge::is_hopeless`]). The last to begin hears of it; and where it is the end
//! of a thread that leaves none but such, who waits at a queue is woken to look again ([`WaitGraph::one_has_ended`]):
//!
//! ```text
//! begins to wait:  in the queue's line  <  its edge is there  <  counts the threads  <  looks at all edges      (the last three under the lock)
//! ends:            its queue has ended  <  is not counted any more  <  looks whether there are edges
//! ```
//!
//! Of two that begin, the second finds the edge of the first. Of one that begins and one that ends, one finds the other: the count is under a lock of its own. Who is woken has left the
//! line of its queue by that, and who has left the line looks at the queue before it is in the line again; so one that is in the line has seen what is in the queue, and stays.
//!
//! The lock is taken before a mutex's, a queue's, a thread's, or that of the count. Any thread; `me` is the calling one.

use crate::mutex::{MutexStatus, PrologMutex};
use crate::queue::MessageQueue;
use crate::registry::{ThreadControl, ThreadId};
use crate::sync::{AtomicUsize, Lock, Ordering};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use std::sync::Arc;

/// What a thread waits for.
#[derive(Clone, Debug)]
pub enum Edge {
    /// That it is free.
    Mutex(Arc<PrologMutex>),
    /// That it has ended.
    Thread(Arc<ThreadControl>),
    /// That there is a message, or room for one, in a queue whose line it is in.
    Queue(Arc<MessageQueue>),
}

impl Edge {
    /// The thread that has to do something, if it is a certain one.
    fn target(&self) -> Option<ThreadId> {
        match self {
            Edge::Thread(thread) => Some(thread.id()),
            Edge::Mutex(mutex) => match mutex.status() {
                MutexStatus::Locked(owner, _) => Some(owner),
                MutexStatus::Unlocked => None,
            },
            Edge::Queue(_) => None,
        }
    }
    /// The same of an edge of `waiter`: itself has nothing to do.
    fn target_of(&self, waiter: ThreadId) -> Option<ThreadId> {
        self.target().filter(|&t| t != waiter)
    }
    /// Whether `waiter` goes on sleeping unless another thread does something.
    fn is_hopeless(&self, waiter: &ThreadControl) -> bool {
        let sleeps = match self {
            Edge::Mutex(_) => self.target_of(waiter.id()).is_some(),
            Edge::Thread(thread) => thread.live_queue().is_some(),
            Edge::Queue(queue) => queue.has_in_line(waiter.attention()),
        };
        sleeps && waiter.expects_nothing()
    }
}

/// The wait would never end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Deadlock;

/// The edges, by when they were begun: who has waited longest is looked at first, as it is who a message wakes where several wait, or take turns.
#[derive(Default, Debug)]
struct Edges {
    all: BTreeMap<u64, (Arc<ThreadControl>, Edge)>,
    of: FxHashMap<ThreadId, u64>,
    begun: u64,
}

impl Edges {
    fn insert(&mut self, me: &Arc<ThreadControl>, edge: Edge) {
        self.remove(me.id());
        self.begun += 1;
        self.of.insert(me.id(), self.begun);
        self.all.insert(self.begun, (me.clone(), edge));
    }
    fn remove(&mut self, me: ThreadId) -> Option<(Arc<ThreadControl>, Edge)> {
        self.all.remove(&self.of.remove(&me)?)
    }
    /// What a thread waits for.
    fn of(&self, thread: ThreadId) -> Option<&Edge> {
        let (_, edge) = self.all.get(self.of.get(&thread)?)?;
        Some(edge)
    }
    /// Whether all of so many threads wait for good. (Of an engine nobody knows here what whoever runs it expects.)
    fn all_wait(&self, live: usize) -> bool {
        let is_lost = |(waiter, edge): &(Arc<ThreadControl>, Edge)| {
            !waiter.is_engine() && edge.is_hopeless(waiter)
        };
        self.all.len() >= live && self.all.values().all(is_lost)
    }
}

/// See the module text.
#[derive(Default, Debug)]
pub struct WaitGraph {
    edges: Lock<Edges>,
    /// How many there are, for who does not have the lock.
    count: AtomicUsize,
}

/// A thread waits, until this is dropped.
#[must_use]
#[derive(Debug)]
pub struct Waiting {
    graph: Arc<WaitGraph>,
    me: ThreadId,
}

impl Drop for Waiting {
    fn drop(&mut self) {
        let edge = self.graph.remove(&mut self.graph.edges.lock(), self.me);
        drop(edge);
    }
}

impl Waiting {
    /// It is about to sleep again; `live`: how many threads there are that have not ended. An error ends the wait.
    pub fn again(&self, live: impl FnOnce() -> usize) -> Result<(), Deadlock> {
        let mut edges = self.graph.edges.lock();
        let lost = edges.all_wait(live());
        let edge = lost.then(|| self.graph.remove(&mut edges, self.me));
        drop(edges);
        match edge {
            Some(_) => Err(Deadlock),
            None => Ok(()),
        }
    }
}

impl WaitGraph {
    /// Takes an edge away, if it is there.
    fn remove(&self, edges: &mut Edges, me: ThreadId) -> Option<(Arc<ThreadControl>, Edge)> {
        let edge = edges.remove(me);
        self.is_changed(edges);
        edge
    }
    fn is_changed(&self, edges: &Edges) {
        // Relaxed: who ends reads it behind the lock of the count of threads, and who begins to wait counts them then (module text).
        self.count.store(edges.all.len(), Ordering::Relaxed);
    }

    /// A thread begins to wait, unless all that it waits for waits for it, or everybody else. `live`: how many threads there are that have not ended. A thread that waits at a queue is
    /// in its line.
    pub fn begin(
        self: &Arc<Self>,
        me: &Arc<ThreadControl>,
        edge: Edge,
        live: impl FnOnce() -> usize,
    ) -> Result<Waiting, Deadlock> {
        let mut edges = self.edges.lock();
        let mut next = edge.target();
        // (Not more steps than there are edges, as there is no circle.)
        while let Some(thread) = next {
            if thread == me.id() {
                return Err(Deadlock);
            }
            next = edges.of(thread).and_then(|e| e.target_of(thread));
        }
        edges.insert(me, edge);
        self.is_changed(&edges);
        let lost = edges.all_wait(live());
        let edge = lost.then(|| self.remove(&mut edges, me.id()));
        drop(edges);
        match edge {
            Some(_) => Err(Deadlock),
            None => Ok(Waiting {
                graph: self.clone(),
                me: me.id(),
            }),
        }
    }

    /// A thread has ended, and is no more one of those that are `live`.
    pub fn one_has_ended(&self, live: impl FnOnce() -> usize) {
        if self.count.load(Ordering::Relaxed) == 0 {
            return;
        }
        let edges = self.edges.lock();
        let woken = match edges.all_wait(live()) {
            true => (edges.all.values())
                .find(|(_, edge)| matches!(edge, Edge::Queue(_)))
                .map(|(waiter, _)| waiter.clone()),
            false => None,
        };
        drop(edges);
        if let Some(waiter) = woken {
            waiter.attention().unpark();
        }
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;
    use crate::queue::{Hope, Message, Patience, QueueError};
    use crate::registry::{Registry, ThreadOptions};
    use samite_term::Cell;

    /// Some that do not wait.
    fn many() -> usize {
        usize::MAX
    }

    fn thread(registry: &Registry) -> Arc<ThreadControl> {
        let made = registry.create_thread(ThreadOptions::default());
        made.expect("there is room")
    }

    #[test]
    fn the_edge_that_closes_a_circle_is_refused() {
        let r = Registry::default();
        let (a, b, c) = (thread(&r), thread(&r), thread(&r));
        let mutex = r.create_mutex(None).expect("there is room");
        assert_eq!(mutex.try_lock(a.id()), Ok(true));
        let graph = Arc::new(WaitGraph::default());
        let of_b = graph.begin(&b, Edge::Mutex(mutex.clone()), many);
        let of_c = graph.begin(&c, Edge::Thread(b.clone()), many);
        assert!(of_b.is_ok() && of_c.is_ok());
        let begun = graph.begin(&a, Edge::Thread(c.clone()), many);
        assert_eq!(begun.err(), Some(Deadlock));
        let begun = graph.begin(&a, Edge::Thread(a.clone()), many);
        assert_eq!(begun.err(), Some(Deadlock));
        // Nothing is left of what was refused, nor of what is over.
        drop(of_b);
        drop(graph.begin(&a, Edge::Thread(c.clone()), many));
        r.unlock_mutex(&mutex, a.id()).expect("it is locked");
        let again = graph.begin(&b, Edge::Mutex(mutex), many);
        assert!(again.is_ok() && graph.begin(&a, Edge::Thread(c), many).is_ok());
        drop((again, of_c));
        assert!(graph.edges.lock().all.is_empty());
    }

    #[test]
    fn who_got_the_mutex_does_not_wait_for_itself() {
        let r = Registry::default();
        let (a, b) = (thread(&r), thread(&r));
        let mutex = r.create_mutex(None).expect("there is room");
        let graph = Arc::new(WaitGraph::default());
        let of_a = graph.begin(&a, Edge::Mutex(mutex.clone()), many);
        assert_eq!(mutex.try_lock(a.id()), Ok(true));
        // Its edge is still there.
        let of_b = graph.begin(&b, Edge::Mutex(mutex), many);
        assert!(of_a.is_ok() && of_b.is_ok());
    }

    /// Of who waits for a message of its own, as builtins do.
    struct Waits<'a> {
        graph: &'a Arc<WaitGraph>,
        me: &'a Arc<ThreadControl>,
        live: &'a std::sync::atomic::AtomicUsize,
        waiting: Option<Waiting>,
    }

    impl Hope for Waits<'_> {
        fn is_lost(&mut self) -> bool {
            let live = || self.live.load(Ordering::SeqCst);
            if let Some(waiting) = &self.waiting {
                return waiting.again(live).is_err();
            }
            let edge = Edge::Queue(self.me.queue().clone());
            self.waiting = self.graph.begin(self.me, edge, live).ok();
            self.waiting.is_none()
        }
    }

    impl Waits<'_> {
        fn get(mut self) -> Result<Message, QueueError> {
            let me = self.me;
            let patience = Patience::new(None, Some(&mut self));
            me.queue()
                .get(None, &mut |_| true, me.attention(), patience)
        }
    }

    #[test]
    fn who_waits_at_a_queue_last_hears_of_it() {
        let r = Registry::default();
        let (a, b) = (&thread(&r), &thread(&r));
        let (graph, live) = (&Arc::new(WaitGraph::default()), &2.into());
        let waits = |me| Waits {
            graph,
            me,
            live,
            waiting: None,
        };
        std::thread::scope(|s| {
            let of_a = s.spawn(move || waits(a).get());
            while graph.count.load(Ordering::Relaxed) == 0 {
                std::thread::yield_now();
            }
            assert_eq!(waits(b).get(), Err(QueueError::Deadlock));
            // The other one waits on, until it hears from somebody.
            assert!(!of_a.is_finished());
            let constant = Message::constant(Cell::small(1)).expect("a constant");
            let sent = a.queue().send(constant, b.attention(), None);
            assert_eq!(sent, Ok(()));
            assert!(of_a.join().expect("it does not panic").is_ok());
        });
        assert!(graph.edges.lock().all.is_empty());
    }

    #[test]
    fn the_end_of_a_thread_wakes_who_is_left() {
        let r = Registry::default();
        let a = &thread(&r);
        let (graph, live) = (&Arc::new(WaitGraph::default()), &2.into());
        std::thread::scope(|s| {
            let of_a = s.spawn(move || {
                let waits = Waits {
                    graph,
                    me: a,
                    live,
                    waiting: None,
                };
                waits.get()
            });
            while graph.count.load(Ordering::Relaxed) == 0 {
                std::thread::yield_now();
            }
            live.store(1, Ordering::SeqCst);
            graph.one_has_ended(|| 1);
            let got = of_a.join().expect("it does not panic");
            assert_eq!(got, Err(QueueError::Deadlock));
        });
    }

    /// Who has what it waits for by then, or expects a signal or a timer of its own, goes on.
    #[test]
    fn who_has_hope_is_not_lost() {
        let r = Registry::default();
        let (a, b) = (thread(&r), thread(&r));
        let graph = Arc::new(WaitGraph::default());
        let mutex = r.create_mutex(None).expect("there is room");
        let of_b = Edge::Mutex(mutex.clone());
        assert!(graph.begin(&b, of_b.clone(), || 1).is_ok());
        assert_eq!(mutex.try_lock(a.id()), Ok(true));
        assert!(graph.begin(&b, of_b.clone(), || 1).is_err());
        assert!(graph.begin(&b, of_b.clone(), || 2).is_ok());
        b.promise_signal().expect("there is room");
        assert!(graph.begin(&b, of_b.clone(), || 1).is_ok());
        b.withdraw_promise();
        assert!(graph.begin(&b, of_b.clone(), || 1).is_err());
        let goal = samite_term::common::Held::new(samite_term::Record::immediate(Cell::NIL));
        b.signal(goal, false).expect("it runs");
        assert!(graph.begin(&b, of_b.clone(), || 1).is_ok());
        assert!(b.next_signal().is_some());
        let _ = b.attention().take(crate::Events::ALL);
        assert!(graph.begin(&b, of_b.clone(), || 1).is_err());
        b.attention().raise(crate::Events::ABORT);
        assert!(graph.begin(&b, of_b, || 1).is_ok());
        assert!(graph.edges.lock().all.is_empty());
    }
}

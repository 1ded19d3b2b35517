//! Models of waits that would never end ([`crate::deadlock`]).

use super::*;
use crate::deadlock::{Edge, WaitGraph, Waiting};
use crate::queue::{Hope, Message, Patience, QueueError};
use crate::registry::{Registry, ThreadControl, ThreadOptions};
use crate::sync::Lock;
use samite_term::Cell;

fn thread(registry: &Registry) -> Arc<ThreadControl> {
    let made = registry.create_thread(ThreadOptions::default());
    made.expect("there is room")
}

fn many() -> usize {
    usize::MAX
}

#[test]
fn loom_of_two_that_wait_for_each_other_one_hears_of_it() {
    explore(3, || {
        let graph: &'static Arc<WaitGraph> = Box::leak(Box::default());
        let r = Registry::default();
        let (me, other) = (thread(&r), thread(&r));
        let mine = r.create_mutex(None).expect("there is room");
        let its = r.create_mutex(None).expect("there is room");
        assert_eq!(mine.try_lock(me.id()), Ok(true));
        assert_eq!(its.try_lock(other.id()), Ok(true));
        let wanted = mine.clone();
        // Who waits does so until the end.
        let wait = |who: Arc<ThreadControl>, mutex| {
            let begun = graph.begin(&who, Edge::Mutex(mutex), many);
            usize::from(begun.map(std::mem::forget).is_err())
        };
        let thread = spawn(move || wait(other, wanted));
        let refused = wait(me, its) + thread.join().unwrap();
        assert_eq!(refused, 1);
    });
}

/// All get it in the end; a walk that met who has just got it would go round and round.
#[test]
fn loom_who_waits_for_one_mutex_is_never_refused() {
    explore(2, || {
        let graph: &'static Arc<WaitGraph> = Box::leak(Box::default());
        let r: &'static Registry = Box::leak(Box::default());
        let mutex = r.create_mutex(None).expect("there is room");
        let take = |who: Arc<ThreadControl>, mutex: Arc<PrologMutex>| {
            if mutex.try_lock(who.id()) == Ok(false) {
                let waiting = graph.begin(&who, Edge::Mutex(mutex.clone()), many);
                let got = mutex.lock(who.id(), &attention());
                assert!(waiting.is_ok() && got == Ok(()));
            }
            r.unlock_mutex(&mutex, who.id()).expect("it is mine");
        };
        let threads = [thread(r), thread(r)].map(|who| {
            let mutex = mutex.clone();
            spawn(move || take(who, mutex))
        });
        take(thread(r), mutex);
        for thread in threads {
            thread.join().unwrap();
        }
    });
}

/// Of who waits at its own queue.
struct Waits {
    graph: &'static Arc<WaitGraph>,
    me: Arc<ThreadControl>,
    /// How many threads have not ended.
    live: &'static Lock<usize>,
    waiting: Option<Waiting>,
}

impl Hope for Waits {
    fn is_lost(&mut self) -> bool {
        let live = || *self.live.lock();
        if let Some(waiting) = &self.waiting {
            return waiting.again(live).is_err();
        }
        let edge = Edge::Queue(self.me.queue().clone());
        self.waiting = self.graph.begin(&self.me, edge, live).ok();
        self.waiting.is_none()
    }
}

/// The graph of two threads.
fn of_two() -> (&'static Arc<WaitGraph>, &'static Lock<usize>) {
    (Box::leak(Box::default()), Box::leak(Box::new(Lock::new(2))))
}

fn gets(
    graph: &'static Arc<WaitGraph>,
    me: Arc<ThreadControl>,
    live: &'static Lock<usize>,
) -> Result<(), QueueError> {
    let mut waits = Waits {
        graph,
        me: me.clone(),
        live,
        waiting: None,
    };
    let patience = Patience::new(None, Some(&mut waits));
    let got = (me.queue()).get(None, &mut |_| true, me.attention(), patience);
    got.map(|_| ())
}

fn send(to: &ThreadControl, from: &ThreadControl) {
    let message = Message::constant(Cell::small(1)).expect("a constant");
    let sent = to.queue().send(message, from.attention(), None);
    assert_eq!(sent, Ok(()));
}

#[test]
fn loom_of_two_that_wait_at_queues_one_hears_of_it() {
    explore(2, || {
        let (graph, live) = of_two();
        let r = Registry::default();
        let (a, b) = (thread(&r), thread(&r));
        // Who hears of it helps the other one.
        let run = move |me: Arc<ThreadControl>, other: Arc<ThreadControl>| {
            let got = gets(graph, me.clone(), live);
            if got == Err(QueueError::Deadlock) {
                send(&other, &me);
            }
            got
        };
        let (its, mine) = (b.clone(), a.clone());
        let other = spawn(move || run(its, mine));
        let results = [run(a, b), other.join().unwrap()];
        let lost = results.iter().filter(|r| **r == Err(QueueError::Deadlock));
        assert_eq!(lost.count(), 1, "{results:?}");
        assert!(results.contains(&Ok(())));
    });
}

#[test]
fn loom_the_end_of_a_thread_is_heard_of_by_who_is_left() {
    explore(3, || {
        let (graph, live) = of_two();
        let r = Registry::default();
        let a = thread(&r);
        let ends = spawn(move || {
            *live.lock() -= 1;
            graph.one_has_ended(|| *live.lock());
        });
        assert_eq!(gets(graph, a, live), Err(QueueError::Deadlock));
        ends.join().unwrap();
    });
}

/// Who has been sent something is not lost, though it has not come back yet.
#[test]
fn loom_who_has_sent_may_wait_for_an_answer() {
    explore(2, || {
        let (graph, live) = of_two();
        let r = Registry::default();
        let (a, b) = (thread(&r), thread(&r));
        let (its, mine) = (b.clone(), a.clone());
        let answers = spawn(move || {
            let got = gets(graph, its.clone(), live);
            send(&mine, &its);
            got
        });
        send(&b, &a);
        assert_eq!(gets(graph, a, live), Ok(()));
        assert_eq!(answers.join().unwrap(), Ok(()));
    });
}

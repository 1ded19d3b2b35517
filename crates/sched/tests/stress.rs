//! Many threads for a short time: nothing is lost, nothing comes twice, nobody sleeps for ever.
#![cfg(not(loom))]

use samite_sched::*;
use samite_term::common::Held;
use samite_term::{Atom, Cell, Functor, Record, RecordBuilder};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::thread;
use std::time::{Duration, Instant};

const ROUNDS: u64 = if cfg!(miri) { 20 } else { 20_000 };

/// A small generator of pseudo-random numbers (xorshift).
struct Random(u64);

impl Random {
    fn below(&mut self, n: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % n
    }
}

fn functor(kind: u64) -> Functor {
    Functor::new(Atom::new(["a", "b", "c"][kind as usize]), 1)
}

/// `kind(value)`.
fn message(kind: u64, value: u64) -> Message {
    let mut b = RecordBuilder::new();
    let t = b.structure(functor(kind), &[Cell::small(value as i64)]);
    Message::Term(b.finish(t))
}

fn record(m: &Message) -> &Record {
    match m {
        Message::Term(record) => record,
        Message::Constant(_) => unreachable!("a message is a structure here"),
    }
}

fn value(m: &Message) -> u64 {
    value_of(record(m))
}

fn value_of(r: &Record) -> u64 {
    let at = (r.root().address() / 8) as usize;
    Cell(r.words()[at + 1]).small_value() as u64
}

/// Raises events in `targets` at irregular intervals until told to stop.
fn pester(targets: &[Arc<Attention>], stop: &AtomicBool) {
    let mut random = Random(99);
    while !stop.load(Relaxed) {
        let target = &targets[random.below(targets.len() as u64) as usize];
        target.raise([Events::SIGNAL, Events::TICK][random.below(2) as usize]);
        thread::sleep(Duration::from_micros(50));
    }
}

/// Senders and receivers with all kinds of patterns, deadlines and interruptions, through one bounded queue.
#[test]
fn messages_are_conserved() {
    const SENDERS: u64 = 3;
    let q = Arc::new(MessageQueue::new(8));
    let attentions: Vec<_> = (0..9).map(|_| Arc::new(Attention::new())).collect();
    let sum = AtomicU64::new(0);
    let received = AtomicU64::new(0);
    let (senders_left, stop) = (AtomicU64::new(SENDERS), AtomicBool::new(false));
    thread::scope(|s| {
        s.spawn(|| pester(&attentions, &stop));
        for i in 0..SENDERS {
            let (q, attention) = (&q, &attentions[i as usize]);
            let left = &senders_left;
            s.spawn(move || {
                let mut random = Random(i + 1);
                for n in 1..=ROUNDS {
                    let m = message(random.below(3), n);
                    while let Err(e) = q.send(m.clone(), attention, None) {
                        assert_eq!(e.0, QueueError::Interrupted);
                        let _ = attention.take(Events::ALL);
                    }
                }
                left.fetch_sub(1, Relaxed);
            });
        }
        let receivers: Vec<_> = (3..9)
            .map(|i| {
                let (q, attention) = (&q, &attentions[i]);
                let (sum, received) = (&sum, &received);
                s.spawn(move || {
                    let key = (i < 6).then(|| MessageKey::of_functor(functor(i as u64 - 3)));
                    // The last two only want odd or even ones: they pass the others on.
                    let mut wants = |r: &Message| i < 7 || value(r) % 2 == i as u64 % 2;
                    loop {
                        let deadline =
                            (i == 6).then(|| Instant::now() + Duration::from_micros(300));
                        match q.get(key, &mut wants, attention, deadline) {
                            Ok(m) => {
                                sum.fetch_add(value(&m), Relaxed);
                                received.fetch_add(1, Relaxed);
                            }
                            Err(QueueError::Interrupted) => {
                                let _ = attention.take(Events::ALL);
                            }
                            Err(
                                QueueError::TimedOut
                                | QueueError::NoMemory
                                | QueueError::TooManyBytes
                                | QueueError::Deadlock,
                            ) => {}
                            Err(QueueError::Destroyed) => break,
                        }
                    }
                })
            })
            .collect();
        while received.load(Relaxed) < SENDERS * ROUNDS {
            q.verify();
            thread::sleep(Duration::from_millis(1));
        }
        q.destroy();
        receivers.into_iter().for_each(|r| r.join().unwrap());
        stop.store(true, Relaxed);
    });
    assert_eq!(senders_left.load(Relaxed), 0);
    assert_eq!(sum.load(Relaxed), SENDERS * ROUNDS * (ROUNDS + 1) / 2);
}

#[test]
fn a_mutex_guards_a_counter_in_spite_of_interruptions() {
    let registry = Registry::default();
    let mutex = registry
        .mutex_or_new(Atom::new("counter"), |_| true)
        .unwrap();
    let attentions: Vec<_> = (0..4).map(|_| Arc::new(Attention::new())).collect();
    let (counter, stop) = (AtomicU64::new(0), AtomicBool::new(false));
    thread::scope(|s| {
        s.spawn(|| pester(&attentions, &stop));
        let workers: Vec<_> = (0..4)
            .map(|i| {
                let (registry, mutex) = (&registry, &mutex);
                let (counter, attention) = (&counter, &attentions[i]);
                let me = ThreadId::from_number(i as u32 + 1);
                s.spawn(move || {
                    for _ in 0..ROUNDS {
                        while let Err(e) = mutex.lock(me, attention) {
                            assert_eq!(e, LockError::Interrupted);
                            let _ = attention.take(Events::ALL);
                        }
                        // Not atomic on purpose.
                        counter.store(counter.load(Relaxed) + 1, Relaxed);
                        registry.unlock_mutex(mutex, me).unwrap();
                    }
                })
            })
            .collect();
        workers.into_iter().for_each(|w| w.join().unwrap());
        stop.store(true, Relaxed);
    });
    assert_eq!(counter.load(Relaxed), 4 * ROUNDS);
    assert_eq!(mutex.status(), MutexStatus::Unlocked);
}

/// Fifty threads that exchange messages and signals, end in different ways, and are joined or detached.
#[test]
fn threads_come_and_go() {
    let registry = Arc::new(Registry::default());
    let main = registry.create_thread(ThreadOptions::default()).unwrap();
    for round in 0..if cfg!(miri) { 1 } else { 10 } {
        let mut joinable = Vec::new();
        for i in 0..50 {
            let options = ThreadOptions {
                detached: i % 5 == 0,
                alias: (i % 7 == 0).then(|| Atom::of(&format!("worker {i}")).hold()),
                ..ThreadOptions::default()
            };
            let t = registry.create_thread(options).unwrap();
            if !t.is_detached() {
                joinable.push(t.clone());
            }
            let (r, chief, u) = (registry.clone(), main.clone(), t.clone());
            thread::spawn(move || {
                let a = t.attention();
                let ended = match t.queue().get(None, &mut |_| true, a, None) {
                    Ok(m) => Status::Exited(Held::new(record(&m).clone())),
                    Err(e) => {
                        assert_eq!(e, QueueError::Interrupted);
                        assert_eq!(a.take(Events::ALL), Events::SIGNAL);
                        Status::Exception(t.next_signal().unwrap())
                    }
                };
                chief.queue().send(message(0, i), a, None).unwrap();
                t.conclude(ended);
                r.finish(&t);
            });
            if i % 2 == 0 {
                u.signal(Held::new(record(&message(1, i)).clone()), false)
                    .unwrap();
            } else {
                u.queue()
                    .send(message(1, i), main.attention(), None)
                    .unwrap();
            }
        }
        for (n, t) in joinable.iter().enumerate() {
            if (n + round) % 6 == 0 {
                registry.detach(t.id().into()).unwrap();
                continue;
            }
            let m = match registry.join(&main, t.id().into()).unwrap() {
                Status::Exception(m) | Status::Exited(m) => m,
                other => panic!("{other:?}"),
            };
            assert_eq!(
                value_of(&m).is_multiple_of(2),
                matches!(t.status(), Status::Exception(_))
            );
        }
        registry.wait_for_others(&main, None).unwrap();
        let all: u64 = (0..50)
            .map(|_| {
                main.queue()
                    .get(None, &mut |_| true, main.attention(), None)
            })
            .map(|m| value(&m.unwrap()))
            .sum();
        assert_eq!(all, 50 * 49 / 2);
        registry.verify();
    }
    let finished = registry.counts().finished;
    assert_eq!(
        (registry.counts().live, registry.counts().created),
        (1, finished + 1)
    );
}

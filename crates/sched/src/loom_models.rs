//! Loom models: every interleaving of a few threads over the real code.
//!
//! `RUSTFLAGS="--cfg loom" cargo test -p samite-sched --release loom`
//!
//! A lost wake-up shows as a deadlock, which loom reports. Deadlines do not pass under loom. Messages are small
//! integers: the process-wide atom table is not part of any model.

mod deadlocks;
mod queues;

use crate::*;
use loom::thread::spawn;
use samite_term::common::Held;
use samite_term::{Cell, Record, counted};
use std::sync::Arc;

/// Explores with at most this many preemptions, which bounds the time.
fn explore(preemptions: usize, model: impl Fn() + Sync + Send + 'static) {
    let mut builder = loom::model::Builder::new();
    builder.preemption_bound = Some(preemptions);
    builder.check(model);
}

fn message(n: i64) -> Message {
    Message::Constant(Cell::small(n))
}

fn value(m: &Message) -> i64 {
    match m {
        Message::Constant(c) => c.small_value(),
        Message::Term(r) => r.root().small_value(),
    }
}

fn key(n: i64) -> Option<MessageKey> {
    Some(MessageKey::of_constant(Cell::small(n)))
}

fn attention() -> Arc<Attention> {
    Arc::new(Attention::new())
}

/// Takes one message that satisfies `want`.
fn get(
    q: &Arc<MessageQueue>,
    key: Option<MessageKey>,
    want: fn(i64) -> bool,
) -> Result<i64, QueueError> {
    q.get(key, &mut |r| want(value(r)), &attention(), None)
        .map(|r| value(&r))
}

mod exclusive_models {
    use super::*;
    use crate::exclusive::Gate;

    #[test]
    fn loom_nobody_is_left_before_an_open_gate() {
        loom::model(|| {
            let gate = Arc::new(Gate::new());
            gate.shut();
            let its = gate.clone();
            let waits = spawn(move || its.pass(&attention()));
            gate.open();
            waits.join().unwrap();
        });
    }

    #[test]
    fn loom_an_event_reaches_who_stands_before_a_gate() {
        loom::model(|| {
            let gate = Arc::new(Gate::new());
            gate.shut();
            let (its, a) = (gate.clone(), attention());
            let owner = a.clone();
            let waits = spawn(move || its.pass(&owner));
            a.raise(Events::SIGNAL);
            waits.join().unwrap();
        });
    }
}

mod engine_models {
    use super::*;
    use crate::turn::{Refused, Turn};

    /// The owner lends to an engine while somebody raises an event of the owner: the engine has stopped, or the owner has seen the event before.
    #[test]
    fn loom_who_runs_for_another_is_stopped_by_its_event() {
        loom::model(|| {
            let (owner, engine) = (attention(), attention());
            let raised = owner.clone();
            let raiser = spawn(move || raised.raise(Events::SIGNAL));
            owner.lend(&engine);
            engine.set_limit(100);
            raiser.join().unwrap();
            assert_eq!(engine.set_limit(100), Events::WANTED);
            assert_eq!(engine.take(Events::OF_RUNNER), Events::WANTED);
            owner.take_back();
            assert_eq!(owner.take(Events::ALL), Events::SIGNAL);
        });
    }

    /// The same of one that sleeps, two engines above.
    #[test]
    fn loom_an_event_ends_the_sleep_of_who_runs_for_another() {
        explore(3, || {
            let (owner, middle, engine) = (attention(), attention(), attention());
            let raised = owner.clone();
            let raiser = spawn(move || raised.raise(Events::SIGNAL));
            owner.lend(&middle);
            middle.lend(&engine);
            assert_eq!(engine.sleep(None), Err(Interrupted));
            raiser.join().unwrap();
        });
    }

    /// Somebody has it, or waits for it and gets it.
    #[test]
    fn loom_a_turn_is_one_threads_at_a_time() {
        explore(3, || {
            let turn = Arc::new(Turn::new(0));
            let its = turn.clone();
            let other = spawn(move || {
                let n = its.take(1, &attention(), || ()).unwrap();
                its.put_back(n + 1);
            });
            let n = turn.take(2, &attention(), || ()).unwrap();
            turn.put_back(n + 1);
            other.join().unwrap();
            assert_eq!(turn.try_take(), Some(2));
        });
    }

    /// Who looks for it when it has been asked finds it, or who puts it back sees that it was asked.
    #[test]
    fn loom_what_is_asked_is_answered() {
        use loom::sync::atomic::{AtomicBool, Ordering};
        loom::model(|| {
            let turn = Arc::new(Turn::new(()));
            let asked = Arc::new(AtomicBool::new(false));
            let (its, word) = (turn.clone(), asked.clone());
            let asker = spawn(move || {
                word.store(true, Ordering::Relaxed);
                if its.try_take().is_some() {
                    word.store(false, Ordering::Relaxed);
                    its.put_back(());
                }
            });
            if turn.take(2, &attention(), || ()).is_ok() {
                turn.put_back(());
                if asked.load(Ordering::Relaxed) && turn.try_take().is_some() {
                    asked.store(false, Ordering::Relaxed);
                    turn.put_back(());
                }
            }
            asker.join().unwrap();
            assert!(!asked.load(Ordering::Relaxed));
        });
    }

    /// Its end reaches who waits.
    #[test]
    fn loom_the_end_of_a_turn_is_heard() {
        explore(3, || {
            let turn = Arc::new(Turn::new(()));
            let a = attention();
            turn.take(1, &a, || ()).unwrap();
            let its = turn.clone();
            let other = spawn(move || its.take(2, &attention(), || ()));
            turn.end();
            assert_eq!(other.join().unwrap(), Err(Refused::Gone));
        });
    }
}

mod attention_models {
    use super::*;

    #[test]
    fn loom_an_armed_limit_hides_no_event() {
        loom::model(|| {
            let a = attention();
            let b = a.clone();
            let raiser = spawn(move || b.raise(Events::SIGNAL));
            let early = a.set_limit(100);
            raiser.join().unwrap();
            assert_eq!(a.limit(), 0, "armed over an event; saw {early:?}");
            assert_eq!(a.take(Events::ALL), Events::SIGNAL);
            assert!(a.set_limit(100).is_empty());
            assert_eq!(a.limit(), 100);
        });
    }

    #[test]
    fn loom_two_events_and_an_owner_that_handles_and_rearms() {
        explore(3, || {
            let a = attention();
            let raisers = [Events::SIGNAL, Events::ABORT].map(|e| {
                let a = a.clone();
                spawn(move || a.raise(e))
            });
            let mut taken = Events::NONE;
            for _ in 0..2 {
                a.set_limit(100);
                if a.limit() == 0 {
                    taken = taken.or(a.take(Events::ALL));
                }
            }
            a.set_limit(100);
            raisers.into_iter().for_each(|r| r.join().unwrap());
            let all = Events::SIGNAL.or(Events::ABORT);
            assert_eq!(taken.or(a.pending()), all);
            assert!(taken == all || a.limit() == 0);
        });
    }

    #[test]
    fn loom_an_event_always_ends_sleep() {
        loom::model(|| {
            let a = attention();
            let b = a.clone();
            let raiser = spawn(move || {
                b.raise(Events::TICK);
                b.raise(Events::ABORT);
            });
            assert_eq!(a.sleep(None), Err(Interrupted));
            raiser.join().unwrap();
        });
    }
}

mod registry_models {
    use super::*;

    fn registry() -> Arc<Registry> {
        Arc::new(Registry::default())
    }

    #[test]
    fn loom_a_mutex_is_held_by_one_at_a_time() {
        explore(2, || {
            let registry = registry();
            let mutex = registry.create_mutex(None).unwrap();
            let inside = Arc::new(loom::sync::atomic::AtomicUsize::new(0));
            let workers = [1, 2].map(|n| {
                let (r, m, inside) = (registry.clone(), mutex.clone(), inside.clone());
                let me = ThreadId::from_number(n);
                spawn(move || {
                    use loom::sync::atomic::Ordering::Relaxed;
                    m.lock(me, &attention()).unwrap();
                    assert_eq!(inside.fetch_add(1, Relaxed), 0);
                    inside.fetch_sub(1, Relaxed);
                    r.unlock_mutex(&m, me).unwrap();
                })
            });
            workers.into_iter().for_each(|w| w.join().unwrap());
            assert_eq!(mutex.status(), MutexStatus::Unlocked);
            assert_eq!(mutex.statistics().0, 2);
        });
    }

    #[test]
    fn loom_join_meets_finish() {
        explore(3, || {
            let r = registry();
            let main = r.create_thread(ThreadOptions::default()).unwrap();
            let child = r.create_thread(ThreadOptions::default()).unwrap();
            let id = child.id();
            let s = r.clone();
            let runner = spawn(move || {
                child.conclude(Status::True);
                s.finish(&child);
            });
            assert_eq!(r.join(&main, id.into()), Ok(Status::True));
            let gone = SchedError::Existence(ObjectKind::Thread, id.into());
            assert_eq!(r.join(&main, id.into()), Err(gone));
            runner.join().unwrap();
            assert_eq!(r.wait_for_others(&main, None), Ok(()));
            r.verify();
        });
    }

    /// Who waits for a thread to start hears of it.
    #[test]
    fn loom_a_start_is_heard_of() {
        explore(3, || {
            let r = registry();
            let main = r.create_thread(ThreadOptions::default()).unwrap();
            let child = r.create_thread(ThreadOptions::default()).unwrap();
            let starting = child.clone();
            let runner = spawn(move || starting.set_system_id(5));
            assert_eq!(child.started(&main), Ok(Some(5)));
            runner.join().unwrap();
        });
    }

    /// Of what nobody can name: who finds it by looking for all and is counted has it, and it goes once nobody has it.
    #[test]
    fn loom_what_is_enumerated_is_there() {
        explore(3, || {
            let r = registry();
            let name = r.create_mutex(None).unwrap().name();
            let Reference::Handle(handle) = name else {
                panic!("it has no alias");
            };
            let s = r.clone();
            let looking = spawn(move || {
                if !s.mutexes().is_empty() && counted::retain(handle) {
                    assert!(s.mutex(name).is_ok());
                    counted::release(handle);
                    s.bury();
                }
            });
            counted::release(handle);
            r.bury();
            looking.join().unwrap();
            assert!(r.mutexes().is_empty());
            r.verify();
        });
    }

    /// A signal is run if and only if it was accepted.
    #[test]
    fn loom_signal_meets_conclude() {
        explore(3, || {
            let r = registry();
            let _main = r.create_thread(ThreadOptions::default()).unwrap();
            let child = r.create_thread(ThreadOptions::default()).unwrap();
            let target = child.clone();
            let runner = spawn(move || {
                let mut taken = 0;
                if !child.attention().take(Events::SIGNAL).is_empty() {
                    taken += usize::from(child.next_signal().is_some());
                }
                child.refuse_signals();
                while child.next_signal().is_some() {
                    taken += 1;
                }
                child.conclude(Status::True);
                taken
            });
            let goal = Held::new(Record::immediate(Cell::small(0)));
            let accepted = (0..2)
                .filter(|_| target.signal(goal.clone(), false).is_ok())
                .count();
            assert_eq!(runner.join().unwrap(), accepted);
            assert!(target.signal(goal, false).is_err());
            r.finish(&target);
            r.verify();
        });
    }

    #[test]
    fn loom_detach_meets_finish() {
        explore(3, || {
            let r = registry();
            let main = r.create_thread(ThreadOptions::default()).unwrap();
            let child = r.create_thread(ThreadOptions::default()).unwrap();
            let id = child.id();
            let s = r.clone();
            let runner = spawn(move || {
                child.conclude(Status::True);
                s.finish(&child);
            });
            r.detach(id.into()).unwrap();
            assert_eq!(r.wait_for_others(&main, None), Ok(()));
            runner.join().unwrap();
            assert_eq!(r.threads().len(), 1);
            r.verify();
        });
    }

    #[test]
    fn loom_an_interrupted_join_can_be_repeated() {
        explore(2, || {
            let r = registry();
            let main = r.create_thread(ThreadOptions::default()).unwrap();
            let child = r.create_thread(ThreadOptions::default()).unwrap();
            let id = child.id();
            let (s, a) = (r.clone(), main.attention().clone());
            let runner = spawn(move || {
                a.raise(Events::SIGNAL);
                child.conclude(Status::False);
                s.finish(&child);
            });
            let mut outcome = r.join(&main, id.into());
            if outcome == Err(SchedError::Interrupted) {
                assert_eq!(main.attention().take(Events::ALL), Events::SIGNAL);
                outcome = r.join(&main, id.into());
            }
            assert_eq!(outcome, Ok(Status::False));
            runner.join().unwrap();
            r.verify();
        });
    }
}

mod board_models {
    use super::*;
    use crate::board::{Board, Change, Wanted, Watch, Woken};
    use crate::registry::ThreadId;
    use loom::sync::atomic::{AtomicUsize, Ordering};
    use samite_term::atoms;

    fn watch() -> Watch {
        Watch {
            group: atoms::USER.hold(),
            these: vec![(7, Wanted::Any)],
            all: false,
        }
    }

    #[test]
    fn loom_a_change_is_seen_or_told() {
        explore(3, || {
            let board = Arc::new(Board::default());
            let database = Arc::new(AtomicUsize::new(0));
            let (b, d) = (board.clone(), database.clone());
            let waits = spawn(move || {
                let (me, a) = (ThreadId::from_number(1), attention());
                let n = b.put_up(me, &a, watch()).unwrap();
                while d.load(Ordering::Relaxed) == 0 {
                    assert_eq!(b.wait(n, &a, None), Ok(Woken::Hits(vec![7])));
                }
                b.take_down(n);
            });
            database.store(1, Ordering::Relaxed);
            if board.is_watched() {
                board.changed(7, Change::More);
            }
            waits.join().unwrap();
            assert!(!board.is_watched());
        });
    }

    #[test]
    fn loom_an_event_ends_the_wait_for_a_change() {
        explore(3, || {
            let (board, a) = (Arc::new(Board::default()), attention());
            let (b, its) = (board.clone(), a.clone());
            let waits = spawn(move || {
                let n = b.put_up(ThreadId::from_number(1), &its, watch()).unwrap();
                while b.wait(n, &its, None) == Ok(Woken::Hits(vec![7])) {}
                b.forget(ThreadId::from_number(1));
            });
            board.changed(7, Change::Fewer);
            a.raise(Events::SIGNAL);
            waits.join().unwrap();
            assert!(!board.is_watched());
        });
    }
}

mod light_models {
    use super::*;
    use crate::light::Sleeper;
    use crate::sync::{Bell, Lock};

    /// How often a light thread has been called back, and has come.
    struct Calls(Lock<(u32, u32)>, Bell);

    impl Sleeper for Calls {
        fn call_back(&self) {
            self.0.lock().0 += 1;
            self.1.ring();
        }
    }

    /// A light thread, run by whoever calls its functions.
    struct LightThread {
        attention: Arc<Attention>,
        calls: Arc<Calls>,
    }

    impl LightThread {
        fn new() -> LightThread {
            let (attention, calls) = (attention(), Arc::new(Calls(Lock::default(), Bell::new())));
            attention.set_light(calls.clone());
            LightThread { attention, calls }
        }
        /// Away until it is called back, if it is to be.
        fn wait(&self) {
            assert!(self.attention.is_suspended());
            if self.attention.put_away() {
                let mut calls = self.calls.0.lock();
                while calls.0 == calls.1 {
                    calls = self.calls.1.wait(calls, None);
                }
                calls.1 += 1;
                assert_eq!(calls.0, calls.1, "called back twice");
            }
            self.attention.come_back();
        }
        fn get(&self, q: &Arc<MessageQueue>) -> i64 {
            loop {
                match q.get(None, &mut |_| true, &self.attention, None) {
                    Ok(message) => return value(&message),
                    Err(e) => assert_eq!(e, QueueError::Interrupted),
                }
                self.wait();
            }
        }
    }

    #[test]
    fn loom_a_light_receiver_is_called_back() {
        explore(3, || {
            let q = Arc::new(MessageQueue::new(0));
            let its = q.clone();
            let sender = spawn(move || its.send(message(1), &attention(), None));
            assert_eq!(LightThread::new().get(&q), 1);
            sender.join().unwrap().unwrap();
            q.verify();
        });
    }

    #[test]
    fn loom_two_light_receivers_get_a_message_each() {
        explore(2, || {
            let q = Arc::new(MessageQueue::new(0));
            let its = q.clone();
            let other = spawn(move || LightThread::new().get(&its));
            q.send(message(1), &attention(), None).unwrap();
            q.send(message(2), &attention(), None).unwrap();
            let got = LightThread::new().get(&q);
            assert_eq!(got + other.join().unwrap(), 3);
            q.verify();
        });
    }

    /// One who does not come back for its place passes on what it was woken for.
    #[test]
    fn loom_a_place_that_is_given_up_keeps_nobody_waiting() {
        explore(2, || {
            let q = Arc::new(MessageQueue::new(0));
            let gives_up = LightThread::new();
            let first = q.get(None, &mut |_| true, &gives_up.attention, None);
            assert_eq!(first.err(), Some(QueueError::Interrupted));
            let its = q.clone();
            let other = spawn(move || LightThread::new().get(&its));
            let its = q.clone();
            let sender = spawn(move || its.send(message(1), &attention(), None));
            gives_up.attention.give_up_wait();
            assert_eq!(other.join().unwrap(), 1);
            sender.join().unwrap().unwrap();
            q.verify();
        });
    }

    #[test]
    fn loom_a_light_thread_gets_a_mutex_that_is_given_free() {
        explore(3, || {
            let r = Registry::default();
            let mutex = r.create_mutex(None).unwrap();
            let [me, it] = [1, 2].map(ThreadId::from_number);
            assert_eq!(mutex.try_lock(me), Ok(true));
            let its = mutex.clone();
            let locker = spawn(move || {
                let light = LightThread::new();
                while its.lock(it, &light.attention).is_err() {
                    light.wait();
                }
            });
            r.unlock_mutex(&mutex, me).unwrap();
            locker.join().unwrap();
            assert_eq!(mutex.status(), MutexStatus::Locked(it, 1));
        });
    }

    /// An event finds it on its way, or away; in either case it hears of it, once.
    #[test]
    fn loom_an_event_calls_back_who_is_away() {
        explore(3, || {
            let light = LightThread::new();
            let its = light.attention.clone();
            let raiser = spawn(move || its.raise(Events::SIGNAL));
            while light.attention.sleep(None).is_err() {
                if !light.attention.take(Events::SIGNAL).is_empty() {
                    light.attention.give_up_wait();
                    break;
                }
                if light.attention.is_suspended() {
                    light.wait();
                }
            }
            raiser.join().unwrap();
            assert!(!light.attention.is_suspended());
        });
    }
}

mod division_models {
    use super::*;
    use crate::division::{Claim, Division, Next, Rested};
    use loom::sync::atomic::{AtomicUsize, Ordering};

    /// The next claim of a member, of one at a time.
    fn claim(d: &Division, me: usize) -> Result<Claim, Next> {
        let mut claims = Vec::with_capacity(1);
        match d.claim(me, 1, |_| 1, &mut claims) {
            Next::Claimed => Ok(claims[0]),
            none => Err(none),
        }
    }

    /// Table 0 has two entries of the first member, each of which makes one of table 1.
    struct Work {
        division: Arc<Division>,
        /// How often each entry was seen to: of table 0, then of table 1.
        seen: [AtomicUsize; 4],
        made: [AtomicUsize; 2],
    }

    impl Work {
        fn new() -> Arc<Work> {
            Arc::new(Work {
                division: Arc::new(Division::new([true; 2], 1).unwrap()),
                seen: std::array::from_fn(|_| AtomicUsize::new(0)),
                made: std::array::from_fn(|_| AtomicUsize::new(0)),
            })
        }
        /// Sees to what is claimed, and tells of what that makes: an entry of table 1 for each of table 0 that nobody has made one for.
        fn see_to(&self, me: usize, c: Claim, own: &mut usize) {
            for i in c.from..c.to {
                if c.part == 1 {
                    self.seen[2 + c.log].fetch_add(1, Ordering::Relaxed);
                    continue;
                }
                self.seen[i].fetch_add(1, Ordering::Relaxed);
                if self.made[i].swap(1, Ordering::Relaxed) == 0 {
                    *own += 1;
                    self.division.tell(me, [(1, *own)]);
                }
            }
        }
        /// What a member does until it is over.
        fn run(&self, me: usize, attention: &Arc<Attention>) {
            let mut own = 0;
            loop {
                match claim(&self.division, me) {
                    Ok(c) => self.see_to(me, c, &mut own),
                    Err(Next::Nothing(seen)) => match self.division.rest(me, seen, false) {
                        Rested::Not => {}
                        Rested::Over => return,
                        Rested::Rests => assert!(self.division.wait(me, attention, None).unwrap()),
                    },
                    Err(_) => return,
                }
            }
        }
        fn count(&self, of: std::ops::Range<usize>) -> usize {
            let all = self.seen[of].iter();
            all.map(|n| n.load(Ordering::Relaxed)).sum()
        }
    }

    #[test]
    fn loom_it_is_over_when_all_is_done() {
        explore(2, || {
            let work = Work::new();
            let me = work.division.join().unwrap();
            work.division.tell(me, [(0, 2)]);
            let its = work.clone();
            let other = spawn(move || {
                if let Some(it) = its.division.join() {
                    its.run(it, &attention());
                    assert_eq!((its.count(0..2), its.count(2..4)), (2, 2));
                }
            });
            work.run(me, &attention());
            other.join().unwrap();
            assert_eq!((work.count(0..2), work.count(2..4)), (2, 2));
        });
    }

    /// What one has claimed who leaves, others do: at least once.
    #[test]
    fn loom_who_leaves_takes_nothing_along() {
        for again in [false, true] {
            explore(2, move || {
                let work = Work::new();
                let me = work.division.join().unwrap();
                work.division.tell(me, [(0, 2)]);
                let it = work.division.join().unwrap();
                let its = work.clone();
                let other = spawn(move || {
                    let holds: Vec<Claim> = claim(&its.division, it).into_iter().collect();
                    its.division.leave(it, &holds, again)
                });
                work.run(me, &attention());
                assert!(!other.join().unwrap());
                let seen = |i: usize| work.seen[i].load(Ordering::Relaxed);
                assert!(seen(0) > 0 && seen(1) > 0 && work.count(2..4) >= 2);
            });
        }
    }

    /// Who hears of everything has heard of it before it is over.
    #[test]
    fn loom_who_hears_of_everything_has_heard() {
        explore(2, || {
            let division = Arc::new(Division::new([true], 1).unwrap());
            let (me, it) = (division.join().unwrap(), division.join().unwrap());
            let its = division.clone();
            let other = spawn(move || {
                its.tell(it, [(0, 1)]);
                if claim(&its, it).is_err() {
                    // (The other one has it.)
                    its.leave(it, &[], false);
                    return;
                }
                let Err(Next::Nothing(seen)) = claim(&its, it) else {
                    panic!("nothing else was told");
                };
                if its.rest(it, seen, false) == Rested::Rests {
                    assert!(its.wait(it, &attention(), None).unwrap());
                }
            });
            let (mut heard, a) = (0, attention());
            loop {
                match claim(&division, me) {
                    Ok(c) => heard = c.to,
                    Err(Next::Nothing(seen)) => {
                        heard = division.told(0, it);
                        match division.rest(me, seen, true) {
                            Rested::Not => {}
                            Rested::Over => break,
                            Rested::Rests => assert!(division.wait(me, &a, None).unwrap()),
                        }
                    }
                    Err(_) => break,
                }
            }
            assert_eq!(heard, 1);
            other.join().unwrap();
        });
    }
}

//! The registry's rules: names, ids, joining, detaching, mutexes.

use super::*;
use crate::Message;
use crate::mutex::{LockError, MutexStatus};
use samite_term::common::Held;
use samite_term::{Cell, Record};

fn goal(n: i64) -> Held {
    Held::new(Record::immediate(Cell::small(n)))
}

fn named(alias: &str) -> ThreadOptions {
    ThreadOptions {
        alias: Some(Atom::of(alias).hold()),
        ..ThreadOptions::default()
    }
}

fn atom(text: &str) -> Reference {
    Reference::Name(Atom::of(text))
}

fn system() -> (Registry, Arc<ThreadControl>) {
    let r = Registry::default();
    let main = r.create_thread(named("main")).unwrap();
    assert_eq!(main.id().number(), 1);
    (r, main)
}

fn end(r: &Registry, t: &Arc<ThreadControl>, status: Status) {
    t.conclude(status);
    r.finish(t);
    r.verify();
}

fn no_thread(t: impl Into<Reference>) -> SchedError {
    SchedError::Existence(ObjectKind::Thread, t.into())
}

fn denied(action: Action, kind: ObjectKind, culprit: impl Into<Reference>) -> SchedError {
    SchedError::Permission(action, kind, culprit.into())
}

#[test]
fn ids_and_aliases_are_free_after_joining_only() {
    let (r, main) = system();
    let t = r.create_thread(named("worker")).unwrap();
    let id = t.id();
    assert_eq!(r.thread(atom("worker")).unwrap().id(), id);
    end(&r, &t, Status::Exception(goal(7)));
    assert_eq!(t.status(), Status::Exception(goal(7)));
    let other = r.create_thread(ThreadOptions::default()).unwrap();
    assert_ne!(other.id(), id);
    let taken = denied(Action::Create, ObjectKind::Thread, Atom::new("worker"));
    assert_eq!(r.create_thread(named("worker")).unwrap_err(), taken);
    assert_eq!(
        r.join(&main, atom("worker")),
        Ok(Status::Exception(goal(7)))
    );
    assert_eq!(
        r.join(&main, atom("worker")).unwrap_err(),
        no_thread(Atom::new("worker"))
    );
    assert_eq!(r.create_thread(named("worker")).unwrap().id(), id);
    r.verify();
}

#[test]
fn joining_is_refused_for_self_detached_and_joined() {
    let (r, main) = system();
    let refused = |t: &Arc<ThreadControl>| Err(denied(Action::Join, ObjectKind::Thread, t.id()));
    assert_eq!(r.join(&main, main.id().into()), refused(&main));
    let t = r.create_thread(ThreadOptions::default()).unwrap();
    r.detach(t.id().into()).unwrap();
    assert!(t.is_detached());
    assert_eq!(r.join(&main, t.id().into()), refused(&t));
    let t = r.create_thread(ThreadOptions::default()).unwrap();
    let second = r.create_thread(ThreadOptions::default()).unwrap();
    std::thread::scope(|s| {
        let first = s.spawn(|| r.join(&main, t.id().into()).ok());
        while !t.is_joined() {
            std::thread::yield_now();
        }
        assert_eq!(r.join(&second, t.id().into()), refused(&t));
        let detach = denied(Action::Detach, ObjectKind::Thread, t.id());
        assert_eq!(r.detach(t.id().into()), Err(detach));
        end(&r, &t, Status::True);
        assert_eq!(first.join().unwrap(), Some(Status::True));
    });
    assert_eq!(r.join(&second, t.id().into()), Err(no_thread(t.id())));
}

#[test]
fn a_detached_thread_is_reclaimed_when_it_ends() {
    let (r, _main) = system();
    let detached = ThreadOptions {
        detached: true,
        ..named("d")
    };
    let t = r.create_thread(detached).unwrap();
    assert_eq!(r.counts().live, 2);
    end(&r, &t, Status::False);
    assert_eq!(r.thread(t.id().into()).unwrap_err(), no_thread(t.id()));
    let t = r.create_thread(named("d")).unwrap();
    end(&r, &t, Status::False);
    r.detach(atom("d")).unwrap();
    assert_eq!(r.threads().len(), 1);
    let counts = Counts {
        live: 1,
        created: 3,
        finished: 2,
        peak: 2,
    };
    assert_eq!(r.counts(), counts);
    r.verify();
}

#[test]
fn an_abandoned_thread_leaves_nothing() {
    let (r, _main) = system();
    let t = r.create_thread(named("x")).unwrap();
    r.abandon(&t, Status::Exception(goal(1)));
    assert_eq!(r.threads().len(), 1);
    assert_eq!(r.counts().live, 1);
    r.verify();
}

#[test]
fn a_signal_interrupts_a_join_which_can_be_repeated() {
    let (r, main) = system();
    let t = r.create_thread(ThreadOptions::default()).unwrap();
    main.signal(goal(1), false)
        .and(main.signal(goal(2), false))
        .unwrap();
    assert_eq!(r.join(&main, t.id().into()), Err(SchedError::Interrupted));
    assert_eq!(main.pending_signals(), [goal(1), goal(2)]);
    assert_eq!(main.attention().take(Events::ALL), Events::SIGNAL);
    assert_eq!(
        main.remove_signals(None, &mut |g| *g == *goal(1)),
        [goal(1)]
    );
    assert_eq!(main.next_signal(), Some(goal(2)));
    assert_eq!(main.next_signal(), None);
    end(&r, &t, Status::Exited(goal(3)));
    assert!(t.signal(goal(4), false).is_err());
    assert_eq!(r.join(&main, t.id().into()), Ok(Status::Exited(goal(3))));
}

#[test]
fn exit_goals_run_last_added_first() {
    let (r, _main) = system();
    let options = ThreadOptions {
        at_exit: vec![goal(0)],
        ..ThreadOptions::default()
    };
    let t = r.create_thread(options).unwrap();
    t.at_exit(goal(1)).unwrap();
    t.conclude(Status::True);
    assert!(!t.is_running());
    assert_eq!(t.next_at_exit(), Some(goal(1)));
    assert_eq!(t.next_at_exit(), Some(goal(0)));
    assert_eq!(t.next_at_exit(), None);
}

#[test]
fn threads_and_queues_share_their_names() {
    let (r, main) = system();
    let q = r.create_queue(Some(Atom::new("q")), 0).unwrap();
    assert!(r.create_thread(named("q")).is_err());
    let taken = |a| denied(Action::Create, ObjectKind::MessageQueue, Atom::new(a));
    assert_eq!(
        r.create_queue(Some(Atom::new("main")), 0).unwrap_err(),
        taken("main")
    );
    assert!(Arc::ptr_eq(&r.queue(atom("q")).unwrap(), q.queue()));
    assert!(Arc::ptr_eq(
        &r.queue(main.id().into()).unwrap(),
        main.queue()
    ));
    let own = denied(Action::Destroy, ObjectKind::MessageQueue, Atom::new("main"));
    assert_eq!(r.destroy_queue(atom("main")), Err(own));
    r.destroy_queue(atom("q")).unwrap();
    assert!(q.queue().is_destroyed());
    let gone = SchedError::Existence(ObjectKind::MessageQueue, atom("q"));
    assert_eq!(r.queue(atom("q")).unwrap_err(), gone);
    assert_eq!(r.destroy_queue(atom("q")).unwrap_err(), gone);
    let anonymous = r.create_queue(None, 3).unwrap();
    assert_eq!(anonymous.alias(), None);
    assert!(r.queue(anonymous.name()).is_ok());
    assert_eq!(r.queues().len(), 1);
    r.verify();
}

#[test]
fn the_queue_of_an_ended_thread_is_gone() {
    let (r, _main) = system();
    let t = r.create_thread(named("t")).unwrap();
    end(&r, &t, Status::True);
    let gone = no_thread(Atom::new("t"));
    assert_eq!(r.queue(atom("t")).unwrap_err(), gone);
    let number = Reference::Number(77);
    let error = SchedError::Type(ObjectKind::Thread, number);
    assert_eq!(r.queue(number).unwrap_err(), error);
}

#[test]
fn a_thread_is_found_by_its_handle_until_reclaimed() {
    let (r, main) = system();
    let t = r.create_thread(ThreadOptions::default()).unwrap();
    let handle = t.handle();
    assert!(Arc::ptr_eq(&r.thread(handle.into()).unwrap(), &t));
    r.set_alias(&t, Atom::new("late")).unwrap();
    r.verify();
    let again = denied(Action::ReAlias, ObjectKind::Thread, t.id());
    assert_eq!(r.set_alias(&t, Atom::new("later")), Err(again));
    end(&r, &t, Status::True);
    r.join(&main, atom("late")).unwrap();
    assert_eq!(r.thread(handle.into()).unwrap_err(), no_thread(handle));
    assert_eq!(r.queue(handle.into()).unwrap_err(), no_thread(handle));
    // The next thread has the id, but not the handle.
    let next = r.create_thread(ThreadOptions::default()).unwrap();
    assert_eq!(next.id(), t.id());
    assert_ne!(next.handle(), handle);
    assert!(r.thread(handle.into()).is_err());
    assert_eq!(next.handle().to_string(), "<thread>(2,0x1)");
    r.verify();
}

#[test]
fn mutexes_are_recursive_and_know_their_owner() {
    let (r, main) = system();
    let other = ThreadId::from_number(2);
    let m = r.mutex_or_new(Atom::new("m"), |_| true).unwrap();
    assert!(Arc::ptr_eq(&m, &r.mutex(atom("m")).unwrap()));
    assert!(r.create_mutex(Some(Atom::new("m"))).is_err());
    assert_eq!(m.try_lock(main.id()), Ok(true));
    m.lock(main.id(), main.attention()).unwrap();
    assert_eq!(m.status(), MutexStatus::Locked(main.id(), 2));
    assert_eq!(m.try_lock(other), Ok(false));
    assert_eq!(r.unlock_mutex(&m, other), Err(NotOwner));
    assert_eq!(r.unlock_mutex(&m, main.id()), Ok(Unlocked::Held(1)));
    assert_eq!(r.unlock_mutex(&m, main.id()), Ok(Unlocked::Free));
    assert_eq!(r.unlock_mutex(&m, main.id()), Err(NotOwner));
    m.lock(main.id(), main.attention()).unwrap();
    main.attention().raise(Events::ABORT);
    let waiting = m.lock(other, main.attention());
    assert_eq!(waiting, Err(LockError::Interrupted));
    r.unlock_all_mutexes(main.id());
    assert_eq!(m.status(), MutexStatus::Unlocked);
}

#[test]
fn a_locked_mutex_is_destroyed_when_it_is_free() {
    let (r, main) = system();
    let m = r.create_mutex(None).unwrap();
    m.lock(main.id(), main.attention()).unwrap();
    r.destroy_mutex(m.name()).unwrap();
    assert_eq!(m.try_lock(main.id()), Ok(true));
    let a = Arc::new(Attention::new());
    let other = ThreadId::from_number(2);
    std::thread::scope(|s| {
        let waiting = s.spawn(|| m.lock(other, &a));
        while m.waiting() == 0 {
            std::thread::yield_now();
        }
        assert_eq!(r.unlock_mutex(&m, main.id()), Ok(Unlocked::Held(1)));
        assert_eq!(r.unlock_mutex(&m, main.id()), Ok(Unlocked::Destroyed));
        assert_eq!(waiting.join().unwrap(), Err(LockError::Destroyed));
    });
    assert!(r.mutex(m.name()).is_err());
    let free = r.create_mutex(None).unwrap();
    r.destroy_mutex(free.name()).unwrap();
    assert!(r.mutexes().is_empty());
}

#[test]
fn waiting_for_others_ends_with_the_last_or_in_time() {
    let (r, main) = system();
    assert_eq!(r.wait_for_others(&main, None), Ok(()));
    let t = r.create_thread(ThreadOptions::default()).unwrap();
    let now = Some(Instant::now());
    assert_eq!(r.wait_for_others(&main, now), Err(SchedError::TimedOut));
    r.away();
    assert_eq!(r.wait_for_others(&main, now), Ok(()));
    r.back();
    assert_eq!(r.wait_for_others(&main, now), Err(SchedError::TimedOut));
    std::thread::scope(|s| {
        s.spawn(|| r.away());
        assert_eq!(r.wait_for_others(&main, None), Ok(()));
    });
    r.back();
    r.raise_all(Events::HALT, Some(main.id()));
    assert_eq!(t.attention().pending(), Events::HALT);
    assert_eq!(main.attention().pending(), Events::NONE);
    std::thread::scope(|s| {
        s.spawn(|| end(&r, &t, Status::True));
        assert_eq!(r.wait_for_others(&main, None), Ok(()));
    });
}

/// A record of a queue's or mutex's handle, for which its maker is not counted any more.
fn handle_of(name: Reference) -> Held {
    let record = Record::immediate(name.cell());
    if let Reference::Handle(h) = name {
        counted::release(h);
    }
    Held::new(record)
}

/// Who waits for a thread to start is told that it has, that it never will, or of events.
#[test]
fn the_start_of_a_thread_is_waited_for() {
    let (r, main) = system();
    let [a, b, c] = [(); 3].map(|()| r.create_thread(ThreadOptions::default()).unwrap());
    main.attention().raise(Events::SIGNAL);
    assert_eq!(a.started(&main), Err(SchedError::Interrupted));
    assert_eq!(main.attention().take(Events::SIGNAL), Events::SIGNAL);
    std::thread::scope(|s| {
        s.spawn(|| a.set_system_id(17));
        assert_eq!(a.started(&main), Ok(Some(17)));
        // An event comes while it is waited for.
        s.spawn(|| main.attention().raise(Events::SIGNAL));
        assert_eq!(b.started(&main), Err(SchedError::Interrupted));
        assert_eq!(main.attention().take(Events::SIGNAL), Events::SIGNAL);
        let other = s.spawn(|| b.started(&c) == Ok(None));
        s.spawn(|| r.abandon(&b, Status::False));
        assert_eq!(b.started(&main), Ok(None));
        assert!(other.join().unwrap());
    });
    assert_eq!(a.started(&main), Ok(Some(17)));
}

/// What nobody can name goes, whatever it is in and whatever it has; what somebody has stays.
#[test]
fn queues_and_mutexes_go_with_their_last_handle() {
    let (r, main) = system();
    let [a, b, c] = [(); 3].map(|()| r.create_queue(None, 0).unwrap());
    let [a_name, b_name, c_name] = [&a, &b, &c].map(|q| handle_of(q.name()));
    let (m, locked) = (r.create_mutex(None).unwrap(), r.create_mutex(None).unwrap());
    let (m_name, locked_name) = (handle_of(m.name()), handle_of(locked.name()));
    let alias = r.create_queue(Some(Atom::new("collected: alias")), 0);
    locked.lock(main.id(), main.attention()).unwrap();
    // The last handle of b is in a, that of m in b.
    let send = |q: &SharedQueue, name: Held| {
        let message = Message::Term(Record::clone(&name));
        q.queue().send(message, main.attention(), None).unwrap();
    };
    send(&a, b_name);
    send(&b, m_name);
    r.bury();
    assert_eq!((r.queues().len(), r.mutexes().len()), (4, 2));
    drop(a_name);
    drop(locked_name);
    r.verify();
    r.bury();
    r.verify();
    assert_eq!((r.queues().len(), r.mutexes().len()), (2, 0));
    let gone = SchedError::Existence(ObjectKind::MessageQueue, a.name());
    assert_eq!(r.queue(a.name()).unwrap_err(), gone);
    assert_eq!(r.queue(c.name()).map(|q| q.len()), Ok(0));
    // Destroyed by the program while somebody has its handle.
    r.destroy_queue(c.name()).unwrap();
    drop(c_name);
    r.bury();
    r.verify();
    assert_eq!(r.queues().len(), 1);
    assert!(alias.is_ok());
    // A thread that ends looks, too.
    drop(handle_of(r.create_mutex(None).unwrap().name()));
    let t = r.create_thread(ThreadOptions::default()).unwrap();
    end(&r, &t, Status::True);
    assert!(r.mutexes().is_empty());
}

/// Making others is enough to have what was left go; and with the registry goes what it knows of handles.
#[test]
fn what_is_made_makes_room() {
    let r = Registry::default();
    for _ in 0..10 * FEW {
        drop(handle_of(r.create_mutex(None).unwrap().name()));
        drop(handle_of(r.create_queue(None, 0).unwrap().name()));
    }
    assert!(r.mutexes().len() + r.queues().len() <= FEW + 2);
    let left = r.create_mutex(None).unwrap().name();
    let Reference::Handle(handle) = left else {
        panic!("it has no alias");
    };
    assert!(counted::is_known(handle));
    drop(r);
    assert!(!counted::is_known(handle));
}

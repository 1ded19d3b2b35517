//! Queues from one thread, and waits that end for a reason other than a message.

use super::*;
use crate::interrupt::Events;
use samite_term::{Atom, Cell, Functor, RecordBuilder};
use std::time::Duration;

fn attention() -> Arc<Attention> {
    Arc::new(Attention::new())
}

fn now() -> Option<Instant> {
    Some(Instant::now())
}

fn number(n: i64) -> Message {
    Message::Constant(Cell::small(n))
}

/// Sends; what could not be sent is dropped.
fn send(
    q: &Arc<MessageQueue>,
    message: Message,
    attention: &Arc<Attention>,
    deadline: Option<Instant>,
) -> Result<(), QueueError> {
    q.send(message, attention, deadline)
        .map_err(|Unsent(e, _)| e)
}

fn value(m: &Message) -> i64 {
    match m {
        Message::Constant(c) => c.small_value(),
        Message::Term(r) => r.root().small_value(),
    }
}

/// `name(n)`.
fn compound(name: &str, n: i64) -> Message {
    let mut b = RecordBuilder::new();
    let t = b.structure(Functor::new(Atom::of(name), 1), &[Cell::small(n)]);
    Message::Term(b.finish(t))
}

fn variable() -> Message {
    let mut b = RecordBuilder::new();
    let v = b.variable();
    Message::Term(b.finish(v))
}

fn functor(name: &str) -> Option<MessageKey> {
    Some(MessageKey::of_functor(Functor::new(Atom::of(name), 1)))
}

fn filled(messages: &[Message]) -> Arc<MessageQueue> {
    let q = Arc::new(MessageQueue::new(0));
    for m in messages {
        q.send(m.clone(), &attention(), None).unwrap();
    }
    q.verify();
    q
}

/// Takes without waiting.
fn take(q: &Arc<MessageQueue>, key: Option<MessageKey>) -> Option<Message> {
    let r = q.get(key, &mut |_| true, &attention(), now());
    q.verify();
    match r {
        Ok(m) => Some(m),
        Err(e) => {
            assert_eq!(e, QueueError::TimedOut);
            None
        }
    }
}

/// Bytes are a limit for who sends: nobody waits for it, and what has been taken out is room again.
#[test]
fn a_message_of_too_many_bytes_is_refused() {
    let q = Arc::new(MessageQueue::new(0));
    let attention = Arc::new(Attention::new());
    let now = Some(Instant::now());
    let send = || super::tests::send(&q, number(1), &attention, now);
    assert_eq!(send(), Ok(()));
    let one = q.bytes();
    assert!(one > 0);
    assert_eq!(q.set_max_bytes(2 * one), Ok(()));
    assert_eq!(send(), Ok(()));
    assert_eq!(send(), Err(QueueError::TooManyBytes));
    assert!(q.get(None, &mut |_| true, &attention, now).is_ok());
    assert_eq!(send(), Ok(()));
    assert_eq!((q.bytes(), q.len()), (2 * one, 2));
    // What is there stays.
    assert_eq!(q.set_max_bytes(one), Ok(()));
    assert_eq!((send(), q.len()), (Err(QueueError::TooManyBytes), 2));
    q.destroy();
    assert_eq!(q.set_max_bytes(0), Err(QueueError::Destroyed));
}

#[test]
fn messages_come_out_in_order_others_stay_in_place() {
    let (a1, b1, a2, b2) = (
        compound("a", 1),
        compound("b", 1),
        compound("a", 2),
        compound("b", 2),
    );
    let q = filled(&[a1.clone(), b1.clone(), a2.clone(), b2.clone()]);
    assert_eq!(take(&q, functor("b")), Some(b1));
    assert_eq!(take(&q, None), Some(a1));
    assert_eq!(take(&q, functor("c")), None);
    assert_eq!(take(&q, functor("b")), Some(b2));
    assert_eq!(take(&q, functor("b")), None);
    assert_eq!(take(&q, None), Some(a2));
    assert!(q.is_empty());
}

#[test]
fn a_variable_fits_every_key_in_its_turn() {
    let (a, v, b) = (compound("a", 1), variable(), compound("b", 1));
    let q = filled(&[a.clone(), v.clone(), b.clone()]);
    assert_eq!(take(&q, functor("b")), Some(v));
    assert_eq!(take(&q, functor("b")), Some(b));
    assert_eq!(take(&q, functor("a")), Some(a));
}

#[test]
fn only_messages_with_the_key_are_offered() {
    let q = filled(&[
        compound("a", 1),
        compound("b", 1),
        compound("b", 2),
        variable(),
    ]);
    let mut offered = 0;
    let mut count = |_: &Message| {
        offered += 1;
        false
    };
    let r = q.get(functor("b"), &mut count, &attention(), now());
    assert_eq!((r, offered), (Err(QueueError::TimedOut), 3));
    assert_eq!(q.len(), 4);
}

#[test]
fn peeking_leaves_the_message() {
    let q = filled(&[number(1), number(2)]);
    let two = Some(MessageKey::of_constant(Cell::small(2)));
    assert_eq!(q.peek(two, &mut |m| *m == number(2)), Ok(true));
    assert_eq!(q.peek(functor("a"), &mut |_| true), Ok(false));
    assert_eq!(q.len(), 2);
}

#[test]
fn a_full_queue_refuses_until_there_is_room() {
    let q = Arc::new(MessageQueue::new(2));
    let send = |n| super::tests::send(&q, number(n), &attention(), now());
    assert_eq!((send(1), send(2)), (Ok(()), Ok(())));
    assert_eq!(send(3), Err(QueueError::TimedOut));
    q.set_max_size(1).unwrap();
    assert!(take(&q, None).is_some());
    assert_eq!(send(3), Err(QueueError::TimedOut));
    assert!(take(&q, None).is_some());
    assert_eq!(send(3), Ok(()));
    q.set_max_size(0).unwrap();
    assert_eq!((send(4), q.len()), (Ok(()), 2));
}

#[test]
fn a_larger_limit_lets_waiting_senders_go() {
    let q = Arc::new(MessageQueue::new(1));
    send(&q, number(0), &attention(), None).unwrap();
    let senders: Vec<_> = (1..=3)
        .map(|n| {
            let q = q.clone();
            std::thread::spawn(move || send(&q, number(n), &attention(), None))
        })
        .collect();
    while q.waiting_senders() < 3 {
        std::thread::yield_now();
    }
    q.set_max_size(4).unwrap();
    for s in senders {
        assert_eq!(s.join().unwrap(), Ok(()));
    }
    assert_eq!((q.len(), q.waiting_senders()), (4, 0));
    q.verify();
}

#[test]
fn a_pending_event_ends_a_wait_but_not_a_call_that_need_not_wait() {
    let q = filled(&[number(1)]);
    let a = attention();
    a.raise(Events::SIGNAL);
    assert_eq!(q.get(None, &mut |_| true, &a, None), Ok(number(1)));
    let r = q.get(None, &mut |_| true, &a, None);
    assert_eq!(r, Err(QueueError::Interrupted));
    assert_eq!(send(&q, number(2), &a, None), Ok(()));
    assert_eq!(a.take(Events::ALL), Events::SIGNAL);
}

#[test]
fn a_masked_event_does_not_end_a_wait() {
    let q = Arc::new(MessageQueue::new(0));
    let a = attention();
    a.set_masked(Events::SIGNAL);
    a.raise(Events::SIGNAL);
    let soon = Some(Instant::now() + Duration::from_millis(20));
    let r = q.get(None, &mut |_| true, &a, soon);
    assert_eq!(r, Err(QueueError::TimedOut));
}

#[test]
fn a_waiting_receiver_examines_each_message_once() {
    let q = Arc::new(filled(&[number(1), number(2)]));
    let p = q.clone();
    let receiver = std::thread::spawn(move || {
        let mut offered = Vec::new();
        let mut last = |r: &Message| {
            offered.push(value(r));
            offered.last() == Some(&5)
        };
        p.get(None, &mut last, &attention(), None).unwrap();
        offered
    });
    for n in 3..=5 {
        while q.waiting() == 0 {
            std::thread::yield_now();
        }
        send(&q, number(n), &attention(), None).unwrap();
    }
    assert_eq!(receiver.join().unwrap(), [1, 2, 3, 4, 5]);
    assert_eq!(q.len(), 4);
}

#[test]
fn a_destroyed_queue_refuses_everything() {
    let q = filled(&[number(1)]);
    q.destroy();
    q.verify();
    let gone = QueueError::Destroyed;
    assert_eq!(send(&q, number(1), &attention(), None), Err(gone));
    assert_eq!(q.get(None, &mut |_| true, &attention(), None), Err(gone));
    assert_eq!(q.peek(None, &mut |_| true), Err(gone));
    assert_eq!(q.set_max_size(1), Err(gone));
    assert!(q.is_destroyed() && q.is_empty());
}

#[test]
fn picking_from_a_long_queue_of_others_takes_no_longer() {
    let n = if cfg!(miri) { 100 } else { 100_000 };
    let q = Arc::new(MessageQueue::new(0));
    for i in 0..n {
        send(&q, number(i), &attention(), None).unwrap();
    }
    // Quadratic behaviour would take minutes here.
    for i in (0..n).rev() {
        let key = Some(MessageKey::of_constant(Cell::small(i)));
        let r = q.get(key, &mut |_| true, &attention(), now());
        assert_eq!(r, Ok(number(i)));
    }
    q.verify();
}

/// What is seen stays until it is taken, once.
#[test]
fn messages_are_seen_one_after_another() {
    let q = filled(&[number(1), compound("a", 1), number(2), variable()]);
    let see = |key, after| q.see(key, after, &mut |_| true, &attention(), now()).ok();
    let all = |key| {
        let mut seen = vec![Seen::default()];
        while let Some(next) = see(key, seen[seen.len() - 1]) {
            seen.push(next);
        }
        seen.split_off(1)
    };
    let numbers = |key| all(key).iter().map(|s| s.number).collect::<Vec<_>>();
    assert_eq!(
        (numbers(None), numbers(functor("a"))),
        (vec![1, 2, 3, 4], vec![2, 4])
    );
    let second = all(None)[1];
    assert_eq!(
        [q.take_seen(second), q.take_seen(second)],
        [Ok(true), Ok(false)]
    );
    q.verify();
    assert_eq!(
        (numbers(None), numbers(functor("a"))),
        (vec![1, 3, 4], vec![4])
    );
    // Behind what is not there any more, and in whose place another one is.
    assert_eq!(see(None, second).map(|s| s.number), Some(3));
    send(&q, number(5), &attention(), None).unwrap();
    assert_eq!(see(None, second).map(|s| s.number), Some(3));
    assert_eq!(q.take_seen(second), Ok(false));
    assert_eq!(q.len(), 4);
}

/// What several senders leave while receivers of different kinds take: all of it arrives once, in each sender's order, under changes of limits.
#[test]
fn what_comes_meanwhile_arrives_once_and_in_order() {
    let (n, senders) = (if cfg!(miri) { 50 } else { 20_000 }, 3);
    let q = Arc::new(MessageQueue::new(0));
    let sends = |s: i64| {
        let q = q.clone();
        std::thread::spawn(move || {
            for i in 0..n {
                // (A sender's numbers have its remainder.)
                let m = number(i * senders + s);
                send(&q, m, &attention(), None).unwrap();
            }
        })
    };
    let gets = |of: i64, n: i64| {
        let q = q.clone();
        std::thread::spawn(move || {
            let mut wants = |m: &Message| value(m) % senders == of;
            let one = |_| value(&q.get(None, &mut wants, &attention(), None).unwrap());
            (0..n).map(one).collect::<Vec<i64>>()
        })
    };
    let receivers = [gets(0, n), gets(1, n), gets(2, n / 2), gets(2, n / 2)];
    let all: Vec<_> = (0..senders).map(sends).collect();
    while !all.iter().all(|t| t.is_finished()) {
        q.verify();
        q.set_max_size(7).unwrap();
        std::thread::yield_now();
        q.set_max_size(0).unwrap();
        assert!(q.len() <= (n * senders) as usize);
        std::thread::sleep(Duration::from_micros(300));
    }
    let mut got: Vec<Vec<i64>> = receivers.into_iter().map(|r| r.join().unwrap()).collect();
    for numbers in &got {
        for s in 0..senders {
            let mut its = numbers.iter().filter(|v| **v % senders == s);
            assert!(its.clone().is_sorted(), "sender {s}");
            assert!(its.all(|v| (0..n * senders).contains(v)));
        }
    }
    let mut whole: Vec<i64> = got.drain(..).flatten().collect();
    whole.sort_unstable();
    assert!(whole.into_iter().eq(0..n * senders));
    assert!(q.is_empty());
    q.verify();
}

/// A queue is walked whole, limited whole and destroyed whole, wherever its messages are.
#[test]
fn messages_beside_the_queue_are_its_own() {
    let q = filled(&[number(1), number(2), number(3), compound("a", 4), number(5)]);
    let mut atoms = 0;
    q.each_atom(&mut |a| atoms += usize::from(a.as_str() == "a"));
    assert_eq!((atoms, q.len()), (1, 5));
    for n in 6..9 {
        send(&q, number(n), &attention(), None).unwrap();
    }
    assert!(q.bytes() >= 8 * size_of::<Cell>());
    for n in 9..12 {
        send(&q, number(n), &attention(), None).unwrap();
    }
    assert_eq!(
        q.peek(Some(MessageKey::of_constant(Cell::small(11))), &mut |_| {
            true
        }),
        Ok(true)
    );
    for n in 12..15 {
        send(&q, number(n), &attention(), None).unwrap();
    }
    q.set_max_size(14).unwrap();
    assert_eq!(
        send(&q, number(15), &attention(), now()),
        Err(QueueError::TimedOut)
    );
    q.verify();
    let first = q.get(None, &mut |_| true, &attention(), now());
    assert_eq!(first, Ok(number(1)));
    q.destroy();
    assert!(q.is_empty());
    q.verify();
}

/// A queue that had many messages, and was looked at, gives their places back when it is empty.
#[test]
fn a_burst_that_was_looked_at_leaves_nothing() {
    let q = Arc::new(MessageQueue::new(0));
    for looks in 0..4 {
        for n in 0..100 {
            send(&q, number(n), &attention(), None).unwrap();
            if looks == 2 && n == 50 {
                assert_eq!(q.len(), 51);
            }
        }
        if looks == 1 {
            assert_eq!(q.len(), 100);
        }
        for n in 0..100 {
            assert_eq!(
                q.get(None, &mut |_| true, &attention(), now()),
                Ok(number(n))
            );
            if looks == 3 && n == 70 {
                let last = Some(MessageKey::of_constant(Cell::small(99)));
                assert_eq!(q.peek(last, &mut |_| true), Ok(true));
            }
        }
        // (That it is not large is one of its equations.)
        q.verify();
        assert!(!q.state.lock().open);
    }
}

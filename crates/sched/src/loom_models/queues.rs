//! Queues: who sleeps through a message, or for room, and what is left beside a queue ([`crate::queue`]).

use super::*;

/// One with two messages, beside which others may be left.
fn open_queue() -> Arc<MessageQueue> {
    let q = Arc::new(MessageQueue::new(0));
    for n in 1..=2 {
        q.send(message(n), &attention(), None).unwrap();
    }
    q
}

#[test]
fn loom_a_message_reaches_its_receiver() {
    explore(3, || {
        let q = Arc::new(MessageQueue::new(0));
        let p = q.clone();
        let sender = spawn(move || {
            p.send(message(1), &attention(), None).unwrap();
            p.send(message(2), &attention(), None).unwrap();
        });
        assert_eq!(get(&q, key(2), |_| true), Ok(2));
        assert_eq!(get(&q, None, |_| true), Ok(1));
        sender.join().unwrap();
        q.verify();
    });
}

/// Those in between are left beside the queue, which a receiver that finds nothing shuts.
#[test]
fn loom_messages_left_beside_the_queue_arrive_in_order() {
    explore(3, || {
        let q = open_queue();
        let p = q.clone();
        let sender = spawn(move || {
            p.send(message(3), &attention(), None).unwrap();
            p.send(message(4), &attention(), None).unwrap();
        });
        for n in 1..=4 {
            assert_eq!(get(&q, None, |_| true), Ok(n));
        }
        sender.join().unwrap();
        q.verify();
    });
}

#[test]
fn loom_what_is_left_when_a_queue_is_destroyed_is_gone() {
    explore(3, || {
        let q = open_queue();
        let p = q.clone();
        let sender = spawn(move || {
            let sent = (3..=4).map(|n| p.send(message(n), &attention(), None).is_ok());
            sent.collect::<Vec<_>>()
        });
        q.destroy();
        let sent = sender.join().unwrap();
        assert!(sent.is_sorted_by(|a, b| a >= b), "{sent:?}");
        assert!(q.is_empty());
        q.verify();
    });
}

/// The receiver that is woken first may not want what it was woken for.
#[test]
fn loom_two_receivers_pass_messages_on() {
    explore(2, || {
        let q = Arc::new(MessageQueue::new(0));
        let p = q.clone();
        let even = spawn(move || get(&p, None, |n| n % 2 == 0));
        let p = q.clone();
        let odd = spawn(move || get(&p, None, |n| n % 2 == 1));
        q.send(message(1), &attention(), None).unwrap();
        q.send(message(2), &attention(), None).unwrap();
        assert_eq!(even.join().unwrap(), Ok(2));
        assert_eq!(odd.join().unwrap(), Ok(1));
        q.verify();
    });
}

#[test]
fn loom_each_message_is_received_once() {
    explore(2, || {
        let q = Arc::new(MessageQueue::new(0));
        let receivers = [1, 2].map(|_| {
            let q = q.clone();
            spawn(move || get(&q, None, |_| true).unwrap())
        });
        q.send(message(1), &attention(), None).unwrap();
        q.send(message(2), &attention(), None).unwrap();
        let got = receivers.map(|r| r.join().unwrap());
        assert_eq!(got.iter().sum::<i64>(), 3);
        assert_ne!(got[0], got[1]);
        assert!(q.is_empty());
    });
}

#[test]
fn loom_a_full_queue_holds_its_sender_and_lets_it_go() {
    explore(3, || {
        let q = Arc::new(MessageQueue::new(1));
        let p = q.clone();
        let sender = spawn(move || {
            for n in 1..=3 {
                p.send(message(n), &attention(), None).unwrap();
            }
        });
        for n in 1..=3 {
            assert_eq!(get(&q, None, |_| true), Ok(n));
        }
        sender.join().unwrap();
        q.verify();
    });
}

#[test]
fn loom_destroying_ends_every_wait() {
    explore(2, || {
        let q = Arc::new(MessageQueue::new(1));
        let p = q.clone();
        let receiver = spawn(move || get(&p, key(7), |_| true));
        let p = q.clone();
        let sender = spawn(move || {
            let first = p.send(message(1), &attention(), None);
            first.and_then(|()| p.send(message(1), &attention(), None))
        });
        q.destroy();
        assert_eq!(receiver.join().unwrap(), Err(QueueError::Destroyed));
        let refused = sender.join().unwrap().map_err(|Unsent(e, _)| e);
        assert_eq!(refused, Err(QueueError::Destroyed));
        q.verify();
    });
}

/// The receiver that leaves may be the one that was woken: the other must get the message.
#[test]
fn loom_an_interrupted_receiver_takes_no_message_with_it() {
    explore(2, || {
        let q = Arc::new(MessageQueue::new(0));
        let a = attention();
        let (p, b) = (q.clone(), a.clone());
        let interrupted = spawn(move || p.get(None, &mut |r| value(r) == 2, &b, None));
        let p = q.clone();
        let patient = spawn(move || get(&p, None, |_| true));
        a.raise(Events::ABORT);
        q.send(message(1), &attention(), None).unwrap();
        assert_eq!(interrupted.join().unwrap(), Err(QueueError::Interrupted));
        assert_eq!(patient.join().unwrap(), Ok(1));
        q.verify();
    });
}

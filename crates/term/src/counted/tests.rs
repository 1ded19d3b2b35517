use super::*;
use crate::record::{Record, RecordBuilder};
use std::sync::atomic::{AtomicU64, Ordering};

/// A number that no other test has.
fn fresh(kind: HandleKind) -> Handle {
    static NEXT: AtomicU64 = AtomicU64::new(1 << 40);
    Handle::new(kind, NEXT.fetch_add(1, Ordering::Relaxed))
}

/// A queue that its maker has in a record.
fn queue(grave: &Arc<Grave>) -> (Handle, Record) {
    let h = fresh(HandleKind::MessageQueue);
    assert!(enter(h, grave));
    let made = record(&[h]);
    release(h);
    (h, made)
}

/// A list of handles, and of what only looks like one.
fn record(handles: &[Handle]) -> Record {
    let mut b = RecordBuilder::new();
    let mut items = Vec::new();
    for &h in handles {
        let alike = f64::from_bits(Cell::of_handle(h).0);
        items.push(b.number(&crate::Number::Float(alike)));
        items.push(Cell::of_handle(h));
    }
    let list = b.list(&items, Cell::NIL);
    b.finish(list)
}

#[test]
fn records_count() {
    let grave = Arc::new(Grave::default());
    let ((a, a_made), (b, b_made)) = (queue(&grave), queue(&grave));
    assert!(are_any() && grave.entered() == 2);
    let both = record(&[a, b]);
    let copy = both.clone();
    let one = Record::immediate(Cell::of_handle(a));
    drop((both, a_made, b_made));
    assert!(grave.is_empty());
    drop(copy);
    assert_eq!((grave.len(), grave.next()), (1, Some(b)));
    assert!(take(b) && !is_known(b) && is_known(a));
    grave.verify();
    drop(one);
    assert_eq!(grave.next(), Some(a));
    assert!(take(a) && grave.entered() == 0 && grave.next().is_none());
}

/// A record of a number that looks like a handle is older than the object.
#[test]
fn numbers_count_for_nothing() {
    let grave = Arc::new(Grave::default());
    let h = fresh(HandleKind::MessageQueue);
    let mut b = RecordBuilder::new();
    let alike = b.number(&crate::Number::Float(f64::from_bits(Cell::of_handle(h).0)));
    let number = b.finish(alike);
    assert!(enter(h, &grave));
    drop(number);
    assert!(grave.is_empty());
    release(h);
    assert_eq!((grave.next(), take(h)), (Some(h), true));
}

#[test]
fn who_is_found_again_stays() {
    let grave = Arc::new(Grave::default());
    let (a, made) = queue(&grave);
    drop(made);
    // Enumerated while it waits: it waits once.
    let again = record(&[a]);
    drop(again.clone());
    grave.verify();
    assert_eq!((grave.next(), take(a)), (Some(a), false));
    assert!(grave.is_empty());
    // The last one goes after all.
    drop(again);
    assert_eq!((grave.next(), take(a)), (Some(a), true));
}

#[test]
fn what_was_destroyed_is_ignored() {
    let grave = Arc::new(Grave::default());
    let ((a, a_made), (b, b_made)) = (queue(&grave), queue(&grave));
    let kept = record(&[a, b]);
    forget(a);
    assert!(!retain(a) && !is_known(a));
    drop((kept, a_made, b_made));
    // In the grave when it is destroyed.
    assert_eq!(grave.len(), 1);
    forget(b);
    grave.verify();
    assert!(grave.is_empty() && grave.entered() == 0 && !take(b));
}

#[test]
fn what_is_pinned_stays() {
    let grave = Arc::new(Grave::default());
    let (h, made) = queue(&grave);
    pin(h);
    drop(made);
    assert!(grave.is_empty() && is_pinned(h));
    forget(h);
    assert!(!is_pinned(h));
    // Pinned where it was found when it waited.
    let (h, made) = queue(&grave);
    drop(made);
    pin(h);
    assert_eq!((grave.next(), take(h)), (Some(h), false));
    forget(h);
    grave.verify();
}

#[test]
fn keys_count() {
    let grave = Arc::new(Grave::default());
    let (h, made) = queue(&grave);
    let key = Cell::of_handle(h).hold();
    let other = key.clone();
    let counted = Counted::of(Cell::of_handle(h));
    drop((made, key));
    assert!(grave.is_empty());
    drop(other);
    assert!(grave.is_empty());
    drop(counted);
    assert_eq!((grave.next(), take(h)), (Some(h), true));
    // Of what is gone, and of what is none of them.
    drop((
        Counted::of(Cell::of_handle(h)),
        Cell::of_handle(h).hold(),
        Counted::of(Cell::NIL),
    ));
    grave.verify();
}

#[test]
fn other_constants_are_plain() {
    let h = |kind| Cell::of_handle(Handle::new(kind, 7));
    assert!(!h(HandleKind::MessageQueue).is_plain() && !h(HandleKind::Mutex).is_plain());
    for c in [
        h(HandleKind::Thread),
        h(HandleKind::Stream),
        Cell::NIL,
        Cell::small(61),
    ] {
        assert!(c.is_plain() && c.counted_handle().is_none());
    }
    assert!(!Cell::pointer(Tag::Ref, 0x38).is_plain());
}

/// Threads pass records on while others look into the grave: nothing goes while somebody has it, all goes in the end.
#[test]
fn counts_are_right_between_threads() {
    let grave = Arc::new(Grave::default());
    let (handles, first): (Vec<_>, Vec<_>) = (0..16).map(|_| queue(&grave)).unzip();
    let rounds = if cfg!(miri) { 20 } else { 5_000 };
    std::thread::scope(|s| {
        for t in 0..3usize {
            let (mine, handles, grave): (Vec<Record>, _, _) = (first.clone(), &handles, &grave);
            s.spawn(move || {
                let mut mine = mine;
                for i in 0..rounds {
                    let at = (i * 5 + t) % mine.len();
                    let copy = mine[at].clone();
                    mine[at] = copy;
                    drop(record(&[handles[at], handles[(at + 1) % handles.len()]]));
                    if let Some(h) = grave.next() {
                        assert!(!take(h), "{h} is in three threads");
                    }
                }
            });
        }
    });
    assert!(handles.iter().all(|&h| is_known(h)));
    drop(first);
    grave.verify();
    let mut gone = 0;
    while let Some(h) = grave.next() {
        gone += usize::from(take(h));
    }
    assert_eq!((gone, grave.entered()), (16, 0));
}

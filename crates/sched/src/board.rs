//! Waiting for the database: what `thread_wait/2` sleeps on.
//!
//! A watch belongs to a thread and says which changes it wants to hear of: of which predicates (by numbers that mean something to the caller),
//! or of any; and to which group of threads it belongs that [`Board::tell`] speaks to. It is put up *before* its owner looks whether it has to
//! wait, and collects what happens from then on, so that no change is overlooked between looking and sleeping:
//!
//! ```text
//! put_up(w)      w := no hits                                             owner
//! changed(p, h)  adds p to the hits of each watch that wants it           whoever has changed p, if `is_watched` after the change
//! tell(g)        hits of the watches of group g: told                     anybody
//! wait(w)        takes the hits of w; sleeps while there are none         owner
//! take_down(w)   w is no more                                             owner, or `forget` at its end
//! ```
//!
//! `changed` may be called under locks of the database: the board's lock is held for looking and noting only, and under it nothing but an attention's
//! sleep lock is taken.
//!
//! *Invariant*: whoever changes what is watched sees that it is. The owner counts its watch ([`Board::put_up`]), then passes a fence, then
//! looks; whoever changes something does so, passes a fence, then reads the count ([`Board::is_watched`]). One of the two sees the other.

use crate::interrupt::{Attention, past};
use crate::registry::ThreadId;
use crate::sync::{AtomicUsize, Lock, Ordering, fence};
use crate::{Interrupted, SchedError};
use samite_term::{Atom, HeldAtom, common};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Instant;

/// What happened to a predicate.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Change {
    /// It has another clause.
    More,
    /// It has lost some.
    Fewer,
}

/// Which changes of a predicate count.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Wanted {
    Any,
    Only(Change),
}

/// What a watch is for.
#[derive(Debug)]
pub struct Watch {
    /// Whom [`Board::tell`] speaks to.
    pub group: HeldAtom,
    /// Predicates by number.
    pub these: Vec<(usize, Wanted)>,
    /// Any change of any predicate counts.
    pub all: bool,
}

/// Why a wait ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Woken {
    /// These predicates have changed since the last wait; with none of them it was told.
    Hits(Vec<usize>),
    TimedOut,
}

struct Entry {
    owner: ThreadId,
    attention: Arc<Attention>,
    watch: Watch,
    hits: Vec<usize>,
    woken: bool,
}

impl Entry {
    fn wake(&mut self) {
        self.woken = true;
        self.attention.unpark();
    }
}

#[derive(Default)]
struct State {
    watches: BTreeMap<u64, Entry>,
    last: u64,
}

/// See the module text.
#[derive(Default)]
pub struct Board {
    state: Lock<State>,
    /// Watches that are up.
    count: AtomicUsize,
}

impl std::fmt::Debug for Board {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "board with {} watches", self.state.lock().watches.len())
    }
}

/// Bytes of a watch, about.
const BYTES: usize = 2 * size_of::<Entry>();

impl Board {
    /// Puts up a watch of the calling thread; its number. Error: `NoMemory`.
    pub fn put_up(
        &self,
        owner: ThreadId,
        attention: &Arc<Attention>,
        watch: Watch,
    ) -> Result<u64, SchedError> {
        if !common::may_take(BYTES + watch.these.len() * size_of::<(usize, Wanted)>(), 0) {
            return Err(SchedError::NoMemory);
        }
        let mut state = self.state.lock();
        state.last += 1;
        let number = state.last;
        let entry = Entry {
            owner,
            attention: attention.clone(),
            watch,
            hits: Vec::new(),
            woken: false,
        };
        state.watches.insert(number, entry);
        drop(state);
        // Relaxed: the fence orders it before what the owner looks at next; it pairs with that of `is_watched`.
        self.count.fetch_add(1, Ordering::Relaxed);
        fence(Ordering::SeqCst);
        Ok(number)
    }

    /// Takes down a watch, if it is up.
    pub fn take_down(&self, number: u64) {
        let gone = self.state.lock().watches.remove(&number);
        if gone.is_some() {
            // Relaxed: one too many costs a look at the board.
            self.count.fetch_sub(1, Ordering::Relaxed);
        }
    }

    /// A thread has ended: so have its watches.
    pub(crate) fn forget(&self, owner: ThreadId) {
        // Relaxed: its own watches it has counted itself.
        if self.count.load(Ordering::Relaxed) == 0 {
            return;
        }
        let mut state = self.state.lock();
        let before = state.watches.len();
        state.watches.retain(|_, e| e.owner != owner);
        let gone = before - state.watches.len();
        // Relaxed: as above.
        self.count.fetch_sub(gone, Ordering::Relaxed);
    }

    /// Whether somebody may want to hear of a change that the caller has made.
    #[inline]
    pub fn is_watched(&self) -> bool {
        // Pairs with the fence of `put_up`: see the module text.
        fence(Ordering::SeqCst);
        self.count.load(Ordering::Relaxed) > 0
    }

    /// A predicate has changed.
    pub fn changed(&self, predicate: usize, how: Change) {
        for entry in self.state.lock().watches.values_mut() {
            let wants = |&(p, wanted): &(usize, Wanted)| {
                p == predicate && (wanted == Wanted::Any || wanted == Wanted::Only(how))
            };
            let listed = entry.watch.these.iter().any(wants);
            if !(listed || entry.watch.all) {
                continue;
            }
            if listed && !entry.hits.contains(&predicate) {
                entry.hits.push(predicate);
            }
            if !entry.woken {
                entry.wake();
            }
        }
    }

    /// Wakes those of a group who watch, or the first of them that has not been woken.
    pub fn tell(&self, group: Atom, all: bool) {
        let mut state = self.state.lock();
        let members = state.watches.values_mut();
        let asleep = members.filter(|e| !e.woken && e.watch.group.get() == group);
        asleep
            .take(if all { usize::MAX } else { 1 })
            .for_each(Entry::wake);
    }

    /// Sleeps until something has happened that this watch of the calling thread is for, since it was put up or waited for last.
    pub fn wait(
        &self,
        number: u64,
        attention: &Attention,
        deadline: Option<Instant>,
    ) -> Result<Woken, Interrupted> {
        loop {
            {
                let mut state = self.state.lock();
                let Some(entry) = state.watches.get_mut(&number) else {
                    return Ok(Woken::TimedOut);
                };
                if entry.woken {
                    entry.woken = false;
                    return Ok(Woken::Hits(std::mem::take(&mut entry.hits)));
                }
            }
            if attention.must_not_wait() {
                return Err(Interrupted);
            }
            if past(deadline) {
                return Ok(Woken::TimedOut);
            }
            attention.park(deadline);
        }
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;
    use crate::registry::{Registry, ThreadControl, ThreadOptions};
    use samite_term::atoms;

    fn thread(registry: &Registry) -> Arc<ThreadControl> {
        let made = registry.create_thread(ThreadOptions::default());
        made.expect("there is room")
    }

    fn put_up(r: &Registry, t: &ThreadControl, these: &[(usize, Wanted)], all: bool) -> u64 {
        let watch = Watch {
            group: atoms::USER.hold(),
            these: these.to_vec(),
            all,
        };
        let made = r.board.put_up(t.id(), t.attention(), watch);
        made.expect("there is room")
    }

    #[test]
    fn hits_are_those_wanted_and_come_once() {
        let r = Registry::default();
        let t = thread(&r);
        let now = Some(Instant::now());
        let wait = |n| r.board.wait(n, t.attention(), now);
        assert!(!r.board.is_watched());
        let these = [(1, Wanted::Any), (2, Wanted::Only(Change::Fewer))];
        let (some, all) = (put_up(&r, &t, &these, false), put_up(&r, &t, &[], true));
        assert!(r.board.is_watched());
        assert_eq!(wait(some), Ok(Woken::TimedOut));
        r.board.changed(2, Change::More);
        assert_eq!(wait(some), Ok(Woken::TimedOut));
        assert_eq!(wait(all), Ok(Woken::Hits(vec![])));
        for how in [Change::More, Change::Fewer, Change::Fewer] {
            r.board.changed(1, how);
            r.board.changed(2, how);
        }
        assert_eq!(wait(some), Ok(Woken::Hits(vec![1, 2])));
        assert_eq!(wait(some), Ok(Woken::TimedOut));
        r.board.take_down(some);
        r.board.take_down(some);
        assert!(r.board.is_watched());
        r.board.take_down(all);
        assert!(!r.board.is_watched());
    }

    #[test]
    fn who_is_told_is_of_the_group_and_asleep() {
        let r = Registry::default();
        let t = thread(&r);
        let now = Some(Instant::now());
        let wait = |n| r.board.wait(n, t.attention(), now);
        let (a, b) = (put_up(&r, &t, &[], false), put_up(&r, &t, &[], false));
        r.board.tell(atoms::SYSTEM, true);
        assert_eq!(wait(a), Ok(Woken::TimedOut));
        r.board.tell(atoms::USER, false);
        r.board.tell(atoms::USER, false);
        r.board.tell(atoms::USER, false);
        assert_eq!(wait(a), Ok(Woken::Hits(vec![])));
        assert_eq!(wait(b), Ok(Woken::Hits(vec![])));
        assert_eq!(wait(a), Ok(Woken::TimedOut));
        r.board.forget(t.id());
        assert!(!r.board.is_watched());
    }

    #[test]
    fn a_change_wakes_who_sleeps() {
        let r = Arc::new(Registry::default());
        let t = thread(&r);
        let n = put_up(&r, &t, &[(7, Wanted::Any)], false);
        let (r2, t2) = (r.clone(), t.clone());
        let sleeper = std::thread::spawn(move || r2.board.wait(n, t2.attention(), None));
        std::thread::sleep(std::time::Duration::from_millis(20));
        r.board.changed(7, Change::More);
        assert_eq!(sleeper.join().unwrap(), Ok(Woken::Hits(vec![7])));
    }
}

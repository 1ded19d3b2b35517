//! Claims: what one thread does at a time, and others wait for the end of: loading a file.
//!
//! A claim is for a key; whoever has it may claim it again. Claiming never waits: who finds that another thread has the claim may
//! wait for its end, and then tries again. *Equation*: `waiting` has the key that a thread waits for in [`Claims::wait`], and the chain
//! thread → key it waits for → owner has no cycle: a thread that would close one is told so, and does without (two files that use each
//! other, loaded by two threads). What an engine does, those do who have asked for it (its runner, and engines between them): none of them goes on before,
//! so it waits for nothing of theirs, and while it waits they wait for the same.
//!
//! Who waits for an engine's claim does so for ever if nobody asks the engine any more. *Equation*: an engine that sleeps and has claims has given an answer, or
//! those who have asked it have not left the call in which they did; else it is given up ([`Registry::give_engine_up`](crate::Registry::give_engine_up)), which ends
//! its claims in their order.
//!
//! A claim may be a *visit*: its owner only sees to it that nobody else has the key meanwhile, and does not do what it stands for. Who had to
//! wait for the end of a visit has still to do that himself.
//!
//! Who does without takes something that is half done, as who comes to its own claim again does, and what it has claimed is half done itself until that ends: [`Claims::half_done`].
//! A thread's claims end in the order opposite to that in which they began, so of those of one thread the oldest counts. *Equation*: `half` has for a key,
//! of each thread, the oldest claim of now that was taken half done on the way to it, if the key is not claimed by that thread before.
//!
//! Any thread; `me` and `attention` must be the calling thread's own, and `askers` those that have asked for what it does, if it is an engine.

use crate::interrupt::{Attention, Interrupted};
use crate::registry::ThreadId;
use crate::sync::Lock;
use rustc_hash::FxHashMap;
use samite_term::{Atom, HeldAtom};
use std::sync::Arc;

/// What came of a claim.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[must_use]
pub enum Claimed {
    /// The caller has it now.
    Mine,
    /// The caller had it before; it has to release it once more.
    Again,
    /// Another thread has it: see [`Claims::wait`].
    Taken,
    /// The same, but that thread only visits it.
    Visited,
    /// Another thread has it that waits, maybe through others, for the caller.
    Circular,
}

struct Claim {
    owner: ThreadId,
    /// The number of claims that had begun by then.
    since: u64,
    count: u32,
    visits: bool,
    waiters: Vec<Arc<Attention>>,
}

#[derive(Default)]
struct State {
    claims: FxHashMap<HeldAtom, Claim>,
    waiting: FxHashMap<ThreadId, HeldAtom>,
    half: FxHashMap<HeldAtom, Vec<Half>>,
    begun: u64,
}

/// What something taken half done waits for.
#[derive(Clone)]
struct Half {
    key: HeldAtom,
    owner: ThreadId,
    since: u64,
}

impl Claim {
    /// Of one thread's claims, which began before ends after.
    fn ends_after(&self, h: &Half) -> bool {
        self.owner == h.owner && self.since < h.since
    }
}

/// Adds to what something waits for.
fn remember(half: &mut Vec<Half>, new: Half) {
    match half.iter_mut().find(|h| h.owner == new.owner) {
        Some(h) if h.since <= new.since => {}
        Some(h) => *h = new,
        None => half.push(new),
    }
}

impl State {
    /// What `me` has claimed is half done while these are.
    fn depend(&mut self, me: ThreadId, on: &[HeldAtom]) {
        for other in on {
            let Some(&Claim { owner, since, .. }) = self.claims.get(other) else {
                continue;
            };
            let own = self.claims.iter().filter(|(_, c)| c.owner == me);
            for (key, claim) in own {
                let new = Half {
                    key: other.clone(),
                    owner,
                    since,
                };
                if key == other || claim.ends_after(&new) {
                    continue;
                }
                match self.half.get_mut(key) {
                    Some(half) => remember(half, new),
                    None => {
                        self.half.insert(key.clone(), vec![new]);
                    }
                }
            }
        }
    }
    /// A claim has ended: what waits for it waits for what it was taken half done for itself.
    fn is_done(&mut self, key: Atom) {
        let left: Vec<Half> = self.half.get(&key).cloned().unwrap_or_default();
        self.half.retain(|other, half| {
            let before = half.len();
            half.retain(|h| h.key != key);
            if half.len() < before {
                let own = self.claims.get(other);
                left.iter()
                    .filter(|h| h.key != *other && !own.is_some_and(|c| c.ends_after(h)))
                    .for_each(|h| remember(half, h.clone()));
            }
            !half.is_empty()
        });
    }
    /// The equation of `half`.
    fn verify(&self) {
        for (key, half) in &self.half {
            for (i, h) in half.iter().enumerate() {
                let claim = self.claims.get(&h.key);
                assert!(claim.is_some_and(|c| c.owner == h.owner && c.since == h.since));
                assert!(half[..i].iter().all(|other| other.owner != h.owner));
                assert!(!self.claims.get(key).is_some_and(|c| c.ends_after(h)));
            }
        }
    }
    /// Whether `owner` waits for something of `me`, or for `me`, or who waits for `me` has to go on first.
    fn is_circular(&self, me: ThreadId, askers: &[ThreadId], owner: ThreadId) -> bool {
        let mut at = owner;
        loop {
            if at == me || askers.contains(&at) {
                return true;
            }
            let next = (self.waiting.get(&at)).and_then(|key| self.claims.get(key));
            match next {
                Some(claim) => at = claim.owner,
                None => return false,
            }
        }
    }
}

/// See the module text.
pub struct Claims(Lock<State>);

impl Default for Claims {
    fn default() -> Claims {
        Claims(Lock::new(State::default()))
    }
}

impl Claims {
    /// Claims `key` for `me` if nobody else has it.
    pub fn claim(&self, me: ThreadId, askers: &[ThreadId], key: Atom) -> Claimed {
        self.claim_or_visit(me, askers, key, false)
    }

    /// The same, only to keep others away.
    pub fn visit(&self, me: ThreadId, askers: &[ThreadId], key: Atom) -> Claimed {
        self.claim_or_visit(me, askers, key, true)
    }

    fn claim_or_visit(
        &self,
        me: ThreadId,
        askers: &[ThreadId],
        key: Atom,
        visits: bool,
    ) -> Claimed {
        let mut state = self.0.lock();
        match state.claims.get_mut(&key) {
            None => {
                state.begun += 1;
                let claim = Claim {
                    owner: me,
                    since: state.begun,
                    count: 1,
                    visits,
                    waiters: Vec::new(),
                };
                state.claims.insert(key.hold(), claim);
                Claimed::Mine
            }
            Some(claim) if claim.owner == me => {
                claim.count += 1;
                claim.visits &= visits;
                Claimed::Again
            }
            Some(claim) => {
                let (owner, visited) = (claim.owner, claim.visits);
                if !state.is_circular(me, askers, owner) {
                    return if visited {
                        Claimed::Visited
                    } else {
                        Claimed::Taken
                    };
                }
                state.depend(me, &[key.hold()]);
                Claimed::Circular
            }
        }
    }

    /// Undoes one claim of `me`. Whether that was its last one of the key.
    pub fn release(&self, me: ThreadId, key: Atom) -> bool {
        let mut state = self.0.lock();
        let Some(claim) = state.claims.get_mut(&key).filter(|c| c.owner == me) else {
            return false;
        };
        claim.count -= 1;
        let last = claim.count == 0;
        if last {
            let ended = state.claims.remove(&key);
            state.is_done(key);
            if cfg!(debug_assertions) {
                state.verify();
            }
            drop(state);
            wake(ended);
        }
        last
    }

    /// Undoes all claims of a thread that has ended.
    pub(crate) fn release_all(&self, me: ThreadId) {
        let mut state = self.0.lock();
        state.waiting.remove(&me);
        let keys: Vec<HeldAtom> = (state.claims.iter())
            .filter(|(_, c)| c.owner == me)
            .map(|(k, _)| k.clone())
            .collect();
        let ended: Vec<Claim> = keys.iter().filter_map(|k| state.claims.remove(k)).collect();
        keys.iter().for_each(|k| state.is_done(k.get()));
        drop(state);
        wake(ended);
    }

    /// `me` takes something of its own half done.
    pub fn take_half_done(&self, me: ThreadId, key: Atom) {
        self.0.lock().depend(me, &[key.hold()]);
    }

    /// What is to end before `key`, which `me` uses, is done; to be waited for by who has claimed nothing. What `me` has claimed is not done
    /// before, either.
    pub fn half_done(&self, me: ThreadId, key: Atom) -> Vec<HeldAtom> {
        let mut state = self.0.lock();
        let Some(half) = state.half.get(&key) else {
            return Vec::new();
        };
        let half: Vec<HeldAtom> = half.iter().map(|h| h.key.clone()).collect();
        state.depend(me, &half);
        half
    }

    /// Whether `me` has claimed anything.
    pub fn has_any(&self, me: ThreadId) -> bool {
        let state = self.0.lock();
        state.claims.values().any(|c| c.owner == me)
    }

    /// Whether another thread does what `key` stands for.
    pub fn is_others(&self, me: ThreadId, key: Atom) -> bool {
        let state = self.0.lock();
        let claim = state.claims.get(&key);
        claim.is_some_and(|c| c.owner != me && !c.visits)
    }

    /// Waits until nobody has `key`: true. False: the caller has it itself, or who has it waits for the caller.
    pub fn wait(
        &self,
        me: ThreadId,
        askers: &[ThreadId],
        attention: &Arc<Attention>,
        key: Atom,
    ) -> Result<bool, Interrupted> {
        let together = || askers.iter().chain([&me]);
        loop {
            let mut state = self.0.lock();
            for id in together() {
                state.waiting.remove(id);
            }
            let Some(owner) = state.claims.get(&key).map(|c| c.owner) else {
                return Ok(true);
            };
            if state.is_circular(me, askers, owner) {
                return Ok(false);
            }
            if attention.must_not_wait() {
                return Err(Interrupted);
            }
            if let Some(claim) = state.claims.get_mut(&key) {
                claim.waiters.retain(|w| !Arc::ptr_eq(w, attention));
                claim.waiters.push(attention.clone());
            }
            for &id in together() {
                state.waiting.insert(id, key.hold());
            }
            drop(state);
            attention.park(None);
        }
    }
}

fn wake(ended: impl IntoIterator<Item = Claim>) {
    for claim in ended {
        claim.waiters.iter().for_each(|w| w.unpark());
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;

    #[test]
    fn a_claim_is_one_threads_at_a_time() {
        let claims = Claims::default();
        let (a, b) = (ThreadId::from_number(1), ThreadId::from_number(2));
        let key = Atom::of("file");
        assert_eq!(claims.claim(a, &[], key), Claimed::Mine);
        assert_eq!(claims.claim(a, &[], key), Claimed::Again);
        assert_eq!(claims.claim(b, &[], key), Claimed::Taken);
        claims.release(b, key);
        claims.release(a, key);
        assert_eq!(claims.claim(b, &[], key), Claimed::Taken);
        claims.release(a, key);
        assert_eq!(claims.claim(b, &[], key), Claimed::Mine);
        claims.release_all(b);
        assert_eq!(claims.visit(a, &[], key), Claimed::Mine);
        assert_eq!(claims.claim(b, &[], key), Claimed::Visited);
        assert_eq!(claims.visit(b, &[], key), Claimed::Visited);
        assert_eq!(claims.claim(a, &[], key), Claimed::Again);
        assert_eq!(claims.visit(a, &[], key), Claimed::Again);
        assert_eq!(claims.claim(b, &[], key), Claimed::Taken);
    }

    #[test]
    fn who_waits_is_woken_and_circles_are_not_waited_for() {
        let claims = Arc::new(Claims::default());
        let (a, b) = (ThreadId::from_number(1), ThreadId::from_number(2));
        let (one, two) = (Atom::of("claims: one"), Atom::of("claims: two"));
        assert_eq!(claims.claim(a, &[], one), Claimed::Mine);
        assert_eq!(claims.claim(b, &[], two), Claimed::Mine);
        let others = claims.clone();
        let wanted = one.hold();
        let waiter = std::thread::spawn(move || {
            let result = others.wait(b, &[], &Arc::new(Attention::new()), wanted.get());
            drop(others);
            result
        });
        while claims.claim(a, &[], two) != Claimed::Circular {
            std::thread::yield_now();
        }
        let attention = Arc::new(Attention::new());
        assert_eq!(claims.wait(a, &[], &attention, two), Ok(false));
        // `one` is done when `two` is, for whoever comes to it, and for what they have claimed.
        let (c, three) = (ThreadId::from_number(3), Atom::of("claims: three"));
        assert_eq!(claims.claim(c, &[], three), Claimed::Mine);
        claims.release(a, one);
        assert_eq!(waiter.join().expect("it ends"), Ok(true));
        assert_eq!(claims.half_done(c, one), [two]);
        assert_eq!(claims.half_done(b, three), [two]);
        claims.release(b, two);
        assert!(claims.half_done(c, one).is_empty());
        assert!(claims.half_done(c, three).is_empty());
        drop(claims);
        assert_eq!([one, two, three].map(Atom::holders), [Some(0); 3]);
    }

    /// One that ends was taken half done itself since: who has taken it waits for that.
    #[test]
    fn what_waits_for_a_claim_waits_for_what_that_waits_for() {
        let claims = Claims::default();
        let [a, b, c] = [1, 2, 3].map(ThreadId::from_number);
        let [one, two, three] =
            ["one", "two", "three"].map(|n| Atom::of(&format!("claims: {n} of three")));
        for (thread, key) in [(a, one), (b, two), (c, three)] {
            assert_eq!(claims.claim(thread, &[], key), Claimed::Mine);
        }
        claims.0.lock().depend(c, &[one.hold()]);
        claims.release(c, three);
        assert_eq!(claims.half_done(c, three), [one]);
        claims.0.lock().depend(a, &[two.hold()]);
        claims.release(a, one);
        assert_eq!(claims.half_done(c, three), [two]);
        claims.release(b, two);
        assert!(claims.half_done(c, three).is_empty());
    }

    #[test]
    fn of_a_threads_own_claims_the_oldest_ends_last() {
        let claims = Claims::default();
        let (a, b) = (ThreadId::from_number(1), ThreadId::from_number(2));
        let keys = ["outer", "middle", "inner"].map(|n| Atom::of(&format!("claims: {n}")));
        for key in keys {
            assert_eq!(claims.claim(a, &[], key), Claimed::Mine);
        }
        let [outer, middle, inner] = keys;
        claims.take_half_done(a, middle);
        claims.take_half_done(a, outer);
        claims.take_half_done(a, middle);
        claims.release(a, inner);
        assert_eq!(claims.half_done(b, inner), [outer]);
        assert_eq!(claims.half_done(b, middle), [outer]);
        assert!(claims.half_done(b, outer).is_empty());
        claims.release(a, middle);
        assert_eq!(claims.half_done(b, inner), [outer]);
        claims.release(a, outer);
        assert!(claims.half_done(b, inner).is_empty());
    }

    #[test]
    fn who_has_asked_an_engine_waits_for_what_it_waits_for() {
        let claims = Arc::new(Claims::default());
        let [a, b, engine] = [1, 2, 3].map(ThreadId::from_number);
        let (one, two) = (Atom::of("claims: of a"), Atom::of("claims: of b"));
        assert_eq!(claims.claim(a, &[], one), Claimed::Mine);
        assert_eq!(claims.claim(b, &[], two), Claimed::Mine);
        assert_eq!(claims.claim(engine, &[a], one), Claimed::Circular);
        let attention = Arc::new(Attention::new());
        assert_eq!(claims.wait(engine, &[a], &attention, one), Ok(false));
        let (others, wanted) = (claims.clone(), two.hold());
        let waiter = std::thread::spawn(move || {
            let attention = Arc::new(Attention::new());
            let result = others.wait(engine, &[a], &attention, wanted.get());
            drop(others);
            result
        });
        while claims.claim(b, &[], one) != Claimed::Circular {
            std::thread::yield_now();
        }
        claims.release(b, two);
        assert_eq!(waiter.join().expect("it ends"), Ok(true));
        assert_eq!(claims.claim(b, &[], one), Claimed::Taken);
    }
}

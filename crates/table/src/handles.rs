//! The handles of queues and mutexes that the tables name ([`samite_term::counted`]).
//!
//! A table space is counted once for each that it has, in however many places it is. Tokens are told by their bits alone: a word of a number that
//! looks like a handle is one here, and keeps what it names at worst a little longer. So such a word may have been there before the object was; it is asked
//! again whenever the token comes to another place.
//!
//! ```text
//! uses[t].places   nodes of tries with token t, and places of t among values. Entered before the place is made, left when it is freed
//! uses[t].counted  whether retain was called, and found the object: so release is called once, with the last place
//! ```
//!
//! Called by `trie` and `moded`, and by [`crate::space`] when all goes.

use samite_term::counted::{self, Neighbours};
use samite_term::{Cell, common, growth};
use std::collections::HashMap;

#[derive(Debug)]
struct Uses {
    places: usize,
    counted: bool,
}

/// See the module text.
#[derive(Debug, Default)]
pub(crate) struct Handles {
    uses: HashMap<u64, Uses, Neighbours>,
}

#[inline]
fn looks_like_one(token: u64) -> bool {
    Cell(token).counted_handle().is_some()
}

fn retain(token: u64) -> bool {
    Cell(token).counted_handle().is_some_and(counted::retain)
}

impl Handles {
    /// A place is about to be made for a token. False: there is no memory, and nothing has changed.
    #[inline]
    pub(crate) fn enter(&mut self, token: u64) -> bool {
        !looks_like_one(token) || self.enter_handle(token)
    }
    /// It is freed, or was not made after all.
    #[inline]
    pub(crate) fn leave(&mut self, token: u64) {
        if looks_like_one(token) {
            self.leave_handle(token);
        }
    }
    /// The same for all of some tokens.
    pub(crate) fn enter_all(&mut self, tokens: &[u64]) -> bool {
        let refused = tokens.iter().position(|&t| !self.enter(t));
        if let Some(n) = refused {
            self.leave_all(&tokens[..n]);
        }
        refused.is_none()
    }
    /// See [`Handles::leave`].
    pub(crate) fn leave_all(&mut self, tokens: &[u64]) {
        tokens.iter().for_each(|&t| self.leave(t));
    }

    #[cold]
    #[inline(never)]
    fn enter_handle(&mut self, token: u64) -> bool {
        if let Some(u) = self.uses.get_mut(&token) {
            u.places += 1;
            u.counted = u.counted || retain(token);
            return true;
        }
        let room = growth::map_room(&mut self.uses, common::system_has);
        if room {
            let counted = retain(token);
            self.uses.insert(token, Uses { places: 1, counted });
        }
        room
    }
    #[cold]
    #[inline(never)]
    fn leave_handle(&mut self, token: u64) {
        let Some(u) = self.uses.get_mut(&token) else {
            debug_assert!(false, "a handle is left that was not entered");
            return;
        };
        u.places -= 1;
        if u.places == 0 {
            let counted = u.counted;
            self.uses.remove(&token);
            if counted && let Some(handle) = Cell(token).counted_handle() {
                counted::release(handle);
            }
        }
    }
    /// All places are gone.
    pub(crate) fn clear(&mut self) {
        for (token, u) in std::mem::take(&mut self.uses) {
            if u.counted
                && let Some(handle) = Cell(token).counted_handle()
            {
                counted::release(handle);
            }
        }
    }
    /// Bytes that it takes.
    pub(crate) fn bytes(&self) -> usize {
        growth::map_bytes(&self.uses)
    }
    /// Panics if the places are not those of the tokens that were found.
    pub(crate) fn verify(&self, tokens: impl Iterator<Item = u64>) {
        let mut found: HashMap<u64, usize> = HashMap::new();
        for t in tokens.filter(|&t| looks_like_one(t)) {
            *found.entry(t).or_default() += 1;
        }
        assert_eq!(found.len(), self.uses.len(), "handles that are in no table");
        for (t, n) in found {
            assert_eq!(self.uses.get(&t).map(|u| u.places), Some(n));
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::TableSpace;
    use samite_term::counted::{self, Grave};
    use samite_term::{Cell, Handle, HandleKind, Kind};
    use std::sync::Arc;
    use std::sync::atomic::{AtomicU64, Ordering};

    /// A number that no other test has.
    fn fresh() -> (Handle, u64) {
        static NEXT: AtomicU64 = AtomicU64::new(1 << 42);
        let n = NEXT.fetch_add(1, Ordering::Relaxed);
        let h = Handle::new(HandleKind::Mutex, n);
        (h, Cell::of_handle(h).0)
    }

    /// An object that nobody names, unless `entered` makes it so.
    fn dropped(grave: &Arc<Grave>, entered: impl FnOnce(u64)) -> Handle {
        let (h, token) = fresh();
        assert!(counted::enter(h, grave));
        entered(token);
        counted::release(h);
        h
    }

    fn call(space: &mut TableSpace, pred: usize, tokens: &[u64]) -> crate::FramePtr {
        let mut node = space.subgoal_root(pred).unwrap();
        for &t in tokens {
            node = space.subgoal_step(node, t).unwrap();
        }
        space.subgoal_leaf(node).unwrap().0
    }

    fn answer(space: &mut TableSpace, frame: crate::FramePtr, tokens: &[u64]) -> crate::AnswerPtr {
        let mut node = space.answer_root(frame);
        for &t in tokens {
            node = space.answer_step(node, t).unwrap();
        }
        space.answer_leaf(frame, node);
        node
    }

    /// What waits is taken out.
    fn taken(grave: &Grave) -> Vec<Handle> {
        let mut all: Vec<_> = std::iter::from_fn(|| grave.next()).collect();
        all.retain(|&h| counted::take(h));
        all.sort_unstable();
        all
    }

    #[test]
    fn what_a_table_names_stays_as_long_as_the_table() {
        let grave = Arc::new(Grave::default());
        let mut space = TableSpace::new();
        // In a call; in answers of two calls, many enough to be hashed; in one that is given up.
        let a = dropped(&grave, |t| {
            call(&mut space, 1, &[t, 5]);
        });
        let frames = [call(&mut space, 1, &[7]), call(&mut space, 2, &[7])];
        let many: Vec<_> = (0..40)
            .map(|i| {
                dropped(&grave, |t| {
                    for frame in frames {
                        answer(&mut space, frame, &[i / 2, t, i]);
                    }
                })
            })
            .collect();
        let given_up = dropped(&grave, |t| {
            let root = space.answer_root(frames[0]);
            let node = space.answer_step(root, t).unwrap();
            let node = space.answer_step(node, 3).unwrap();
            space.answer_forget(node);
        });
        space.verify();
        assert_eq!(taken(&grave), [given_up]);
        space.remove_subgoal(frames[0]);
        space.verify();
        assert_eq!(taken(&grave), []);
        space.abolish_pred(2);
        space.verify();
        assert_eq!(taken(&grave), many);
        let b = dropped(&grave, |t| {
            call(&mut space, 3, &[t]);
        });
        space.abolish_all();
        space.verify();
        assert_eq!(taken(&grave), [a, b]);
        let c = dropped(&grave, |t| {
            call(&mut space, 3, &[t]);
        });
        drop(space);
        assert_eq!(taken(&grave), [c]);
    }

    #[test]
    fn a_value_that_is_replaced_names_nothing_any_more() {
        let grave = Arc::new(Grave::default());
        let mut space = TableSpace::new();
        let frame = call(&mut space, 1, &[7]);
        space.moded_begin(frame).unwrap();
        let key = {
            let root = space.answer_root(frame);
            space.answer_step(root, 1).unwrap()
        };
        let handles: Vec<_> = (0..4)
            .map(|i| {
                dropped(&grave, |t| {
                    space.moded_set(frame, key, &[t, i]).unwrap();
                    if i == 0 {
                        space.answer_leaf(frame, key);
                    }
                })
            })
            .collect();
        space.verify();
        assert_eq!(taken(&grave), handles[..3]);
        space.moded_complete(frame);
        space.remove_subgoal(frame);
        assert_eq!(taken(&grave), handles[3..]);
        // With all of a predicate, and with all.
        for all in [false, true] {
            let frame = call(&mut space, 1, &[7]);
            space.moded_begin(frame).unwrap();
            let key = {
                let root = space.answer_root(frame);
                space.answer_step(root, 1).unwrap()
            };
            let h = dropped(&grave, |t| {
                space.moded_set(frame, key, &[t, t]).unwrap();
            });
            space.answer_leaf(frame, key);
            assert_eq!(taken(&grave), []);
            match all {
                true => space.abolish_all(),
                false => space.abolish_pred(1),
            }
            assert_eq!(taken(&grave), [h]);
        }
    }

    /// A float with the bits of a handle, in a table before there is such an object, and gone before it.
    #[test]
    fn words_that_look_like_handles_take_nothing_away() {
        let grave = Arc::new(Grave::default());
        let mut space = TableSpace::new();
        let float = Cell::header(Kind::Float, 0).0;
        let (h, token) = fresh();
        let alike = call(&mut space, 1, &[float, token]);
        assert!(counted::enter(h, &grave));
        let named = call(&mut space, 2, &[token]);
        counted::release(h);
        space.remove_subgoal(alike);
        space.verify();
        assert_eq!(taken(&grave), []);
        space.remove_subgoal(named);
        assert_eq!(taken(&grave), [h]);
    }
}

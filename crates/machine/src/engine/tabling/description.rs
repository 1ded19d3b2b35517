//! What a shared evaluation is known by: the calls of its subgoals, and for each of these how many consumers it has and what they go on with. Two threads share the work of what is described alike
//! (`cooperation.rs`, which alone asks for it).
//!
//! A consumer is described by a hash of 128 bits: its owner's call, the code of the frames up to the answer, the terms in them with variables numbered as they are met, and the catches it is in. What
//! two threads cannot compare (assignments, places in their stacks that are still there) is not described.
//!
//! *Invariant*: what is described alike has the same answers given the same answers of its subgoals. The heap is afterwards as it was.

use super::codec::{Variables, encode};
use super::tabled;
use crate::engine::worker::Worker;
use crate::state::choice::{is_marked_gone, is_offset};
use crate::state::frame::{resume_of, slots_of};
use crate::state::internal::{Internal, code};
use crate::state::tabling::GONE;
use crate::state::tabling::cooperation::Why;
use crate::state::tabling::negation::Wait;
use rustc_hash::FxHashSet;
use samite_table::State;
use samite_term::growth::{self, Refused};
use samite_term::{Cell, Kind, Tag};

/// Tokens that are looked at to compare consumers, at most for each of them and in all.
const COMPARED: (usize, usize) = (200, 1 << 20);
/// Frames in slots of frames in slots.
const NESTED: usize = 8;

/// What two evaluations have to have in common.
pub(super) struct Described {
    /// The call of each subgoal, with the number of its predicate.
    pub(super) keys: Vec<Box<[u64]>>,
    /// Its common consumers, oldest first.
    pub(super) common: Vec<Vec<u32>>,
    /// Their number, and the sum of their hashes.
    pub(super) consumers: Vec<(u32, u128)>,
}

/// Why an evaluation is not described.
pub(super) enum Undescribed {
    Because(Why),
    Refused,
}

impl From<Refused> for Undescribed {
    fn from(_: Refused) -> Undescribed {
        Undescribed::Refused
    }
}

impl From<Why> for Undescribed {
    fn from(why: Why) -> Undescribed {
        Undescribed::Because(why)
    }
}

/// A hash of 128 bits, of words.
struct Hash([u64; 2]);

impl Hash {
    fn new() -> Hash {
        Hash([0x243f_6a88_85a3_08d3, 0x1319_8a2e_0370_7344])
    }
    fn add(&mut self, word: u64) {
        // (Two hashes by folded multiplication, with constants of their own.)
        for (h, by) in (self.0.iter_mut()).zip([0x9e37_79b9_7f4a_7c15, 0xc2b2_ae3d_27d4_eb4f]) {
            let product = u128::from(*h ^ word) * u128::from(by | 1u64);
            *h = ((product >> 64) as u64 ^ product as u64).wrapping_add(by);
        }
    }
    fn value(&self) -> u128 {
        u128::from(self.0[0]) << 64 | u128::from(self.0[1])
    }
}

impl Worker {
    /// What others must have as well to share the evaluation.
    pub(super) fn describe(&mut self) -> Result<Described, Undescribed> {
        let t = &self.thread.tabling;
        let Some(share) = &t.share else {
            return Err(Why::Room.into());
        };
        let (leader, end) = (share.leader as usize, share.subgoals as usize);
        let first = t.stack[leader].older as usize;
        let last = share.consumers as usize;
        if !t.conditions.is_empty() {
            return Err(Why::Negation.into());
        }
        let generation = t.stack[leader].generation;
        let mut seen_calls = FxHashSet::default();
        let mut keys: Vec<Box<[u64]>> = growth::with_room(end - leader)?;
        for i in leader..end {
            let s = &self.thread.tabling.stack[i];
            let frame = s.frame;
            if s.kind != 0 || !tabled::is_shared(frame) || s.generation != generation {
                return Err(Why::Tables.into());
            }
            if frame.state() != State::Incomplete || !frame.may_have_rows() {
                return Err(Why::Answers.into());
            }
            let key = self.key_of_table(frame, generation)?;
            let boxed: Result<Box<[u64]>, Refused> =
                growth::list(key.iter().copied()).map(|k| k.into());
            self.thread.tabling.tokens = key;
            let boxed = boxed?;
            let mut hash = Hash::new();
            boxed.iter().for_each(|&w| hash.add(w));
            // (Tables abolished one by one may be evaluated twice.)
            if !growth::add(&mut seen_calls, hash.value())? {
                return Err(Why::Tables.into());
            }
            keys.push(boxed);
        }
        let mut hashes = growth::with_room(keys.len())?;
        hashes.extend(keys.iter().map(|k| {
            let mut hash = Hash::new();
            k.iter().for_each(|&w| hash.add(w));
            hash.value()
        }));
        let mut common = growth::list((leader..end).map(|_| Vec::new()))?;
        let mut consumers = growth::list((leader..end).map(|_| (0u32, 0u128)))?;
        let mut budget = COMPARED.0 * (last - first) + COMPARED.1;
        for c in first..last {
            let consumer = &self.thread.tabling.consumers[c];
            let (owner, subgoal) = (consumer.owner as usize, consumer.subgoal as usize);
            if consumer.wait != Wait::Answers || consumer.general {
                return Err(Why::Negation.into());
            }
            if !(leader..end).contains(&owner) || !(leader..end).contains(&subgoal) {
                return Err(Why::Suspended.into());
            }
            let hash = self.hash_of_consumer(c, hashes[owner - leader], &mut budget)?;
            growth::push(&mut common[subgoal - leader], c as u32)?;
            let all = &mut consumers[subgoal - leader];
            *all = (all.0 + 1, all.1.wrapping_add(hash));
        }
        Ok(Described {
            keys,
            common,
            consumers,
        })
    }

    /// A hash of all that a suspended call goes on with, its variables numbered as they are met.
    fn hash_of_consumer(
        &mut self,
        consumer: usize,
        owner: u128,
        budget: &mut usize,
    ) -> Result<u128, Undescribed> {
        let t = &self.thread.tabling;
        let c = &t.consumers[consumer];
        let (k, template, saved, marks) = (c.k, c.template, c.saved, c.marks);
        let next = t.consumers.get(consumer + 1);
        let (end, marks_end) = next.map_or((t.saved.len(), t.marks.len()), |n| (n.saved, n.marks));
        // (What was assigned may be a global variable's.)
        if t.saved[saved..end]
            .iter()
            .any(|s| !s.0.is_ref() && s.0 != GONE)
        {
            return Err(Why::Suspended.into());
        }
        let mark = self.heap.mark();
        self.bind_again(saved, end);
        let mut hashed = Hashed {
            hash: Hash::new(),
            variables: Variables::of_answer(),
            work: Vec::new(),
            left: *budget,
        };
        hashed.hash.add(owner as u64);
        hashed.hash.add((owner >> 64) as u64);
        let done = (|| {
            // SAFETY: cells of this heap, in which nothing is collected meanwhile.
            unsafe {
                if template.tag() != Tag::Str {
                    return Err(Undescribed::from(Why::Answers));
                }
                hashed.term(template)?;
                for m in &self.thread.tabling.marks[marks..marks_end] {
                    hashed.hash.add(m.alternative as u64);
                    hashed.term(m.args[0])?;
                    hashed.term(m.args[1])?;
                }
                hashed.chain(k.frame())
            }
        })();
        // SAFETY: nothing was allocated or collected since.
        unsafe { self.heap.unbind(mark) };
        *budget = hashed.left;
        done.map(|()| hashed.hash.value())
    }
}

/// What has been seen of a consumer.
struct Hashed {
    hash: Hash,
    variables: Variables,
    work: Vec<Cell>,
    left: usize,
}

impl Hashed {
    fn pay(&mut self, tokens: usize) -> Result<(), Undescribed> {
        self.left = (self.left.checked_sub(tokens)).ok_or(Why::Suspended)?;
        Ok(())
    }

    /// # Safety
    /// A term of a live heap.
    unsafe fn term(&mut self, t: Cell) -> Result<(), Undescribed> {
        let (hash, mut tokens) = (&mut self.hash, 0);
        let mut step = |token| {
            hash.add(token);
            tokens += 1;
            Ok(())
        };
        // SAFETY: promised by the caller.
        unsafe { encode(t, &mut self.variables, &mut self.work, self.left, &mut step) }
            .map_err(|_| Why::Suspended)?;
        self.pay(tokens)
    }

    /// The frames from `f` to that of the answer.
    ///
    /// # Safety
    /// A continuation of a live heap, in an evaluation.
    unsafe fn chain(&mut self, mut f: *mut Cell) -> Result<(), Undescribed> {
        // SAFETY: promised by the caller: each frame has a parent, up to that of the answer.
        unsafe {
            loop {
                let resume = resume_of(*f);
                if resume == code(Internal::Answer) {
                    // (Its owner was told before.)
                    return self.term(*f.add(3));
                }
                self.frame(f, 0)?;
                f = (*f.add(1)).frame();
                if f.is_null() {
                    return Err(Why::Suspended.into());
                }
            }
        }
    }

    /// # Safety
    /// A frame of a live heap.
    unsafe fn frame(&mut self, f: *mut Cell, depth: usize) -> Result<(), Undescribed> {
        // SAFETY: promised by the caller; a frame has so many slots.
        unsafe {
            let n = slots_of(*f);
            self.hash.add(resume_of(*f) as u64);
            self.hash.add(n as u64);
            self.pay(n + 2)?;
            for i in 0..n {
                let slot = *f.add(2 + i);
                if is_offset(slot) || is_marked_gone(slot) {
                    // (It is gone, whatever it was.)
                    self.hash.add(1);
                } else if !slot.is_hdr() {
                    self.term(slot)?;
                } else if slot.kind() != Kind::FramePtr || depth == NESTED {
                    return Err(Why::Suspended.into());
                } else if slot.frame().is_null() {
                    self.hash.add(2);
                } else {
                    self.hash.add(3);
                    self.frame(slot.frame(), depth + 1)?;
                }
            }
        }
        Ok(())
    }
}

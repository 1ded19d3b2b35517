//! Answers that hold under conditions: the delay lists of SLG resolution (W. Chen, D. S. Warren, "Tabled Evaluation with Delaying for General
//! Logic Programs", Journal of the ACM 43, 1996), their simplification, and answer completion.
//!
//! An answer that was derived while negative literals were put off, or from another one that was, is *conditional*: it has one or more
//! delay lists, each a conjunction of [literals](Literal). One that has been derived without any is unconditional, and has no entry here.
//! When the subgoals that a component consists of are complete, what is known of the literals is used ([`Conditions::simplify`]):
//!
//! ```text
//! a positive literal is true if its answer is unconditional, false if that has been withdrawn
//! a negative literal is true if its subgoal has no answer, false if it has an unconditional one, unless it is general
//! a true literal leaves its list; an empty list makes its answer unconditional; a false literal takes its list away, and the last list its answer
//! ```
//!
//! A *general* negative literal is one whose call a limit may have made more general than the program has it (`engine/tabling/restraints.rs`), so that an answer says of some
//! instances of the call that they are true, and nothing of the others: it is true if there are no answers, and else undefined.
//!
//! What is left then may support itself: answers all of whose lists need, by positive literals, others of the same kind. They are withdrawn,
//! and all others stay, undefined in the well-founded model.
//!
//! An answer whose value was joined from several derivations (`engine/tabling/moded.rs`) has one list, of all that these put off. If a literal of it
//! turns out to be false, the value would have been another: the answer stays undefined. Nor is one withdrawn because it only supports itself: there was a value before.
//!
//! Invariants: an entry of `answers` is an answer of the frame that it names in `frames`, or withdrawn; lists are neither empty nor
//! name a literal twice; the answers and frames that literals name are in a generation that there is, or the literal is [`Literal::UNKNOWN`].
//!
//! Called by the evaluation (`engine/tabling`), and by who shows the conditions (`builtins/tabling.rs`).

use rustc_hash::{FxHashMap, FxHashSet};
use samite_table::{AnswerPtr, FramePtr};
use samite_term::growth::{self, Refused};

/// What a derivation has put off.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(crate) struct Literal {
    /// Address of the subgoal's frame.
    pub(crate) frame: u64,
    /// Address of its conditional answer that was used; 0 if the literal is negative, [`GENERAL`] if it is that and general.
    pub(crate) answer: u64,
    /// That of the tables of the frame.
    pub(crate) generation: u32,
}

/// No address of an answer.
const GENERAL: u64 = u64::MAX;

impl Literal {
    /// One whose table has been abolished: whatever it was, it is undefined for ever.
    pub(crate) const UNKNOWN: Literal = Literal {
        frame: 0,
        answer: 0,
        generation: 0,
    };

    /// That a subgoal has no answers.
    pub(crate) fn negative(frame: FramePtr, generation: u32) -> Literal {
        Literal {
            frame: frame.to_bits(),
            answer: 0,
            generation,
        }
    }
    /// That no instance of a subgoal has answers of which one was meant.
    pub(crate) fn general(frame: FramePtr, generation: u32) -> Literal {
        Literal {
            answer: GENERAL,
            ..Literal::negative(frame, generation)
        }
    }
    /// That a conditional answer holds.
    pub(crate) fn positive(frame: FramePtr, answer: AnswerPtr, generation: u32) -> Literal {
        Literal {
            answer: answer.to_bits(),
            ..Literal::negative(frame, generation)
        }
    }
    /// Whether it is about an answer.
    pub(crate) fn is_positive(&self) -> bool {
        self.answer != 0 && self.answer != GENERAL
    }
    /// The keys of the literals that deny a subgoal, and of those of them that are general.
    pub(super) fn negative_keys(frame: u64) -> [(u64, u64); 2] {
        [(frame, 0), (frame, GENERAL)]
    }
    pub(super) fn key(&self) -> (u64, u64) {
        (self.frame, self.answer)
    }
}

/// Lists up to which a new one is compared with each.
const FEW: usize = 8;

/// The delay lists of an answer, the first one derived first.
#[derive(Debug, Default)]
pub(crate) struct Alternatives {
    pub(crate) lists: Vec<Vec<Literal>>,
    /// The same, while there are more than [`FEW`] and its table is incomplete. (One that is kept twice does no harm.)
    pub(super) known: FxHashSet<Vec<Literal>>,
}

impl Alternatives {
    fn has(&self, list: &[Literal]) -> bool {
        if self.lists.len() <= FEW {
            self.lists.iter().any(|l| l == list)
        } else {
            self.known.contains(list)
        }
    }
    fn add(&mut self, list: Vec<Literal>) -> Result<(), Refused> {
        if self.lists.len() > FEW {
            growth::add(&mut self.known, growth::list(list.iter().copied())?)?;
        } else if self.lists.len() == FEW {
            for l in self.lists.iter().chain([&list]) {
                growth::add(&mut self.known, growth::list(l.iter().copied())?)?;
            }
        }
        growth::push(&mut self.lists, list)
    }
}

/// What is known of an answer that is not unconditional.
#[derive(Debug)]
pub(crate) enum Status {
    Conditional(Alternatives),
    Withdrawn,
}

/// A frame that has, or had, conditional answers.
#[derive(Debug)]
pub(super) struct OfFrame {
    generation: u32,
    /// So many answers are conditional.
    pub(super) conditional: usize,
    /// They are among these.
    pub(super) answers: Vec<u64>,
    /// They have values that are joined.
    pub(super) joined: bool,
}

/// The answers of all tables of a thread that are not unconditional.
#[derive(Debug, Default)]
pub(crate) struct Conditions {
    pub(super) answers: FxHashMap<u64, Status>,
    pub(super) frames: FxHashMap<u64, OfFrame>,
    /// Answers of frames with joined values that are among those of their frame, and conditional no more.
    listed: FxHashSet<u64>,
    /// Literals in all lists, for what they take.
    pub(super) literals: usize,
}

/// What is known of something.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Truth {
    False,
    Undefined,
    True,
}

impl Conditions {
    /// Whether every answer of every table is unconditional.
    #[inline]
    pub(crate) fn is_empty(&self) -> bool {
        self.answers.is_empty()
    }
    /// The invariants of the module text, in debug builds; `stays` tells which generations there are.
    pub(crate) fn verify(&self, stays: impl Fn(u32) -> bool) {
        if !cfg!(debug_assertions) || self.answers.len() > 200 {
            return;
        }
        let (mut known, mut literals) = (0, 0);
        for (&bits, f) in &self.frames {
            assert!(stays(f.generation), "conditions of tables that are gone");
            // SAFETY: a frame of a generation that there is.
            let frame = unsafe { FramePtr::from_bits(bits) };
            let conditional = self.of_frame(bits).count();
            assert_eq!(f.conditional, conditional);
            assert!(conditional <= frame.answer_count());
            known += f
                .answers
                .iter()
                .filter(|a| self.answers.contains_key(a))
                .count();
        }
        assert_eq!(known, self.answers.len(), "each is of one frame");
        for status in self.answers.values() {
            let Status::Conditional(a) = status else {
                continue;
            };
            assert!(!a.lists.is_empty());
            for list in &a.lists {
                assert!(!list.is_empty());
                let sorted = |w: &[Literal]| w[0] < w[1] || w[0] == Literal::UNKNOWN;
                assert!(list.windows(2).all(sorted));
                literals += list.len();
            }
        }
        assert_eq!(literals, self.literals);
    }
    /// About what they take.
    pub(crate) fn bytes(&self) -> usize {
        if self.answers.is_empty() {
            return 0;
        }
        growth::map_bytes(&self.answers)
            + growth::map_bytes(&self.frames)
            + self.answers.len() * 64
            + self.literals * size_of::<Literal>()
    }
    /// Whether an answer holds under conditions.
    #[inline]
    pub(crate) fn is_conditional(&self, answer: AnswerPtr) -> bool {
        !self.answers.is_empty()
            && matches!(
                self.answers.get(&answer.to_bits()),
                Some(Status::Conditional(_))
            )
    }
    /// The delay lists of an answer; none if it is unconditional.
    pub(crate) fn of(&self, answer: u64) -> &[Vec<Literal>] {
        match self.answers.get(&answer) {
            Some(Status::Conditional(a)) => &a.lists,
            _ => &[],
        }
    }
    /// Whether the answers of a frame have values that are joined.
    pub(super) fn is_joined(&self, frame: u64) -> bool {
        self.frames.get(&frame).is_some_and(|f| f.joined)
    }
    /// The conditional answers of a frame, the first derived first.
    pub(crate) fn of_frame(&self, frame: u64) -> impl Iterator<Item = u64> + '_ {
        let all = self.frames.get(&frame).map_or(&[][..], |f| &f.answers);
        all.iter()
            .copied()
            .filter(|a| matches!(self.answers.get(a), Some(Status::Conditional(_))))
    }
    /// The conditional answers of all frames: generation, frame and answer.
    pub(crate) fn all(&self) -> impl Iterator<Item = (u32, u64, u64)> + '_ {
        let frames = self.frames.iter();
        frames.flat_map(|(&frame, f)| self.of_frame(frame).map(move |a| (f.generation, frame, a)))
    }
    /// How many there are of a frame.
    pub(super) fn count_of(&self, frame: u64) -> usize {
        if self.frames.is_empty() {
            return 0;
        }
        self.frames.get(&frame).map_or(0, |f| f.conditional)
    }
    /// What the answers so far say of a subgoal.
    pub(crate) fn subgoal(&self, frame: FramePtr) -> Truth {
        match frame.answer_count() {
            0 => Truth::False,
            all if all > self.count_of(frame.to_bits()) => Truth::True,
            _ => Truth::Undefined,
        }
    }

    /// What the answers so far say of a literal: of a negative one that is true, that there are none so far.
    pub(crate) fn literal(&self, l: &Literal) -> Truth {
        if *l == Literal::UNKNOWN {
            return Truth::Undefined;
        }
        if l.is_positive() {
            return match self.answers.get(&l.answer) {
                None => Truth::True,
                Some(Status::Conditional(_)) => Truth::Undefined,
                Some(Status::Withdrawn) => Truth::False,
            };
        }
        // SAFETY: the frame of a literal that is not unknown, whose generation there is.
        match self.subgoal(unsafe { FramePtr::from_bits(l.frame) }) {
            Truth::False => Truth::True,
            Truth::True if l.answer != GENERAL => Truth::False,
            _ => Truth::Undefined,
        }
    }

    /// An answer was derived under these conditions, none if there are no literals; `new`: for the first time.
    pub(crate) fn record(
        &mut self,
        frame: FramePtr,
        generation: u32,
        answer: AnswerPtr,
        new: bool,
        mut list: Vec<Literal>,
    ) -> Result<(), Refused> {
        let (answer, frame) = (answer.to_bits(), frame.to_bits());
        if list.is_empty() {
            if !new && let Some(Status::Conditional(a)) = self.answers.remove(&answer) {
                self.literals -= a.lists.iter().map(Vec::len).sum::<usize>();
                if let Some(f) = self.frames.get_mut(&frame) {
                    f.conditional -= 1;
                    if f.joined {
                        growth::add(&mut self.listed, answer)?;
                    }
                }
            }
            return Ok(());
        }
        list.sort_unstable();
        list.dedup();
        let more = list.len();
        if new {
            growth::map_have(&mut self.answers, 1)?;
            growth::map_have(&mut self.frames, 1)?;
            let f = self.frames.entry(frame).or_insert_with(|| OfFrame {
                generation,
                conditional: 0,
                answers: Vec::new(),
                joined: false,
            });
            if !self.listed.remove(&answer) {
                growth::push(&mut f.answers, answer)?;
            }
            let mut alternatives = Alternatives::default();
            alternatives.add(list)?;
            f.conditional += 1;
            self.answers
                .insert(answer, Status::Conditional(alternatives));
        } else if let Some(Status::Conditional(a)) = self.answers.get_mut(&answer)
            && !a.has(&list)
        {
            a.add(list)?;
        } else {
            return Ok(());
        }
        self.literals += more;
        Ok(())
    }

    /// The value of an answer was joined with that of a derivation that has put this off, or (`own`) is that one's alone.
    pub(crate) fn join(
        &mut self,
        frame: FramePtr,
        generation: u32,
        answer: AnswerPtr,
        own: bool,
        mut list: Vec<Literal>,
    ) -> Result<(), Refused> {
        let bits = answer.to_bits();
        // What it was derived from may be the value before, whose conditions are those until now.
        let from_itself = list.iter().any(|l| l.answer == bits);
        list.retain(|l| l.answer != bits);
        if !own || from_itself {
            for &l in self.of(bits).iter().flatten() {
                growth::push(&mut list, l)?;
            }
        }
        if list.is_empty() {
            return self.record(frame, generation, answer, false, list);
        }
        list.sort_unstable();
        list.dedup();
        if let Some(Status::Conditional(a)) = self.answers.get_mut(&bits) {
            self.literals -= a.lists.iter().map(Vec::len).sum::<usize>();
            self.literals += list.len();
            a.lists.clear();
            return a.add(list);
        }
        self.record(frame, generation, answer, true, list)?;
        if let Some(f) = self.frames.get_mut(&frame.to_bits()) {
            f.joined = true;
        }
        Ok(())
    }

    /// The table of a frame goes, which nobody has seen: its conditions, and what was withdrawn.
    pub(crate) fn remove_frame(&mut self, frame: FramePtr) {
        if let Some(f) = self.frames.remove(&frame.to_bits()) {
            f.answers.into_iter().for_each(|a| self.forget(a));
        }
    }
    pub(super) fn forget(&mut self, answer: u64) {
        if !self.listed.is_empty() {
            self.listed.remove(&answer);
        }
        if let Some(Status::Conditional(a)) = self.answers.remove(&answer) {
            self.literals -= a.lists.iter().map(Vec::len).sum::<usize>();
        }
    }

    /// Tables of some generations are gone.
    pub(crate) fn keep(&mut self, stays: impl Fn(u32) -> bool) {
        if self.frames.is_empty() {
            return;
        }
        let gone = self.frames.extract_if(|_, f| !stays(f.generation));
        let gone: Vec<u64> = gone.flat_map(|(_, f)| f.answers).collect();
        gone.into_iter().for_each(|a| self.forget(a));
        for status in self.answers.values_mut() {
            if let Status::Conditional(a) = status {
                for list in &mut a.lists {
                    let before = list.len();
                    let gone = list.iter_mut().filter(|l| !stays(l.generation));
                    gone.for_each(|l| *l = Literal::UNKNOWN);
                    list.sort_unstable();
                    list.dedup();
                    self.literals -= before - list.len();
                }
            }
        }
        if self.frames.is_empty() {
            // (What is left are answers that were withdrawn, which nobody names any more.)
            *self = Conditions::default();
        }
    }
}

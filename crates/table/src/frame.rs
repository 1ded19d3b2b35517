//! Table entries and subgoal frames (paper, section II.A).
//!
//! A table entry is the point of entry for a predicate, and holds the root of its subgoal trie. A subgoal frame is the
//! leaf data structure of one tabled call, and holds the root of its answer trie: a call without answers costs
//! nothing but its path in the subgoal trie and its frame. A frame is one cache line: its first half is the root node,
//! whose token and sibling, meaningless in a root, are the evaluator's tag and the newest answer. Where answers are [rows](crate::rows), `first` and that sibling are words of
//! theirs, and the trie is empty.
//!
//! Differs from the paper in: not split into a shared entry and a private frame: what threads share of answers is shared as a whole ([`crate::joint`], [`crate::frozen`]).
//!
//! Invariants: see [`TableSpace::verify`](crate::TableSpace::verify). Handles are valid as [`crate::node`] says.

use crate::calls::CallNode;
use crate::frozen::{self, Frozen};
use crate::node::{Answer, AnswerPtr, Node, NodePtr, Ptr, Subgoal};
use crate::rows::Rows;
use crate::seen::Bits;
use std::fmt;
use std::ptr::{NonNull, null_mut, without_provenance_mut};

/// How far the evaluation of a subgoal is. The table space only keeps it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum State {
    /// Made by [`TableSpace::subgoal_leaf`](crate::TableSpace::subgoal_leaf); nothing has been evaluated.
    Fresh = 0,
    /// Under evaluation: answers may be added.
    Incomplete = 1,
    /// All answers are there.
    Complete = 2,
}

/// The state of a complete frame whose answers are shared ([`crate::frozen`]): `first` refers to them.
const FROZEN: u8 = 3;

/// How the answers of a frame are kept, if they are not shared.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Form {
    /// In the trie below the root; there may be none.
    Trie,
    /// As [rows](crate::rows), in the words that are otherwise for the first and the newest answer.
    Inline,
    /// As rows.
    Rows,
}

// The second byte of `count`: tokens of a row, and these.
const WIDTH: u8 = 15;
const WIDE: u8 = 16;
const INLINE: u8 = 32;
const ROWS: u8 = 64;
const BITS: u8 = 128;

/// The place of the number of answers in `count`.
const ANSWERS: u32 = 16;

/// A table entry. One cache line.
#[repr(C)]
pub struct Entry {
    /// Root of the subgoal trie; first, so that its address is that of the entry.
    root: Node<Subgoal>,
    pub(crate) pred: usize,
    pub(crate) subgoals: usize,
    pub(crate) answers: usize,
    pub(crate) repeated: usize,
}

/// A subgoal frame. One cache line.
#[repr(C)]
pub struct Frame {
    /// Root of the answer trie; its token is the tag, its sibling the newest answer.
    root: Node<Answer>,
    entry: EntryPtr,
    leaf: NodePtr,
    first: *mut Node<Answer>,
    /// Number of answers `<< 16 |` form `<< 8 | State`.
    count: u64,
}

const _: () = assert!(size_of::<Entry>() == 64 && size_of::<Frame>() == 64);

/// A handle to a table entry.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct EntryPtr(NonNull<Entry>);

impl EntryPtr {
    /// Makes an entry in fresh memory.
    pub fn init(memory: NonNull<u8>, pred: usize) -> EntryPtr {
        let entry = memory.cast::<Entry>();
        // SAFETY: memory for an entry, from the allocator.
        unsafe {
            entry.write(Entry {
                root: Node::new(0, None, null_mut()),
                pred,
                subgoals: 0,
                answers: 0,
                repeated: 0,
            });
        }
        EntryPtr(entry)
    }
    /// The entry of a root.
    #[inline]
    pub fn of_root(root: NodePtr) -> EntryPtr {
        debug_assert!(root.parent().is_none());
        // SAFETY: a handle is not null; a root is the first field of its entry.
        EntryPtr(unsafe { NonNull::new_unchecked(root.as_ptr().cast()) })
    }
    #[inline]
    pub fn root(self) -> NodePtr {
        Ptr::new(self.0.cast())
    }
    pub fn memory(self) -> NonNull<u8> {
        self.0.cast()
    }
    pub fn get(&self) -> &Entry {
        // SAFETY: liveness; shared with nobody who writes while the reference lives: it ends in the same statement.
        unsafe { self.0.as_ref() }
    }
    /// The counters `(subgoals, answers)` change by these.
    #[inline]
    pub fn count(self, subgoals: isize, answers: isize) {
        let e = self.0.as_ptr();
        // SAFETY: liveness; no reference to an entry outlives a statement.
        unsafe {
            (*e).subgoals = (*e).subgoals.wrapping_add_signed(subgoals);
            (*e).answers = (*e).answers.wrapping_add_signed(answers);
        }
    }
    #[inline]
    pub fn count_repeated(self) {
        // SAFETY: as in `count`.
        unsafe { (*self.0.as_ptr()).repeated += 1 };
    }
}

/// A handle to a subgoal frame; valid as [`crate::node`] says.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct FramePtr(NonNull<Frame>);

impl FramePtr {
    /// Makes a frame in fresh memory.
    pub(crate) fn init(memory: NonNull<u8>, entry: EntryPtr, leaf: NodePtr) -> FramePtr {
        let frame = memory.cast::<Frame>();
        // SAFETY: memory for a frame, from the allocator.
        unsafe {
            frame.write(Frame {
                root: Node::new(0, None, null_mut()),
                entry,
                leaf,
                first: null_mut(),
                count: State::Fresh as u64,
            });
        }
        FramePtr(frame)
    }
    /// The frame that is there.
    #[inline]
    pub(crate) fn of_memory(frame: NonNull<Frame>) -> FramePtr {
        FramePtr(frame)
    }
    /// What is the leaf of a frame whose call is one that threads share ([`crate::calls`]): an odd address, that is followed as [`FramePtr::common_leaf`] only.
    pub(crate) fn leaf_of(node: NonNull<CallNode>) -> NodePtr {
        let odd = node.as_ptr().cast::<Node<Subgoal>>().map_addr(|a| a | 1);
        // SAFETY: an odd address is not null.
        Ptr::new(unsafe { NonNull::new_unchecked(odd) })
    }
    /// The node of such a leaf.
    #[inline]
    pub(crate) fn common_node(leaf: NodePtr) -> Option<NonNull<CallNode>> {
        let odd = leaf.as_ptr();
        match odd.addr() & 1 {
            0 => None,
            _ => NonNull::new(odd.map_addr(|a| a & !1).cast()),
        }
    }
    /// See [`FramePtr::leaf_of`].
    #[inline]
    pub(crate) fn common_leaf(self) -> Option<NonNull<CallNode>> {
        FramePtr::common_node(self.leaf())
    }
    /// The frame of a leaf of a subgoal trie.
    #[inline]
    pub(crate) fn of_leaf(leaf: NodePtr) -> FramePtr {
        // SAFETY: the target of a leaf of a subgoal trie is its frame, never null.
        FramePtr(unsafe { NonNull::new_unchecked(leaf.leaf_target().cast()) })
    }
    #[inline]
    pub(crate) fn memory(self) -> NonNull<u8> {
        self.0.cast()
    }
    #[inline]
    fn ptr(self) -> *mut Frame {
        self.0.as_ptr()
    }

    /// The address, to be kept in a machine word; a multiple of 64.
    #[inline]
    pub fn to_bits(self) -> u64 {
        self.ptr().expose_provenance() as u64
    }
    /// The handle of an address.
    ///
    /// # Safety
    /// `bits` is from [`FramePtr::to_bits`].
    #[inline]
    pub unsafe fn from_bits(bits: u64) -> FramePtr {
        // SAFETY: the address of a frame is not null.
        FramePtr(unsafe {
            NonNull::new_unchecked(std::ptr::with_exposed_provenance_mut(bits as usize))
        })
    }

    #[inline]
    pub(crate) fn root(self) -> AnswerPtr {
        Ptr::new(self.0.cast())
    }
    #[inline]
    pub(crate) fn entry(self) -> EntryPtr {
        // SAFETY: liveness.
        unsafe { (*self.ptr()).entry }
    }
    /// The leaf of the subgoal trie that belongs to this frame.
    #[inline]
    pub(crate) fn leaf(self) -> NodePtr {
        // SAFETY: liveness.
        unsafe { (*self.ptr()).leaf }
    }
    #[inline]
    fn count(self) -> u64 {
        // SAFETY: liveness.
        unsafe { (*self.ptr()).count }
    }
    #[inline]
    fn set_count(self, count: u64) {
        // SAFETY: liveness; no reference to a frame ever exists.
        unsafe { (*self.ptr()).count = count }
    }

    /// The predicate, as given to [`TableSpace::subgoal_root`](crate::TableSpace::subgoal_root).
    #[inline]
    pub fn pred(self) -> usize {
        self.entry().get().pred
    }
    /// How far the evaluation is. Panics if the handle is noticed to be stale.
    #[inline]
    pub fn state(self) -> State {
        match self.count() as u8 {
            0 => State::Fresh,
            1 => State::Incomplete,
            2 | FROZEN => State::Complete,
            _ => panic!("handle of a removed table"),
        }
    }
    /// Sets the state.
    #[inline]
    pub fn set_state(self, state: State) {
        self.set_count(self.count() & !0xff | state as u64);
    }
    /// Number of answers.
    #[inline]
    pub fn answer_count(self) -> usize {
        (self.count() >> ANSWERS) as usize
    }
    #[inline]
    fn form_byte(self) -> u8 {
        (self.count() >> 8) as u8
    }
    /// How the answers are kept.
    #[inline]
    pub(crate) fn form(self) -> Form {
        match self.form_byte() & (INLINE | ROWS) {
            0 => Form::Trie,
            INLINE => Form::Inline,
            _ => Form::Rows,
        }
    }
    /// Whether its answers are rows.
    #[inline]
    pub fn has_rows(self) -> bool {
        self.form() != Form::Trie
    }
    /// Whether its answers are rows, or those to come can be.
    #[inline]
    pub fn may_have_rows(self) -> bool {
        self.has_rows() || self.answer_count() == 0
    }
    /// Whether handles of its answers are their numbers.
    #[inline]
    fn is_numbered(self) -> bool {
        self.has_rows() || self.is_frozen()
    }
    /// Whether its answers are numbered by their [`Bits`].
    #[inline]
    pub(crate) fn has_bits(self) -> bool {
        self.form_byte() & BITS != 0
    }
    /// Those of a frame that has them.
    #[inline(always)]
    pub(crate) fn bits(self) -> Option<Bits> {
        if self.is_frozen() {
            // SAFETY: liveness: the answers are those of an import of this frame.
            unsafe { (*(*self.ptr()).first.cast::<Frozen>()).bits() }
        } else {
            Some(self.own_bits())
        }
    }
    /// What its answers are, if they are shared.
    #[inline]
    pub(crate) fn frozen(self) -> Option<*const Frozen> {
        // SAFETY: liveness.
        self.is_frozen()
            .then(|| unsafe { (*self.ptr()).first.cast_const().cast() })
    }
    /// Its rows, of which there is a header, are those of their bits from now on.
    pub(crate) fn set_bits(self) {
        debug_assert!(self.form() == Form::Rows);
        let form = self.form_byte() | BITS;
        self.set_count(self.count() & !0xff00 | u64::from(form) << 8);
    }
    /// Tokens of a row, and whether they have 64 bits each.
    #[inline]
    pub(crate) fn width(self) -> usize {
        (self.form_byte() & WIDTH) as usize
    }
    /// See [`FramePtr::width`].
    #[inline]
    pub(crate) fn is_wide(self) -> bool {
        self.form_byte() & WIDE != 0
    }
    /// The header of a frame whose form that is.
    #[inline]
    pub(crate) fn rows(self) -> NonNull<Rows> {
        debug_assert!(self.form() == Form::Rows);
        // SAFETY: liveness; a header is not null.
        unsafe { NonNull::new_unchecked((*self.ptr()).first.cast()) }
    }
    /// The words of rows that are in the frame itself.
    #[inline]
    pub(crate) fn inline_words(self) -> [u64; 2] {
        // SAFETY: liveness.
        unsafe {
            [
                (*self.ptr()).first.addr() as u64,
                (*self.ptr()).root.sibling.addr() as u64,
            ]
        }
    }
    fn set_form(self, form: u8, width: usize, wide: bool) {
        let form = form | width as u8 | if wide { WIDE } else { 0 };
        self.set_count(self.count() & !0xff00 | u64::from(form) << 8);
    }
    /// Has so many rows, in these words.
    pub(crate) fn set_inline(self, width: usize, wide: bool, words: [u64; 2], count: usize) {
        // SAFETY: liveness; no reference to a frame ever exists.
        unsafe {
            (*self.ptr()).first = without_provenance_mut(words[0] as usize);
            (*self.ptr()).root.sibling = without_provenance_mut(words[1] as usize);
        }
        self.set_form(INLINE, width, wide);
        self.set_answer_count(count);
    }
    /// Its rows are those of the header.
    pub(crate) fn set_rows(self, width: usize, wide: bool, header: NonNull<Rows>) {
        // SAFETY: liveness; no reference to a frame ever exists.
        unsafe {
            (*self.ptr()).first = header.as_ptr().cast();
            (*self.ptr()).root.sibling = null_mut();
        }
        self.set_form(ROWS, width, wide);
    }
    /// Has no answers, and a trie to put them in.
    pub(crate) fn clear_rows(self) {
        if !self.has_rows() {
            return;
        }
        // SAFETY: liveness; no reference to a frame ever exists.
        unsafe {
            (*self.ptr()).first = null_mut();
            (*self.ptr()).root.sibling = null_mut();
        }
        self.set_form(0, 0, false);
        self.set_answer_count(0);
    }
    /// So many rows are there.
    #[inline]
    pub(crate) fn set_answer_count(self, count: usize) {
        self.set_count(self.count() & 0xffff | (count as u64) << ANSWERS);
    }

    /// Whether its answers are shared.
    #[inline]
    pub fn is_frozen(self) -> bool {
        self.count() as u8 == FROZEN
    }
    /// It is complete, with these answers, which are shared and stay as long as it has them.
    pub(crate) fn set_frozen(self, answers: &Frozen) {
        let count = answers.count() as u64;
        let form = match (answers.bits(), answers.width()) {
            (Some(_), Some(width)) => BITS | width as u8,
            _ => 0,
        };
        // SAFETY: liveness; no reference to a frame ever exists.
        unsafe { (*self.ptr()).first = std::ptr::from_ref(answers).cast_mut().cast() };
        self.set_count(count << ANSWERS | u64::from(form) << 8 | u64::from(FROZEN));
    }
    /// The oldest answer.
    #[inline]
    pub fn first_answer(self) -> Option<AnswerPtr> {
        if self.has_bits() {
            return self.bits()?.next(0).map(frozen::handle);
        }
        if self.is_numbered() {
            return (self.answer_count() > 0).then(|| frozen::handle(0));
        }
        // SAFETY: liveness.
        Ptr::from_raw(unsafe { (*self.ptr()).first })
    }
    /// The newest answer.
    #[inline]
    pub fn last_answer(self) -> Option<AnswerPtr> {
        if self.has_bits() {
            return self.bits()?.last().map(frozen::handle);
        }
        if self.is_numbered() {
            return self.answer_count().checked_sub(1).map(frozen::handle);
        }
        // SAFETY: liveness.
        Ptr::from_raw(unsafe { (*self.ptr()).root.sibling })
    }
    /// The answer that was added after `answer`.
    #[inline]
    pub fn next_answer(self, answer: AnswerPtr) -> Option<AnswerPtr> {
        if let Some(number) = frozen::number(answer) {
            if self.has_bits() {
                return self.bits()?.next(number + 1).map(frozen::handle);
            }
            return (number + 1 < self.answer_count()).then(|| frozen::handle(number + 1));
        }
        answer.next_answer()
    }
    /// The evaluator's own word; 0 at first.
    #[inline]
    pub fn tag(self) -> u64 {
        // SAFETY: liveness.
        unsafe { (*self.ptr()).root.token }
    }
    /// Sets the evaluator's own word.
    #[inline]
    pub fn set_tag(self, tag: u64) {
        // SAFETY: liveness; no reference to a frame ever exists.
        unsafe { (*self.ptr()).root.token = tag }
    }

    /// Appends `leaf`, a bare node of this frame's trie, to the answers.
    #[inline]
    pub(crate) fn append(self, leaf: AnswerPtr) {
        leaf.set_leaf(null_mut());
        let frame = self.ptr();
        let last = self.last_answer();
        // SAFETY: liveness; no reference to a frame ever exists.
        unsafe {
            match last {
                Some(last) => last.set_leaf(leaf.as_ptr().cast()),
                None => (*frame).first = leaf.as_ptr(),
            }
            (*frame).root.sibling = leaf.as_ptr();
        }
        self.set_count(self.count() + (1 << ANSWERS));
    }

    /// Unlinks the answers that `stays` does not want, which [`AnswerPtr::is_withdrawn`] tells from then on; how many they are.
    pub(crate) fn retain_answers(self, mut stays: impl FnMut(AnswerPtr) -> bool) -> usize {
        let frame = self.ptr();
        let mut withdrawn = 0;
        let mut at = self.first_answer();
        let mut last: Option<AnswerPtr> = None;
        while let Some(answer) = at {
            at = answer.next_answer();
            if stays(answer) {
                match last {
                    Some(last) => last.set_leaf(answer.as_ptr().cast()),
                    // SAFETY: liveness; no reference to a frame ever exists.
                    None => unsafe { (*frame).first = answer.as_ptr() },
                }
                last = Some(answer);
            } else {
                answer.withdraw();
                withdrawn += 1;
            }
        }
        if let Some(last) = last {
            last.set_leaf(null_mut());
        }
        // SAFETY: as above.
        unsafe {
            (*frame).root.sibling = last.map_or(null_mut(), |a| a.as_ptr());
            if last.is_none() {
                (*frame).first = null_mut();
            }
        }
        self.set_count(self.count() - ((withdrawn as u64) << ANSWERS));
        withdrawn
    }
}

impl fmt::Debug for FramePtr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "frame@{:p}", self.0)
    }
}

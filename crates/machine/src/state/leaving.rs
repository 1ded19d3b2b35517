//! What leaves goals before they have no more solutions: exceptions on their way to a handler.

use samite_heap::Heap;
use samite_term::{Cell, Functor, Record, Tag, atoms};
use std::time::Instant;

/// What was thrown.
#[derive(Debug)]
pub(crate) struct Ball {
    pub(crate) record: Record,
    /// The same on the heap, where backtracking does not get it, once somebody has looked at it. A root of collections while a handler runs.
    pub(crate) brought: Option<Cell>,
    /// How high the trail was before that was done.
    before: usize,
}

impl From<Record> for Ball {
    fn from(record: Record) -> Ball {
        Ball {
            record,
            brought: None,
            before: 0,
        }
    }
}

impl Ball {
    /// The term, in words that were reserved. It is good until the next backtracking, unless it is [kept](Ball::keep).
    pub(crate) fn bring(&mut self, heap: &mut Heap) -> Cell {
        match self.brought {
            Some(term) => term,
            None => {
                self.before = heap.trail().top();
                heap.instantiate_reserved(&self.record)
            }
        }
    }
    /// Bytes beside the heap.
    fn bytes(&self) -> usize {
        8 * self.record.len()
    }
    /// Keeps what was brought for who looks at it next.
    pub(crate) fn keep(&mut self, term: Cell, heap: &mut Heap) {
        // One that is not in the nursery is out of reach already, but for what its variables wait for. These may be old, and are remembered on the trail then.
        let is_reached = |term: Cell| heap.in_nursery(term.ptr()) || heap.has_had_attributed();
        if self.brought.is_none() && !term.is_immediate() && is_reached(term) {
            heap.capture(self.before);
        }
        self.brought = Some(term);
    }
}

/// An exception while a handler runs for it.
#[derive(Debug)]
pub(crate) struct OnItsWay {
    pub(crate) ball: Ball,
    /// The choicepoint it goes to.
    pub(crate) target: Cell,
    /// A handler threw it that a cut back to this choicepoint set off: the cut is done first, and only then is it known where it goes.
    pub(crate) after: Option<Cell>,
    /// What takes its place of what is thrown meanwhile.
    pub(crate) replaced: Replaced,
    /// Whether events were looked at where it is now.
    pub(crate) listened: bool,
    /// Since when it has found events on its way from the handler that has run last.
    pub(crate) disturbed: Option<Instant>,
}

/// The exceptions that wait for handlers. Linked, so that one that is added is small, however many there are.
#[derive(Debug, Default)]
pub(crate) struct OnTheirWay {
    newest: Option<Box<Waiting>>,
    len: usize,
    /// Of their balls.
    bytes: usize,
}

#[derive(Debug)]
struct Waiting {
    exception: OnItsWay,
    before: Option<Box<Waiting>>,
}

impl OnTheirWay {
    pub(crate) fn push(&mut self, exception: OnItsWay) {
        self.bytes += exception.ball.bytes();
        let before = self.newest.take();
        self.newest = Some(Box::new(Waiting { exception, before }));
        self.len += 1;
    }
    pub(crate) fn pop(&mut self) -> Option<OnItsWay> {
        let Waiting { exception, before } = *self.newest.take()?;
        self.newest = before;
        self.len -= 1;
        self.bytes -= exception.ball.bytes();
        Some(exception)
    }
    /// The handler of the newest has thrown another one, whose ball takes its place if it is more urgent.
    pub(crate) fn offer(&mut self, other: OnItsWay) {
        if let Some(Waiting { exception, .. }) = self.newest.as_deref_mut()
            && exception.yields_to(&other)
        {
            self.bytes -= exception.ball.bytes();
            self.bytes += other.ball.bytes();
            exception.ball = other.ball;
        }
    }
    /// Bytes of their balls beside the heap.
    pub(crate) fn bytes(&self) -> usize {
        self.bytes
    }
    pub(crate) fn len(&self) -> usize {
        self.len
    }
    /// From the newest on.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &OnItsWay> {
        std::iter::successors(self.newest.as_deref(), |w| w.before.as_deref()).map(|w| &w.exception)
    }
    /// Calls `f` with each.
    pub(crate) fn for_each_mut(&mut self, mut f: impl FnMut(&mut OnItsWay)) {
        let mut next = self.newest.as_deref_mut();
        while let Some(waiting) = next {
            f(&mut waiting.exception);
            next = waiting.before.as_deref_mut();
        }
    }
    pub(crate) fn clear(&mut self) {
        while self.pop().is_some() {}
    }
}

impl Drop for OnTheirWay {
    /// One by one: they may be many.
    fn drop(&mut self) {
        self.clear();
    }
}

/// What takes the place of an exception of what is thrown while it waits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Replaced {
    /// Nothing: it passes goals that have exited, as in SWI-Prolog.
    Never,
    /// By something more urgent, from a handler.
    ByMoreUrgent,
    /// By anything, from an event that does not wait for its way (`engine/signal_goals.rs`): who sent that must not lose it. An abort stays.
    UnlessAbort,
}

impl OnItsWay {
    pub(crate) fn new(ball: Record) -> OnItsWay {
        OnItsWay {
            ball: ball.into(),
            target: Cell::ZERO,
            after: None,
            replaced: Replaced::ByMoreUrgent,
            listened: true,
            disturbed: None,
        }
    }
    /// The ball, where it is on the heap: a root.
    pub(crate) fn brought(&self) -> Option<Cell> {
        self.ball.brought
    }
    pub(crate) fn brought_mut(&mut self) -> Option<&mut Cell> {
        self.ball.brought.as_mut()
    }
    /// Whether another takes its place.
    pub(crate) fn yields_to(&self, other: &OnItsWay) -> bool {
        let [this, that] = [self, other].map(|e| Urgency::of(&e.ball.record));
        match self.replaced {
            Replaced::Never => false,
            Replaced::ByMoreUrgent => that > this,
            Replaced::UnlessAbort => this != Urgency::Abort,
        }
    }
}

/// Which of two exceptions is the one that goes on.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Urgency {
    Other,
    Error,
    Resource,
    Timeout,
    Abort,
}

impl Urgency {
    pub(crate) fn of(ball: &Record) -> Urgency {
        match functor_at(ball, 0) {
            Some((f, _)) if f == Functor::new(atoms::ABORT, 0) => Urgency::Abort,
            Some((f, _)) if f.name().as_str() == "time_limit_exceeded" => Urgency::Timeout,
            Some((f, at)) if f == Functor::new(atoms::ERROR, 2) => match functor_at(ball, at + 1) {
                Some((g, _)) if g.name() == atoms::RESOURCE_ERROR => Urgency::Resource,
                _ => Urgency::Error,
            },
            _ => Urgency::Other,
        }
    }
}

/// The functor of the atom or compound in word `i` of a record, and where it is.
fn functor_at(record: &Record, mut i: usize) -> Option<(Functor, usize)> {
    loop {
        let c = Cell(record.words()[i]);
        let at = c.address() as usize / 8;
        return match c.tag() {
            Tag::Con if c.is_atom() => Some((Functor::new(c.atom_of(), 0), i)),
            Tag::Str => Some((Functor::from_cell(Cell(record.words()[at])), at)),
            Tag::Ref if at != i => {
                i = at;
                continue;
            }
            _ => None,
        };
    }
}

/// What leaves goals before they have no more solutions.
#[derive(Debug, Default)]
pub(crate) struct Leaving {
    /// Number of cleanup choicepoints on the stack; a cut looks for them only if there are any.
    pub cleanups: usize,
    /// Exceptions for which cleanup handlers run, the innermost last.
    pub on_their_way: OnTheirWay,
}

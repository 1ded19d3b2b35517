//! Returning those answers of a complete table that fit a call with some arguments bound: it reads from the table of a more general call, because its predicate is tabled
//! `as subsumptive`, or because the call was made more general (`subgoal_abstract`).
//!
//! The answers of large tables are found by lists ([`samite_table::Selections`]), each for calls that are bound in the same places ([`super::shapes`]). Where a list has
//! many answers that fit whatever is asked for, as they have variables, one that asks for less is made and tried. They are returned one after the other; a choicepoint stays only while there is another one that may
//! fit.
//!
//! A list is made by the choicepoint that waits for it: part after part, with a safe point in between, and nothing is lost of it if the goal is given up there. Where there is no room for a list, or too many
//! are there, answers are looked through, with a safe point from time to time.
//!
//! *Cost*: log N + what is returned + answers with variables where the call is bound, if no list asks for less.

use super::codec::{Unfit, Variables, encode};
use super::{shapes, tabled};
use crate::engine::going::Go;
use crate::engine::worker::Worker;
use crate::error::Throw;
use crate::state::internal::cells;
use crate::state::tabling::{frame_of, raw};
use samite_table::{AnswerPtr, Found, FramePtr, Key, Selections};
use samite_term::growth::{self, Refused};
use samite_term::view::deref;
use samite_term::{Cell, Functor, Tag};

/// Answers of tables that have fewer are looked through.
const MANY: usize = if cfg!(debug_assertions) { 4 } else { 32 };

/// So many answers are looked at, even if another list had fewer of them.
const FEW: usize = if cfg!(debug_assertions) { 2 } else { 16 };

/// Answers that are looked at until there is a safe point.
const UNSEEN: usize = if cfg!(debug_assertions) { 8 } else { 1024 };

/// Lists that a table has.
const LISTS: usize = 16;

/// How often a list is tried that asks for less.
const LOOSER: usize = 4;

/// Where the answers come from.
#[derive(Clone, Copy, PartialEq)]
enum Way {
    /// From a list that is still to be made.
    ToMake,
    /// All are looked at, by their handles.
    All,
    /// From this list, by their places.
    List(usize),
    /// The same, and it asks for all that the call has bound: what has its key fits.
    Exact(usize),
}

impl Way {
    fn cell(self) -> Cell {
        Cell::small(match self {
            Way::ToMake => -2,
            Way::All => -1,
            Way::List(i) => i as i64,
            Way::Exact(i) => (LISTS + i) as i64,
        })
    }
    fn in_cell(cell: Cell) -> Way {
        match cell.small_value() {
            -2 => Way::ToMake,
            -1 => Way::All,
            i if (i as usize) < LISTS => Way::List(i as usize),
            i => Way::Exact(i as usize - LISTS),
        }
    }
}

/// Where somebody is who reads: where the next answer is that has not been looked at.
type Place = (Way, u64);

/// An answer that may fit, or where to look on after a safe point.
enum Next {
    Fits(Place, AnswerPtr),
    Later(Place),
    None,
}

/// A table, with the tokens of the call that reads it.
struct Reader {
    frame: FramePtr,
    generation: u32,
    call: Vec<u64>,
}

impl Worker {
    /// Whether a call with this template is returned only some of the answers of a complete table.
    #[inline]
    pub(super) fn selects(&self, frame: FramePtr, template: Cell) -> bool {
        if template.tag() != Tag::Str || frame.answer_count() < 2 {
            return false;
        }
        // SAFETY: a template is a structure of this heap.
        let n = Functor::from_cell(unsafe { *template.ptr() }).arity();
        // SAFETY: as above, with so many arguments.
        let is_free = |i: usize| unsafe { deref(*template.ptr().add(i)) }.is_ref();
        !(1..=n).all(is_free) && tabled::modes(frame).is_empty()
    }

    /// Such a call; `None`: it has no tokens, and gets all answers.
    pub(super) fn return_selected(
        &mut self,
        frame: FramePtr,
        generation: u32,
        template: Cell,
    ) -> Result<Option<Go>, Throw> {
        let Some(reader) = self.reader(frame, generation, template)? else {
            return Ok(None);
        };
        let go = match self.way_for(&reader)? {
            Some(place @ (Way::ToMake, _)) => {
                self.push_selected(&reader, template, place)?;
                Go::Fail
            }
            Some(place) => self.go_on_selected(&reader, template, place, false)?,
            None => Go::Fail,
        };
        Ok(Some(go))
    }

    /// Alternative `Selected`. A safe point.
    pub(in crate::engine) fn tabling_next_selected(&mut self) -> Result<Go, Throw> {
        if let Some(go) = self.point_if_wanted()? {
            return Ok(go);
        }
        let cells::Selected {
            template,
            subgoal,
            next,
            generation,
            way,
        } = self.b.cells();
        // SAFETY: made from the frame of a complete table of a generation that this choicepoint keeps.
        let frame = unsafe { frame_of(subgoal) };
        let generation = generation.small_value() as u32;
        if let Way::Exact(list) = Way::in_cell(way)
            && let Some((answer, next)) = self.next_of_key(frame, generation, list, next.payload())
        {
            match next {
                // SAFETY: the choicepoint has five arguments.
                Some(next) => unsafe { *self.b.arg(2) = raw(next as u64) },
                None => self.pop_choice(),
            }
            return self.resume_with(template, frame, generation, answer);
        }
        // (It had tokens when the choicepoint was made.)
        let reader = (self.reader(frame, generation, template)?).ok_or(Refused)?;
        let mut place = (Way::in_cell(way), next.payload());
        if place.0 == Way::ToMake {
            let found = match self.make_part(&reader) {
                Ok(false) => return Ok(Go::Fail),
                Ok(true) => self.way_for(&reader)?,
                // It is given up: the answers need none.
                Err(Refused) => all_of(frame),
            };
            match found {
                Some((Way::ToMake, _)) => return Ok(Go::Fail),
                Some(found) => place = found,
                None => {
                    self.pop_choice();
                    return Ok(Go::Fail);
                }
            }
        }
        self.go_on_selected(&reader, template, place, true)
    }

    /// The answer at a place of a list that fits by its key, and the place behind it, if that one fits so, too, or there is none.
    #[inline]
    fn next_of_key(
        &mut self,
        frame: FramePtr,
        generation: u32,
        list: usize,
        at: u64,
    ) -> Option<(AnswerPtr, Option<usize>)> {
        self.thread.tabling.tables.counts.looked_at += 1;
        let space = self.thread.tabling.tables.of(generation);
        let lists = space.selections(frame)?;
        let next = lists.next(list, at as usize);
        let is_keyed = |at: usize| lists.has_key(list, at);
        let fits = is_keyed(at as usize) && next.is_none_or(is_keyed);
        fits.then(|| (lists.answer(list, at as usize), next))
    }

    /// The tokens of the terms in a template.
    fn reader(
        &self,
        frame: FramePtr,
        generation: u32,
        template: Cell,
    ) -> Result<Option<Reader>, Throw> {
        let (mut variables, mut work) = (Variables::default(), Vec::new());
        let mut call = growth::with_room(8)?;
        // SAFETY: a template is a structure of this heap.
        let n = Functor::from_cell(unsafe { *template.ptr() }).arity();
        for i in 1..=n {
            let mut step = |t| growth::push(&mut call, t);
            let limit = self.most_tokens();
            // SAFETY: arguments of the template are terms of this heap.
            let done = unsafe {
                let a = *template.ptr().add(i);
                encode(a, &mut variables, &mut work, limit, &mut step)
            };
            match done {
                Ok(()) => (),
                Err(Unfit::TooLong) => return Err(Throw::Memory),
                Err(Unfit::Cyclic | Unfit::Attributed) => return Ok(None),
            }
        }
        Ok(Some(Reader {
            frame,
            generation,
            call,
        }))
    }

    /// How the answers of a call are found; `None`: there are none. If a list is to be made it has been begun.
    fn way_for(&mut self, reader: &Reader) -> Result<Option<Place>, Throw> {
        let &Reader {
            frame, generation, ..
        } = reader;
        let all = all_of(frame);
        let shape = shapes::shape_of(&reader.call)?;
        if frame.answer_count() < MANY || shapes::is_all_free(&shape) {
            return Ok(all);
        }
        let space = self.thread.tabling.tables.of(generation);
        let (best, wanted) = match space.selections(frame) {
            None => (None, Some(shape)),
            Some(lists) if lists.is_making() => return Ok(Some((Way::ToMake, 0))),
            Some(lists) => {
                let best = best_list(lists, &reader.call, &shape);
                let is_enough = best.as_ref().is_some_and(|(_, f)| f.count() <= FEW);
                let wanted = match &best {
                    _ if is_enough || lists.count() >= LISTS => None,
                    Some((_, found)) if found.others() > FEW => self.looser(reader, shape)?,
                    _ => Some(shape).filter(|s| lists.of(s).is_none()),
                };
                (best, wanted)
            }
        };
        if let Some(shape) = wanted
            && self.has_room_for_list(frame, generation)
        {
            let space = self.thread.tabling.tables.of(generation);
            if space.begin_selection(frame, &shape).is_ok() {
                return Ok(Some((Way::ToMake, 0)));
            }
        }
        Ok(match best {
            Some((way, found)) => found.first().map(|at| (way, at as u64)),
            None => all,
        })
    }

    /// The shape of a list that is to be made for a call of this shape, as those that there are have many answers that fit any key.
    fn looser(&self, reader: &Reader, mut shape: Vec<u32>) -> Result<Option<Vec<u32>>, Throw> {
        let Some(space) = self.thread.tabling.tables.known(reader.generation) else {
            return Ok(None);
        };
        let Some(lists) = space.selections(reader.frame) else {
            return Ok(None);
        };
        let mut tokens = Vec::new();
        for _ in 0..LOOSER {
            let Some(list) = lists.of(&shape) else {
                return Ok(Some(shape));
            };
            let Some(other) = lists.other(list) else {
                break;
            };
            space.answer_tokens(reader.frame, other, &mut tokens)?;
            let looser = shapes::loosened(&reader.call, &shape, &tokens)?;
            if looser == shape || shapes::is_all_free(&looser) {
                break;
            }
            shape = looser;
        }
        Ok(None)
    }

    /// Lists stay with their tables, and answers must find room: one takes no more than a quarter of what is left while it is made, a quarter of that afterwards.
    fn has_room_for_list(&mut self, frame: FramePtr, generation: u32) -> bool {
        let space = self.thread.tabling.tables.of(generation);
        let bytes = space.bytes_of_selection(frame);
        let most = self.program.shared_tables.most_private();
        let tables = self.thread.tabling.bytes_of_tables();
        let fits = |used: usize, most: usize| bytes <= most.saturating_sub(used) / 4;
        fits(self.bytes_with_tables(), self.heap.limit_and_grace()) && fits(tables, most)
    }

    /// Goes on making a list; whether it is made. Refused: it is given up.
    fn make_part(&mut self, reader: &Reader) -> Result<bool, Refused> {
        let space = self.thread.tabling.tables.of(reader.generation);
        space.go_on_selecting(reader.frame, shapes::key_of)
    }

    /// The answer at a place, and the place behind it.
    fn at_place(&mut self, reader: &Reader, (way, at): Place) -> (AnswerPtr, Option<Place>) {
        let frame = reader.frame;
        match way {
            Way::List(list) | Way::Exact(list) => {
                let space = self.thread.tabling.tables.of(reader.generation);
                let Some(lists) = space.selections(frame) else {
                    unreachable!("lists are there as long as somebody reads")
                };
                let next = lists.next(list, at as usize).map(|n| (way, n as u64));
                (lists.answer(list, at as usize), next)
            }
            _ => {
                // SAFETY: an answer of this table.
                let answer = unsafe { AnswerPtr::from_bits(at) };
                let next = frame.next_answer(answer).map(|n| (way, n.to_bits()));
                (answer, next)
            }
        }
    }

    /// The first answer that may fit, from a place on.
    fn next_that_fits(
        &mut self,
        reader: &Reader,
        from: Option<Place>,
        tokens: &mut Vec<u64>,
    ) -> Result<Next, Throw> {
        let mut at = from;
        for _ in 0..UNSEEN {
            let Some(place) = at else {
                return Ok(Next::None);
            };
            self.thread.tabling.tables.counts.looked_at += 1;
            let (answer, next) = self.at_place(reader, place);
            let space = self.thread.tabling.tables.of(reader.generation);
            space.answer_tokens(reader.frame, answer, tokens)?;
            if shapes::may_fit(&reader.call, tokens) {
                return Ok(Next::Fits(place, answer));
            }
            at = next;
        }
        Ok(at.map_or(Next::None, Next::Later))
    }

    /// Returns the first answer that may fit, from a place on; `is_pushed`: the newest choicepoint is that of the call.
    fn go_on_selected(
        &mut self,
        reader: &Reader,
        template: Cell,
        place: Place,
        is_pushed: bool,
    ) -> Result<Go, Throw> {
        let mut tokens = Vec::new();
        let (answer, rest) = match self.next_that_fits(reader, Some(place), &mut tokens)? {
            Next::None => (None, None),
            Next::Later(place) => (None, Some(place)),
            Next::Fits(place, answer) => {
                let (_, behind) = self.at_place(reader, place);
                let rest = match self.next_that_fits(reader, behind, &mut tokens)? {
                    Next::None => None,
                    Next::Later(place) | Next::Fits(place, _) => Some(place),
                };
                (Some(answer), rest)
            }
        };
        match rest {
            Some((way, at)) if is_pushed => {
                let b = self.b;
                // SAFETY: the choicepoint has five arguments.
                unsafe { (*b.arg(2), *b.arg(4)) = (raw(at), way.cell()) };
            }
            Some(place) => self.push_selected(reader, template, place)?,
            None if is_pushed => self.pop_choice(),
            None => (),
        }
        match answer {
            Some(answer) => self.resume_with(template, reader.frame, reader.generation, answer),
            None => Ok(Go::Fail),
        }
    }

    fn push_selected(
        &mut self,
        reader: &Reader,
        template: Cell,
        (way, at): Place,
    ) -> Result<(), Throw> {
        self.push_alternative(cells::Selected {
            template,
            subgoal: raw(reader.frame.to_bits()),
            next: raw(at),
            generation: Cell::small(i64::from(reader.generation)),
            way: way.cell(),
        })?;
        Ok(())
    }
}

/// All answers are looked through; `None`: there are none.
fn all_of(frame: FramePtr) -> Option<Place> {
    frame.first_answer().map(|a| (Way::All, a.to_bits()))
}

/// The list that has the fewest answers for a call of this shape.
fn best_list(lists: &Selections, call: &[u64], shape: &[u32]) -> Option<(Way, Found)> {
    let mut best: Option<(Way, Found)> = None;
    for (i, known) in lists.shapes().enumerate() {
        // (The call is bound where this shape asks for something.)
        if let Key::Of(key) = shapes::key_of(known, call) {
            let found = lists.found(i, key);
            if best.as_ref().is_none_or(|(_, b)| found.count() < b.count()) {
                let is_exact = known == shape && shapes::is_exact(shape);
                let way = if is_exact { Way::Exact } else { Way::List };
                best = Some((way(i), found));
            }
        }
    }
    best
}

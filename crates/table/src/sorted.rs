//! Where the rows of a complete table are that have a certain token at a certain place: for calls that read their answers from a more general table.
//!
//! The numbers of all rows, in the order of their tokens at that place, are made when they are first asked for, four bytes a row, and kept with the frame.
//!
//! *Invariant* ([`TableSpace::verify`]): what is kept is of complete frames with rows of the same numbers, all of them, once for each place, in order;
//! `sorted_bytes` = Σ bytes of it. Whoever changes how the rows of a frame are kept, or frees it, forgets it ([`TableSpace::sorted_remove`]).
//!
//! *Cost*: making it takes sixteen bytes a row for that time, and no safe point is met meanwhile.
//!
//! Owner of the table space only.

use crate::alloc::StructAlloc;
use crate::cursor::{Cursor, Rows};
use crate::frame::{FramePtr, State};
use crate::frozen::handle;
use crate::node::AnswerPtr;
use crate::space::TableSpace;
use samite_term::common;
use samite_term::growth::{self, Refused};

/// Tables with fewer rows are looked through.
const MANY: usize = if cfg!(any(test, debug_assertions)) {
    4
} else {
    32
};

/// The numbers of a frame's rows by their tokens at one place.
pub(crate) struct Sorted {
    place: usize,
    numbers: Box<[u32]>,
}

impl Sorted {
    fn bytes(&self) -> usize {
        size_of::<Sorted>() + 4 * self.numbers.len()
    }
}

/// A token of the row that a cursor is at.
fn token(row: &Rows, place: usize) -> Option<u64> {
    fn of(row: &impl Cursor, place: usize) -> Option<u64> {
        (place < row.width()).then(|| row.token(place))
    }
    match row {
        Rows::Array(row) => of(row, place),
        Rows::Bits(row) => of(row, place),
        Rows::Shared(row) => of(row, place),
    }
}

/// The number of the row that a cursor is at; the cursor goes on. `None`: it has none that fits.
fn number(row: &Rows) -> Option<u32> {
    let answer = match row {
        Rows::Array(row) => row.answer(),
        Rows::Bits(row) => row.answer(),
        Rows::Shared(row) => row.answer(),
    };
    u32::try_from(answer.number()?).ok()
}

fn advance(row: &mut Rows) -> bool {
    match row {
        Rows::Array(row) => row.advance(),
        Rows::Bits(row) => row.advance(),
        Rows::Shared(row) => row.advance(),
    }
}

/// A token of the row of this number.
fn token_of(frame: FramePtr, number: u32, place: usize) -> Option<u64> {
    token(&frame.rows_from(handle(number as usize))?, place)
}

/// The rows of a complete frame in the order of their tokens at this place, those with the same one in order of their numbers. `None`: it has others.
fn sort(frame: FramePtr, place: usize) -> Result<Option<Sorted>, Refused> {
    let Some(mut row) = frame
        .first_answer()
        .and_then(|first| frame.rows_from(first))
    else {
        return Ok(None);
    };
    let mut all: Vec<(u64, u32)> = growth::with_room(frame.answer_count())?;
    loop {
        match (token(&row, place), number(&row)) {
            (Some(token), Some(number)) => growth::push(&mut all, (token, number))?,
            _ => return Ok(None),
        }
        if !advance(&mut row) {
            break;
        }
    }
    all.sort_unstable();
    let numbers = growth::list(all.into_iter().map(|(_, number)| number))?;
    Ok(Some(Sorted {
        place,
        numbers: numbers.into_boxed_slice(),
    }))
}

impl<A: StructAlloc> TableSpace<A> {
    /// The answers of a complete frame that have this token at this place, if it is worth while: it has many rows, and these are few of them. `None`: whoever asks looks through all.
    pub fn rows_with(
        &mut self,
        frame: FramePtr,
        place: usize,
        token: u64,
    ) -> Result<Option<Vec<AnswerPtr>>, Refused> {
        let count = frame.answer_count();
        if frame.state() != State::Complete || count < MANY {
            return Ok(None);
        }
        let known =
            (self.sorted.get(&frame)).is_some_and(|all| all.iter().any(|s| s.place == place));
        if !known {
            let Some(sorted) = sort(frame, place)? else {
                return Ok(None);
            };
            if !growth::map_room(&mut self.sorted, common::system_has) {
                return Err(Refused);
            }
            let bytes = sorted.bytes();
            growth::push(self.sorted.entry(frame).or_default(), sorted)?;
            self.sorted_bytes += bytes;
        }
        let Some(sorted) =
            (self.sorted.get(&frame)).and_then(|all| all.iter().find(|s| s.place == place))
        else {
            return Ok(None);
        };
        let numbers = &sorted.numbers;
        let first = numbers.partition_point(|&n| token_of(frame, n, place) < Some(token));
        let rest = &numbers[first..];
        let found = rest.partition_point(|&n| token_of(frame, n, place) <= Some(token));
        if found > count / 4 {
            return Ok(None);
        }
        growth::list(rest[..found].iter().map(|&n| handle(n as usize))).map(Some)
    }

    /// The rows of this frame are not what they were.
    pub(crate) fn sorted_remove(&mut self, frame: FramePtr) {
        if let Some(all) = self.sorted.remove(&frame) {
            self.sorted_bytes -= all.iter().map(Sorted::bytes).sum::<usize>();
        }
    }

    /// The same of all frames for which `stays` is false.
    pub(crate) fn sorted_retain(&mut self, stays: impl Fn(FramePtr) -> bool) {
        let gone: Vec<FramePtr> = (self.sorted.keys().copied())
            .filter(|&f| !stays(f))
            .collect();
        gone.into_iter().for_each(|frame| self.sorted_remove(frame));
    }

    /// See the module text.
    pub(crate) fn verify_sorted(&self) {
        let mut bytes = 0;
        for (&frame, all) in &self.sorted {
            assert!(frame.state() == State::Complete);
            for (i, sorted) in all.iter().enumerate() {
                assert!(all[..i].iter().all(|s| s.place != sorted.place));
                assert_eq!(sorted.numbers.len(), frame.answer_count());
                let tokens = sorted
                    .numbers
                    .iter()
                    .map(|&n| (token_of(frame, n, sorted.place), n));
                assert!(tokens.clone().all(|(token, _)| token.is_some()) && tokens.is_sorted());
                bytes += sorted.bytes();
            }
        }
        assert_eq!(self.sorted_bytes, bytes);
    }
}

#[cfg(test)]
mod tests {
    use crate::{State, TableSpace};
    use samite_term::Cell;

    /// With tokens near each other, which are kept as bits in the end, and far from each other.
    #[test]
    fn the_rows_with_a_token_are_found() {
        for apart in [1, 1_000_003] {
            let mut space = TableSpace::new();
            let root = space.subgoal_root(8).unwrap();
            let node = space.subgoal_step(root, 3).unwrap();
            let frame = space.subgoal_leaf(node).unwrap().0;
            let small = |n: i64| Cell::small(n).0;
            let rows: Vec<[u64; 2]> = (0..200i64)
                .map(|i| [small(i * 7919 % 23 * apart), small(i * apart)])
                .collect();
            for row in &rows {
                assert!(space.add_row(frame, row).unwrap());
            }
            assert!(space.rows_with(frame, 0, small(0)).unwrap().is_none());
            space.seal(frame, true);
            frame.set_state(State::Complete);
            space.verify();
            for k in 0..25 {
                let token = small(k * apart);
                let found = space.rows_with(frame, 0, token).unwrap().unwrap();
                let mut tokens = Vec::new();
                let mut read = Vec::new();
                for answer in found {
                    space.answer_tokens(frame, answer, &mut tokens).unwrap();
                    read.push([tokens[0], tokens[1]]);
                }
                let expected: Vec<_> = rows.iter().filter(|r| r[0] == token).copied().collect();
                assert_eq!(read, expected);
            }
            let one = space.rows_with(frame, 1, rows[17][1]).unwrap().unwrap();
            assert_eq!(one.len(), 1);
            // A place that rows have not.
            assert!(space.rows_with(frame, 2, small(0)).unwrap().is_none());
            assert!(space.sorted_bytes > 1600);
            space.verify();
            space.remove_subgoal(frame);
            space.verify();
            assert_eq!(space.sorted_bytes, 0);
        }
    }
}

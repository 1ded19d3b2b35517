//! The limit of depth that a thread has, and how deep its calls have come ([`crate::engine::control::depth`]).

use samite_term::Cell;

/// See the module text. Levels are small integers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Depth {
    most: u64,
    reached: u64,
}

const NO_LIMIT: u64 = 1 << 58;

impl Default for Depth {
    fn default() -> Depth {
        Depth::within(NO_LIMIT)
    }
}

impl Depth {
    /// No deeper than so many levels; none has been reached.
    pub fn within(most: u64) -> Depth {
        Depth {
            most: most.min(NO_LIMIT),
            reached: 0,
        }
    }
    /// As choicepoints and frames keep it.
    pub fn cells(self) -> [Cell; 2] {
        [self.most, self.reached].map(|n| Cell::small(n as i64))
    }
    pub fn of(cells: [Cell; 2]) -> Depth {
        let [most, reached] = cells.map(|c| c.small_value() as u64);
        Depth { most, reached }
    }
    #[inline(always)]
    pub fn is_limited(self) -> bool {
        self.most != NO_LIMIT
    }
    pub fn reached(self) -> u64 {
        self.reached
    }
    pub fn is_exceeded(self) -> bool {
        self.reached > self.most
    }
    /// A call at a level; whether that is not too deep.
    pub fn reach(&mut self, level: u64) -> bool {
        self.reached = self.reached.max(level);
        level <= self.most
    }
}

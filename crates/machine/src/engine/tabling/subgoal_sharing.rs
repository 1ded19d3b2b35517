//! Tables of predicates that are tabled `as subgoal_shared`: threads share the trie of calls, and nothing else ([`samite_table::calls`], the paper's design SS).
//!
//! What a table is, who evaluates it and who abolishes it is as with private tables: each thread has its own frame at a call, with its own answers. A table space has a part in the calls that threads
//! share from the first such call until it goes.

use super::codec::{Unfit, Variables, encode};
use crate::engine::worker::Worker;
use crate::error::Throw;
use samite_code::modes::Mode;
use samite_code::predicate::Predicate;
use samite_table::FramePtr;
use samite_term::Cell;
use samite_term::growth::{self, Refused};

impl Worker {
    /// The table of a call of such a predicate, made if there is none, and its generation.
    #[inline(never)]
    pub(super) fn find_common_table(
        &mut self,
        p: &'static Predicate,
        id: usize,
        modes: &[Mode],
        args: &[Cell],
        variables: &mut Variables,
    ) -> Result<(FramePtr, u32), Throw> {
        let limit = self.most_tokens();
        let is_key = |i: usize| modes.get(i).is_none_or(|m| *m == Mode::Index);
        let mut tokens = std::mem::take(&mut self.thread.tabling.tokens);
        tokens.clear();
        let mut work = Vec::new();
        let mut done = Ok(());
        for (_, &a) in args.iter().enumerate().filter(|&(i, _)| is_key(i)) {
            let mut step = |t| growth::push(&mut tokens, t);
            // SAFETY: arguments are terms of this heap.
            done = unsafe { encode(a, variables, &mut work, limit, &mut step) };
            if done.is_err() {
                break;
            }
        }
        let found = done.and_then(|()| self.common_table(id, &tokens).map_err(Unfit::from));
        super::sharing::shrink(&mut tokens);
        self.thread.tabling.tokens = tokens;
        let generation = self.thread.tabling.tables.current();
        match found {
            Ok(frame) => Ok((frame, generation)),
            Err(u) => Err(self.unfit_call(u, p, args)),
        }
    }

    fn common_table(&mut self, id: usize, tokens: &[u64]) -> Result<FramePtr, Refused> {
        let shared_tables = &self.program.shared_tables;
        let tables = &mut self.thread.tabling.tables;
        let space = tables.space_from(|| shared_tables.origin())?;
        if !space.has_joined() {
            space.join(&shared_tables.common_calls()?)?;
        }
        let (mut frame, new) = space.common_call(id, tokens)?;
        if !new && tables.is_hidden(frame) {
            frame = tables.show_again(frame)?;
        }
        tables.made += u64::from(new);
        Ok(frame)
    }
}

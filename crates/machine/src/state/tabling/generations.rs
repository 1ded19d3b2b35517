//! All tables of a thread, by the abolitions between which they were made; see `engine/tabling/generations.rs`.

use super::Tabling;
use super::dependencies::Dependencies;
use rustc_hash::FxHashSet;
use samite_table::{FramePtr, KindUse, Origin, PageAlloc, State, Statistics, TableSpace};
use samite_term::common;
use samite_term::growth::{self, Refused};

/// The tables made between two abolitions.
pub(crate) struct Generation {
    pub(crate) number: u32,
    pub(crate) space: Box<TableSpace>,
    /// Tables that were abolished one by one, and that somebody may still look at (`engine/tabling/inspection.rs`): no call finds them.
    pub(crate) hidden: FxHashSet<FramePtr>,
    /// Tables, by their bits, that a program has a name of, which it may use as that of a trie: no other term is.
    pub(crate) named: FxHashSet<u64>,
    /// Of incremental tables.
    pub(crate) dependencies: Dependencies,
}

/// What has been done, since the thread began.
#[derive(Clone, Copy, Default)]
pub(crate) struct Counts {
    pub(crate) calls: u64,
    pub(crate) evaluations: u64,
    pub(crate) renewals: u64,
    /// Answers of complete tables that were looked at for bound calls.
    pub(crate) looked_at: u64,
}

/// All tables of a thread.
#[derive(Default)]
pub(crate) struct Generations {
    pub(crate) all: Vec<Generation>,
    /// Number of the generation that new tables belong to.
    pub(crate) current: u32,
    /// Words of work done since the choicepoints were looked through.
    pub(crate) credit: usize,
    /// The changes of what is defined that have been seen to.
    pub(crate) seen: u64,
    /// So many tables have been made.
    pub(crate) made: u64,
    /// So many answers of replaced tables are kept before it is looked again whether they can be freed.
    pub(crate) retired_at: usize,
    /// Calls of tabled predicates, evaluations of tables, and of these those of tables that were there before.
    pub(crate) counts: Counts,
    /// The abolitions of shared tables that have been seen to.
    pub(crate) epoch: u64,
}

impl Generations {
    /// Whether there never was a table.
    pub(crate) fn is_new(&self) -> bool {
        let Generations {
            all,
            current,
            credit,
            seen,
            made,
            retired_at,
            counts,
            epoch,
        } = self;
        all.is_empty()
            && *current == 0
            && *credit == 0
            && *seen == 0
            && *made == 0
            && *retired_at == 0
            && counts.calls == 0
            && *epoch == 0
    }
    /// Number of the generation that new tables belong to.
    pub(crate) fn current(&self) -> u32 {
        self.current
    }

    /// The tables of the current generation.
    #[inline]
    pub(crate) fn space(&mut self) -> Result<&mut TableSpace, Refused> {
        self.space_from(Origin::default)
    }

    /// The same; where it takes its structures from, if it is begun now.
    #[inline]
    pub(crate) fn space_from(
        &mut self,
        origin: impl FnOnce() -> Origin,
    ) -> Result<&mut TableSpace, Refused> {
        if self.all.last().is_none_or(|g| g.number != self.current) {
            self.begin(origin())?;
        }
        // There is a last one.
        let last = self.all.len() - 1;
        Ok(&mut self.all[last].space)
    }

    #[cold]
    fn begin(&mut self, origin: Origin) -> Result<(), Refused> {
        if !common::system_has(size_of::<TableSpace>()) {
            return Err(Refused);
        }
        growth::push(
            &mut self.all,
            Generation {
                number: self.current,
                space: Box::new(TableSpace::with_alloc(PageAlloc::of(origin))),
                hidden: FxHashSet::default(),
                named: FxHashSet::default(),
                dependencies: Dependencies::default(),
            },
        )
    }

    /// The tables of a generation that is in use.
    #[inline]
    pub(crate) fn of(&mut self, number: u32) -> &mut TableSpace {
        let i = self.all.iter().rposition(|g| g.number == number);
        &mut self.all[i.expect("a generation in use is kept")].space
    }

    /// The same, if it is.
    pub(crate) fn known(&self, number: u32) -> Option<&TableSpace> {
        let of = self.all.iter().rfind(|g| g.number == number)?;
        Some(&of.space)
    }

    /// A program gets the name of a table of the current generation.
    pub(crate) fn give_name(&mut self, frame: FramePtr) -> Result<(), Refused> {
        let current = self.current;
        if let Some(last) = self.all.last_mut()
            && last.number == current
        {
            growth::add(&mut last.named, frame.to_bits())?;
        }
        Ok(())
    }

    /// The table is about to be freed, and its generation stays: the name means nothing any more.
    pub(crate) fn take_name(&mut self, number: u32, frame: FramePtr) {
        let of = self.all.iter_mut().filter(|g| g.number == number);
        of.for_each(|g| {
            g.named.remove(&frame.to_bits());
        });
    }

    /// The same of all tables of a generation.
    pub(crate) fn take_names(&mut self, number: u32) {
        let of = self.all.iter_mut().filter(|g| g.number == number);
        of.for_each(|g| g.named.clear());
    }

    /// Whether a program has got the name of a table, which is that of a generation with these bits.
    pub(crate) fn is_named(&self, number: u32, bits: u64) -> bool {
        let mut of = self.all.iter().filter(|g| g.number == number);
        of.any(|g| g.named.contains(&bits))
    }

    /// What the incremental tables of a generation that is in use depend on.
    #[inline]
    pub(crate) fn dependencies(&mut self, number: u32) -> &mut Dependencies {
        let i = self.all.iter().rposition(|g| g.number == number);
        &mut self.all[i.expect("a generation in use is kept")].dependencies
    }

    /// The same of the tables that new calls see, if there are any.
    pub(crate) fn present_dependencies(&mut self) -> Option<&mut Dependencies> {
        let current = self.current;
        let present = self.all.iter_mut().find(|g| g.number == current);
        present.map(|g| &mut g.dependencies)
    }

    /// The incomplete tables of a call, the oldest first.
    pub(crate) fn incomplete<'a>(
        &'a self,
        predicate: usize,
        tokens: &'a [u64],
    ) -> impl Iterator<Item = FramePtr> + 'a {
        self.all
            .iter()
            .filter_map(move |g| g.space.subgoal_find(predicate, tokens))
            .filter(|f| f.state() == State::Incomplete)
    }

    /// Whether the tables of a generation are there.
    pub(crate) fn has(&self, number: u32) -> bool {
        self.all.iter().any(|g| g.number == number)
    }

    /// Memory held for tables of all generations.
    #[inline]
    pub(crate) fn bytes(&self) -> usize {
        let of = |g: &Generation| g.space.bytes_held() + g.dependencies.bytes();
        self.all.iter().map(of).sum()
    }

    /// What there is of each type of structure in all tables.
    pub(crate) fn kinds(&self) -> Vec<KindUse> {
        let mut all: Vec<KindUse> = Vec::new();
        for g in &self.all {
            for (i, of) in g.space.kinds().into_iter().enumerate() {
                match all.get_mut(i) {
                    Some(sum) => {
                        sum.in_use += of.in_use;
                        sum.pages += of.pages;
                    }
                    None => all.push(of),
                }
            }
        }
        all
    }

    /// What is in the tables that new calls see.
    pub(crate) fn statistics(&self) -> Statistics {
        let current = self.all.iter().find(|g| g.number == self.current);
        current.map(|g| g.space.statistics()).unwrap_or_default()
    }

    /// Nodes that the answers that are rows would take in tries, in the tables that new calls see.
    pub(crate) fn nodes_of_rows(&self) -> Result<usize, Refused> {
        let current = self.all.iter().find(|g| g.number == self.current);
        current.map_or(Ok(0), |g| g.space.nodes_of_rows())
    }

    /// Answers of tables that were replaced by others of the current generation, each of which counts as one more.
    pub(crate) fn retired_answers(&self) -> usize {
        let last = self.all.last().filter(|g| g.number == self.current);
        last.map_or(0, |g| g.space.retired_answers())
    }

    /// Ends the current generation.
    pub(crate) fn abolish(&mut self) {
        if let Some(last) = self.all.last()
            && last.number == self.current
        {
            self.credit += last.space.bytes_held() / 8;
            self.current += 1;
        }
    }

    /// Whether a table of the current generation was abolished by itself.
    #[inline]
    pub(crate) fn is_hidden(&self, frame: FramePtr) -> bool {
        self.all
            .last()
            .is_some_and(|g| !g.hidden.is_empty() && g.hidden.contains(&frame))
    }

    /// Whether there are no such tables.
    pub(crate) fn hides_nothing(&self) -> bool {
        self.all.last().is_none_or(|g| g.hidden.is_empty())
    }

    /// No call finds this table any more.
    pub(crate) fn hide(&mut self, frame: FramePtr) -> Result<(), Refused> {
        let current = self.current;
        match self.all.last_mut().filter(|g| g.number == current) {
            Some(g) => growth::add(&mut g.hidden, frame).map(|_| ()),
            None => Ok(()),
        }
    }

    /// A call finds a hidden table: a fresh one in its place.
    #[cold]
    pub(crate) fn show_again(&mut self, frame: FramePtr) -> Result<FramePtr, Refused> {
        let new = self.space()?.renew_subgoal(frame)?;
        if let Some(g) = self.all.last_mut() {
            g.hidden.remove(&frame);
        }
        Ok(new)
    }

    /// Gives the current generation another number: whoever names it by the old one names nothing.
    pub(crate) fn renumber(&mut self) {
        if let Some(last) = self.all.last_mut()
            && last.number == self.current
        {
            self.current += 1;
            last.number = self.current;
            last.named.clear();
        }
    }

    /// Drops what nobody uses.
    pub(crate) fn keep(&mut self, used: &[u32]) {
        let current = self.current;
        self.all
            .retain(|g| g.number == current || used.contains(&g.number));
    }

    /// Whether there are only the current tables.
    pub(crate) fn is_simple(&self) -> bool {
        self.all.iter().all(|g| g.number == self.current)
    }
}

impl Tabling {
    /// Adds the generations of subgoals under evaluation, which ascend.
    pub(crate) fn evaluated_generations(&self, used: &mut Vec<u32>) -> Result<(), Refused> {
        for s in &self.stack {
            if used.last() != Some(&s.generation) {
                growth::push(used, s.generation)?;
            }
        }
        Ok(())
    }
}

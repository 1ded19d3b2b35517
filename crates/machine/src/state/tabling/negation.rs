//! Negative literals of an evaluation that is not complete: which wait, and what becomes of them when there are no answers to be returned.
//!
//! A `tnot/1` whose subgoal is incomplete is a consumer of it that waits for no answer ([`Wait`]). When all answers of the newest SCC have been
//! returned ([`Tabling::settle`]), the exact components of its subgoals are looked at, from the ones that depend on no other on. (The SCC of the stack
//! may be larger than what depends on itself, and would put off too much.) An edge leads from the subgoal whose evaluation a consumer is
//! part of to the one that it consumes.
//!
//! - A component inside which no negative literal waits is complete; its answers are simplified. Who waited for the literals of its
//!   subgoals goes on, unless they are false.
//! - In another, the literals whose subgoal has an unconditional answer are false, unless they are general. The others are put off: each goes on as if it held, with itself in the delay
//!   list (delaying).
//!
//! A literal of a subgoal of which one has been put off before, in the same SCC, need not wait: nothing else can become of it
//! ([`Tabling::put_off_at_once`]).
//!
//! Components above one whose literals go on are left for the next time. So what waits goes on, or is dropped, once; and when nothing waits the SCC is complete.

use super::Tabling;
use super::conditions::{Literal, Truth};
use super::schedule::NONE;
use samite_table::State;
use samite_term::growth::{self, Refused};

/// What a consumer waits for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Wait {
    /// Answers of its subgoal.
    Answers,
    /// One of them, its key (`waiting.rs`).
    Answer,
    /// That its subgoal is known to have none.
    Completion,
    /// It is in the list of those that go on, with the literal, if it waited for one, put off or not.
    Ready { put_off: bool },
    /// It has gone on, or never will.
    Over,
}

/// Numbers of a subgoal in the search for components; the index of Tarjan's algorithm ("Depth-First Search and Linear Graph Algorithms", SIAM
/// Journal on Computing 1, 1972).
#[derive(Clone, Copy)]
struct Visit {
    index: u32,
    low: u32,
    /// Where its edges begin.
    edges: u32,
    on_stack: bool,
}

/// The components of the subgoals of an SCC, each before those that depend on it.
struct Components {
    /// Their subgoals, as numbers from the leader on.
    members: Vec<u32>,
    /// Where each one ends.
    ends: Vec<u32>,
}

impl Tabling {
    /// After all answers of the SCC led by the subgoal at `leader` were returned: a consumer that waited for one answer, or for a negative literal, and is to go on, and whether
    /// the literal is put off. `None`: there is none left, and all of the SCC is complete but for its state.
    pub(crate) fn next_settled(&mut self, leader: usize) -> Result<Option<(usize, bool)>, Refused> {
        loop {
            if let Some(&number) = self.ready.last() {
                let c = &mut self.consumers[number as usize];
                // (Those of older SCCs are below.)
                if c.subgoal as usize >= leader {
                    self.ready.pop();
                    let Wait::Ready { put_off } = c.wait else {
                        continue;
                    };
                    c.wait = Wait::Over;
                    return Ok(Some((number as usize, put_off)));
                }
            }
            if !self.settle(leader)? {
                return Ok(None);
            }
        }
    }

    /// Decides about negative literals of the newest SCC; whether some go on.
    fn settle(&mut self, leader: usize) -> Result<bool, Refused> {
        let first = self.stack[leader].older as usize;
        let waits = |c: &super::schedule::Consumer| c.wait == Wait::Completion;
        if !self.consumers[first..].iter().any(waits) {
            let all = (leader..self.stack.len()).map(|i| i as u32);
            let incomplete = |i: &u32| self.stack[*i as usize].frame.state() != State::Complete;
            let rest = growth::list(all.filter(incomplete))?;
            self.complete(&rest)?;
            return Ok(false);
        }
        growth::have(&mut self.ready, self.consumers.len() - first)?;
        let components = self.components(leader)?;
        let mut negatives = self.waiting(leader)?;
        let mut from = 0;
        let before = self.ready.len();
        // The number of each subgoal's component.
        let mut component = Vec::new();
        growth::have(&mut component, self.stack.len() - leader)?;
        component.resize(self.stack.len() - leader, NONE);
        for (number, &end) in components.ends.iter().enumerate() {
            for &i in &components.members[from..end as usize] {
                component[i as usize] = number as u32;
            }
            from = end as usize;
        }
        from = 0;
        for (own, &end) in components.ends.iter().enumerate() {
            // (They are numbered from the leader on.)
            let members = &components.members[from..end as usize];
            from = end as usize;
            let inside = |i: u32| component[i as usize] == own as u32;
            let mut put_off = false;
            for &i in members {
                for number in std::mem::take(&mut negatives[i as usize]) {
                    let owner = self.consumers[number as usize].owner - leader as u32;
                    if !inside(owner) {
                        growth::push(&mut negatives[i as usize], number)?;
                        continue;
                    }
                    put_off |= self.decide(number, true);
                }
            }
            if put_off {
                break;
            }
            let subgoals = growth::list(members.iter().map(|&i| i + leader as u32))?;
            self.complete(&subgoals)?;
            let mut some = false;
            for &i in members {
                for number in std::mem::take(&mut negatives[i as usize]) {
                    some |= self.decide(number, false);
                }
            }
            if some {
                break;
            }
        }
        self.ready[before..].reverse();
        Ok(self.ready.len() > before)
    }

    /// The negative consumers that wait, by their subgoal.
    fn waiting(&self, leader: usize) -> Result<Vec<Vec<u32>>, Refused> {
        let mut by = Vec::new();
        growth::have(&mut by, self.stack.len() - leader)?;
        by.resize_with(self.stack.len() - leader, Vec::new);
        let first = self.stack[leader].older as usize;
        for (i, c) in self.consumers.iter().enumerate().skip(first) {
            if c.wait == Wait::Completion {
                growth::push(&mut by[c.subgoal as usize - leader], i as u32)?;
            }
        }
        Ok(by)
    }

    /// What becomes of a consumer that waits: whether it goes on. `put_off`: its subgoal is not complete.
    fn decide(&mut self, number: u32, put_off: bool) -> bool {
        let truth = self.conditions.literal(&self.literal_of(number as usize));
        let c = &mut self.consumers[number as usize];
        let wait = match truth {
            Truth::False => Wait::Over,
            Truth::True if !put_off => Wait::Ready { put_off: false },
            _ => Wait::Ready { put_off: true },
        };
        c.wait = wait;
        let subgoal = c.subgoal as usize;
        if wait == Wait::Over {
            return false;
        }
        self.stack[subgoal].put_off |= put_off;
        // (There is room for all of them.)
        self.ready.push(number);
        true
    }

    /// These subgoals are complete, and nobody else's answers can change any more what is known of theirs.
    pub(crate) fn complete(&mut self, subgoals: &[u32]) -> Result<(), Refused> {
        if !self.conditions.is_empty() {
            let mut frames = Vec::new();
            for &i in subgoals {
                growth::push(&mut frames, self.stack[i as usize].frame)?;
            }
            let (tables, stack) = (&mut self.tables, &self.stack);
            self.conditions.simplify(&frames, |frame, conditions| {
                let generation = stack[frame.tag() as usize].generation;
                tables
                    .of(generation)
                    .withdraw_answers(frame, |a| !conditions.is_withdrawn(a.to_bits()));
            })?;
        }
        for &i in subgoals {
            let s = &self.stack[i as usize];
            s.frame.set_state(State::Complete);
            let space = self.tables.of(s.generation);
            if s.is_moded() {
                space.moded_complete(s.frame);
            } else {
                space.seal(s.frame, !self.looked_at);
            }
        }
        Ok(())
    }

    /// The components of what is incomplete from `leader` on.
    fn components(&self, leader: usize) -> Result<Components, Refused> {
        let n = self.stack.len() - leader;
        let first = self.stack[leader].older as usize;
        let incomplete = |i: u32| self.stack[i as usize].frame.state() == State::Incomplete;
        // The edges, in order of their subgoals.
        let mut edges = Vec::new();
        for c in &self.consumers[first..] {
            if incomplete(c.owner) && incomplete(c.subgoal) {
                let edge = (c.owner - leader as u32, c.subgoal - leader as u32);
                growth::push(&mut edges, edge)?;
            }
        }
        for &(owner, subgoal) in self.put_off.iter().rev() {
            if (owner as usize) < leader {
                break;
            }
            if incomplete(owner) && incomplete(subgoal) {
                growth::push(&mut edges, (owner - leader as u32, subgoal - leader as u32))?;
            }
        }
        edges.sort_unstable();
        edges.dedup();
        let mut visits = Vec::new();
        growth::have(&mut visits, n)?;
        let mut at = 0;
        for i in 0..n as u32 {
            while at < edges.len() && edges[at].0 < i {
                at += 1;
            }
            visits.push(Visit {
                index: NONE,
                low: NONE,
                edges: at as u32,
                on_stack: false,
            });
        }
        let mut found = Components {
            members: Vec::new(),
            ends: Vec::new(),
        };
        growth::have(&mut found.members, n)?;
        growth::have(&mut found.ends, n)?;
        // Subgoals whose component is not known yet, and the path of the search.
        let (mut open, mut path) = (Vec::new(), Vec::new());
        growth::have(&mut open, n)?;
        growth::have(&mut path, n)?;
        let mut index = 0;
        for root in 0..n as u32 {
            if visits[root as usize].index != NONE || !incomplete(root + leader as u32) {
                continue;
            }
            path.push(root);
            while let Some(&i) = path.last() {
                let v = &mut visits[i as usize];
                if v.index == NONE {
                    (v.index, v.low, v.on_stack) = (index, index, true);
                    index += 1;
                    open.push(i);
                }
                let edge = edges.get(v.edges as usize).filter(|e| e.0 == i);
                if let Some(&(_, to)) = edge {
                    let t = visits[to as usize];
                    if t.index == NONE {
                        path.push(to);
                        continue;
                    }
                    let v = &mut visits[i as usize];
                    if t.on_stack {
                        // (Also after its own search has ended: then its `low` is what counts.)
                        v.low = v.low.min(t.low);
                    }
                    v.edges += 1;
                    continue;
                }
                let (own, low) = (v.index, v.low);
                path.pop();
                if own == low {
                    while let Some(m) = open.pop() {
                        visits[m as usize].on_stack = false;
                        found.members.push(m);
                        if m == i {
                            break;
                        }
                    }
                    found.ends.push(found.members.len() as u32);
                }
            }
        }
        Ok(found)
    }

    /// Whether a negative literal, of the incomplete subgoal at `index`, met by `owner`, can be put off at once; then it counts as consumed.
    pub(crate) fn put_off_at_once(
        &mut self,
        literal: &Literal,
        index: usize,
        owner: u32,
    ) -> Result<bool, Refused> {
        let s = &self.stack[index];
        if !s.put_off || owner == NONE || self.conditions.literal(literal) == Truth::False {
            return Ok(false);
        }
        let edge = (owner, index as u32);
        if self.put_off.last() != Some(&edge) {
            growth::push(&mut self.put_off, edge)?;
        }
        Ok(true)
    }

    /// The subgoals from `index` on, of the newest SCC, are complete.
    pub(crate) fn forget_waits(&mut self, index: usize) {
        while self
            .put_off
            .last()
            .is_some_and(|&(owner, subgoal)| owner.max(subgoal) as usize >= index)
        {
            self.put_off.pop();
        }
    }

    /// The literal of a negative consumer.
    pub(crate) fn literal_of(&self, consumer: usize) -> Literal {
        let c = &self.consumers[consumer];
        let s = &self.stack[c.subgoal as usize];
        match c.general {
            false => Literal::negative(s.frame, s.generation),
            true => Literal::general(s.frame, s.generation),
        }
    }
}

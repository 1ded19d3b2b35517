//! Code of control constructs: disjunctions, if-then-elses, negations, and where their branches meet.
//!
//! [`Generator::body`](super::codegen) calls one function for each mark of the analysis. The constructs that code is being generated for are a
//! stack ([`Generator::open`]); what a construct's other branches start from, and where its branches meet, is in its entry.
//!
//! Equations: alternatives of a disjunction start from the registers of their choicepoint only. A branch starts with what was allocated where
//! its choicepoint was made, or by the tests before it; behind the construct it is the most that a branch has allocated.

use super::CompileError;
use super::codegen::{Failed, Generator, Label};
use super::events::{At, Condition, Event, Var};
use super::state::State;
use crate::instr::{Op, word};

/// Registers saved in a choicepoint, and the variables in them.
pub(super) type Saved = Vec<(Var, u16)>;

/// A construct that code is being generated for.
pub(super) struct Open {
    what: Construct,
    begin: At,
    end: At,
    /// Nothing comes after it in the clause.
    last: bool,
    /// Nothing comes after the branch that we are in.
    pub branch_last: bool,
    /// Where a failing test goes outside.
    on_fail: Option<Label>,
    meet: Meet,
}

impl Open {
    /// Where the next alternative of a disjunction is.
    pub fn other(&self) -> Option<Label> {
        match self.what {
            Construct::Or { next, .. } => Some(next),
            _ => None,
        }
    }
}

enum Construct {
    Or {
        saved: Saved,
        /// What the alternatives start from.
        start: State,
        next: Label,
    },
    If {
        condition: Condition,
        otherwise: At,
        label: Label,
        /// What the other branch starts from.
        alternative: State,
        saved: Option<Saved>,
    },
    Not {
        label: Label,
        /// What comes after starts from.
        alternative: State,
        saved: Option<Saved>,
    },
}

/// The place where the branches of a construct meet.
struct Meet {
    label: Label,
    /// Registers that live variables are in there, as the first branch left them.
    homes: Option<Saved>,
    called: bool,
    allocated: usize,
}

impl Generator<'_, '_> {
    fn choice(&mut self, op: Op, saved: &[(Var, u16)], alternative: Option<Label>) {
        let n = saved.len() as u16;
        self.resumable = true;
        match alternative {
            Some(l) => self.emit_label(op, n, l),
            None => self.emit(word(op, n, 0, 0)),
        }
        self.emit_register_list(saved.iter().map(|&(_, r)| r));
    }

    /// A construct from `begin` to `end` begins.
    fn open(&mut self, what: Construct, (begin, end): (At, At), branch_last: bool) {
        let last = self.is_last(end as usize);
        let meet = Meet::new(self.new_label());
        self.open.push(Open {
            what,
            begin,
            end,
            last,
            branch_last: last && branch_last,
            on_fail: self.on_fail.take(),
            meet,
        });
    }
    /// The innermost construct, for a while: [`Self::put_back`] ends that.
    fn take_open(&mut self) -> Open {
        match self.open.pop() {
            Some(o) => o,
            None => unreachable!("marks of constructs are nested"),
        }
    }
    fn put_back(&mut self, o: Open) {
        self.open.push(o);
    }
    /// A branch of a construct has ended; more follow.
    fn end_branch(&mut self, o: &mut Open, st: &mut State, ended: bool) -> Result<(), Failed> {
        if !o.last {
            self.meet(o, st, true)?;
        } else if !ended {
            self.emit(word(Op::Proceed, 0, 0, 0));
        }
        Ok(())
    }

    pub fn begin_or(
        &mut self,
        op: Op,
        st: &mut State,
        at: At,
        (next, end): (At, At),
    ) -> Result<(), Failed> {
        let saved = self.live_registers(st, next)?;
        let label = self.new_label();
        self.choice(op, &saved, Some(label));
        let what = Construct::Or {
            start: st.only(&saved, st.called),
            saved,
            next: label,
        };
        self.open(what, (at, end), true);
        self.excluded.push(next, end + 1);
        if let (Op::TryRule, Some(v)) = (op, self.analysis.left) {
            let r = st.allocate(None)?;
            self.emit(word(Op::SaveB, r, 0, 0));
            st.set_x(v, r);
        }
        self.release_dead(st, at);
        Ok(())
    }
    pub fn next_alternative(
        &mut self,
        st: &mut State,
        at: At,
        following: At,
        ended: bool,
    ) -> Result<(), Failed> {
        self.excluded.pop();
        let mut o = self.take_open();
        self.end_branch(&mut o, st, ended)?;
        let end = o.end;
        if let Construct::Or { saved, start, next } = &mut o.what {
            self.place(*next);
            st.clone_from(start);
            if following < end {
                *next = self.new_label();
                self.choice(Op::RetryElse, saved, Some(*next));
            } else {
                self.choice(Op::TrustElse, saved, None);
            }
        }
        self.put_back(o);
        self.excluded.push(following, end + 1);
        self.release_dead(st, at);
        Ok(())
    }

    pub fn begin_if(
        &mut self,
        st: &mut State,
        at: At,
        condition: Condition,
        (otherwise, end): (At, At),
    ) -> Result<(), Failed> {
        let label = self.new_label();
        let saved = self.begin_condition(st, condition, otherwise, label)?;
        let alternative = match &saved {
            None => st.clone(),
            Some(saved) => st.only(saved, st.called),
        };
        let what = Construct::If {
            condition,
            otherwise,
            label,
            alternative,
            saved,
        };
        self.open(what, (at, end), false);
        if condition.test {
            // No choicepoint: a failing test jumps.
            self.on_fail = Some(label);
        } else {
            self.excluded.push(otherwise, end + 1);
        }
        Ok(())
    }
    /// The choicepoint before a condition that needs one, for what goes on at `label`; `after`: a position before that.
    fn begin_condition(
        &mut self,
        st: &mut State,
        c: Condition,
        after: At,
        label: Label,
    ) -> Result<Option<Saved>, CompileError> {
        if c.test {
            return Ok(None);
        }
        let saved = self.live_registers(st, after)?;
        let r = st.allocate(None)?;
        st.set_x(c.barrier, r);
        if !c.soft {
            self.emit(word(Op::SaveB, r, 0, 0));
        }
        self.choice(Op::TryElse, &saved, Some(label));
        if c.soft {
            self.emit(word(Op::SaveB, r, 0, 0));
        }
        if !self.analysis.at(c.local).is_empty() {
            let r = st.allocate(None)?;
            st.set_x(c.local, r);
            self.emit(word(Op::SaveB, r, 0, 0));
        }
        Ok(Some(saved))
    }
    /// The condition holds.
    pub fn then(&mut self, st: &mut State, at: At) -> Result<(), Failed> {
        let mut o = self.take_open();
        if let Construct::If {
            condition,
            otherwise,
            alternative,
            ..
        } = &mut o.what
        {
            if condition.test {
                self.on_fail = None;
                self.excluded.push(*otherwise, o.end + 1);
                // What the tests have built stays.
                alternative.allocated = st.allocated;
            } else if condition.soft {
                match self.place_of(st, condition.barrier) {
                    (Some(r), _) => self.emit(word(Op::SoftCutX, r, 0, 0)),
                    (_, s) => self.emit(word(Op::SoftCutY, s.unwrap_or_default(), 0, 0)),
                }
                self.decides(condition.decides);
            } else {
                self.cut_condition(st, condition, at)?;
            }
        }
        o.branch_last = o.last;
        self.put_back(o);
        self.release_dead(st, at);
        Ok(())
    }
    pub fn otherwise(&mut self, st: &mut State, at: At, ended: bool) -> Result<(), Failed> {
        self.excluded.pop();
        let mut o = self.take_open();
        self.end_branch(&mut o, st, ended)?;
        if let Construct::If {
            label,
            alternative,
            saved,
            ..
        } = &mut o.what
        {
            self.place(*label);
            std::mem::swap(st, alternative);
            if let Some(saved) = saved {
                self.choice(Op::TrustElse, saved, None);
            }
        }
        self.put_back(o);
        self.release_dead(st, at);
        Ok(())
    }

    pub fn begin_not(
        &mut self,
        st: &mut State,
        at: At,
        c: Condition,
        end: At,
    ) -> Result<(), Failed> {
        let label = self.new_label();
        let saved = self.begin_condition(st, c, end, label)?;
        let alternative = match &saved {
            // No choicepoint gives registers back: what is used behind the negation stays where it is.
            None => st.clone(),
            // The slots of E are as before only if nothing was called inside; registers were restored anyway.
            Some(saved) => st.only(saved, st.called),
        };
        let what = Construct::Not {
            label,
            alternative,
            saved,
        };
        self.open(what, (at, end), false);
        if c.test {
            self.on_fail = Some(label);
        } else {
            self.excluded.push(end + 1, At::MAX);
        }
        Ok(())
    }

    /// The end of a construct; true if control does not come here.
    pub fn end(&mut self, st: &mut State, at: At, ended: bool) -> Result<bool, Failed> {
        let mut o = self.take_open();
        match o.what {
            Construct::Not {
                label,
                mut alternative,
                saved,
                ..
            } => {
                self.on_fail = o.on_fail;
                match &saved {
                    None => {
                        self.emit_fail();
                        self.place(label);
                        alternative.allocated = st.allocated;
                    }
                    Some(saved) => {
                        if let Some(Event::Not { condition, .. }) =
                            self.analysis.events.get(o.begin as usize - 1)
                        {
                            self.cut_condition(st, condition, at)?;
                        }
                        self.excluded.pop();
                        self.emit(word(Op::Fail, 0, 0, 0));
                        self.place(label);
                        self.choice(Op::TrustElse, saved, None);
                    }
                }
                *st = alternative;
                self.release_dead(st, at);
                Ok(false)
            }
            Construct::Or { .. } | Construct::If { .. } => {
                if matches!(o.what, Construct::Or { .. }) {
                    self.excluded.pop();
                }
                if !o.last {
                    self.meet(&mut o, st, false)?;
                } else if !ended {
                    self.emit(word(Op::Proceed, 0, 0, 0));
                }
                self.on_fail = o.on_fail;
                self.place(o.meet.label);
                if !o.last {
                    let homes = o.meet.homes.unwrap_or_default();
                    self.places_meet(&homes);
                    st.allocated = o.meet.allocated;
                    *st = st.only(&homes, o.meet.called);
                }
                Ok(o.last)
            }
        }
    }

    // --- where branches meet ---

    /// At the end of a branch: puts the live variables where the first branch left them.
    fn meet(&mut self, o: &mut Open, st: &mut State, jump: bool) -> Result<(), CompileError> {
        match &o.meet.homes {
            None => {
                // What another branch gives a value must have one here.
                let fresh: Vec<Var> = (self.analysis.exports.get(&o.begin).into_iter().flatten())
                    .copied()
                    .filter(|&v| !st.has_value(v) && self.live_after(v, o.end))
                    .collect();
                self.make_room(st, 2 * fresh.len(), o.end)?;
                for v in fresh {
                    self.in_register(st, v)?;
                }
                o.meet.homes = Some(self.live_registers(st, o.end)?);
            }
            Some(homes) => {
                let fresh = homes.iter().filter(|&&(v, _)| !st.has_value(v)).count();
                self.make_room(st, fresh, o.end)?;
                let moves = homes
                    .iter()
                    .map(|&(v, home)| (home, super::call::Source::of(st, v)));
                let moves: Vec<_> = moves.collect();
                for &(_, home) in homes {
                    st.take(home);
                }
                self.parallel_move(&moves, st)?;
            }
        }
        o.meet.called |= st.called;
        o.meet.allocated = o.meet.allocated.max(st.allocated);
        if jump {
            self.emit_label(Op::Jump, 0, o.meet.label);
        }
        Ok(())
    }
}

impl Meet {
    fn new(label: Label) -> Meet {
        Meet {
            label,
            homes: None,
            called: false,
            allocated: 0,
        }
    }
}

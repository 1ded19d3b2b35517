//! Analysis of a clause: its body becomes a row of [events](super::events), and for each variable it is noted at which positions it
//! occurs.
//!
//! A variable is live after position `p` if it occurs at a later one that can still be reached, that is, not in another branch of a
//! disjunction around `p`; the code generator keeps the excluded ranges.
//!
//! The time taken is linear in the cells of the clause.

mod goals;

use super::events::{At, Condition, Event, Goal, Qualified, Qualify, Terms, Var};
use super::numbers::{Numbers, PAGE};
use super::{CompileError, Parts, Room};
use crate::db::predicate::Predicate;
use crate::instr::MAX_PREDICATE_ARITY;
use crate::neck::{Moved, Neck, moved};
use crate::program::Program;
use rustc_hash::FxHashMap;
use samite_term::heavy::Patience;
use samite_term::{Atom, Functor, TermRef, View, atoms};

impl VarInfo {
    /// The positions of occurrence, out of all.
    fn at<'p>(&self, positions: &'p [At]) -> &'p [At] {
        &positions[self.from as usize..][..self.positions as usize]
    }
}

impl Analysis<'_> {
    /// The positions at which a variable occurs, ascending.
    pub fn at(&self, v: Var) -> &[At] {
        self.vars[v as usize].at(&self.positions)
    }
}

impl<'a> Analysis<'a> {
    /// The arguments of a goal.
    pub fn args(&self, args: Terms) -> &[TermRef<'a>] {
        &self.terms[args.range()]
    }
    /// What a call has qualified.
    pub fn qualify(&self, q: Qualified) -> Qualify {
        match q.checked_sub(1) {
            Some(i) => self.qualified[i as usize],
            None => Qualify::NONE,
        }
    }
}

#[derive(Clone, Copy)]
pub(super) struct VarInfo {
    /// How often it occurs.
    pub count: u32,
    /// At how many positions, which one was noted last, and where they are in [`Analysis::positions`].
    positions: u32,
    last: At,
    from: u32,
    /// Argument of the first call, to put it there at once.
    pub hint: Option<u16>,
}

pub(super) struct Analysis<'a> {
    pub events: Vec<Event<'a>>,
    /// The arguments of all calls, call by call.
    terms: Vec<TermRef<'a>>,
    /// What calls have qualified, none twice in a row.
    qualified: Vec<Qualify>,
    pub vars: Vec<VarInfo>,
    /// The positions at which variables occur: variable by variable, ascending, without repetition.
    positions: Vec<At>,
    pub numbers: Numbers,
    /// Of a rule of single-sided unification, what each argument is called, be it a variable of the head or not.
    pub arguments: Option<Vec<Var>>,
    /// Variable that holds the choicepoint of a rule that commits to nothing.
    pub left: Option<Var>,
    /// Variable that holds the clause's cut barrier.
    pub barrier: Var,
    /// Variables that occur in a construct (by its position) and after it.
    pub exports: FxHashMap<At, Vec<Var>>,
    /// Registers from here on are no arguments of the head or of a call.
    pub temporaries: u16,
    /// Cells of terms in the clause.
    pub cells: usize,
}

/// A construct whose end has not been met.
struct Open {
    /// Position of its first mark.
    begin: At,
    /// Position of the last mark so far.
    last: At,
    /// In a condition or negation: only tests so far.
    testing: Option<bool>,
    /// Cells looked at when it began.
    cells: usize,
}

/// How far a rule of single-sided unification has been written down.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Rule {
    /// It is none.
    No,
    /// Nothing decides yet whether it is the one.
    Undecided,
    /// A goal that is no test came before the cut that decides.
    Late,
    /// Tests and then a cut decide.
    Decided,
}

struct Construct {
    /// Construct around it.
    around: Option<u32>,
    begin: At,
    end: At,
}

struct Analyser<'p, 'a> {
    program: &'p Program,
    events: Vec<Event<'a>>,
    terms: Vec<TermRef<'a>>,
    qualified: Vec<Qualify>,
    open: Vec<Open>,
    vars: Vec<VarInfo>,
    /// Ascending by position.
    occurrences: Vec<(Var, At)>,
    numbers: Numbers,
    /// Whose clause it is.
    of: (Atom, Option<Functor>),
    /// Unifications at the beginning of the body that belong to the head.
    moved: Vec<Moved<'a>>,
    /// See [`Analysis::left`].
    left: Option<Var>,
    /// What is being written down is in a rule of single-sided unification, before the first cut that is the clause's own.
    rule: Rule,
    /// Terms whose variables are still to be noted.
    work: Vec<TermRef<'a>>,
    /// There is a control construct.
    constructs: bool,
    max_arity: usize,
    /// It is of a transparent predicate.
    transparent: bool,
    cells: usize,
    room: &'p Room<'p>,
    /// There was none, or the work was given up.
    refused: bool,
    patience: Patience,
}

/// What an event takes, its goal's arguments and the tasks that lead to it included; and a variable.
const EVENT: usize = 96;
const VARIABLE: usize = 100;
/// Clauses with more cells of terms than this are too large. So are those with cyclic terms, which have no end.
pub(super) const MAX_CELLS: usize = 1 << 25;
/// Conditions of more cells than this are no mere tests: what they build must fit between two safe points.
const MAX_TEST_CELLS: usize = 512;
/// The sum of the exports of all constructs may be so many times the cells of the clause.
const MAX_EXPORTS: usize = 16;

/// What is still to be done: a goal, or a mark of the innermost open construct.
enum Task<'a> {
    Goal(TermRef<'a>, Scope<'a>, Cut),
    Then(Condition),
    Else,
    Fail,
    Next,
    EndNot(Condition),
    End,
}

/// Where goals belong.
#[derive(Clone, Copy)]
struct Scope<'a> {
    module: Atom,
    /// What names it in the text, as M in `M:(a, b)`: an atom, or a variable, where what each of the goals calls is known when it is called.
    named: Option<TermRef<'a>>,
}

/// What a cut means where we are.
#[derive(Clone, Copy)]
enum Cut {
    Clause,
    /// Local to a condition: back to its barrier.
    Local(Var),
}

/// The body of a transparent predicate's clause that is placed in a module: its goals belong to that, which is no context for them.
fn place_of(body: TermRef<'_>, module: Atom) -> (TermRef<'_>, Atom) {
    match body.callable() {
        Some((f, args)) if f == Functor::new(atoms::COLON, 2) => match args.get(0).as_atom() {
            Some(named) => (args.get(1), named),
            None => (body, module),
        },
        _ => (body, module),
    }
}

/// The analysis of a clause; `None` if its branches have too much to tell each other.
// (One caller: what it makes is large, and is not to be copied.)
#[inline(always)]
pub(super) fn analyse<'a>(
    program: &Program,
    module: Atom,
    clause: Parts<'a>,
    room: &Room,
) -> Result<Option<Analysis<'a>>, CompileError> {
    let Parts {
        neck,
        head,
        body,
        placed,
    } = clause;
    let mut a = Analyser {
        program,
        events: Vec::with_capacity(if body.is_some() { 8 } else { 0 }),
        terms: Vec::with_capacity(if body.is_some() { 16 } else { 0 }),
        qualified: Vec::new(),
        open: Vec::new(),
        vars: Vec::with_capacity(8),
        occurrences: Vec::with_capacity(16),
        numbers: Numbers::default(),
        of: (module, head.callable().map(|(f, _)| f)),
        moved: Vec::new(),
        left: None,
        rule: Rule::No,
        work: Vec::with_capacity(8),
        constructs: false,
        max_arity: 0,
        transparent: body.is_some()
            && head
                .callable()
                .and_then(|(f, _)| program.find(module, f))
                .is_some_and(Predicate::is_transparent),
        cells: 0,
        room,
        refused: false,
        patience: Patience::new(),
    };
    let barrier = a.new_var();
    a.note(barrier, 0);
    a.vars[0].count = 0;
    if let Some((f, args)) = head.callable() {
        if f.arity() > MAX_PREDICATE_ARITY {
            return Err(CompileError::TooLarge);
        }
        a.max_arity = f.arity();
        if !neck.is_one_sided() {
            for i in 0..f.arity() {
                a.occurs(args.get(i), 0);
            }
        }
    }
    let arguments = match neck {
        Neck::Plain => {
            if let Some(b) = body {
                let (b, module) = match placed && a.transparent {
                    true => place_of(b, module),
                    false => (b, module),
                };
                a.body(b, module)?;
            }
            None
        }
        _ => Some(a.rule(module, clause)?),
    };
    if a.cells > MAX_CELLS {
        return Err(CompileError::TooLarge);
    }
    if a.refused {
        return Err(CompileError::NoRoom);
    }
    if let Some(args) = first_call(&a.events) {
        for (i, t) in a.terms[args.range()].iter().enumerate().rev() {
            if let View::Var(v) = t.view()
                && let Some(n) = a.numbers.get(v)
            {
                a.vars[n as usize].hint = Some(i as u16);
            }
        }
    }
    let positions = a.positions();
    let Some(exports) = a.exports(&positions) else {
        return Ok(None);
    };
    Ok(Some(Analysis {
        events: a.events,
        terms: a.terms,
        qualified: a.qualified,
        vars: a.vars,
        positions,
        numbers: a.numbers,
        arguments,
        left: a.left,
        barrier,
        exports,
        temporaries: a.max_arity as u16,
        cells: a.cells,
    }))
}

/// Arguments of the first goal that is a call, if nothing but other goals comes before it.
fn first_call(events: &[Event]) -> Option<Terms> {
    let mut events = events;
    // What decides about a rule does not come between.
    if let [Event::If { then, .. }, ..] = events
        && let [_, Event::Goal(Goal::Match(..)), ..] = events
    {
        events = &events[*then as usize..];
    }
    for e in events {
        match e {
            Event::Goal(Goal::Call(_, args, 0)) => return Some(*args),
            Event::Goal(Goal::Call(..)) => return None,
            Event::Goal(_) => {}
            _ => return None,
        }
    }
    None
}

impl<'a> Analyser<'_, 'a> {
    fn take(&mut self, bytes: usize) {
        self.refused |= self.room.take(bytes).is_err();
    }
    fn new_var(&mut self) -> Var {
        self.take(VARIABLE);
        self.vars.push(VarInfo {
            count: 0,
            positions: 0,
            last: At::MAX,
            from: 0,
            hint: None,
        });
        (self.vars.len() - 1) as Var
    }
    fn note(&mut self, v: Var, at: At) {
        let info = &mut self.vars[v as usize];
        info.count += 1;
        if info.last != at {
            info.last = at;
            info.positions += 1;
            self.occurrences.push((v, at));
        }
    }
    /// The positions of occurrence, sorted by variable.
    fn positions(&mut self) -> Vec<At> {
        let mut n = 0;
        for v in &mut self.vars {
            v.from = n;
            n += std::mem::take(&mut v.positions);
        }
        let mut positions = vec![0; self.occurrences.len()];
        for &(v, at) in &self.occurrences {
            let v = &mut self.vars[v as usize];
            positions[(v.from + v.positions) as usize] = at;
            v.positions += 1;
        }
        positions
    }
    /// Notes the variables of a term.
    fn occurs(&mut self, t: TermRef<'a>, at: At) {
        self.work.push(t);
        while let Some(t) = self.work.pop() {
            self.cells += 1;
            self.refused |= self.patience.is_over();
            if self.cells > MAX_CELLS || self.refused {
                return;
            }
            match t.view() {
                View::Var(v) | View::Attributed(v) => {
                    let n = match self.numbers.get(v) {
                        Some(n) => n,
                        None => {
                            let n = self.new_var();
                            let pages = self.numbers.insert(v, n);
                            self.take(pages * PAGE);
                            n
                        }
                    };
                    self.note(n, at);
                }
                View::List(h, t) => {
                    self.work.push(t);
                    self.work.push(h);
                }
                View::Compound(c) => self.work.extend(c.args().rev()),
                _ => {}
            }
        }
    }

    // --- events ---

    /// Adds an event; its position.
    fn add(&mut self, e: Event<'a>) -> At {
        self.take(EVENT);
        self.events.push(e);
        self.events.len() as At
    }
    fn leaf(&mut self, goal: Goal<'a>, terms: &[TermRef<'a>]) -> At {
        if !goal.is_test() {
            self.no_test();
        }
        let at = self.add(Event::Goal(goal));
        for &t in terms {
            self.occurs(t, at);
        }
        at
    }
    /// The condition that is being looked at, if there is one, is no mere test.
    fn no_test(&mut self) {
        if let Some(Open {
            testing: Some(t), ..
        }) = self.open.last_mut()
        {
            *t = false;
        }
    }
    /// A construct begins.
    fn begin(&mut self, e: Event<'a>, testing: Option<bool>) -> At {
        let begin = self.add(e);
        self.constructs = true;
        self.open.push(Open {
            begin,
            last: begin,
            testing,
            cells: self.cells,
        });
        begin
    }
    /// The condition of the innermost construct has ended: whether it was only tests.
    fn tested(&mut self) -> bool {
        let cells = self.cells;
        self.open
            .last_mut()
            .is_some_and(|o| o.testing.take().unwrap_or(false) && cells - o.cells <= MAX_TEST_CELLS)
    }
    /// The innermost construct's first mark, or its last one so far.
    fn mark(&mut self, last: bool) -> Option<&mut Event<'a>> {
        let o = self.open.last()?;
        let at = if last { o.last } else { o.begin };
        self.events.get_mut(at as usize - 1)
    }

    /// Writes down a rule of single-sided unification; what its arguments are called. It is an if-then-else if tests and a cut decide whether it is the rule:
    /// `( Head, Tests -> !, Body ; no_rule )`, and else a disjunction, `( Head, Body ; no_rule )`.
    fn rule(&mut self, module: Atom, clause: Parts<'a>) -> Result<Vec<Var>, CompileError> {
        let Some((f, args)) = clause.head.callable() else {
            return Err(CompileError::NotCallable);
        };
        if let (Neck::Choice, Some(body)) = (clause.neck, clause.body) {
            self.moved = moved(clause.head, body);
        }
        let mut arguments = Vec::with_capacity(f.arity());
        let mut matches = Vec::new();
        for i in 0..f.arity() {
            let t = args.get(i);
            let known = match t.view() {
                View::Var(v) | View::Attributed(v) => self.numbers.get(v).is_some(),
                _ => true,
            };
            let v = if known {
                let v = self.new_var();
                self.note(v, 0);
                matches.push((v, t));
                v
            } else {
                let v = self.vars.len() as Var;
                self.occurs(t, 0);
                v
            };
            arguments.push(v);
        }
        matches.extend(self.moved.iter().map(|m| (arguments[m.argument], m.term)));
        if clause.neck == Neck::Commit && matches.is_empty() {
            // Whoever comes here has found its rule.
            let at = self.leaf(Goal::Cut, &[]);
            self.note(0, at);
            if let Some(body) = clause.body {
                self.body(body, module)?;
            }
            return Ok(arguments);
        }
        let condition = self.condition(false, false);
        let (then, otherwise, end) = (0, 0, 0);
        let e = Event::If {
            condition,
            then,
            otherwise,
            end,
        };
        let begin = self.begin(e, Some(true));
        self.rule = Rule::Undecided;
        for (v, t) in matches {
            let at = self.leaf(Goal::Match(v, t), &[t]);
            self.note(v, at);
        }
        if clause.neck == Neck::Commit {
            self.decide();
            let at = self.leaf(Goal::Cut, &[]);
            self.note(0, at);
        }
        if let Some(body) = clause.body {
            self.body(body, module)?;
        }
        // (That it is not defined yet does not matter.)
        let p = self.program.predicate(module, f);
        let decided = self.rule == Rule::Decided;
        let mut left = None;
        if self.rule == Rule::Undecided {
            let v = self.new_var();
            self.note(v, begin);
            let at = self.add(Event::Goal(Goal::EndRule(v)));
            self.note(v, at);
            left = Some(v);
        }
        self.rule = Rule::No;
        let otherwise = match decided {
            true => self.add(Event::Else),
            false => self.add(Event::Next { next: 0 }),
        };
        // (The leaf is no test, and belongs to no condition.)
        let at = self.add(Event::Goal(Goal::NoRule(p)));
        for &v in &arguments {
            self.note(v, at);
        }
        let end = self.add(Event::End);
        self.open.pop();
        if decided {
            if let Event::If {
                otherwise: o,
                end: e,
                ..
            } = &mut self.events[begin as usize - 1]
            {
                (*o, *e) = (otherwise, end);
            }
        } else {
            let (next, rule) = (otherwise, true);
            self.events[begin as usize - 1] = Event::Or { next, end, rule };
            self.events[otherwise as usize - 1] = Event::Next { next: end };
        }
        self.left = left;
        Ok(arguments)
    }
    /// A cut of the clause comes next: if only tests came before, whether this is the rule is decided here.
    fn decide(&mut self) {
        if self.rule != Rule::Undecided || self.open.len() != 1 {
            return;
        }
        if self.tested() {
            self.rule = Rule::Decided;
            let at = self.add(Event::Then);
            if let Some(Event::If {
                condition, then, ..
            }) = self.mark(false)
            {
                condition.test = true;
                *then = at;
            }
        } else {
            self.rule = Rule::Late;
        }
    }

    /// Writes down a body.
    fn body(&mut self, body: TermRef<'a>, module: Atom) -> Result<(), CompileError> {
        let scope = Scope {
            module,
            named: None,
        };
        let mut work = vec![Task::Goal(body, scope, Cut::Clause)];
        while let Some(task) = work.pop() {
            self.cells += 1;
            if self.cells > MAX_CELLS {
                return Err(CompileError::TooLarge);
            }
            if self.refused || self.patience.is_over() {
                return Err(CompileError::NoRoom);
            }
            match task {
                Task::Goal(t, scope, cut) => self.goal(t, scope, cut, &mut work)?,
                Task::Fail => {
                    self.leaf(Goal::Fail, &[]);
                }
                Task::Then(c) => {
                    let tested = self.tested();
                    let at = self.add(Event::Then);
                    self.note(c.barrier, at);
                    if let Some(Event::If {
                        condition, then, ..
                    }) = self.mark(false)
                    {
                        condition.test = tested;
                        *then = at;
                    }
                }
                Task::Else => {
                    let at = self.add(Event::Else);
                    if let Some(Event::If { otherwise, .. }) = self.mark(false) {
                        *otherwise = at;
                    }
                }
                Task::Next => {
                    let at = self.add(Event::Next { next: 0 });
                    self.follow(at);
                    if let Some(o) = self.open.last_mut() {
                        o.last = at;
                    }
                }
                Task::EndNot(c) => {
                    let tested = self.tested();
                    let at = self.add(Event::End);
                    self.note(c.barrier, at);
                    if let Some(Event::Not { condition, end }) = self.mark(false) {
                        condition.test = tested;
                        *end = at;
                    }
                    self.open.pop();
                    if !tested {
                        self.no_test();
                    }
                }
                Task::End => {
                    let at = self.add(Event::End);
                    self.follow(at);
                    if let Some(Event::Or { end, .. } | Event::If { end, .. }) = self.mark(false) {
                        *end = at;
                    }
                    self.open.pop();
                }
            }
        }
        Ok(())
    }
    /// The alternative that began last ends at `at`.
    fn follow(&mut self, at: At) {
        if let Some(Event::Or { next, .. } | Event::Next { next }) = self.mark(true) {
            *next = at;
        }
    }
    fn condition(&mut self, soft: bool, decides: bool) -> Condition {
        Condition {
            barrier: self.new_var(),
            local: self.new_var(),
            soft,
            decides,
            test: false,
        }
    }
    /// `;`, `->`, `*->`: begins the construct, and leaves the rest to be done.
    fn control(&mut self, t: TermRef<'a>, scope: Scope<'a>, cut: Cut, work: &mut Vec<Task<'a>>) {
        self.no_test();
        let (left, right) = match t.callable() {
            Some((f, args)) if f.name() == atoms::SEMICOLON || f.name() == atoms::BAR => {
                (args.get(0), Some(args.get(1)))
            }
            _ => (t, None),
        };
        if let Some((f, args)) = left.callable().filter(|_| is_arrow(left)) {
            let condition = self.condition(f.name() == atoms::SOFT_ARROW, right.is_some());
            let (then, otherwise, end) = (0, 0, 0);
            let e = Event::If {
                condition,
                then,
                otherwise,
                end,
            };
            let at = self.begin(e, Some(true));
            self.note(condition.barrier, at);
            work.push(Task::End);
            work.push(match right {
                Some(r) => Task::Goal(r, scope, cut),
                None => Task::Fail,
            });
            work.push(Task::Else);
            work.push(Task::Goal(args.get(1), scope, cut));
            work.push(Task::Then(condition));
            work.push(Task::Goal(args.get(0), scope, Cut::Local(condition.local)));
            return;
        }
        // A disjunction: all alternatives of a right-nested chain at one level, up to an if-then-else.
        let (next, end, rule) = (0, 0, false);
        self.begin(Event::Or { next, end, rule }, None);
        let mut alternatives = vec![left];
        let mut rest = right;
        while let Some(r) = rest {
            rest = None;
            let next = match r.callable() {
                Some((f, args))
                    if f == Functor::new(atoms::SEMICOLON, 2) && !is_arrow(args.get(0)) =>
                {
                    rest = Some(args.get(1));
                    args.get(0)
                }
                _ => r,
            };
            alternatives.push(next);
        }
        work.push(Task::End);
        for (i, &t) in alternatives.iter().enumerate().rev() {
            work.push(Task::Goal(t, scope, cut));
            if i > 0 {
                work.push(Task::Next);
            }
        }
    }

    /// What occurs in a construct and after it: these variables need a value where its branches meet.
    /// `None` if that is out of proportion.
    fn exports(&self, positions: &[At]) -> Option<FxHashMap<At, Vec<Var>>> {
        let mut exports: FxHashMap<At, Vec<Var>> = FxHashMap::default();
        if !self.constructs {
            return Some(exports);
        }
        let mut constructs: Vec<Construct> = Vec::new();
        let mut inside: Vec<Option<u32>> = vec![None];
        let mut now = None;
        for (i, e) in self.events.iter().enumerate() {
            let begin = i as At + 1;
            inside.push(now);
            match *e {
                Event::Or { end, .. } | Event::If { end, .. } | Event::Not { end, .. } => {
                    constructs.push(Construct {
                        around: now,
                        begin,
                        end,
                    });
                    now = Some(constructs.len() as u32 - 1);
                }
                Event::End => now = now.and_then(|c| constructs[c as usize].around),
                _ => {}
            }
        }
        let mut sum = 0;
        for (v, info) in self.vars.iter().enumerate() {
            for two in info.at(positions).windows(2) {
                let mut c = inside[two[0] as usize];
                while let Some(k) = c {
                    let construct = &constructs[k as usize];
                    if construct.end > two[1] {
                        break;
                    }
                    exports.entry(construct.begin).or_default().push(v as Var);
                    sum += 1;
                    c = construct.around;
                }
            }
            if sum > MAX_EXPORTS * (self.cells + 1000) {
                return None;
            }
        }
        Some(exports)
    }
}

/// Whether goals of this name are no calls but parts of the body that they stand in, also behind a module.
pub(super) fn is_control(f: Functor) -> bool {
    match f.arity() {
        0 => f.name() == atoms::CUT,
        1 => f.name() == atoms::NOT,
        2 => [
            atoms::COMMA,
            atoms::SEMICOLON,
            atoms::BAR,
            atoms::ARROW,
            atoms::SOFT_ARROW,
            atoms::COLON,
        ]
        .contains(&f.name()),
        _ => false,
    }
}

fn is_arrow(t: TermRef) -> bool {
    t.callable().is_some_and(|(f, _)| {
        f.arity() == 2 && (f.name() == atoms::ARROW || f.name() == atoms::SOFT_ARROW)
    })
}

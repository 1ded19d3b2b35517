//! Analysis of a clause: its goals as a tree, and the positions at which variables occur.
//!
//! Positions number the leaf goals from left to right (the head is 0), through all branches. A variable is live
//! after position `p` if it occurs at a later one that can still be reached, that is, not in another branch of a disjunction
//! around `p`; the code generator keeps the excluded ranges.

use super::CompileError;
use crate::instr::Op;
use crate::predicate::{Predicate, flag};
use crate::program::Program;
use rustc_hash::FxHashMap;
use samite_term::view::Args;
use samite_term::{Atom, Functor, TermRef, View, atoms};

/// Number of a variable of the clause.
pub(super) type Var = u32;

/// A range of positions.
pub(super) type Range = (u32, u32);

/// Arguments to be qualified with a module.
#[derive(Clone, Copy)]
pub(super) struct Qualify {
    pub module: Atom,
    pub mask: u64,
}

/// A leaf or a control construct.
pub(super) enum Goal<'a> {
    True,
    Fail,
    /// Cut of the clause.
    Cut,
    /// Cut to the barrier in a variable.
    CutTo(Var),
    /// Soft cut of the choicepoint in a variable.
    SoftCut(Var),
    /// A call; bit `i` of the mask: argument `i` is a goal of the module and gets qualified with it.
    Call(&'static Predicate, Vec<TermRef<'a>>, Qualify),
    /// A pure builtin in place.
    Inline(&'static Predicate, Vec<TermRef<'a>>),
    Unify(TermRef<'a>, TermRef<'a>),
    Test1(Op, TermRef<'a>),
    Test2(Op, TermRef<'a>, TermRef<'a>),
    Compare(Op, TermRef<'a>, TermRef<'a>),
    Is(TermRef<'a>, TermRef<'a>),
    Or(Vec<Branch<'a>>),
    IfThenElse {
        condition: Branch<'a>,
        then: Branch<'a>,
        otherwise: Branch<'a>,
        barrier: Var,
        /// Barrier of cuts in the condition; used if it occurs.
        local: Var,
        soft: bool,
    },
    Not {
        goals: Branch<'a>,
        barrier: Var,
        local: Var,
    },
}

pub(super) struct Leaf<'a> {
    pub goal: Goal<'a>,
    pub at: u32,
}

pub(super) struct Branch<'a> {
    pub goals: Vec<Leaf<'a>>,
    pub range: Range,
}

#[derive(Default, Clone)]
pub(super) struct VarInfo {
    /// Positions of occurrence, ascending, without repetition.
    pub at: Vec<u32>,
    pub count: u32,
}

pub(super) struct Analysis<'a> {
    pub body: Branch<'a>,
    pub vars: Vec<VarInfo>,
    pub numbers: FxHashMap<u64, Var>,
    /// Variable that holds the clause's cut barrier.
    pub barrier: Var,
    /// Variable → argument of the first call, to put it there at once.
    pub hints: FxHashMap<Var, u16>,
    /// Registers from here on are no arguments of the head or of a call.
    pub temporaries: u16,
}

struct Analyser<'p, 'a> {
    program: &'p Program,
    vars: Vec<VarInfo>,
    numbers: FxHashMap<u64, Var>,
    next: u32,
    barrier: Var,
    max_arity: usize,
    /// Cells of terms looked at; above [`MAX_CELLS`] the analysis gives up.
    cells: usize,
    marker: std::marker::PhantomData<&'a ()>,
}

/// Clauses with more cells of terms than this are too large. So are those with cyclic terms, which have no end.
const MAX_CELLS: usize = 1 << 25;

/// Control constructs nested deeper than this are left to `call/1`.
const MAX_DEPTH: usize = 64;

pub(super) fn analyse<'a>(
    program: &Program,
    module: Atom,
    head: TermRef<'a>,
    body: Option<TermRef<'a>>,
) -> Result<Analysis<'a>, CompileError> {
    let mut a = Analyser {
        program,
        vars: Vec::new(),
        numbers: FxHashMap::default(),
        next: 1,
        barrier: 0,
        max_arity: 0,
        cells: 0,
        marker: std::marker::PhantomData,
    };
    a.barrier = a.new_var();
    a.vars[0].at.push(0);
    if let Some((f, args)) = head.callable() {
        a.max_arity = f.arity();
        for i in 0..f.arity() {
            a.occurs(args.get(i), 0);
        }
    }
    let body = match body {
        Some(b) => {
            let barrier = a.barrier;
            a.branch(b, module, Cut::Clause(barrier), 0)?
        }
        None => Branch {
            goals: Vec::new(),
            range: (1, 1),
        },
    };
    let mut hints = FxHashMap::default();
    if let Some(args) = first_call(&body.goals) {
        for (i, t) in args.iter().enumerate().rev() {
            if let View::Var(v) = t.view()
                && let Some(&n) = a.numbers.get(&v)
            {
                hints.insert(n, i as u16);
            }
        }
    }
    if a.max_arity > crate::instr::MAX_PREDICATE_ARITY || a.cells > MAX_CELLS {
        return Err(CompileError::TooLarge);
    }
    Ok(Analysis {
        body,
        vars: a.vars,
        numbers: a.numbers,
        barrier: a.barrier,
        hints,
        temporaries: a.max_arity as u16,
    })
}

/// Arguments of the first goal that is a call, if nothing but leaves comes before it.
fn first_call<'b, 'a>(goals: &'b [Leaf<'a>]) -> Option<&'b [TermRef<'a>]> {
    for leaf in goals {
        match &leaf.goal {
            Goal::Call(_, args, q) if q.mask == 0 => return Some(args),
            Goal::Call(..) => return None,
            Goal::Or(_) | Goal::IfThenElse { .. } | Goal::Not { .. } => return None,
            _ => {}
        }
    }
    None
}

/// What a cut means where we are.
#[derive(Clone, Copy)]
enum Cut {
    Clause(Var),
    /// Local to a condition: back to its barrier.
    Local(Var),
}

impl<'a> Analyser<'_, 'a> {
    fn new_var(&mut self) -> Var {
        self.vars.push(VarInfo::default());
        (self.vars.len() - 1) as Var
    }
    fn note(&mut self, v: Var, at: u32) {
        let info = &mut self.vars[v as usize];
        info.count += 1;
        if info.at.last() != Some(&at) {
            info.at.push(at);
        }
    }
    /// Notes the variables of a term.
    fn occurs(&mut self, t: TermRef<'a>, at: u32) {
        let mut work = vec![t];
        while let Some(t) = work.pop() {
            self.cells += 1;
            if self.cells > MAX_CELLS {
                return;
            }
            match t.view() {
                View::Var(v) | View::Attributed(v) => {
                    let n = match self.numbers.get(&v) {
                        Some(&n) => n,
                        None => {
                            let n = self.new_var();
                            self.numbers.insert(v, n);
                            n
                        }
                    };
                    self.note(n, at);
                }
                View::List(h, t) => {
                    work.push(t);
                    work.push(h);
                }
                View::Compound(c) => work.extend(c.args().rev()),
                _ => {}
            }
        }
    }
    fn branch(
        &mut self,
        body: TermRef<'a>,
        module: Atom,
        cut: Cut,
        depth: usize,
    ) -> Result<Branch<'a>, CompileError> {
        let start = self.next;
        let mut goals = Vec::new();
        let mut work = vec![(body, module)];
        while let Some((t, module)) = work.pop() {
            self.cells += 1;
            if self.cells > MAX_CELLS {
                return Err(CompileError::TooLarge);
            }
            if let Some((f, Args::Compound(c))) = t.callable() {
                if f == Functor::new(atoms::COMMA, 2) {
                    work.push((c.arg(1), module));
                    work.push((c.arg(0), module));
                    continue;
                }
                if f == Functor::new(atoms::COLON, 2)
                    && let Some(m) = c.arg(0).as_atom()
                    && !c.arg(1).is_var()
                {
                    work.push((c.arg(1), m));
                    continue;
                }
            }
            self.goal(t, module, cut, depth, &mut goals)?;
        }
        Ok(Branch {
            goals,
            range: (start, self.next),
        })
    }
    fn leaf(&mut self, goal: Goal<'a>, terms: &[TermRef<'a>], out: &mut Vec<Leaf<'a>>) -> u32 {
        let at = self.next;
        self.next += 1;
        for &t in terms {
            self.occurs(t, at);
        }
        out.push(Leaf { goal, at });
        at
    }
    fn call(
        &mut self,
        p: &'static Predicate,
        args: Vec<TermRef<'a>>,
        module: Atom,
        out: &mut Vec<Leaf<'a>>,
    ) {
        self.max_arity = self.max_arity.max(args.len());
        let terms = args.clone();
        let goal = if p.has(flag::INLINE) {
            Goal::Inline(p, args)
        } else {
            let mask = qualified(p, &args, module);
            Goal::Call(p, args, Qualify { module, mask })
        };
        self.leaf(goal, &terms, out);
    }
    fn meta_call(&mut self, t: TermRef<'a>, module: Atom, out: &mut Vec<Leaf<'a>>) {
        let call = self.program.callee(module, Functor::new(atoms::CALL, 1));
        self.call(call, vec![t], module, out);
    }
    fn goal(
        &mut self,
        t: TermRef<'a>,
        module: Atom,
        cut: Cut,
        depth: usize,
        out: &mut Vec<Leaf<'a>>,
    ) -> Result<(), CompileError> {
        let Some((f, args)) = t.callable() else {
            if t.is_var() {
                self.meta_call(t, module, out);
                return Ok(());
            }
            return Err(CompileError::NotCallable);
        };
        let name = f.name();
        match f.arity() {
            0 if name == atoms::TRUE => {
                self.leaf(Goal::True, &[], out);
                return Ok(());
            }
            0 if name == atoms::FAIL || name == atoms::FALSE => {
                self.leaf(Goal::Fail, &[], out);
                return Ok(());
            }
            0 if name == atoms::CUT => {
                match cut {
                    Cut::Clause(v) => {
                        let at = self.leaf(Goal::Cut, &[], out);
                        self.note(v, at);
                    }
                    Cut::Local(v) => {
                        let at = self.leaf(Goal::CutTo(v), &[], out);
                        self.note(v, at);
                    }
                }
                return Ok(());
            }
            1 if name == atoms::NOT && depth < MAX_DEPTH => {
                let barrier = self.new_var();
                let local = self.new_var();
                let start = self.next;
                self.note(barrier, start);
                let mut goals = self.branch(args.get(0), module, Cut::Local(local), depth + 1)?;
                let at = self.leaf(Goal::CutTo(barrier), &[], &mut goals.goals);
                self.note(barrier, at);
                goals.range.1 = self.next;
                out.push(Leaf {
                    goal: Goal::Not {
                        goals,
                        barrier,
                        local,
                    },
                    at: start,
                });
                return Ok(());
            }
            2 if depth < MAX_DEPTH
                && (name == atoms::SEMICOLON
                    || name == atoms::BAR
                    || name == atoms::ARROW
                    || name == atoms::SOFT_ARROW) =>
            {
                return self.control(t, module, cut, depth, out);
            }
            2 if depth >= MAX_DEPTH
                && (name == atoms::SEMICOLON
                    || name == atoms::ARROW
                    || name == atoms::SOFT_ARROW) =>
            {
                self.meta_call(t, module, out);
                return Ok(());
            }
            1 => {
                if let Some(op) = type_test(name) {
                    self.leaf(Goal::Test1(op, args.get(0)), &[args.get(0)], out);
                    return Ok(());
                }
            }
            2 => {
                let (x, y) = (args.get(0), args.get(1));
                if name == atoms::EQUALS {
                    self.leaf(Goal::Unify(x, y), &[x, y], out);
                    return Ok(());
                }
                if name == atoms::IS {
                    self.leaf(Goal::Is(x, y), &[x, y], out);
                    return Ok(());
                }
                if let Some(op) = comparison(name) {
                    self.leaf(Goal::Compare(op, x, y), &[x, y], out);
                    return Ok(());
                }
                if let Some(op) = term_test(name) {
                    self.leaf(Goal::Test2(op, x, y), &[x, y], out);
                    return Ok(());
                }
            }
            _ => {}
        }
        if f.arity() > crate::instr::MAX_PREDICATE_ARITY {
            return Err(CompileError::TooLarge);
        }
        let p = self.program.callee(module, f);
        let args = (0..f.arity()).map(|i| args.get(i)).collect();
        self.call(p, args, module, out);
        Ok(())
    }
    /// `;`, `->`, `*->`.
    fn control(
        &mut self,
        t: TermRef<'a>,
        module: Atom,
        cut: Cut,
        depth: usize,
        out: &mut Vec<Leaf<'a>>,
    ) -> Result<(), CompileError> {
        let at = self.next;
        let (left, right) = match t.callable() {
            Some((f, args)) if f.name() == atoms::SEMICOLON || f.name() == atoms::BAR => {
                (args.get(0), Some(args.get(1)))
            }
            _ => (t, None),
        };
        let arrow = left.callable().filter(|(f, _)| {
            f.arity() == 2 && (f.name() == atoms::ARROW || f.name() == atoms::SOFT_ARROW)
        });
        if let Some((f, args)) = arrow {
            let soft = f.name() == atoms::SOFT_ARROW;
            let barrier = self.new_var();
            let local = self.new_var();
            self.note(barrier, at);
            let mut condition = self.branch(args.get(0), module, Cut::Local(local), depth + 1)?;
            let goal = if soft {
                Goal::SoftCut(barrier)
            } else {
                Goal::CutTo(barrier)
            };
            let end = self.leaf(goal, &[], &mut condition.goals);
            self.note(barrier, end);
            condition.range.1 = self.next;
            let then = self.branch(args.get(1), module, cut, depth + 1)?;
            let otherwise = match right {
                Some(r) => self.branch(r, module, cut, depth + 1)?,
                None => {
                    let start = self.next;
                    let mut goals = Vec::new();
                    self.leaf(Goal::Fail, &[], &mut goals);
                    Branch {
                        goals,
                        range: (start, self.next),
                    }
                }
            };
            out.push(Leaf {
                goal: Goal::IfThenElse {
                    condition,
                    then,
                    otherwise,
                    barrier,
                    local,
                    soft,
                },
                at,
            });
            return Ok(());
        }
        // A disjunction: all alternatives of a right-nested chain at one level, up to an if-then-else.
        let mut branches = vec![self.branch(left, module, cut, depth + 1)?];
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
            branches.push(self.branch(next, module, cut, depth + 1)?);
        }
        out.push(Leaf {
            goal: Goal::Or(branches),
            at,
        });
        Ok(())
    }
}

/// The meta-arguments of a call that must carry the module they come from. In `user`, where unqualified goals belong anyway,
/// none; in `system` those that are known goals of the library itself.
fn qualified(p: &Predicate, args: &[TermRef], module: Atom) -> u64 {
    if module == atoms::USER {
        return 0;
    }
    let Some(spec) = p.meta.get() else {
        return 0;
    };
    let mut mask = 0;
    for (i, (&s, t)) in spec.iter().zip(args).enumerate().take(64) {
        let explicit = t
            .callable()
            .is_some_and(|(f, _)| f == Functor::new(atoms::COLON, 2));
        if s != b'?' && !explicit && (module != atoms::SYSTEM || t.is_callable()) {
            mask |= 1 << i;
        }
    }
    mask
}

fn is_arrow(t: TermRef) -> bool {
    t.callable().is_some_and(|(f, _)| {
        f.arity() == 2 && (f.name() == atoms::ARROW || f.name() == atoms::SOFT_ARROW)
    })
}

fn type_test(name: Atom) -> Option<Op> {
    Some(match name {
        atoms::VAR => Op::TestVar,
        atoms::ATOM => Op::TestAtom,
        atoms::INTEGER => Op::TestInteger,
        atoms::FLOAT => Op::TestFloat,
        atoms::NUMBER => Op::TestNumber,
        atoms::ATOMIC => Op::TestAtomic,
        atoms::COMPOUND => Op::TestCompound,
        atoms::CALLABLE => Op::TestCallable,
        atoms::STRING => Op::TestString,
        _ if name.as_str() == "nonvar" => Op::TestNonvar,
        _ => return None,
    })
}

fn comparison(name: Atom) -> Option<Op> {
    Some(match name {
        atoms::NUM_EQ => Op::CmpEq,
        atoms::NUM_NE => Op::CmpNe,
        atoms::NUM_LT => Op::CmpLt,
        atoms::NUM_LE => Op::CmpLe,
        atoms::NUM_GT => Op::CmpGt,
        atoms::NUM_GE => Op::CmpGe,
        _ => return None,
    })
}

fn term_test(name: Atom) -> Option<Op> {
    Some(match name {
        atoms::IDENTICAL => Op::TestIdentical,
        atoms::NOT_IDENTICAL => Op::TestNotIdentical,
        atoms::NOT_EQUALS => Op::TestNotUnifiable,
        _ => return None,
    })
}

impl Leaf<'_> {
    /// A test that leaves nothing behind: no choicepoint, no binding, no call.
    pub(super) fn is_test(&self) -> bool {
        match &self.goal {
            Goal::Test1(..) | Goal::Test2(..) | Goal::Compare(..) | Goal::True | Goal::Fail => true,
            Goal::Not { goals, .. } => goals.is_test(),
            _ => false,
        }
    }
}

impl Branch<'_> {
    /// All goals are tests (the closing cut of a condition aside).
    pub(super) fn is_test(&self) -> bool {
        let n = self.goals.len();
        n > 0
            && matches!(self.goals[n - 1].goal, Goal::CutTo(_) | Goal::SoftCut(_))
            && self.goals[..n - 1].iter().all(Leaf::is_test)
    }
}

/// Whether a clause cut that comes after a call needs the barrier in a variable. `called`: whether a call precedes.
pub(super) fn needs_barrier(goals: &[Leaf], called: &mut bool) -> bool {
    let mut needed = false;
    for leaf in goals {
        match &leaf.goal {
            Goal::Call(..) => *called = true,
            Goal::Cut => needed |= *called,
            Goal::Or(branches) => {
                let before = *called;
                for b in branches {
                    let mut c = before;
                    needed |= needs_barrier(&b.goals, &mut c);
                    *called |= c;
                }
            }
            Goal::IfThenElse {
                condition,
                then,
                otherwise,
                ..
            } => {
                let mut c = *called;
                needed |= needs_barrier(&condition.goals, &mut c);
                needed |= needs_barrier(&then.goals, &mut c);
                let mut d = *called;
                needed |= needs_barrier(&otherwise.goals, &mut d);
                *called |= c | d;
            }
            Goal::Not { goals, .. } => {
                let mut c = *called;
                needed |= needs_barrier(&goals.goals, &mut c);
            }
            _ => {}
        }
    }
    needed
}

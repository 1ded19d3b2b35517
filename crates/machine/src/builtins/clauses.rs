//! Clauses as terms: `assertz/1` and its kin, `abolish/1` (ISO 13211-1, 8.9), under the logical update view. Those that look for clauses: [`super::clause_walks`].

use super::listening::left;
use super::{Entry, det, pure};
use crate::engine::ctx::Ctx;
use crate::engine::worker::Args;
use crate::error::{Res, Throw};
use crate::state::room::has_common_room;
use samite_code::compile::{self, CompileError, Compiled, Room};
use samite_code::database::Refused;
use samite_code::neck::{self, Neck};
use samite_code::predicate::{Clause, flag};
use samite_code::{Predicate, database};
use samite_term::heavy::Patience;
use samite_term::{Atom, Cell, Functor, Handle, Number, TermRef, atoms, cycle, growth};
use std::io::Write;
use std::sync::atomic::Ordering;

pub const TABLE: &[Entry] = &[
    det("assertz", 1, |m, a| assert(m, a, true))
        .meta(":")
        .core()
        .refuses_first(),
    det("assert", 1, |m, a| assert(m, a, true))
        .meta(":")
        .refuses_first(),
    det("asserta", 1, |m, a| assert(m, a, false))
        .meta(":")
        .core()
        .refuses_first(),
    det("assertz", 2, |m, a| assert_named(m, a, true))
        .meta(":?")
        .refuses_first(),
    det("assert", 2, |m, a| assert_named(m, a, true))
        .meta(":?")
        .refuses_first(),
    det("asserta", 2, |m, a| assert_named(m, a, false))
        .meta(":?")
        .refuses_first(),
    det("abolish", 1, abolish).meta(":").core(),
    det("$add_clause", 3, add_clause),
    pure("$clause_count", 2, |m, a| {
        let p = m.predicate_argument(a, 0)?;
        let n = p.lock().live;
        m.unify_int(a, 1, n as i64)
    }),
];

/// What a clause term says, and of which module.
#[derive(Clone, Copy)]
pub(super) struct Parts<'a> {
    pub(super) clause: compile::Parts<'a>,
    pub(super) module: Atom,
}

/// Says of a new clause what it is.
pub(crate) fn be_of_kind(clause: &mut Clause, of: &compile::Parts) {
    if of.body.is_some() {
        clause.set_rule();
    }
    if of.neck.is_one_sided() {
        clause.set_one_sided();
    }
}

/// Writes the code of a clause to standard error.
#[cold]
fn list_compiled(module: Atom, head: TermRef, compiled: &Compiled) {
    let name = head.callable().map(|(f, _)| format!("{f:?}"));
    let (module, name) = (module.as_str(), name.unwrap_or_default());
    let text = compiled.block.listing();
    // It may be closed.
    let _ = write!(std::io::stderr(), "{module}:{name}\n{text}");
}

impl<'b> Ctx<'b> {
    /// Takes a clause apart: `Head :- Body`, modules taken off.
    pub(super) fn clause_parts(&mut self, t: Cell) -> Result<Parts<'b>, Throw> {
        let (t, module) = self.strip_module(t, self.thread.modules.typein.get())?;
        if !cycle::is_acyclic(self.term(t)) {
            return Err(self.representation_error("cyclic_term"));
        }
        let (neck, left, body) = Neck::split(self.term(t));
        let Some(body) = body else {
            let head = self.check_head(left.cell())?;
            let head = self.term(head);
            let placed = false;
            let clause = compile::Parts {
                neck,
                head,
                body,
                placed,
            };
            return Ok(Parts { clause, module });
        };
        let outer = module;
        let mut body = body.deref();
        let (head, mut guard) = neck.head_and_guard(left);
        let (head, module) = self.strip_module(head.cell(), module)?;
        let head = self.check_head(head)?;
        if module != outer {
            // The head's module is where the clause goes; the body is the text's around it.
            body = self.in_module_of(outer, body)?;
            if let Some(g) = guard {
                let g = self.in_module_of(outer, g.deref())?;
                guard = Some(self.term(g));
            }
        }
        let (neck, body) = self.guarded(neck, guard, body)?;
        let (head, body) = match neck {
            Neck::Choice => self.with_moved(head, body)?,
            _ => (head, body),
        };
        let trivial = neck == Neck::Plain && body == Cell::atom(atoms::TRUE);
        let clause = compile::Parts {
            neck,
            head: self.term(head),
            body: (!trivial).then(|| self.term(body)),
            placed: module != outer,
        };
        Ok(Parts { clause, module })
    }
    /// A body that is the module's, unless it is `true`.
    fn in_module_of(&mut self, module: Atom, body: Cell) -> Result<Cell, Throw> {
        if body == Cell::atom(atoms::TRUE) {
            return Ok(body);
        }
        let body = self.goal_variables(body)?;
        let colon = Functor::new(atoms::COLON, 2);
        let says_so = match self.term(body).callable() {
            Some((f, args)) => f == colon && args.get(0).deref() == Cell::atom(module),
            None => false,
        };
        match says_so {
            true => Ok(body),
            false => Ok(self.heap.structure(colon, &[Cell::atom(module), body])?),
        }
    }
    /// The neck and the body of a rule that a guard stands in before its neck.
    pub(super) fn guarded(
        &mut self,
        neck: Neck,
        guard: Option<TermRef>,
        mut body: Cell,
    ) -> Result<(Neck, Cell), Throw> {
        let Some(guard) = guard else {
            return Ok((neck, body));
        };
        if neck == Neck::Commit {
            body = self.conjunction(Cell::atom(atoms::CUT), body)?;
        }
        Ok((Neck::Choice, self.conjunction(guard.deref(), body)?))
    }
    /// The goals of the first, then the second.
    fn conjunction(&mut self, first: Cell, then: Cell) -> Result<Cell, Throw> {
        let comma = Functor::new(atoms::COMMA, 2);
        let (mut goals, mut work) = (Vec::new(), vec![first]);
        while let Some(t) = work.pop() {
            match self.term(t).callable() {
                Some((f, parts)) if f == comma => {
                    growth::have(&mut work, 2)?;
                    work.extend([parts.get(1).cell(), parts.get(0).cell()]);
                }
                _ => growth::push(&mut goals, t)?,
            }
        }
        let mut body = then;
        while let Some(goal) = goals.pop() {
            body = self.heap.structure(comma, &[goal, body])?;
        }
        Ok(body)
    }
    /// A head with what the unifications at the beginning of the body say of it, where they are all that is said of a variable, and the rest of the body.
    fn with_moved(&mut self, head: Cell, body: Cell) -> Result<(Cell, Cell), Throw> {
        let (h, b) = (self.term(head), self.term(body));
        let only = |v: TermRef| neck::occurrences(h, v) == 1 && neck::occurrences(b, v) == 1;
        let moved: Vec<(usize, Cell, Cell)> = match h.callable() {
            Some((_, args)) => (neck::moved(h, b).iter())
                .filter(|m| only(args.get(m.argument)))
                .map(|m| (m.argument, m.term.cell(), m.goal.deref()))
                .collect(),
            None => Vec::new(),
        };
        if moved.is_empty() {
            return Ok((head, body));
        }
        let Some((f, args)) = h.callable() else {
            return Ok((head, body));
        };
        let mut arguments: Vec<Cell> = (0..f.arity()).map(|i| args.get(i).cell()).collect();
        for &(i, t, _) in &moved {
            arguments[i] = t;
        }
        let list = Functor::new(atoms::DOT, 2);
        let head = match arguments[..] {
            [x, y] if f == list => self.heap.list_cell(x, y)?,
            _ => self.heap.structure(f, &arguments)?,
        };
        // The goals in their order, without these.
        let comma = Functor::new(atoms::COMMA, 2);
        let (mut goals, mut left) = (Vec::new(), moved.len());
        let mut work = vec![body];
        while let Some(t) = work.pop() {
            let t = self.deref(t);
            if left == 0 {
                growth::push(&mut goals, t)?;
                continue;
            }
            match self.term(t).callable() {
                Some((f, parts)) if f == comma => {
                    work.extend([parts.get(1).cell(), parts.get(0).cell()]);
                }
                _ if moved.iter().any(|&(_, _, goal)| goal == t) => left -= 1,
                _ => growth::push(&mut goals, t)?,
            }
        }
        let mut body = goals.pop().unwrap_or(Cell::atom(atoms::TRUE));
        while let Some(goal) = goals.pop() {
            body = self.heap.structure(comma, &[goal, body])?;
        }
        Ok((head, body))
    }
    /// Whether `system` has a predicate of this name, which no library can redefine.
    fn is_in_system(&self, f: Functor) -> bool {
        let p = self.program.code.find(atoms::SYSTEM, f);
        // (What files add to is everybody's name.)
        p.is_some_and(|p| p.has(flag::SYSTEM) && !p.has(flag::MULTIFILE))
    }
    /// The head of a clause, dereferenced; `f()` is `f`.
    pub(crate) fn check_head(&mut self, head: Cell) -> Result<Cell, Throw> {
        let head = self.deref(head);
        if head.is_ref() {
            return Err(self.instantiation_error());
        }
        match self.term(head).goal() {
            // What is left of qualifications has no module's name before the colon.
            Some((f, args)) if f == Functor::new(atoms::COLON, 2) => {
                let module = args.get(0).deref();
                Err(match module.is_ref() {
                    true => self.instantiation_error(),
                    false => self.type_error("module", module),
                })
            }
            Some((f, _)) if f.arity() == 0 => Ok(Cell::atom(f.name())),
            Some(_) => Ok(head),
            None => Err(self.type_error("callable", head)),
        }
    }
    /// `Name/Arity` of a predicate as culprit.
    pub(crate) fn indicator_of(&mut self, p: &Predicate) -> Result<Cell, Throw> {
        self.indicator(p.functor())
    }
    /// The predicate that clauses of a functor in a module belong to; a permission error for system predicates.
    pub(crate) fn modifiable(
        &mut self,
        module: Atom,
        functor: Functor,
        action: &str,
        kind: &str,
    ) -> Result<&'static Predicate, Throw> {
        if let Some(p) = self.protected(module, functor) {
            let i = self.indicator_of(p)?;
            return Err(self.permission_error(action, kind, i));
        }
        if functor.arity() > samite_code::instr::MAX_PREDICATE_ARITY {
            return Err(self.representation_error("max_procedure_arity"));
        }
        self.predicate_of(module, functor)
    }
    /// The system's predicate of this name, if a program may not define it in this module: those of the core are nobody's to define, the others only
    /// `system`'s not.
    pub(super) fn protected(&mut self, module: Atom, f: Functor) -> Option<&'static Predicate> {
        if self.thread.loading.system {
            return None;
        }
        let p = self.program.code.find(atoms::SYSTEM, f)?;
        let protected = match module == atoms::SYSTEM {
            true => p.has(flag::SYSTEM) && !self.is_dynamic(p),
            false => p.has(flag::CORE),
        };
        (protected && p.is_defined()).then_some(p)
    }
    /// The predicate whose clauses a goal in a module changes, an imported one too; a permission error if that is static.
    pub(super) fn changeable(
        &mut self,
        module: Atom,
        f: Functor,
    ) -> Result<&'static Predicate, Throw> {
        let p = self.modifiable(module, f, "modify", "static_procedure")?;
        let (p, imported) = match self.means(p) {
            Some(target) => (target, true),
            None => (p, false),
        };
        if !self.is_dynamic(p) && ((imported && p.is_library()) || self.is_fixed(p)) {
            let i = self.shown_indicator(p)?;
            return Err(self.permission_error("modify", "static_procedure", i));
        }
        Ok(p)
    }
    /// The predicate named by `Module:Name/Arity` or a goal.
    pub(crate) fn predicate_argument(
        &mut self,
        a: Args,
        i: usize,
    ) -> Result<&'static Predicate, Throw> {
        let (t, module) = self.strip_module(self.arg(a, i), self.thread.modules.typein.get())?;
        let f = self.functor_of_indicator(t)?;
        self.predicate_of(module, f)
    }
    /// The predicate of exactly this module, made (undefined) if there is none and there is room for it.
    pub(crate) fn predicate_of(
        &self,
        module: Atom,
        f: Functor,
    ) -> Result<&'static Predicate, Throw> {
        let may_take = |bytes| self.room(bytes).is_ok();
        let p = self.program.code.predicate_if(module, f, may_take);
        p.ok_or(Throw::Memory)
    }
    /// `Name/Arity` (or `Name//Arity`).
    pub(crate) fn functor_of_indicator(&mut self, t: Cell) -> Result<Functor, Throw> {
        let t = self.deref(t);
        let (f, args) = match self.term(t).callable() {
            Some((f, args))
                if f.arity() == 2 && (f.name() == atoms::SLASH || f.name() == atoms::INT_DIV) =>
            {
                (f, args)
            }
            _ => return Err(self.type_error("predicate_indicator", t)),
        };
        let (name, arity) = (args.get(0).deref(), args.get(1).deref());
        if name.is_ref() || arity.is_ref() {
            return Err(self.instantiation_error());
        }
        if !name.is_atom() {
            return Err(self.type_error("atom", name));
        }
        let mut n = match self.term(arity).number() {
            Some(Number::Int(n)) => n.clamp(-1, i64::from(i32::MAX)),
            Some(n) if n.is_integer() && super::args::is_negative(&n) => -1,
            Some(n) if n.is_integer() => i64::from(i32::MAX),
            _ => return Err(self.type_error("integer", arity)),
        };
        if f.name() == atoms::INT_DIV {
            n += 2;
        }
        if n < 0 {
            return Err(self.domain_error("not_less_than_zero", arity));
        }
        if n > samite_code::instr::MAX_PREDICATE_ARITY as i64 {
            return Err(self.representation_error("max_arity"));
        }
        Ok(Functor::new(name.atom_of(), n as usize))
    }
    pub(crate) fn compile_error(&mut self, e: CompileError, body: Cell) -> Throw {
        match e {
            CompileError::NotCallable => self.type_error("callable", body),
            CompileError::TooLarge => self.resource_error("clause_size"),
            CompileError::NoRoom => Throw::Memory,
        }
    }
    /// Compiles a clause, where there is room in what threads have in common for what that takes, beside so many bytes.
    pub(crate) fn compile(
        &self,
        module: Atom,
        clause: compile::Parts,
        beside: usize,
    ) -> Result<Compiled, CompileError> {
        let beyond = self.thread.beyond_limit();
        let ask = |bytes| has_common_room(bytes + beside, beyond);
        let room = Room::new(&ask);
        let compiled = compile::compile(&self.program.code, module, clause, &room)?;
        if self.program.lists_code.load(Ordering::Relaxed)
            && !self.thread.loading.system
            && module != atoms::SYSTEM
        {
            list_compiled(module, clause.head, &compiled);
        }
        Ok(compiled)
    }
    /// The term kept of a clause: a fact as it is, a rule as `Head :- Body`, variables in goal position as `call/1`; and whether the body is straight.
    pub(super) fn clause_record(
        &mut self,
        clause: compile::Parts,
    ) -> Result<(samite_term::Record, bool), Throw> {
        let compile::Parts {
            neck, head, body, ..
        } = clause;
        let Some(body) = body else {
            let record = self.record_of_clause(head.cell(), size_of::<Clause>())?;
            return Ok((record, false));
        };
        // Also of clauses that are compiled when they are first called: errors in the body belong to who adds them.
        let may_take = |bytes| self.room(bytes).is_ok();
        let goals = match compile::look_at_body(&self.program.code, head, body, may_take) {
            Ok(goals) => goals,
            Err(e) => return Err(self.compile_error(e, body.cell())),
        };
        let body = match goals.has_variables {
            true => self.goal_variables(body.cell())?,
            false => body.cell(),
        };
        let t = self.heap.structure(neck.functor(), &[head.cell(), body])?;
        Ok((
            self.record_of_clause(t, size_of::<Clause>())?,
            goals.is_straight,
        ))
    }
    /// A body with its variable goals as `call(V)`; the parts of it that have none stay as they are.
    fn goal_variables(&mut self, t: Cell) -> Result<Cell, Throw> {
        enum Step {
            Visit(Cell),
            Build(Functor, Cell),
        }
        let mut work = vec![Step::Visit(t)];
        let mut done: Vec<Cell> = Vec::new();
        let mut patience = Patience::new();
        while let Some(step) = work.pop() {
            if patience.is_over() {
                return Err(self.given_up());
            }
            match step {
                Step::Visit(t) => {
                    let t = self.deref(t);
                    if t.is_ref() {
                        let call = self.heap.structure(Functor::new(atoms::CALL, 1), &[t])?;
                        growth::push(&mut done, call)?;
                        continue;
                    }
                    let control = |f: Functor| {
                        f.arity() == 2
                            && matches!(
                                f.name(),
                                atoms::COMMA | atoms::SEMICOLON | atoms::ARROW | atoms::SOFT_ARROW
                            )
                    };
                    match self.term(t).callable() {
                        Some((f, args)) if control(f) => {
                            growth::have(&mut work, 3)?;
                            work.push(Step::Build(f, t));
                            work.push(Step::Visit(args.get(1).cell()));
                            work.push(Step::Visit(args.get(0).cell()));
                        }
                        _ => growth::push(&mut done, t)?,
                    }
                }
                Step::Build(f, t) => {
                    let Some(&parts) = done.last_chunk::<2>() else {
                        continue;
                    };
                    done.truncate(done.len() - 2);
                    let Some((_, args)) = self.term(t).callable() else {
                        continue;
                    };
                    if parts == [args.get(0).deref(), args.get(1).deref()] {
                        done.push(t);
                    } else {
                        done.push(self.heap.structure(f, &parts)?);
                    }
                }
            }
        }
        Ok(done.pop().unwrap_or(t))
    }
    /// The predicate and the term kept of a clause that a module's text has; `None` if there is no such predicate.
    pub(crate) fn clause_and_record(
        &mut self,
        t: Cell,
        module: Atom,
    ) -> Result<Option<(&'static Predicate, samite_term::Record)>, Throw> {
        let outer = std::mem::replace(&mut self.thread.modules.typein, module.hold());
        let parts = self.clause_parts(t);
        self.thread.modules.typein = outer;
        let parts = parts?;
        let Some((f, _)) = parts.clause.head.callable() else {
            return Ok(None);
        };
        match self.program.code.find(parts.module, f) {
            Some(p) => Ok(Some((p, self.clause_record(parts.clause)?.0))),
            None => Ok(None),
        }
    }
    /// Adds a clause of a dynamic predicate; its name, if it is to have one.
    fn add_dynamic(
        &mut self,
        parts: &Parts,
        p: &'static Predicate,
        at_end: bool,
        named: bool,
        source: Option<(Atom, i64)>,
        line: u32,
    ) -> Result<Option<Handle>, Throw> {
        self.room_for_clause(p, at_end)?;
        let (record, is_straight) = self.clause_record(parts.clause)?;
        self.space_for_clause(p.module(), 8 * record.len())?;
        let key = compile::head_key(parts.clause);
        // Not before: a clause that is an error changes nothing.
        if source.is_none() && !self.is_dynamic(p) {
            self.begin_dynamic(p)?;
            self.room_for_clause(p, at_end)?;
        }
        let p = self.own(p).main();
        let mut clause = Box::new(Clause::new(p, key, Some(record), None, line));
        be_of_kind(&mut clause, &parts.clause);
        // (Goals of transparent predicates are told their context by compiled code.)
        if is_straight && !p.is_transparent() {
            clause.set_straight();
        }
        if let Some((file, session)) = source {
            clause.set_file(file, self.text_of_load(file, session));
        }
        // Now: once it is added, another thread may erase it.
        let name = match named {
            true => {
                let name = clause.name_new(|bytes| self.room(bytes).is_ok());
                Some(name.ok_or(Throw::Memory)?)
            }
            false => None,
        };
        match source {
            Some((_, session)) => self.place(p, clause, Some(session))?,
            None => self.ctx().add_clause(p, clause, at_end)?,
        }
        Ok(name)
    }

    /// Asks for the growth of a dynamic predicate's list by a clause.
    /// A clause that takes so much, its own words apart, is to be within what its module may have.
    fn space_for_clause(&mut self, module: Atom, bytes: usize) -> Result<(), Throw> {
        let bytes = size_of::<Clause>() + bytes;
        let program = self.program.clone();
        let count = || self.program_size(module);
        match program.module_space.has_room(module, bytes, count) {
            true => Ok(()),
            false => Err(self.resource_error("program_space")),
        }
    }
    /// What the clauses of a module take, about.
    pub(crate) fn program_size(&mut self, module: Atom) -> usize {
        self.reader.enter();
        let mut size = 0;
        self.program.code.each_predicate(|p| {
            if p.module() == module {
                size += p.visible_clauses().map(Clause::bytes).sum::<usize>();
            }
        });
        size
    }
    pub(super) fn room_for_clause(
        &mut self,
        p: &'static Predicate,
        at_end: bool,
    ) -> Result<(), Throw> {
        let own = self.own(p);
        self.reader.enter();
        let twin = if own.is_twin() {
            database::growth(own, at_end)
        } else {
            0
        };
        self.room(database::growth(own.main(), at_end) + twin)
    }
}

fn assert(m: &mut Ctx, a: Args, at_end: bool) -> Res {
    let (_, told) = assert_clause(m, a, at_end, false)?;
    left(told)
}

fn assert_named(m: &mut Ctx, a: Args, at_end: bool) -> Res {
    let reference = m.arg(a, 1);
    if !reference.is_ref() {
        return Err(m.uninstantiation_error(reference, "2-nd argument"));
    }
    let (name, told) = assert_clause(m, a, at_end, true)?;
    match name.is_some_and(|n| m.unify_arg(a, 1, Cell::of_handle(n))) {
        true => left(told),
        false => Ok(false),
    }
}

impl Ctx<'_> {
    /// A clause was not added.
    #[cold]
    pub(crate) fn refused(&mut self, p: &'static Predicate, why: Refused) -> Throw {
        match why {
            Refused::NoRoom => Throw::Memory,
            Refused::Mixed => match self.shown_indicator(p) {
                Ok(i) => self.permission_error("assert", "procedure", i),
                Err(t) => t,
            },
            Refused::Static => match self.indicator_of(p) {
                Ok(i) => self.permission_error("modify", "static_procedure", i),
                Err(t) => t,
            },
        }
    }
}

/// Adds the clause that is the first argument; its name, if it is to have one, and the goal that is left, if somebody listens.
fn assert_clause(
    m: &mut Ctx,
    a: Args,
    at_end: bool,
    named: bool,
) -> Result<(Option<Handle>, Option<Cell>), Throw> {
    // A call is a safe point. A loop that is driven by failure has no other, and its erased clauses would stay for as long as it runs.
    m.answer_reclaimers();
    let parts = m.clause_parts(m.arg(a, 0))?;
    let Some((f, _)) = parts.clause.head.callable() else {
        return Ok((None, None));
    };
    let p = m.changeable(parts.module, f)?;
    let telling = m.telling_of(p, at_end)?;
    let named = named || telling.is_some();
    let name = m.add_dynamic(&parts, p, at_end, named, None, 0)?;
    Ok((name, m.told_of(telling, name)))
}

/// `'$add_clause'(+Clause, '$source'(+File, +Session), +Line)`: a clause read from a file.
fn add_clause(m: &mut Ctx, a: Args) -> Res {
    let line = m.arg(a, 2);
    let line = if line.is_small() {
        line.small_value() as u32
    } else {
        0
    };
    let source = match m.view(a, 1).callable() {
        Some((f, args)) if f.arity() == 2 => match (args.get(0).as_atom(), args.get(1).view()) {
            (Some(file), samite_term::View::Int(session)) => Some((file, session)),
            _ => None,
        },
        _ => None,
    };
    left(m.add_source_clause(m.arg(a, 0), source, line)?)
}

impl Ctx<'_> {
    /// Adds a clause of a file to the source module's predicate; see [`super::reloading`]. The goal that is left, if somebody listens: not to what
    /// a file that is loaded again will exchange.
    pub(crate) fn add_source_clause(
        &mut self,
        t: Cell,
        source: Option<(Atom, i64)>,
        line: u32,
    ) -> Result<Option<Cell>, Throw> {
        let module = self.thread.modules.source.get();
        let outer = std::mem::replace(&mut self.thread.modules.typein, module.hold());
        let parts = self.clause_parts(t);
        self.thread.modules.typein = outer;
        let mut parts = parts?;
        let Some((f, _)) = parts.clause.head.callable() else {
            return Ok(None);
        };
        let library = self.thread.loading.system || parts.module == atoms::SYSTEM;
        if let (true, Some(body)) = (self.thread.loading.system, parts.clause.body) {
            let body = self.library_goals(body.cell(), module)?;
            parts.clause.body = Some(self.term(body));
        }
        let p = self.modifiable(parts.module, f, "modify", "static_procedure")?;
        if p.has(flag::BUILTIN) || (self.thread.loading.system && self.is_in_system(f)) {
            let i = self.indicator_of(p)?;
            return Err(self.permission_error("modify", "static_procedure", i));
        }
        self.define_locally(p)?;
        if let Some((file, session)) = source {
            self.claim(p, file, session);
        }
        if self.is_dynamic(p) {
            let telling = match p.has(flag::RELOADING) {
                true => None,
                false => self.telling_of(p, true)?,
            };
            let named = telling.is_some();
            let name = self.add_dynamic(&parts, p, true, named, source, line)?;
            return Ok(self.told_of(telling, name));
        }
        let compiled = match self.compile(parts.module, parts.clause, 0) {
            Ok(c) => c,
            Err(e) => {
                let body = parts.clause.body.map_or(Cell::NIL, TermRef::cell);
                return Err(self.compile_error(e, body));
            }
        };
        // (The terms of libraries' clauses are not kept; see [`super::recalled`].)
        let record = if library {
            None
        } else {
            Some(self.clause_record(parts.clause)?.0)
        };
        let block = Some(compiled.block);
        let mut clause = Box::new(Clause::new(p, compiled.key, record, block, line));
        clause.set_linked();
        be_of_kind(&mut clause, &parts.clause);
        if let Some((file, session)) = source {
            clause.set_file(file, self.text_of_load(file, session));
        }
        if library && p.be_library(self.thread.loading.system) {
            self.thread.loading.unpublished.push(p);
        }
        self.place(p, clause, source.map(|(_, session)| session))?;
        Ok(None)
    }
}

/// Static predicates of programs too, unless flag `iso` is set, or another thread loads their file again: then what they are is the file's to say.
/// If this one does, what it has read of them so far. Of what is imported only the import goes.
fn abolish(m: &mut Ctx, a: Args) -> Res {
    let (t, module) = m.strip_module(m.arg(a, 0), m.thread.modules.typein.get())?;
    let f = m.functor_of_indicator(t)?;
    let named = m.modifiable(module, f, "modify", "static_procedure")?;
    let iso = m.flag_atom(Atom::new("iso")) == Some(atoms::TRUE);
    if !iso && m.imported_definition(named).is_some() {
        // The name is the module's; what it means is not.
        named.forget_import();
        m.meanings_changed();
        return Ok(true);
    }
    let reads = m.thread.loading.loads.last().and_then(|l| l.shadow(named));
    if !iso && reads.is_some_and(|shadow| !shadow.is_twin()) {
        let alone = m.program.code.sources.lock().has_one_file(named);
        let load = m.thread.loading.loads.last();
        if alone && load.is_some_and(|l| l.has_declared(named)) {
            // What marks it is this file's alone to say.
            named.undeclare(flag::ANNOUNCED | flag::TOLD);
        }
        m.forget_own_declared(named);
        m.forget_read(named)?;
        return Ok(true);
    }
    let kept = iso || named.is_library() || named.has(flag::RELOADING);
    let p = match kept {
        true => m.changeable(module, f)?,
        false => named,
    };
    let dynamic = m.is_dynamic(p);
    let own = m.own(p);
    if own.is_twin() {
        // Others go on with the version before.
        m.reader.enter();
        for c in own.view_of(&m.reader).clauses() {
            m.erase_clause(c)?;
        }
    } else if p.has(flag::THREAD_LOCAL) {
        database::wipe(own);
    } else if dynamic {
        database::abolish(p, m.reader.number(), |p, _| {
            p.is_dynamic() && !p.has(flag::THREAD_LOCAL)
        });
    } else if p.is_defined() {
        let mut writer = p.lock();
        writer.file = None;
        writer.session = 0;
        drop(writer);
        database::abolish(p, m.reader.number(), |p, _| !p.is_dynamic());
        m.forget_declared(p);
        m.meanings_changed();
    }
    Ok(true)
}

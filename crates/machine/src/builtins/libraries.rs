//! Samite's own libraries: texts compiled in, each loaded into a module of its own when one of its predicates is first called, or when it is
//! asked for. What every program begins with (the boot texts) is in `system`. All of it is read when Samite is built: what is compiled in are terms
//! ([`samite_term::packed`]), of which this adds the clauses; directives and grammar rules are those of who reads any text (`library/boot/texts.pl`).
//!
//! What an undefined predicate means that a library exports is found by its name and arity ([`find_export`]); the calling module then imports
//! it. One thread at a time loads, and others see a library when it is whole. Which libraries a module's calls find is said in one place
//! (`Ctx::found_by`): whoever tells of predicates without calling them (`predicate_property/2`, `current_predicate/1`, checks, hints, completion) asks
//! there, too, so that what is said to be there is what a call finds.
//!
//! *Goals of libraries.* A goal without a module belongs to `user`. So a library passes on what it was given as it is, and its own goals
//! are told its module when they are compiled: arguments of a call by the compiler, those within arguments here
//! ([`Ctx::library_goals`]).

use super::{Entry, det};
use crate::engine::ctx::Ctx;
use crate::engine::going::{Go, Outcome};
use crate::engine::worker::{Args, OwnedWorker};
use crate::error::{Res, Throw};
use crate::state::leaving::Urgency;
use crate::state::library::LibraryText;
use crate::state::program::Program as ProgramState;
use samite_code::predicate::is_meta;
use samite_code::{Predicate, Program, database, flag};
use samite_sched::MutexStatus;
use samite_term::growth::Refused;
use samite_term::packed::Packed;
use samite_term::{Atom, Cell, Functor, View, atoms, common};

/// The mutex held by the thread that loads a library, see `'$load_library'/1`.
const LOADER: &str = "$load_library";

/// Other names that libraries have, and those that they are known by.
const OTHER_NAMES: [(&str, &str); 1] = [("clp/clpfd", "clpfd")];

/// The name that a library is known by.
fn known_by(name: &str) -> &str {
    let other = OTHER_NAMES.iter().find(|(other, _)| *other == name);
    other.map_or(name, |(_, known)| known)
}

pub const TABLE: &[Entry] = &[
    det("$loading_system", 0, |m, _| Ok(m.thread.loading.system)),
    det("$save_loading", 1, |m, a| {
        let c = Cell::atom(if m.thread.loading.system {
            atoms::TRUE
        } else {
            atoms::FALSE
        });
        Ok(m.unify_arg(a, 0, c))
    }),
    det("$set_loading", 1, |m, a| {
        let before = m.thread.loading.system;
        m.thread.loading.system = m.atom_argument(a, 0)? == atoms::TRUE;
        if m.thread.loading.system && !before {
            m.thread.loading.held_before = common::held();
        } else if before && !m.thread.loading.system {
            common::disregard(common::held().saturating_sub(m.thread.loading.held_before));
        }
        if !m.thread.loading.system {
            m.thread
                .loading
                .unpublished
                .drain(..)
                .for_each(database::publish);
        }
        Ok(true)
    }),
    det("$library_loaded", 1, |m, a| {
        let f = m.atom_argument(a, 0)?;
        Ok(m.library_ready(f.as_str()))
    }),
    // '$library_text'(+Name, -Text): as it was written, for who wants to see it so.
    det("$library_text", 2, |m, a| {
        let name = m.atom_argument(a, 0)?;
        let Some(library) = m.library(name.as_str()) else {
            return Ok(false);
        };
        let text = m.heap.string(library.text)?;
        Ok(m.unify_arg(a, 1, text))
    }),
    // '$library_begins'(+Name): it counts as loaded from now on.
    det("$library_begins", 1, |m, a| {
        let name = m.atom_argument(a, 0)?;
        let name = known_by(name.as_str()).to_owned();
        m.program.code.libraries.lock().insert(name);
        Ok(true)
    }),
    // '$open_library'(+Name): its terms are those that are asked for, until it is closed. Fails if there is none.
    det("$open_library", 1, |m, a| {
        let name = m.atom_argument(a, 0)?;
        let terms = m.library(name.as_str()).map(|l| Packed::new(l.terms));
        Ok(terms.is_some_and(|t| {
            m.thread.loading.texts.push(t);
            true
        }))
    }),
    det("$close_library", 0, |m, _| {
        m.thread.loading.texts.pop();
        Ok(true)
    }),
    det("$library_term", 2, |m, a| {
        m.with_library(|m, text| {
            let (term, line) = m.next_library_term(text)?;
            Ok(m.unify_arg(a, 0, term) && m.unify_int(a, 1, line.into())?)
        })
    }),
    det("$library_clauses", 4, library_clauses),
    // '$forget_library'(+Name, +Module): it could not be loaded, and is as it was before.
    det("$forget_library", 2, |m, a| {
        let (name, module) = (m.atom_argument(a, 0)?, m.atom_argument(a, 1)?);
        m.program
            .code
            .libraries
            .lock()
            .remove(known_by(name.as_str()));
        m.thread
            .loading
            .unpublished
            .retain(|p| p.module() != module);
        for p in m.program.code.predicates() {
            if p.module() == module && p.is_dynamic() {
                database::wipe(p);
            } else if p.module() == module && p.has(flag::LIBRARY) {
                database::abolish(p, 0, |_, _| true);
                database::publish(p);
            }
        }
        Ok(true)
    }),
    det("$is_library", 1, |m, a| {
        let name = m.atom_argument(a, 0)?;
        Ok(m.library(name.as_str()).is_some())
    }),
    // '$library_of'(+PI, -Library): the library that exports a predicate, which calls need not find.
    det("$library_of", 2, |m, a| {
        let f = m.functor_of_indicator(m.arg(a, 0))?;
        let library = m.library_of(f).map(|l| Atom::new(l.path));
        Ok(library.is_some_and(|l| m.unify_atom(a, 1, l)))
    }),
    // '$library_for_calls'(+PI, -Library): the same where calls of programs find it, unless a program wants none to be found.
    det("$library_for_calls", 2, |m, a| {
        let f = m.functor_of_indicator(m.arg(a, 0))?;
        let library = m.library_for_calls(f).map(|l| Atom::new(l.path));
        Ok(library.is_some_and(|l| m.unify_atom(a, 1, l)))
    }),
    // '$found_in_library'(+Module:PI, -Library): it means nothing in the module, and a call there finds what the library exports.
    det("$found_in_library", 2, |m, a| {
        let (t, module) = m.strip_module(m.arg(a, 0), atoms::USER)?;
        let f = m.functor_of_indicator(t)?;
        if m.resolve(module, f).is_some_and(|p| m.is_defined(p)) {
            return Ok(false);
        }
        let library = m.found_by(module, f).map(|l| Atom::new(l.path));
        Ok(library.is_some_and(|l| m.unify_atom(a, 1, l)))
    }),
    // '$is_asked_for'(+Library): calls of what it exports do not find it.
    det("$is_asked_for", 1, |m, a| {
        let library = m.atom_argument(a, 0)?;
        Ok(m.library(library.as_str()).is_some_and(|l| l.asked_for))
    }),
    // '$library_module'(?Module, ?Library): one of them is known.
    det("$library_module", 2, |m, a| {
        let module = m.arg(a, 0);
        if module.is_atom() {
            let module = module.atom_of();
            let found = match m.program.code.inheritance.is_library(module) {
                true => (m.program.libraries.iter()).find(|l| m.module_of(l) == module),
                false => None,
            };
            return Ok(found.is_some_and(|l| m.unify_atom(a, 1, Atom::new(l.path))));
        }
        let library = m.atom_argument(a, 1)?;
        let found = m.library(library.as_str());
        Ok(found.is_some_and(|l| m.unify_atom(a, 0, m.module_of(l))))
    }),
    // '$library_name_taken'(+Library, -Module): the program has, or had, a module of the name that the library's has in its text.
    det("$library_name_taken", 2, |m, a| {
        let library = m.atom_argument(a, 0)?;
        let Some(library) = m.library(library.as_str()) else {
            return Ok(false);
        };
        let named = Atom::new(library.module);
        Ok(m.module_of(library) != named && m.unify_atom(a, 1, named))
    }),
    // '$library_exports'(+Library, -PIs), loaded or not
    det("$library_exports", 2, library_exports),
    // '$unresolved'(-List): `Module:Name/Arity` of what is referred to in libraries and defined nowhere
    det("$unresolved", 1, unresolved),
    // '$import_autoloaded'(+Module:PI): after the library that exports it has been loaded
    det("$import_autoloaded", 1, |m, a| {
        let p = m.predicate_argument(a, 0)?;
        Ok(m.import_from_library(p))
    }),
];

/// So many clauses of a library are added between two safe points.
const CLAUSES_AT_ONCE: usize = 16;

/// What a library exports under a name.
#[derive(Clone, Copy, Debug)]
pub struct Export {
    /// Its number.
    library: usize,
    /// Specifiers of the arguments, `""` if there are no goals among them.
    pub meta: &'static str,
}

/// The first export of a name and arity. Lines of name, arity, library and meta-arguments are in order of name and arity.
pub fn find_export(exports: &'static str, name: &str, arity: usize) -> Option<Export> {
    // The lines before `from` come before what is looked for, those from `to` on do not.
    let (mut from, mut to) = (0, exports.len());
    let bytes = exports.as_bytes();
    while from < to {
        let middle = from + (to - from) / 2;
        let begin = bytes[from..middle].iter().rposition(|&b| b == b'\n');
        let begin = begin.map_or(from, |at| from + at + 1);
        let line = line_at(exports, begin);
        let same = line.as_bytes().starts_with(name.as_bytes());
        let before = match line.as_bytes().get(name.len()) {
            Some(b'\t') if same => fields(line)?.0 < (name, arity),
            _ => line < name,
        };
        if before {
            from = begin + line.len() + 1;
        } else {
            to = begin;
        }
    }
    let (found, library, meta) = fields(line_at(exports, from))?;
    (found == (name, arity)).then_some(Export { library, meta })
}

/// Name and arity of what is exported by libraries that calls find, and of what public libraries export that have been loaded.
pub fn known_exports(program: &ProgramState) -> impl Iterator<Item = (&'static str, usize)> {
    let loaded: Vec<bool> = {
        let loaded = program.code.libraries.lock();
        let known = |l: &LibraryText| !l.asked_for || !l.is_internal() && loaded.contains(l.path);
        program.libraries.iter().map(known).collect()
    };
    let all = program.library_exports.lines().filter_map(fields);
    all.filter_map(move |(pi, library, _)| loaded.get(library)?.then_some(pi))
}

fn line_at(exports: &'static str, at: usize) -> &'static str {
    let length = exports.as_bytes()[at..].iter().position(|&b| b == b'\n');
    &exports[at..at + length.unwrap_or(0)]
}

fn fields(line: &'static str) -> Option<((&'static str, usize), usize, &'static str)> {
    let mut fields = line.split('\t');
    let name = fields.next()?;
    let arity = fields.next()?.parse().ok()?;
    let library = fields.next()?.parse().ok()?;
    Some(((name, arity), library, fields.next()?))
}

/// What is SWI-Prolog's without a library (9.0.4), and stands in one of Samite's: no flag keeps it from being found.
const WITHOUT_A_LIBRARY: [(&str, usize); 27] = [
    ("abolish_module_tables", 1),
    ("abolish_monotonic_tables", 0),
    ("abolish_nonincremental_tables", 0),
    ("abolish_nonincremental_tables", 1),
    ("abolish_private_tables", 0),
    ("abolish_shared_tables", 0),
    ("abolish_table_subgoals", 1),
    ("call_cleanup", 3),
    ("current_table", 2),
    ("current_transaction", 1),
    ("fast_read", 2),
    ("fast_term_serialized", 2),
    ("fast_write", 2),
    ("get", 1),
    ("get", 2),
    ("mutex_statistics", 0),
    ("notrace", 0),
    ("notrace", 1),
    ("prolog_alert_signal", 2),
    ("prolog_listen", 2),
    ("prolog_listen", 3),
    ("prolog_unlisten", 2),
    ("thread_idle", 2),
    ("thread_update", 2),
    ("thread_wait", 2),
    ("tracing", 0),
    ("unwrap_predicate", 2),
];

impl Ctx<'_> {
    /// The library that exports a predicate.
    fn library_of(&self, f: Functor) -> Option<&'static LibraryText> {
        let exports = self.program.library_exports;
        let export = find_export(exports, f.name().as_str(), f.arity())?;
        self.program.libraries.get(export.library)
    }

    /// The library that exports a predicate, if programs' calls find it.
    fn library_for_calls(&self, f: Functor) -> Option<&'static LibraryText> {
        self.library_of(f).filter(|l| !l.asked_for)
    }

    /// The library in which a call in a module finds what means nothing there: one that nobody need ask for, unless the program has said that libraries
    /// are to be loaded by name only. Libraries find what others export, too; but names that are internal to a folder only within it.
    fn found_by(&self, module: Atom, f: Functor) -> Option<&'static LibraryText> {
        let library = self.library_of(f)?;
        let asks = self.program.code.is_library(module);
        let found = if library.asked_for {
            asks && (f.name().as_str().starts_with('$')
                || module != atoms::SYSTEM
                    && (!library.is_internal() || self.in_folder(module, library.folder())))
        } else {
            let named = (f.name().as_str(), f.arity());
            asks || library.is_internal()
                || self.may_autoload(module)
                || WITHOUT_A_LIBRARY.contains(&named)
        };
        found.then_some(library)
    }

    /// Whether a library of a folder, or of its name, is in the module.
    fn in_folder(&self, module: Atom, folder: &str) -> bool {
        let mut libraries = self.program.libraries.iter();
        libraries.any(|l| l.folder() == folder && self.module_of(l) == module)
    }

    /// The module that a library is in, or will be.
    fn module_of(&self, library: &LibraryText) -> Atom {
        let named = Atom::new(library.module);
        self.program.code.inheritance.library_module(named)
    }

    fn library(&self, path: &str) -> Option<&'static LibraryText> {
        let path = known_by(path);
        self.program.libraries.iter().find(|l| l.path == path)
    }

    /// An undefined predicate is called: if a library exports one of that name, the way to load it and then call that.
    pub(crate) fn autoload(&mut self, p: &'static Predicate) -> Result<Option<Go>, Throw> {
        let Some(library) = self.found_by(p.module(), p.functor()) else {
            return Ok(None);
        };
        if self.library_ready(library.path) {
            if p.link().is_some_and(|to| self.thread.loading.hides(p, to)) {
                // It stays what it is for others until this thread has read what the name means now.
                let module = self.module_of(library);
                let found = self.program.code.resolve(module, p.functor());
                let Some(target) = found.filter(|to| !std::ptr::eq(*to, p)) else {
                    return Ok(None);
                };
                self.qualify(target, p.module())?;
                return Ok(Some(Go::Code(target.entry())));
            }
            return Ok(self.import_from_library(p).then_some(Go::Enter(p)));
        }
        self.freeze(p)?;
        let goal = self.structure("$load_library", &[Cell::atom(Atom::new(library.path))])?;
        self.run_ignoring(goal, atoms::SYSTEM).map(Some)
    }

    /// Whether the program has not said that what a module calls is to be loaded by name only.
    fn may_autoload(&self, module: Atom) -> bool {
        let value = self.flag_atom(Atom::new("autoload"));
        match value.map_or("true", |value| value.as_str()) {
            "false" | "explicit" => false,
            "user" | "user_or_explicit" => module == atoms::USER,
            _ => true,
        }
    }

    /// The meta-arguments of what a call in a module finds in a library, loaded or not.
    pub(super) fn meta_in_library(&self, module: Atom, f: Functor) -> Option<&'static str> {
        self.found_by(module, f)?;
        let exports = self.program.library_exports;
        Some(find_export(exports, f.name().as_str(), f.arity())?.meta)
    }

    /// What is undefined becomes what a library that is loaded exports under that name.
    fn import_from_library(&self, p: &'static Predicate) -> bool {
        let Some(library) = self.found_by(p.module(), p.functor()) else {
            return false;
        };
        let module = self.module_of(library);
        if module == p.module() {
            return false;
        }
        match self.program.code.resolve(module, p.functor()) {
            Some(target) if !std::ptr::eq(target, p) => {
                p.find_in_library(target);
                true
            }
            _ => false,
        }
    }

    /// A library predicate is called while its file is being loaded: by the loading thread, which may run what is there; by
    /// another, which waits for the end of it and calls again.
    pub(crate) fn call_unpublished(&mut self, p: &'static Predicate) -> Result<Go, Throw> {
        if self.thread.loading.system {
            return Ok(Go::Code(samite_code::index::link(p)));
        }
        self.freeze(p)?;
        self.run_ignoring(Cell::atom(Atom::new("$await_loader")), atoms::SYSTEM)
    }

    /// Whether a library is loaded, or being loaded by this very thread. Libraries are marked as loaded at the start, by a
    /// thread that holds the loader's mutex to the end.
    pub(super) fn library_ready(&self, name: &str) -> bool {
        let name = known_by(name);
        if !self.program.code.libraries.lock().contains(name) {
            return false;
        }
        match self.program.registry.mutex(Atom::new(LOADER).into()) {
            Ok(mutex) => match mutex.status() {
                MutexStatus::Locked(owner, _) => owner == self.thread.control.id(),
                MutexStatus::Unlocked => true,
            },
            Err(_) => true,
        }
    }

    /// The body of a library's clause, in which the goals within arguments of calls are told their module; see the module text.
    pub(crate) fn library_goals(&mut self, body: Cell, module: Atom) -> Result<Cell, Throw> {
        self.own_goals(body, module, 0, false)
    }

    /// `goal` is called with so many arguments more; `within`: as an argument.
    fn own_goals(
        &mut self,
        goal: Cell,
        module: Atom,
        more: usize,
        within: bool,
    ) -> Result<Cell, Throw> {
        let t = self.term(goal);
        let Some((f, args)) = t.callable() else {
            return Ok(goal);
        };
        let known = Functor::new(f.name(), f.arity() + more);
        let spec: &[u8] = match (f.name(), known.arity()) {
            (atoms::COLON, 2) => return Ok(goal),
            (atoms::COMMA | atoms::SEMICOLON | atoms::ARROW | atoms::SOFT_ARROW, 2) => b"gg",
            (atoms::NOT, 1) => b"g",
            _ if f.name().as_str() == "^" && f.arity() == 2 && more == 0 => b"?g",
            _ => self.meta_of(module, known).unwrap_or_default(),
        };
        let mut new: Vec<Cell> = (0..f.arity()).map(|i| args.get(i).cell()).collect();
        let mut changed = false;
        for (place, &s) in new.iter_mut().zip(spec) {
            let arg = self.term(*place);
            let explicit = (arg.callable()).is_none_or(|(f, _)| f == Functor::new(atoms::COLON, 2));
            // `g`: a goal of the same body.
            if explicit || !(s == b'g' || is_meta(s)) {
                continue;
            }
            let mut goal = *place;
            if s == b'g' {
                goal = self.own_goals(goal, module, 0, within)?;
            } else {
                match s {
                    b'0'..=b'9' => {
                        goal = self.own_goals(goal, module, usize::from(s - b'0'), true)?
                    }
                    b'^' => goal = self.own_goals(goal, module, 0, true)?,
                    _ => {}
                }
                if within {
                    let colon = Functor::new(atoms::COLON, 2);
                    goal = self.heap.structure(colon, &[Cell::atom(module), goal])?;
                }
            }
            changed |= goal != *place;
            *place = goal;
        }
        Ok(match changed {
            true => self.heap.structure(f, &new)?,
            false => goal,
        })
    }

    /// The meta-arguments of what a goal in a library means.
    fn meta_of(&self, module: Atom, f: Functor) -> Option<&'static [u8]> {
        let program: &Program = &self.program.code;
        let known = |m| {
            program
                .find(m, f)
                .filter(|p| p.is_defined() || p.meta().is_some())
        };
        match known(module).or_else(|| known(atoms::SYSTEM)) {
            Some(p) => p.meta(),
            None => program.library_meta.get()?(f.name().as_str(), f.arity()),
        }
    }

    /// Adds a clause of boot text, or returns the directive it is.
    fn boot_term(
        &mut self,
        term: &samite_term::Record,
    ) -> Result<Option<samite_term::Record>, Throw> {
        let t = self.heap.instantiate(term)?;
        if let Some((f, args)) = self.term(t).callable()
            && f == Functor::new(atoms::NECK, 1)
        {
            let goal = args.get(0).cell();
            let source = Cell::atom(atoms::SYSTEM);
            let goal = self
                .heap
                .structure(Functor::new(atoms::COLON, 2), &[source, goal])?;
            return Ok(Some(self.record(goal)?));
        }
        self.add_source_clause(t, None, 0)?;
        Ok(None)
    }
}

/// Loads boot text: clauses into module `system`, directives run. Error: there is no memory for it.
///
/// # Panics
/// On any other error, since the text is part of the program.
pub fn load_boot(m: &mut OwnedWorker, name: &str, terms: &'static [u8]) -> Result<(), Refused> {
    m.thread.modules.source = atoms::SYSTEM.hold();
    for (term, line) in Packed::new(terms) {
        m.reset();
        match m.ctx().boot_term(&term) {
            Ok(None) => {}
            Ok(Some(directive)) => match m.run_once(&directive) {
                Outcome::True => {}
                Outcome::Exception(ball) if Urgency::of(&ball) == Urgency::Resource => {
                    return Err(Refused);
                }
                outcome => panic!("library {name}: line {line}: {outcome:?}"),
            },
            Err(Throw::Memory) => return Err(Refused),
            Err(e) => panic!("library {name}: line {line}: {e:?}"),
        }
    }
    m.reset();
    m.thread.modules.source = atoms::USER.hold();
    m.program.code.libraries.lock().insert(name.to_owned());
    Ok(())
}

impl Ctx<'_> {
    /// Does something with the library that was opened last. What is refused memory is called again: the library is then where it was.
    fn with_library(&mut self, f: impl FnOnce(&mut Ctx, &mut Packed<'static>) -> Res) -> Res {
        let Some(mut text) = self.thread.loading.texts.pop() else {
            return Ok(false);
        };
        let before = text.place();
        let result = f(self, &mut text);
        if result.is_err() {
            text.go_to(before);
        }
        self.thread.loading.texts.push(text);
        result
    }

    /// The next term of a library, and its line; at the end `end_of_file`.
    fn next_library_term(&mut self, text: &mut Packed) -> Result<(Cell, u32), Throw> {
        match text.next() {
            Some((term, line)) => {
                let term = self.heap.instantiate(&term)?;
                Ok((self.with_module_names(term)?, line))
            }
            None => Ok((Cell::atom(atoms::END_OF_FILE), 0)),
        }
    }

    /// A term of a library, whose own module, or that of another one, may have got another name than it is called by there.
    fn with_module_names(&mut self, t: Cell) -> Result<Cell, Throw> {
        if !self.program.code.inheritance.renames() {
            return Ok(t);
        }
        if let View::List(head, tail) = self.term(t).view() {
            let (head, tail) = (head.cell(), tail.cell());
            let head = self.with_module_names(head)?;
            let tail = self.with_module_names(tail)?;
            return Ok(self.heap.list(&[head], tail)?);
        }
        let Some((f, args)) = self.term(t).callable().filter(|(f, _)| f.arity() > 0) else {
            return Ok(t);
        };
        let mut new: Vec<Cell> = (0..f.arity()).map(|i| args.get(i).cell()).collect();
        for place in &mut new {
            *place = self.with_module_names(*place)?;
        }
        if f == Functor::new(atoms::COLON, 2)
            && let Some(module) = self.term(new[0]).as_atom()
        {
            new[0] = Cell::atom(self.program.code.inheritance.library_module(module));
        }
        Ok(self.heap.structure(f, &new)?)
    }

    /// A clause of a library as it is, which is neither a directive nor a grammar rule, nor a list of terms.
    fn is_plain_clause(&self, t: Cell) -> bool {
        let Some((f, _)) = self.term(t).callable() else {
            return false;
        };
        let special = [(atoms::NECK, 1), (atoms::DCG_ARROW, 2), (atoms::DOT, 2)];
        f.name() != atoms::END_OF_FILE
            && !special
                .iter()
                .any(|&(name, arity)| f == Functor::new(name, arity))
    }
}

/// `'$library_clauses'(+File, +Session, -Term, -Line)`: adds the next clauses of the library that was opened last, up to a term that is no plain
/// clause, or `[]` if there may be more.
fn library_clauses(m: &mut Ctx, a: Args) -> Res {
    let file = m.atom_argument(a, 0)?;
    let session = m.arg(a, 1).small_value();
    for _ in 0..CLAUSES_AT_ONCE {
        let mut found = None;
        m.with_library(|m, text| {
            let (term, line) = m.next_library_term(text)?;
            match m.is_plain_clause(term) {
                true => m
                    .add_source_clause(term, Some((file, session)), line)
                    .map(drop)?,
                false => found = Some((term, line)),
            }
            Ok(true)
        })?;
        if let Some((term, line)) = found {
            return Ok(m.unify_arg(a, 2, term) && m.unify_int(a, 3, line.into())?);
        }
    }
    Ok(m.unify_arg(a, 2, Cell::NIL))
}

fn library_exports(m: &mut Ctx, a: Args) -> Res {
    let library = m.atom_argument(a, 0)?;
    let library = known_by(library.as_str());
    let Some(number) = m.program.libraries.iter().position(|l| l.path == library) else {
        return Ok(false);
    };
    let mut exports = Vec::new();
    for ((name, arity), of, _) in m.program.library_exports.lines().filter_map(fields) {
        if of == number {
            exports.push(m.indicator(Functor::new(Atom::new(name), arity))?);
        }
    }
    let list = m.heap.list(&exports, Cell::NIL)?;
    Ok(m.unify_arg(a, 1, list))
}

fn unresolved(m: &mut Ctx, a: Args) -> Res {
    let mut items = Vec::new();
    for p in m.program.code.predicates() {
        if !m.program.code.is_library(p.module())
            || p.is_defined()
            || m.resolve(p.module(), p.functor()).is_some()
            || (m.found_by(p.module(), p.functor())).is_some_and(|l| m.module_of(l) != p.module())
        {
            continue;
        }
        let i = m.indicator(p.functor())?;
        items.push(m.structure(":", &[Cell::atom(p.module()), i])?);
    }
    let list = m.heap.list(&items, Cell::NIL)?;
    Ok(m.unify_arg(a, 0, list))
}

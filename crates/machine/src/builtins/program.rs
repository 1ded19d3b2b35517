//! The program as data: declarations, operators, modules, loading, autoloading.
//!
//! Clauses are added to the *source module*; libraries that come with Samite are all loaded into module `system`, where their
//! predicates can be overridden by users' own.

use super::Entry::{self, Det, Pure};
use super::sources::module_of;
use crate::error::{Res, Throw};
use crate::machine::{Args, Machine, Shared};
use crate::run::Go;
use rustc_hash::FxHashMap;
use samite_code::modes::Mode;
use samite_code::predicate::flag;
use samite_code::program::Module;
use samite_code::{Predicate, database};
use samite_sched::MutexStatus;
use samite_syntax::ops::OpType;
use samite_syntax::read::{self, ReadFlags, StrSource};
use samite_term::{Atom, Cell, Functor, TermRef, atoms, common};
use std::sync::Arc;
use std::sync::atomic::Ordering;

/// The mutex held by the thread that loads a library, see `'$load_library'/1`.
const LOADER: &str = "$load_library";

pub const TABLE: &[Entry] = &[
    Det("$declare_predicate", 2, declare),
    Det("$meta_predicate", 2, meta_predicate),
    Det("$op", 3, op),
    Det("$ops", 2, ops),
    Det("$predicates", 4, predicates),
    Det("$system_predicates", 1, system_predicates),
    Det("$predicate_properties", 2, predicate_properties),
    // Whether predicates of the program take part in reading it.
    Pure("$has_expansion_hooks", 0, |m, _| {
        let hooks = [atoms::TERM_EXPANSION, atoms::GOAL_EXPANSION];
        let mut hooks = hooks.map(|name| Functor::new(name, 2)).into_iter();
        Ok(hooks.any(|f| {
            let hook = m.program().find(atoms::USER, f);
            hook.is_some_and(|p| m.own(p).lock().live > 0 || m.is_pending(p))
        }))
    }),
    Pure("$has_clauses", 1, |m, a| {
        let p = m.predicate_argument(a, 0)?;
        let live = m.own(p).lock().live;
        Ok(live > 0)
    }),
    Pure("$source_module", 1, |m, a| {
        let c = Cell::atom(m.source_module);
        Ok(m.unify_arg(a, 0, c))
    }),
    Det("$set_source_module", 1, |m, a| {
        m.source_module = m.atom_argument(a, 0)?;
        Ok(true)
    }),
    Det("$resolve_source", 3, resolve_source),
    Det("$declare_module", 3, declare_module),
    Det("$table_modes", 2, table_modes),
    Det("$import_predicate", 3, import_predicate),
    Det("$file_module", 2, file_module),
    Det("$export", 2, export),
    Det("$undefined_exports", 2, undefined_exports),
    Det("$loading_system", 0, |m, _| Ok(m.loading_system)),
    Det("$save_loading", 1, |m, a| {
        let c = Cell::atom(if m.loading_system {
            atoms::TRUE
        } else {
            atoms::FALSE
        });
        Ok(m.unify_arg(a, 0, c))
    }),
    Det("$set_loading", 1, |m, a| {
        let before = m.loading_system;
        m.loading_system = m.atom_argument(a, 0)? == atoms::TRUE;
        if m.loading_system && !before {
            m.held_before_loading = common::held();
        } else if before && !m.loading_system {
            common::disregard(common::held().saturating_sub(m.held_before_loading));
        }
        if !m.loading_system {
            m.unpublished.drain(..).for_each(database::publish);
        }
        Ok(true)
    }),
    // Whether this thread is printing a message, and '$report'(+Bool): from now on it is, or it is not any more. A message may use what
    // is kept back of the memory that threads have in common (`Machine::room`).
    Det("$reporting", 0, |m, _| Ok(m.reporting)),
    Det("$report", 1, |m, a| {
        m.reporting = m.atom_argument(a, 0)? == atoms::TRUE;
        Ok(true)
    }),
    Det("$library_loaded", 1, |m, a| {
        let f = m.atom_argument(a, 0)?;
        Ok(m.library_ready(f.as_str()))
    }),
    Det("$library_stream", 2, library_stream),
    Det("$is_library", 1, |m, a| {
        let name = m.atom_argument(a, 0)?;
        Ok(m.shared
            .library
            .iter()
            .any(|(path, _)| *path == name.as_str()))
    }),
    Det("$module_exports", 2, |m, a| {
        let name = m.atom_argument(a, 0)?;
        let Some(module) = m.program().modules.read().get(&name).cloned() else {
            return Ok(false);
        };
        let mut items = Vec::new();
        for f in module.exports {
            items.push(m.indicator(f)?);
        }
        let l = m.heap.list(&items, Cell::NIL)?;
        Ok(m.unify_arg(a, 1, l))
    }),
    Det("$modules", 1, |m, a| {
        let names: Vec<Cell> = m
            .program()
            .modules
            .read()
            .keys()
            .map(|&a| Cell::atom(a))
            .collect();
        let l = m.heap.list(&names, Cell::NIL)?;
        Ok(m.unify_arg(a, 0, l))
    }),
];

impl Machine {
    /// An argument that must be an atom.
    pub fn atom_argument(&mut self, a: Args, i: usize) -> Result<Atom, Throw> {
        let c = self.arg(a, i);
        if c.is_atom() {
            return Ok(c.atom_of());
        }
        Err(self.type_error("atom", c))
    }

    /// An undefined predicate is called: if a library file defines it, the way to load that and then call it.
    pub(crate) fn autoload(&mut self, p: &'static Predicate) -> Result<Option<Go>, Throw> {
        let Some(library) = self.library_of(p.functor) else {
            return Ok(None);
        };
        if self.library_ready(library) {
            // Another thread may have finished loading it since the predicate was looked for.
            let target = self.program().resolve(p.module, p.functor);
            if target.is_none_or(|t| std::ptr::eq(t, p)) {
                return Ok(None);
            }
        }
        self.freeze(p)?;
        let goal = self.structure("$load_library", &[Cell::atom(Atom::new(library))])?;
        self.run_ignoring(goal, atoms::SYSTEM).map(Some)
    }

    /// A library predicate is called while its file is being loaded: by the loading thread, which may run what is there; by
    /// another, which waits for the end of it and calls again.
    pub(crate) fn call_unpublished(&mut self, p: &'static Predicate) -> Result<Go, Throw> {
        if self.loading_system {
            samite_code::index::link(p);
            return Ok(Go::Code(p.entry()));
        }
        self.freeze(p)?;
        self.run_ignoring(Cell::atom(Atom::new("$await_loader")), atoms::SYSTEM)
    }

    /// Whether a library is loaded, or being loaded by this very thread. Libraries are marked as loaded at the start, by a
    /// thread that holds the loader's mutex to the end.
    fn library_ready(&self, name: &str) -> bool {
        if !self.program().libraries.lock().contains(name) {
            return false;
        }
        match self.shared.registry.mutex(Atom::new(LOADER).into()) {
            Ok(mutex) => match mutex.status() {
                MutexStatus::Locked(owner, _) => owner == self.thread.id(),
                MutexStatus::Unlocked => true,
            },
            Err(_) => true,
        }
    }

    /// The library file that exports a predicate.
    pub(crate) fn library_of(&self, f: Functor) -> Option<&'static str> {
        self.library_index().get(&f).copied()
    }

    /// Whether its module exports a predicate, or a library whose module is `home`.
    fn is_exported(&self, p: &Predicate, home: Atom) -> bool {
        let modules = self.program().modules.read();
        home != p.module
            || modules
                .get(&home)
                .is_some_and(|m| m.exports.contains(&p.functor))
    }

    /// The library file that exports each predicate.
    pub(crate) fn library_index(&self) -> Arc<FxHashMap<Functor, &'static str>> {
        let index = &self.shared.library_index;
        (index.get_or_init(|| Arc::new(library_index(&self.shared)))).clone()
    }

    /// Flag `unknown`.
    pub(crate) fn unknown_fails(&self) -> bool {
        self.flag_atom(atoms::UNKNOWN) == Some(atoms::FAIL)
    }

    /// Loads boot text: clauses into module `system`, directives run. Panics on an error: the text is part of the program.
    pub fn load_boot(&mut self, name: &str, text: &str) {
        let mut source = StrSource::new(text);
        self.source_module = atoms::SYSTEM;
        loop {
            let ops = self.program().operators();
            let term = match read::read_term(&mut source, &ops, &ReadFlags::default()) {
                Ok(t) => t,
                Err(e) => panic!("library {name}: {e:?}"),
            };
            if term.is_eof {
                break;
            }
            self.reset();
            let added = self
                .heap
                .instantiate(&term.record)
                .map_err(Throw::from)
                .and_then(|t| {
                    // SAFETY: the reader's root is a structure whose first argument is the term.
                    let clause = unsafe { *t.ptr().add(1) };
                    self.boot_clause(clause)
                });
            match added {
                Ok(None) => {}
                Ok(Some(directive)) => {
                    let outcome = self.run_once(&directive);
                    assert!(
                        matches!(outcome, crate::Outcome::True(_)),
                        "library {name}: line {}: {outcome:?}",
                        term.start.line
                    );
                }
                Err(e) => panic!("library {name}: line {}: {e:?}", term.start.line),
            }
        }
        self.reset();
        self.source_module = atoms::USER;
        self.program().libraries.lock().insert(name.to_owned());
    }

    /// Adds a clause of boot text, or returns the directive it is.
    fn boot_clause(&mut self, t: Cell) -> Result<Option<samite_term::Record>, Throw> {
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

/// Functor → library file, from the module headers.
fn library_index(shared: &Shared) -> FxHashMap<Functor, &'static str> {
    let ops = samite_syntax::ops::Operators::iso_swi();
    let mut index = FxHashMap::default();
    let mut headers = StrSource::new(shared.library_headers);
    for &(path, _) in shared.library {
        let Ok(t) = read::read_term(&mut headers, &ops, &ReadFlags::default()) else {
            continue;
        };
        let mut words = vec![0u64; t.record.heap_words()];
        let root = t.record.instantiate(&mut words);
        // SAFETY: `words` holds the term and stays as it is.
        let root = unsafe { samite_term::TermRef::new(root) };
        let exports = root
            .callable()
            .and_then(|(_, a)| a.get(0).callable())
            .and_then(|(f, a)| (f == Functor::new(atoms::NECK, 1)).then(|| a.get(0).callable())?);
        let Some((f, args)) = exports else {
            continue;
        };
        if f != Functor::new(atoms::MODULE, 2) {
            continue;
        }
        for e in args.get(1).list_items().0 {
            let Some((slash, pi)) = e.callable() else {
                continue;
            };
            if slash.arity() != 2 {
                continue;
            }
            let extra = if slash.name() == atoms::INT_DIV { 2 } else { 0 };
            if let (Some(name), samite_term::View::Int(n)) = (pi.get(0).as_atom(), pi.get(1).view())
            {
                index
                    .entry(Functor::new(name, n as usize + extra))
                    .or_insert(path);
            }
        }
    }
    index
}

fn declare(m: &mut Machine, a: Args) -> Res {
    let (t, module) = m.strip_module(m.arg(a, 0), m.source_module)?;
    let f = m.functor_of_indicator(t)?;
    let how = m.atom_argument(a, 1)?;
    let (action, kind) = match how.as_str() {
        "table" => ("table", "static_procedure"),
        _ => ("modify", "static_procedure"),
    };
    let p = m.modifiable(module, f, action, kind)?;
    let kept = |m: &mut Machine| -> Result<(), Throw> {
        let i = m.indicator_of(p)?;
        Err(m.permission_error("modify", "static_procedure", i))
    };
    let becomes_dynamic = matches!(how.as_str(), "dynamic" | "thread_local");
    if becomes_dynamic && m.has_read_static(p) {
        kept(m)?;
    }
    m.declared(p, how.as_str())?;
    if becomes_dynamic {
        let own = m.own(p);
        if !own.is_dynamic() && own.lock().live > 0 {
            kept(m)?;
        }
    }
    match how.as_str() {
        "dynamic" => {
            if !m.is_dynamic(p) {
                m.become_dynamic(p)?;
            }
        }
        "thread_local" => {
            p.set_flag(flag::THREAD_LOCAL);
            database::make_dynamic(p);
        }
        "multifile" => p.set_flag(flag::MULTIFILE | flag::DEFINED),
        "discontiguous" => p.set_flag(flag::DISCONTIGUOUS | flag::DEFINED),
        "table" => {
            p.set_modes(&[]);
            database::make_tabled(p);
        }
        _ => return Ok(false),
    }
    if m.loading_system || m.source_module == atoms::SYSTEM {
        p.set_flag(flag::KEPT);
    }
    m.declare_shadow(p);
    Ok(true)
}

/// `'$table_modes'(+Module:PI, +Modes)`: a mode for each argument: `index`, `first`, `last`, `min`, `max`, `sum`,
/// `lattice(Module:Name)` or `po(Module:Name)`.
fn table_modes(m: &mut Machine, a: Args) -> Res {
    let (t, module) = m.strip_module(m.arg(a, 0), m.source_module)?;
    let f = m.functor_of_indicator(t)?;
    let mut modes = Vec::new();
    for t in m.view(a, 1).list_items().0 {
        let Some(mode) = table_mode(t) else {
            let culprit = t.deref();
            return Err(m.domain_error("tabled_mode", culprit));
        };
        modes.push(mode);
    }
    let p = m.predicate_of(module, f)?;
    p.set_modes(&modes);
    let own = m.own(p);
    if !std::ptr::eq(own, p) {
        own.set_modes(&modes);
    }
    Ok(true)
}

fn table_mode(t: TermRef) -> Option<Mode> {
    if let Some(name) = t.as_atom() {
        return Some(match name.as_str() {
            "index" => Mode::Index,
            "first" => Mode::First,
            "last" => Mode::Last,
            "min" => Mode::Min,
            "max" => Mode::Max,
            "sum" => Mode::Sum,
            _ => return None,
        });
    }
    let (kind, goal) = t.callable()?;
    let (_, parts) = goal.get(0).callable()?;
    let (module, name) = (parts.get(0).as_atom()?, parts.get(1).as_atom()?);
    Some(match kind.name().as_str() {
        "lattice" => Mode::Lattice { module, name },
        "po" => Mode::Order { module, name },
        _ => return None,
    })
}

fn meta_predicate(m: &mut Machine, a: Args) -> Res {
    let module = m.atom_argument(a, 0)?;
    let (head, module) = m.strip_module(m.arg(a, 1), module)?;
    let Some((f, args)) = m.term(head).callable() else {
        return Err(m.type_error("callable", head));
    };
    let spec: Vec<u8> = (0..f.arity())
        .map(|i| match args.get(i).view() {
            samite_term::View::Int(n) if (0..=9).contains(&n) => b'0' + n as u8,
            samite_term::View::Atom(s) if s.as_str() == "^" => b'^',
            samite_term::View::Atom(s) if s.as_str() == "//" => b'/',
            samite_term::View::Atom(s) if s.as_str() == ":" => b':',
            _ => b'?',
        })
        .collect();
    let p = m.predicate_of(module, f)?;
    m.declared(p, "meta_predicate")?;
    p.meta.set(Some(spec));
    Ok(true)
}

fn op(m: &mut Machine, a: Args) -> Res {
    let (p, t, n) = (m.arg(a, 0), m.arg(a, 1), m.arg(a, 2));
    if p.is_ref() || t.is_ref() || n.is_ref() {
        return Err(m.instantiation_error());
    }
    if !p.is_small() {
        return Err(m.type_error("integer", p));
    }
    if !(0..=1200).contains(&p.small_value()) {
        return Err(m.domain_error("operator_priority", p));
    }
    if !t.is_atom() {
        return Err(m.type_error("atom", t));
    }
    let Some(ty) = OpType::from_atom(t.atom_of()) else {
        return Err(m.domain_error("operator_specifier", t));
    };
    if !n.is_atom() {
        return Err(m.type_error("list", n));
    }
    let name = n.atom_of();
    let priority = p.small_value() as u16;
    if name == atoms::COMMA {
        return Err(m.permission_error("modify", "operator", n));
    }
    if name == atoms::BAR && (!ty.is_infix() || (priority > 0 && priority < 1001)) {
        return Err(m.permission_error("create", "operator", n));
    }
    if name == atoms::NIL || name == atoms::CURLY {
        return Err(m.permission_error("create", "operator", n));
    }
    m.program().change_operators(|o| o.add(priority, ty, name));
    Ok(true)
}

fn ops(m: &mut Machine, a: Args) -> Res {
    let wanted = m.arg(a, 0);
    let all: Vec<_> = m
        .program()
        .operators()
        .iter()
        .filter(|(p, _, n)| *p > 0 && (!wanted.is_atom() || wanted.atom_of() == *n))
        .collect();
    let f = Functor::new(Atom::new("op"), 3);
    let mut items = Vec::with_capacity(all.len());
    for (p, t, n) in all {
        items.push(m.heap.structure(
            f,
            &[
                Cell::small(i64::from(p)),
                Cell::atom(t.atom()),
                Cell::atom(n),
            ],
        )?);
    }
    let l = m.heap.list(&items, Cell::NIL)?;
    Ok(m.unify_arg(a, 1, l))
}

/// '$system_predicates'(-List): Name/Arity of every predicate that programs may call and not change.
fn system_predicates(m: &mut Machine, a: Args) -> Res {
    let mut items = Vec::new();
    for p in m.program().predicates() {
        if p.has(flag::SYSTEM) && !p.name().as_str().starts_with('$') {
            items.push(m.indicator(p.functor)?);
        }
    }
    let l = m.heap.list(&items, Cell::NIL)?;
    Ok(m.unify_arg(a, 0, l))
}

/// `'$predicates'(?Module, ?Name, ?Arity, -List)`: user-visible defined predicates as `Module:Name/Arity`.
fn predicates(m: &mut Machine, a: Args) -> Res {
    let (module, name, arity) = (m.arg(a, 0), m.arg(a, 1), m.arg(a, 2));
    let matches = |p: &Predicate| {
        (!module.is_atom() || module.atom_of() == p.module)
            && (!name.is_atom() || name.atom_of() == p.name())
            && (!arity.is_small() || arity.small_value() == p.arity() as i64)
    };
    let mut found: Vec<&'static Predicate> = Vec::new();
    if let (true, true) = (name.is_atom(), arity.is_small() && arity.small_value() >= 0) {
        let f = Functor::new(name.atom_of(), arity.small_value() as usize & 0xffff);
        if module.is_atom() {
            found.extend(m.resolve(module.atom_of(), f));
        }
    }
    if found.is_empty() {
        found = m
            .program()
            .predicates()
            .into_iter()
            .filter(|p| matches(p))
            .collect();
    }
    let mut items = Vec::new();
    for p in found {
        let clauses = m.own(p).lock().live > 0;
        if p.has(flag::SYSTEM) || !clauses {
            continue;
        }
        let i = m.indicator(p.functor)?;
        let shown = if module.is_atom() {
            module
        } else {
            Cell::atom(p.module)
        };
        items.push(
            m.heap
                .structure(Functor::new(atoms::COLON, 2), &[shown, i])?,
        );
    }
    let l = m.heap.list(&items, Cell::NIL)?;
    Ok(m.unify_arg(a, 3, l))
}

fn predicate_properties(m: &mut Machine, a: Args) -> Res {
    let (t, module) = m.strip_module(m.arg(a, 0), atoms::USER)?;
    let f = m.functor_of_indicator(t)?;
    let nil = Cell::NIL;
    let Some(p) = m.resolve(module, f) else {
        return Ok(m.unify_arg(a, 1, nil));
    };
    let mut items = vec![
        Cell::atom(Atom::new("defined")),
        Cell::atom(Atom::new("visible")),
    ];
    let dynamic = m.is_dynamic(p);
    let mut flag_if = |on: bool, name: &str| {
        if on {
            items.push(Cell::atom(Atom::new(name)));
        }
    };
    flag_if(dynamic, "dynamic");
    flag_if(!dynamic, "static");
    flag_if(p.has(flag::SYSTEM), "built_in");
    flag_if(p.has(flag::SYSTEM), "system");
    flag_if(p.has(flag::BUILTIN), "foreign");
    flag_if(p.has(flag::MULTIFILE), "multifile");
    flag_if(p.has(flag::DISCONTIGUOUS), "discontiguous");
    flag_if(p.has(flag::THREAD_LOCAL), "thread_local");
    flag_if(p.has(flag::TABLED), "tabled");
    // What libraries export is in `system`.
    let home = match m.library_of(f) {
        Some(library) if p.module == atoms::SYSTEM && module != atoms::SYSTEM => module_of(library),
        _ => p.module,
    };
    flag_if(home == module && m.is_exported(p, home), "exported");
    if home != module {
        items.push(m.structure("imported_from", &[Cell::atom(home)])?);
    }
    if p.has(flag::TABLED) {
        items.push(m.structure("tabled", &[Cell::atom(Atom::new("variant"))])?);
    }
    if !p.has(flag::BUILTIN | flag::CONTROL) {
        let n = m.own(p).lock().live as i64;
        items.push(m.structure("number_of_clauses", &[Cell::small(n)])?);
        if let Some(file) = p.lock().file {
            items.push(m.structure("file", &[Cell::atom(file)])?);
        }
    }
    if let Some(spec) = p.meta.get() {
        let args: Vec<Cell> = spec
            .iter()
            .map(|&s| match s {
                b'0'..=b'9' => Cell::small(i64::from(s - b'0')),
                b'/' => Cell::atom(Atom::new("//")),
                s => Cell::atom(Atom::new(&char::from(s).to_string())),
            })
            .collect();
        let head = m.heap.structure(p.functor, &args)?;
        items.push(m.structure("meta_predicate", &[head])?);
    }
    let l = m.heap.list(&items, Cell::NIL)?;
    Ok(m.unify_arg(a, 1, l))
}

/// `'$resolve_source'(+Dir, +Text, -Path)`: an existing file, the extension `.pl` or `.prolog` added if need be.
fn resolve_source(m: &mut Machine, a: Args) -> Res {
    let dir = m.atom_argument(a, 0)?;
    let text = m.atom_argument(a, 1)?;
    let base = std::path::Path::new(dir.as_str()).join(text.as_str());
    for ext in ["", ".pl", ".prolog", ".qlf"] {
        let mut name = base.clone().into_os_string();
        name.push(ext);
        let path = std::path::PathBuf::from(name);
        if path.is_file() {
            let path = path.canonicalize().unwrap_or(path);
            let atom = Atom::new(&path.to_string_lossy());
            return Ok(m.unify_atom(a, 2, atom));
        }
    }
    Ok(false)
}

fn declare_module(m: &mut Machine, a: Args) -> Res {
    let (name, file) = (m.atom_argument(a, 0)?, m.atom_argument(a, 1)?);
    let (items, _) = m.view(a, 2).list_items();
    let exports = indicators(m, items)?;
    let mut gone = Vec::new();
    let shared = m.shared.clone();
    let mut modules = shared.program.modules.write();
    if let Some(module) = modules.get(&name) {
        let old = module.exports.iter().filter(|f| !exports.contains(f));
        gone.extend(old.map(|&f| (name, f)));
    }
    modules.insert(
        name,
        Module {
            file: Some(file),
            exports,
        },
    );
    drop(modules);
    m.begin_module(name, gone);
    Ok(true)
}

/// The functors of the predicate indicators among the items of an export list.
fn indicators(m: &mut Machine, items: Vec<TermRef>) -> Result<Vec<Functor>, Throw> {
    let mut found = Vec::new();
    for t in items {
        if let Some((f, _)) = t.callable()
            && f.arity() == 2
            && (f.name() == atoms::SLASH || f.name() == atoms::INT_DIV)
        {
            found.push(m.functor_of_indicator(t.cell())?);
        }
    }
    Ok(found)
}

/// `'$import_predicate'(+Module:PI, +Into, +Name)`: what `PI` means in `Module` becomes `Name` (of the same arity) in `Into`.
/// Fails if that has a definition of its own.
fn import_predicate(m: &mut Machine, a: Args) -> Res {
    let (t, module) = m.strip_module(m.arg(a, 0), atoms::USER)?;
    let f = m.functor_of_indicator(t)?;
    let into = m.atom_argument(a, 1)?;
    let name = m.atom_argument(a, 2)?;
    let program = m.program();
    let target = match program.resolve(module, f) {
        // Defined later, or reexported from another module.
        Some(p) if p.module == module || !p.has(flag::SYSTEM) => p,
        Some(p) if module == atoms::SYSTEM => p,
        _ => m.predicate_of(module, f)?,
    };
    let own = m.predicate_of(into, Functor::new(name, f.arity()))?;
    let mut imports = program.import(into, name, target);
    if !imports && m.is_of_version_before(own) {
        // It has no definition of its own when the file ends, unless it gets one.
        own.link
            .store(std::ptr::from_ref(target).cast_mut(), Ordering::Release);
        imports = true;
    }
    if imports && !std::ptr::eq(own, target) {
        m.imported(own, target);
    }
    Ok(imports)
}

/// `'$file_module'(+File, -Module)`: the module that a loaded file defines.
fn file_module(m: &mut Machine, a: Args) -> Res {
    let file = m.atom_argument(a, 0)?;
    let found = m
        .program()
        .modules
        .read()
        .iter()
        .find_map(|(&name, module)| (module.file == Some(file)).then_some(name));
    Ok(found.is_some_and(|name| m.unify_atom(a, 1, name)))
}

/// `'$export'(+Module, +Indicators)`: adds to what the module exports.
fn export(m: &mut Machine, a: Args) -> Res {
    let name = m.atom_argument(a, 0)?;
    let (items, _) = m.view(a, 1).list_items();
    let new = indicators(m, items)?;
    let mut modules = m.program().modules.write();
    let exports = &mut modules.entry(name).or_default().exports;
    for f in new {
        if !exports.contains(&f) {
            exports.push(f);
        }
    }
    Ok(true)
}

/// `'$undefined_exports'(+Module, -Indicators)`: what the module exports and neither defines, imports nor finds in the system.
fn undefined_exports(m: &mut Machine, a: Args) -> Res {
    let name = m.atom_argument(a, 0)?;
    let Some(module) = m.program().modules.read().get(&name).cloned() else {
        return Ok(false);
    };
    let mut items = Vec::new();
    for f in module.exports {
        let found = m.program().resolve(name, f).is_some_and(|p| {
            // What `user` defines is seen from the module, but is not the module's.
            p.module == name
                || p.module != atoms::USER
                || m.program().find(name, f).is_some_and(|own| {
                    std::ptr::eq(own.link.load(Ordering::Acquire).cast_const(), p)
                })
        });
        if !found {
            items.push(m.indicator(f)?);
        }
    }
    let l = m.heap.list(&items, Cell::NIL)?;
    Ok(m.unify_arg(a, 1, l))
}

/// `'$library_stream'(+Name, -Stream)`: the text of a library, and marks it as loaded. Fails if there is none.
fn library_stream(m: &mut Machine, a: Args) -> Res {
    let name = m.atom_argument(a, 0)?;
    let Some(&(path, text)) = m.shared.library.iter().find(|(p, _)| *p == name.as_str()) else {
        return Ok(false);
    };
    m.program().libraries.lock().insert(path.to_owned());
    let mut stream = samite_stream::Stream::from_string(text);
    stream.set_file_name(Some(format!("library({path})")));
    let id = m.shared.streams.add(stream);
    Ok(m.unify_arg(a, 1, id.term()))
}

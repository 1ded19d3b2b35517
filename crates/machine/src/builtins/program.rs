//! The program as data: declarations, operators, modules.
//!
//! Clauses are added to the *source module*.

use super::{Entry, det, pure};
use crate::engine::ctx::Ctx;
use crate::engine::worker::Args;
use crate::error::{Res, Throw};
use crate::state::loading::told;
use rustc_hash::FxHashMap;
use samite_code::modes::Mode;
use samite_code::predicate::flag;
use samite_code::program::{Imports, Module};
use samite_code::{Predicate, database};
use samite_syntax::ops::OpType;
use samite_term::{Atom, Cell, Functor, HeldFunctor, Number, TermRef, View, atoms};
use samite_world::files;

pub const TABLE: &[Entry] = &[
    det("$core", 1, core),
    det("$declare_predicate", 2, declare),
    det("$meta_predicate", 2, meta_predicate),
    det("$op", 4, op),
    det("$ops", 3, ops),
    // '$reading_module'(-Module): whose operators `op/3` changes where it is not said.
    det("$reading_module", 1, |m, a| {
        let module = m.reading_module();
        Ok(m.unify_atom(a, 0, module))
    }),
    det("$predicates", 4, predicates),
    det("$system_predicates", 1, system_predicates),
    det("$predicate_properties", 2, predicate_properties),
    pure("$has_clauses", 1, |m, a| {
        let p = m.predicate_argument(a, 0)?;
        let live = m.own(p).lock().live;
        Ok(live > 0)
    })
    .meta(":"),
    pure("$source_module", 1, |m, a| {
        let c = Cell::atom(m.thread.modules.source.get());
        Ok(m.unify_arg(a, 0, c))
    }),
    det("$set_source_module", 1, |m, a| {
        let module = m.atom_argument(a, 0)?;
        m.mention(module)?;
        m.thread.modules.source = module.hold();
        Ok(true)
    }),
    det("$resolve_source", 4, resolve_source),
    det("$declare_module", 3, declare_module),
    det("$table_modes", 2, table_modes),
    // '$is_moded'(+Module:PI): it is tabled with modes.
    det("$is_moded", 1, |m, a| {
        let p = m.predicate_argument(a, 0)?;
        Ok(m.own(p).modes().is_some())
    }),
    det("$untable", 1, untable),
    det("$file_module", 2, file_module),
    det("$reset_module_flags", 1, |m, a| {
        let module = m.atom_argument(a, 0)?;
        m.reset_module_flags(module);
        Ok(true)
    }),
    det("$export", 3, export),
    det("$unexport", 2, unexport),
    det("$export_targets", 2, export_targets),
    det("$undefined_exports", 2, undefined_exports),
    // Whether this thread is printing a message, and '$report'(+Bool): from now on it is, or it is not any more. A message may use what
    // is kept back of the memory that threads have in common (`Worker::room`).
    det("$reporting", 0, |m, _| Ok(m.thread.reporting)),
    det("$report", 1, |m, a| {
        m.thread.reporting = m.atom_argument(a, 0)? == atoms::TRUE;
        Ok(true)
    }),
    det("$module_exports", 2, |m, a| {
        let name = m.atom_argument(a, 0)?;
        let Some(module) = m.program.code.modules.read().get(&name).cloned() else {
            return Ok(false);
        };
        let mut items = Vec::new();
        for f in &module.exports {
            items.push(m.indicator(f.get())?);
        }
        let l = m.heap.list(&items, Cell::NIL)?;
        Ok(m.unify_arg(a, 1, l))
    }),
    det("$modules", 1, |m, a| {
        let names: Vec<Cell> = m
            .program
            .code
            .modules
            .read()
            .keys()
            .map(|a| Cell::atom(a.get()))
            .collect();
        let l = m.heap.list(&names, Cell::NIL)?;
        Ok(m.unify_arg(a, 0, l))
    }),
];

impl Ctx<'_> {
    /// Whether its module exports a predicate.
    fn is_exported(&self, p: &Predicate) -> bool {
        let modules = self.program.code.modules.read();
        let module = modules.get(&p.module());
        module.is_some_and(|m| m.exports.iter().any(|f| *f == p.functor()))
    }

    /// There is a module of this name.
    pub(crate) fn mention(&self, module: Atom) -> Result<(), Throw> {
        let program = &self.program.code;
        match program.mention(module, |n| self.has_room_to_enter(n)) {
            true => Ok(()),
            false => Err(Throw::Memory),
        }
    }
}

fn declare(m: &mut Ctx, a: Args) -> Res {
    let (t, module) = m.strip_module(m.arg(a, 0), m.thread.modules.source.get())?;
    let f = m.functor_of_indicator(t)?;
    let how = m.atom_argument(a, 1)?;
    let (action, kind) = match how.as_str() {
        "table" => ("table", "static_procedure"),
        _ => ("modify", "static_procedure"),
    };
    let p = m.modifiable(module, f, action, kind)?;
    // Not even a definition.
    let told = told(how.as_str());
    let kept = |m: &mut Ctx| -> Result<(), Throw> {
        let i = m.indicator_of(p)?;
        Err(m.permission_error("modify", "static_procedure", i))
    };
    if how.as_str() == "thread_local" && m.has_read_static(p) {
        kept(m)?;
    }
    m.define_locally(p)?;
    m.declared(p, how.as_str())?;
    if let Some(told) = told {
        p.declare(told);
        return Ok(true);
    }
    match how.as_str() {
        "dynamic" => {
            if !m.is_dynamic(p) {
                m.become_dynamic_with_clauses(p)?;
            }
        }
        "thread_local" => {
            if !database::make_thread_local(p) {
                kept(m)?;
            }
        }
        "multifile" => p.declare(flag::MULTIFILE),
        "discontiguous" => p.declare(flag::DISCONTIGUOUS),
        "table" => database::make_tabled(p),
        _ => return Ok(false),
    }
    if m.thread.loading.system || m.thread.modules.source.get() == atoms::SYSTEM {
        p.keep();
    }
    m.declare_shadow(p);
    Ok(true)
}

/// `'$table_modes'(+Module:PI, +Modes)`: none, or a mode for each argument: `index`, `first`, `last`, `min`, `max`, `sum`,
/// `lattice(Module:Name)` or `po(Module:Name)`.
fn table_modes(m: &mut Ctx, a: Args) -> Res {
    let (t, module) = m.strip_module(m.arg(a, 0), m.thread.modules.source.get())?;
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
    p.declare_modes(&modes);
    let own = m.own(p);
    if !std::ptr::eq(own, p) {
        own.declare_modes(&modes);
    }
    Ok(true)
}

/// `'$untable'(+Module:PI)`: calls of the predicate, if it is tabled, run its clauses again, and its tables are gone.
fn untable(m: &mut Ctx, a: Args) -> Res {
    let (t, module) = m.strip_module(m.arg(a, 0), m.thread.modules.source.get())?;
    let f = m.functor_of_indicator(t)?;
    if let Some(p) = m.program.code.find(module, f)
        && p.has(flag::TABLED)
    {
        let own = m.own(p);
        if !std::ptr::eq(own, p) && own.has(flag::TABLED) {
            database::make_untabled(own);
        }
        database::make_untabled(p);
        m.abolish_all_tables();
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
    let (module, name) = (
        parts.get(0).as_atom()?.hold(),
        parts.get(1).as_atom()?.hold(),
    );
    Some(match kind.name().as_str() {
        "lattice" => Mode::Lattice { module, name },
        "po" => Mode::Order { module, name },
        _ => return None,
    })
}

fn meta_predicate(m: &mut Ctx, a: Args) -> Res {
    let module = m.atom_argument(a, 0)?;
    let (head, module) = m.strip_module(m.arg(a, 1), module)?;
    let Some((f, args)) = m.term(head).callable() else {
        return Err(m.type_error("callable", head));
    };
    let spec = meta_spec(m, f, args)?;
    let p = match m.thread.modules.source.get() {
        atoms::SYSTEM => m.predicate_of(module, f)?,
        _ => m.modifiable(module, f, "modify", "static_procedure")?,
    };
    m.declared(p, "meta_predicate")?;
    if m.program.code.is_library(p.module()) {
        p.know_meta(spec);
    } else {
        p.declare_meta(Some(spec));
    }
    Ok(true)
}

/// `'$core'(+PIs)`: the system's predicates of these names are such as programs cannot define ([`flag::CORE`]).
fn core(m: &mut Ctx, a: Args) -> Res {
    for pi in m.view(a, 0).list_items().0 {
        let f = m.functor_of_indicator(pi.cell())?;
        (m.program.code.predicate(atoms::SYSTEM, f)).be_core();
    }
    Ok(true)
}

/// The argument specifiers of the head of a `meta_predicate` declaration.
fn meta_spec(m: &mut Ctx, f: Functor, args: samite_term::view::Args) -> Result<Vec<u8>, Throw> {
    let mut spec = Vec::with_capacity(f.arity());
    for arg in (0..f.arity()).map(|i| args.get(i)) {
        spec.push(match arg.view() {
            View::Int(n) if (0..=9).contains(&n) => b'0' + n as u8,
            View::Atom(s) => match s.as_str() {
                "//" => b'/',
                "^" | ":" | "?" | "+" | "-" | "*" => s.as_str().as_bytes()[0],
                // Of the system alone. `m`: the module that the call is in is put before the argument even if that has one; `M`: that of a library, too.
                "m" | "M" if m.thread.modules.source.get() == atoms::SYSTEM => {
                    s.as_str().as_bytes()[0]
                }
                _ => return Err(m.domain_error("meta_argument_specifier", arg.deref())),
            },
            View::Int(_) => return Err(m.domain_error("meta_argument_specifier", arg.deref())),
            View::Var(_) | View::Attributed(_) => return Err(m.instantiation_error()),
            _ => return Err(m.type_error("meta_argument_specifier", arg.deref())),
        });
    }
    Ok(spec)
}

/// `'$op'(+Priority, +Type, +Module, +Name)`
fn op(m: &mut Ctx, a: Args) -> Res {
    let (p, t, n) = (m.arg(a, 0), m.arg(a, 1), m.arg(a, 3));
    if p.is_ref() || t.is_ref() || n.is_ref() {
        return Err(m.instantiation_error());
    }
    if !p.is_small() {
        return Err(match m.term(p).number() {
            Some(Number::Int(_) | Number::Big(_)) => m.domain_error("operator_priority", p),
            _ => m.type_error("integer", p),
        });
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
    let module = m.atom_argument(a, 2)?;
    m.mention(module)?;
    m.program.code.add_operator(module, (priority, ty, name));
    Ok(true)
}

/// `'$ops'(+Module, ?Name, -List)`: terms `op(Priority, Type, Name)`, as the module sees them.
fn ops(m: &mut Ctx, a: Args) -> Res {
    let module = m.atom_argument(a, 0)?;
    let wanted = m.arg(a, 1);
    let all: Vec<_> = m
        .program
        .code
        .operators(module)
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
    Ok(m.unify_arg(a, 2, l))
}

/// '$system_predicates'(-List): Name/Arity of every predicate that programs may call and not change.
fn system_predicates(m: &mut Ctx, a: Args) -> Res {
    let mut items = Vec::new();
    for p in m.program.code.predicates() {
        if p.has(flag::SYSTEM) && !p.name().as_str().starts_with('$') {
            items.push(m.indicator(p.functor())?);
        }
    }
    let l = m.heap.list(&items, Cell::NIL)?;
    Ok(m.unify_arg(a, 0, l))
}

/// `'$predicates'(?Module, ?Name, ?Arity, -List)`: user-visible defined predicates as `Module:Name/Arity`.
fn predicates(m: &mut Ctx, a: Args) -> Res {
    let (module, name, arity) = (m.arg(a, 0), m.arg(a, 1), m.arg(a, 2));
    let matches = |p: &Predicate| {
        (!module.is_atom() || module.atom_of() == p.module())
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
            .program
            .code
            .predicates()
            .into_iter()
            .filter(|p| matches(p))
            .collect();
    }
    let mut items = Vec::new();
    for p in found {
        // As in SWI-Prolog, what is declared is there without clauses; but not what Samite has declared for programs that want it.
        let there = match p.has(flag::KEPT) {
            true => m.own(p).lock().live > 0,
            false => p.is_dynamic() || m.is_fixed(p),
        };
        if p.has(flag::SYSTEM) || !there {
            continue;
        }
        let i = m.indicator(p.functor())?;
        let shown = if module.is_atom() {
            module
        } else {
            Cell::atom(p.module())
        };
        items.push(
            m.heap
                .structure(Functor::new(atoms::COLON, 2), &[shown, i])?,
        );
    }
    let l = m.heap.list(&items, Cell::NIL)?;
    Ok(m.unify_arg(a, 3, l))
}

fn predicate_properties(m: &mut Ctx, a: Args) -> Res {
    let (t, module) = m.strip_module(m.arg(a, 0), atoms::USER)?;
    let f = m.functor_of_indicator(t)?;
    let nil = Cell::NIL;
    // (What a module exports and nobody defines has none.)
    let Some(p) = m.resolve(module, f).filter(|p| m.is_defined(p)) else {
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
    // As SWI-Prolog has it: what cannot be defined anew, but for the soft cut.
    flag_if(p.has(flag::CORE) && f.name() != atoms::SOFT_ARROW, "iso");
    flag_if(p.has(flag::MULTIFILE), "multifile");
    flag_if(p.has(flag::DISCONTIGUOUS), "discontiguous");
    flag_if(p.has(flag::THREAD_LOCAL), "thread_local");
    flag_if(p.has(flag::TABLED), "tabled");
    flag_if(p.has(flag::PUBLIC), "public");
    flag_if(p.has(flag::VOLATILE | flag::THREAD_LOCAL), "volatile");
    flag_if(p.has(flag::NOPROFILE), "noprofile");
    flag_if(p.has(flag::NODEBUG), "nodebug");
    let exported = m.is_exported(p);
    let mut flag_if = |on: bool, name: &str| {
        if on {
            items.push(Cell::atom(Atom::new(name)));
        }
    };
    flag_if(exported, "exported");
    if p.module() != module {
        items.push(m.structure("imported_from", &[Cell::atom(p.module())])?);
    }
    if p.has(flag::TABLED) {
        items.push(m.structure("tabled", &[Cell::atom(Atom::new("variant"))])?);
    }
    if !p.has(flag::BUILTIN | flag::CONTROL) {
        let own = m.own(p);
        let n = own.lock().live as i64;
        items.push(m.structure("number_of_clauses", &[Cell::small(n)])?);
        m.reader.enter();
        let n = own.view().clauses().filter(|c| c.is_rule()).count() as i64;
        items.push(m.structure("number_of_rules", &[Cell::small(n)])?);
        let file = p.lock().file.clone();
        if let Some(file) = file {
            let first = m.first_place(own);
            let text = first.map_or(file.get(), |(text, _)| text);
            items.push(m.structure("file", &[Cell::atom(text)])?);
            if let Some((_, line)) = first {
                items.push(m.structure("line_count", &[Cell::small(i64::from(line))])?);
            }
        }
    }
    if let Some(spec) = p.meta() {
        let args: Vec<Cell> = spec
            .iter()
            .map(|&s| match s {
                b'0'..=b'9' => Cell::small(i64::from(s - b'0')),
                b'm' | b'M' => Cell::atom(Atom::new(":")),
                b'/' => Cell::atom(Atom::new("//")),
                s => Cell::atom(Atom::new(&char::from(s).to_string())),
            })
            .collect();
        let head = m.heap.structure(p.functor(), &args)?;
        items.push(m.structure("meta_predicate", &[head])?);
    }
    let l = m.heap.list(&items, Cell::NIL)?;
    Ok(m.unify_arg(a, 1, l))
}

/// `'$resolve_source'(+Dir, +Text, +Extensions, -Path)`: an existing file, or what can be read like one (a pipe of the shell's `<(command)`), with one
/// of the extensions if there is one and the text has none of these.
fn resolve_source(m: &mut Ctx, a: Args) -> Res {
    let dir = m.atom_argument(a, 0)?;
    let text = m.atom_argument(a, 1)?;
    let base = std::path::Path::new(dir.as_str()).join(text.as_str());
    let (items, _) = m.view(a, 2).list_items();
    let dotted = |t: TermRef| t.as_atom().map(|e| format!(".{}", e.as_str()));
    let mut extensions: Vec<String> = items.into_iter().filter_map(dotted).collect();
    let whole = (extensions.iter()).any(|ext| text.as_str().ends_with(ext.as_str()));
    let without = if whole { 0 } else { extensions.len() };
    extensions.insert(without, String::new());
    for ext in extensions {
        let mut name = base.clone().into_os_string();
        name.push(ext);
        let path = std::path::PathBuf::from(name);
        let found = m.in_file_system(|| {
            let there = files::is(&path, |about| !about.is_dir())?;
            there.then(|| files::canonical(&path)).transpose()
        });
        let found = match found {
            // Another name for it is no name.
            Err(e) if files::says_absent(&e) => Some(path),
            found => found.map_err(|e| m.file_error(&e, "open", "source_sink", m.arg(a, 1)))?,
        };
        if let Some(path) = found {
            let atom = m.atom_of_text(&path.to_string_lossy())?;
            return Ok(m.unify_atom(a, 3, atom));
        }
    }
    Ok(false)
}

fn declare_module(m: &mut Ctx, a: Args) -> Res {
    let (name, file) = (m.atom_argument(a, 0)?, m.atom_argument(a, 1)?);
    let (items, _) = m.view(a, 2).list_items();
    let exports = indicators(m, items)?;
    let mut gone = Vec::new();
    let program = m.program.clone();
    let mut modules = program.code.modules.write();
    if let Some(module) = modules.get(&name) {
        let old = module.exports.iter().filter(|f| !exports.contains(f));
        gone.extend(old.map(|f| (name.hold(), f.clone())));
    }
    let was = modules.insert(
        name.hold(),
        Module {
            file: (file != atoms::NIL).then(|| file.hold()),
            exports,
            reexported: FxHashMap::default(),
        },
    );
    drop(modules);
    if !m.thread.loading.system {
        program.code.take_name(name);
        m.begin_module(name, was, gone);
    }
    Ok(true)
}

/// The functors of the predicate indicators among the items of an export list.
fn indicators(m: &mut Ctx, items: Vec<TermRef>) -> Result<Vec<HeldFunctor>, Throw> {
    let mut found = Vec::new();
    for t in items {
        if let Some((f, _)) = t.callable()
            && f.arity() == 2
            && (f.name() == atoms::SLASH || f.name() == atoms::INT_DIV)
        {
            found.push(m.functor_of_indicator(t.cell())?.hold());
        }
    }
    Ok(found)
}

/// `'$file_module'(+File, -Module)`: the module that a loaded file defines.
fn file_module(m: &mut Ctx, a: Args) -> Res {
    let file = m.atom_argument(a, 0)?;
    let found = m
        .program
        .code
        .modules
        .read()
        .iter()
        .find_map(|(name, module)| {
            (module.file.as_ref().is_some_and(|f| *f == file)).then(|| name.get())
        });
    Ok(found.is_some_and(|name| m.unify_atom(a, 1, name)))
}

/// `'$export'(+Module, +Indicators, +Of)`: adds to what the module exports, because the module Of does so, if it is not [].
fn export(m: &mut Ctx, a: Args) -> Res {
    let name = m.atom_argument(a, 0)?;
    let (items, _) = m.view(a, 1).list_items();
    let new = indicators(m, items)?;
    let of = m.atom_argument(a, 2)?;
    m.mention(name)?;
    let mut modules = m.program.code.modules.write();
    if let Some(module) = modules.get_mut(&name) {
        for f in new {
            module.export(f, of);
        }
    }
    Ok(true)
}

/// `'$export_targets'(+Module, -List)`: what the module exports, as `PI-(Module:PI)`, and what others import by name from it,
/// exported or not, as `named(PI, Module:PI)`.
fn export_targets(m: &mut Ctx, a: Args) -> Res {
    let name = m.atom_argument(a, 0)?;
    let mut exports = match m.program.code.modules.read().get(&name) {
        Some(module) => module.exports.clone(),
        None => Vec::new(),
    };
    let exported = exports.len();
    {
        let imports = m.program.code.imports.lock();
        let all = imports.values().flat_map(Imports::all);
        exports.extend((all.filter(|i| !i.weak && i.from.0 == name)).map(|i| i.from.1.clone()));
    }
    let mut items = Vec::with_capacity(exports.len());
    for (i, f) in exports.iter().map(HeldFunctor::get).enumerate() {
        let own = m.program.code.find(name, f);
        let target = own.and_then(|p| m.imported_definition(p));
        let (module, of) = target.map_or((name, f), |p| (p.module(), p.functor()));
        let (pi, of) = (m.indicator(f)?, m.indicator(of)?);
        let of = m.structure(":", &[Cell::atom(module), of])?;
        let how = if i < exported { "-" } else { "named" };
        items.push(m.structure(how, &[pi, of])?);
    }
    let list = m.heap.list(&items, Cell::NIL)?;
    Ok(m.unify_arg(a, 1, list))
}

/// `'$unexport'(+Module, +Of)`: it does not export any more what it does because the module Of does.
fn unexport(m: &mut Ctx, a: Args) -> Res {
    let (name, of) = (m.atom_argument(a, 0)?, m.atom_argument(a, 1)?);
    let mut modules = m.program.code.modules.write();
    if let Some(module) = modules.get_mut(&name) {
        module.unexport(of);
    }
    Ok(true)
}

/// `'$undefined_exports'(+Module, -Indicators)`: what the module exports and neither defines, imports nor finds in the system.
fn undefined_exports(m: &mut Ctx, a: Args) -> Res {
    let name = m.atom_argument(a, 0)?;
    let Some(module) = m.program.code.modules.read().get(&name).cloned() else {
        return Ok(false);
    };
    let mut items = Vec::new();
    for f in module.exports.iter().map(HeldFunctor::get) {
        let found = m.program.code.resolve(name, f).is_some_and(|p| {
            // What `user` defines is seen from the module, but is not the module's; nor has it what `user` imports from it.
            (p.module() == name && m.is_defined(p))
                || ![name, atoms::USER].contains(&p.module())
                || m.program
                    .code
                    .find(name, f)
                    .is_some_and(|own| own.is_link_to(p))
        });
        if !found {
            items.push(m.indicator(f)?);
        }
    }
    let l = m.heap.list(&items, Cell::NIL)?;
    Ok(m.unify_arg(a, 1, l))
}

//! The predicates of a program: what is declared of them (`dynamic`, `meta_predicate`, `table`, ...), and what is known of them.

use super::args::atom;
use super::{Entry, det, pure};
use crate::engine::ctx::Ctx;
use crate::engine::worker::Args;
use crate::error::{Res, Throw};
use crate::state::loading::told;
use samite_code::modes::{How, Mode, Restraints};
use samite_code::predicate::{flag, is_meta};
use samite_code::sources::What;
use samite_code::{Predicate, database, index, view};
use samite_term::{Atom, Cell, Functor, Number, TermRef, View, atoms, growth};

pub const TABLE: &[Entry] = &[
    det("$core", 1, core),
    det("$declare_predicate", 2, declare),
    det("$meta_predicate", 2, meta_predicate),
    // '$module_transparent'(+Module:Name/Arity)
    det("$module_transparent", 1, |m, a| {
        let (t, module) = m.strip_module(m.arg(a, 0), m.thread.modules.source.get())?;
        let f = m.functor_of_indicator(t)?;
        let p = m.modifiable(module, f, "modify", "static_procedure")?;
        let anew = m.says_context_anew(p);
        m.declared(p, "meta_predicate")?;
        match anew {
            true => p.declare_context(None, true),
            false => p.be_transparent(),
        }
        Ok(true)
    }),
    det("$predicates", 4, predicates),
    det("$system_predicates", 3, system_predicates),
    det("$predicates_of", 4, predicates_of),
    det("$is_predicate", 1, is_predicate),
    // '$predicate_properties'(:Indicator, -Properties), with a third argument those of one name, and others that cost nothing.
    det("$predicate_properties", 2, |m, a| {
        predicate_properties(m, a, None)
    }),
    det("$predicate_properties", 3, |m, a| {
        let only = m.atom_argument(a, 2)?;
        predicate_properties(m, a, Some(only.as_str()))
    }),
    det("$has_property", 2, has_property),
    pure("$has_clauses", 1, |m, a| {
        let p = m.predicate_argument(a, 0)?;
        let own = m.own(p);
        m.reader.enter();
        Ok(m.count_clauses(own) > 0)
    })
    .meta(":"),
    det("$table_modes", 3, table_modes),
    // '$is_moded'(+Module:PI): it is tabled with modes.
    det("$is_moded", 1, |m, a| {
        let p = m.predicate_argument(a, 0)?;
        Ok(m.own(p).modes().is_some_and(|d| !d.modes.is_empty()))
    }),
    det("$untable", 1, untable),
    // Whether this thread is printing a message, and '$report'(+Bool): from now on it is, or it is not any more. A message may use what
    // is kept back of the memory that threads have in common (`Worker::room`).
    det("$reporting", 0, |m, _| Ok(m.thread.reporting)),
    det("$report", 1, |m, a| {
        m.thread.reporting = m.atom_argument(a, 0)? == atoms::TRUE;
        Ok(true)
    }),
];

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
        if told == flag::INCREMENTAL {
            if p.has(flag::THREAD_LOCAL) {
                // (Tables would have to depend on what each thread has.)
                let i = m.indicator_of(p)?;
                return Err(m.permission_error("modify", "thread_local_procedure", i));
            }
            p.be_incremental();
            p.changes().inspect(|c| c.be_whole(false));
        }
        p.declare(told);
        if told == flag::DET {
            database::look_again(p);
        }
        return Ok(true);
    }
    match how.as_str() {
        "dynamic" => {
            if !m.is_dynamic(p) {
                m.become_dynamic_with_clauses(p)?;
                if m.is_read_from_file() && p.is_dynamic() {
                    p.has_become_dynamic_by_file();
                }
            }
        }
        "thread_local" => {
            if !database::make_thread_local(p) {
                kept(m)?;
            }
        }
        "opaque" => p.undeclare(flag::INCREMENTAL),
        // (Behind `incremental`.)
        "abstract" => {
            p.changes().inspect(|c| c.be_whole(true));
        }
        "multifile" => p.declare(flag::MULTIFILE),
        "discontiguous" => p.declare(flag::DISCONTIGUOUS),
        "table" => m.declare_tabled(p),
        _ => return Ok(false),
    }
    if m.thread.loading.system || m.thread.modules.source.get() == atoms::SYSTEM {
        p.keep();
    }
    m.declare_shadow(p);
    Ok(true)
}

/// `'$table_modes'(+Module:PI, +Modes, +How)`: a list of `subsumptive`, `incremental`, `shared` or `subgoal_shared`, and `subgoal_abstract(N)`, `answer_abstract(N)`, `max_answers(N)`; modes are none, or a mode for each argument: `index`, `first`, `last`, `min`, `max`, `sum`,
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
    let how = table_how(m, a)?;
    m.declare_tabling(p, modes, how);
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
        m.take_back(p, What::Tabled);
        database::make_untabled(p);
        m.abolish_all_tables();
        m.abolish_shared_tables();
    }
    Ok(true)
}

/// A list of what is declared beside the modes.
fn table_how(m: &mut Ctx, a: Args) -> Result<How, Throw> {
    let mut how = How::default();
    for t in m.view(a, 2).list_items().0 {
        match t.as_atom().map(|a| a.as_str()) {
            Some("subsumptive") => how.subsumptive = true,
            Some("incremental") => how.incremental = true,
            Some("shared") => how.shared = true,
            Some("subgoal_shared") => how.subgoal_shared = true,
            _ if set_restraint(&mut how.restraints, t).is_some() => (),
            _ => {
                let culprit = t.deref();
                return Err(m.domain_error("table_option", culprit));
            }
        }
    }
    Ok(how)
}

/// `None`: the term is no limit.
fn set_restraint(restraints: &mut Restraints, t: TermRef) -> Option<()> {
    let (f, args) = t.callable().filter(|(f, _)| f.arity() == 1)?;
    let Some(Number::Int(most)) = args.get(0).number() else {
        return None;
    };
    // (What is larger than any term is no limit.)
    let most = Some(u32::try_from(most).unwrap_or(u32::MAX));
    match f.name().as_str() {
        "subgoal_abstract" => restraints.subgoal = most,
        "answer_abstract" => restraints.answer = most,
        "max_answers" => restraints.answers = most,
        _ => return None,
    }
    Some(())
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
    let anew = m.says_context_anew(p);
    m.declared(p, "meta_predicate")?;
    if m.program.code.is_library(p.module()) {
        p.know_meta(spec);
    } else if anew {
        p.declare_context(Some(spec), false);
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

/// Predicates of a name, or all.
fn candidates(m: &Ctx, name: Cell) -> Vec<&'static Predicate> {
    match name.is_atom() {
        true => m.program.code.predicates_named(name.atom_of()),
        false => m.program.code.predicates(),
    }
}

fn has_arity(p: &Predicate, arity: Cell) -> bool {
    !arity.is_small() || arity.small_value() == p.arity() as i64
}

/// '$system_predicates'(?Name, ?Arity, -List): Name/Arity of every predicate that programs may call and not change.
fn system_predicates(m: &mut Ctx, a: Args) -> Res {
    let (name, arity) = (m.arg(a, 0), m.arg(a, 1));
    let mut items = Vec::new();
    for p in candidates(m, name) {
        if p.has(flag::SYSTEM) && has_arity(p, arity) && !p.name().as_str().starts_with('$') {
            items.push(m.indicator(p.functor())?);
        }
    }
    let l = m.heap.list(&items, Cell::NIL)?;
    Ok(m.unify_arg(a, 2, l))
}

/// `'$is_predicate'(:Indicator)`: it is Module:Name/Arity, and `'$predicates_of'/4` lists it.
fn is_predicate(m: &mut Ctx, a: Args) -> Res {
    let (t, module) = m.strip_module(m.arg(a, 0), atoms::USER)?;
    let f = match m.term(t).view() {
        View::Compound(c) if c.functor() == Functor::new(atoms::SLASH, 2) => {
            match (c.arg(0).as_atom(), c.arg(1).deref()) {
                (Some(name), arity)
                    if arity.is_small() && (0..=0xffff).contains(&arity.small_value()) =>
                {
                    Functor::new(name, arity.small_value() as usize)
                }
                _ => return Ok(false),
            }
        }
        _ => return Ok(false),
    };
    let known = m.program.code.modules.read().contains_key(&module);
    let p = m.resolve(module, f).filter(|_| known);
    // (A hook that is asked for by name is there for who wants to add to it.)
    Ok(p.is_some_and(|p| is_listed(m, p, true) || p.has(flag::KEPT) && p.is_dynamic()))
}

/// Whether a predicate is the program's and is there, or `imports` count and it imports it.
fn is_listed(m: &mut Ctx, p: &'static Predicate, imports: bool) -> bool {
    // As in SWI-Prolog, what is declared is there without clauses; but not what Samite has declared for programs that want it.
    let there = match p.has(flag::KEPT) {
        true => m.own(p).lock().live > 0,
        false => p.is_dynamic() || m.is_fixed(p),
    };
    !p.has(flag::SYSTEM) && (there || imports && m.imports(p))
}

/// `'$predicates'(?Module, ?Name, ?Arity, -List)`: user-visible defined predicates as `Module:Name/Arity`.
fn predicates(m: &mut Ctx, a: Args) -> Res {
    list_predicates(m, a, false)
}

/// `'$predicates_of'(?Module, ?Name, ?Arity, -List)`: the same, and what modules import, by name, as part of another module, or because they have
/// called what a library exports.
fn predicates_of(m: &mut Ctx, a: Args) -> Res {
    list_predicates(m, a, true)
}

fn list_predicates(m: &mut Ctx, a: Args, imports: bool) -> Res {
    let (module, name, arity) = (m.arg(a, 0), m.arg(a, 1), m.arg(a, 2));
    let matches = |p: &Predicate| {
        (!module.is_atom() || module.atom_of() == p.module()) && has_arity(p, arity)
    };
    // Predicates, and what they are called where they are looked for: what is imported may have another name there.
    let mut found: Vec<(&'static Predicate, Functor)> = Vec::new();
    if module.is_atom() && name.is_atom() && arity.is_small() && arity.small_value() >= 0 {
        let f = Functor::new(name.atom_of(), arity.small_value() as usize & 0xffff);
        found.extend(m.resolve(module.atom_of(), f).map(|p| (p, f)));
    } else {
        let all = candidates(m, name).into_iter().filter(|p| matches(p));
        found = all.map(|p| (p, p.functor())).collect();
    }
    let mut items = Vec::new();
    let named = name.is_atom().then(|| name.atom_of());
    for (p, called) in found {
        if !is_listed(m, p, imports) {
            continue;
        }
        let i = m.indicator(called)?;
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
    match named {
        None => m.asked_for_all(),
        Some(name) if !arity.is_small() => m.asked_for(name),
        Some(name) if items.is_empty() => {
            m.missed(Functor::new(name, arity.small_value() as usize & 0xffff));
        }
        _ => {}
    }
    let l = m.heap.list(&items, Cell::NIL)?;
    Ok(m.unify_arg(a, 3, l))
}

/// The list of `Arguments-hash(Size, Speedup, Bytes, HasLists)` of the indexes that calls have made so far, if there are any, where Arguments is
/// `single(N)`, `multi([N, M])` or `deep([N, single(M)])`; a call that uses one looks at one clause of Speedup.
fn indexed(m: &mut Ctx, p: &'static Predicate) -> Result<Option<Cell>, Throw> {
    let own = m.own(p);
    let number = |n: usize| Cell::small(n as i64);
    let mut items = Vec::new();
    for shape in index::shapes(own) {
        let mut arguments = Vec::new();
        for place in &shape.places {
            let path: Vec<Cell> = place.iter().map(|&n| number(usize::from(n) + 1)).collect();
            arguments.push(match *path {
                [one] => (one, None),
                [ref around @ .., last] => {
                    let last = m.structure("single", &[last])?;
                    let path = [around, &[last]].concat();
                    let path = m.heap.list(&path, Cell::NIL)?;
                    (last, Some(m.structure("deep", &[path])?))
                }
                [] => (Cell::NIL, None),
            });
        }
        let by = match *arguments {
            [(one, None)] => m.structure("single", &[one])?,
            [(_, Some(deep))] => deep,
            _ => {
                let all: Vec<Cell> = arguments
                    .iter()
                    .map(|&(n, deep)| deep.unwrap_or(n))
                    .collect();
                let all = m.heap.list(&all, Cell::NIL)?;
                m.structure("multi", &[all])?
            }
        };
        let clauses = m.count_clauses(own);
        let speedup = shape.keys.max(1) as f64 * clauses as f64 / shape.entries.max(1) as f64;
        let speedup = m.heap.number(&Number::Float(speedup))?;
        let lists = if shape.entries > shape.keys {
            atoms::TRUE
        } else {
            atoms::FALSE
        };
        let hash = [
            number(shape.slots),
            speedup,
            number(shape.bytes),
            Cell::atom(lists),
        ];
        let hash = m.structure("hash", &hash)?;
        items.push(m.structure("-", &[by, hash])?);
    }
    match items.is_empty() {
        true => Ok(None),
        false => Ok(Some(m.heap.list(&items, Cell::NIL)?)),
    }
}

/// `'$has_property'(:Head, ?Property)`: Property, of which the name is known, is one of a predicate's, in one way. Fails of what is not known to be defined, too.
fn has_property(m: &mut Ctx, a: Args) -> Res {
    let property = m.view(a, 1);
    let Some((asked, _)) = property.callable() else {
        return Ok(false);
    };
    let asked_for = asked.name().as_str();
    // (There are several of these.)
    if matches!(asked_for, "tabled" | "implementation_module") {
        return Ok(false);
    }
    let (t, module) = m.strip_module(m.arg(a, 0), atoms::USER)?;
    let Some((f, _)) = m.term(t).callable() else {
        return Ok(false);
    };
    let known = (f != Functor::new(atoms::COLON, 2))
        .then(|| m.resolve(module, f).filter(|p| m.is_defined(p)))
        .flatten();
    let Some(p) = known else {
        return Ok(false);
    };
    for item in properties_of(m, p, module, f, Some(asked_for))? {
        let of_item = m.term(item).callable().map(|(f, _)| f);
        if of_item == Some(asked) {
            return Ok(m.unify_arg(a, 1, item));
        }
    }
    Ok(false)
}

fn predicate_properties(m: &mut Ctx, a: Args, only: Option<&str>) -> Res {
    let (t, module) = m.strip_module(m.arg(a, 0), atoms::USER)?;
    let f = m.functor_of_indicator(t)?;
    let nil = Cell::NIL;
    // (What a module exports and nobody defines has none.)
    let Some(p) = m.resolve(module, f).filter(|p| m.is_defined(p)) else {
        m.missed(f);
        return Ok(m.unify_arg(a, 1, nil));
    };
    let items = properties_of(m, p, module, f, only)?;
    let l = m.heap.list(&items, nil)?;
    Ok(m.unify_arg(a, 1, l))
}

/// The properties of a predicate that is called so in a module; with a name those of this name and others.
fn properties_of(
    m: &mut Ctx,
    p: &'static Predicate,
    module: Atom,
    f: Functor,
    only: Option<&str>,
) -> Result<Vec<Cell>, Throw> {
    let wanted = |name: &str| only.is_none_or(|only| only == name);
    let mut items = Vec::new();
    let dynamic = m.is_dynamic(p);
    // (As this thread calls it.)
    let tabled = m.thread.loading.shadow(p).unwrap_or(p);
    let mut flag_if = |on: bool, name: &str| {
        if on && wanted(name) {
            items.push(Cell::atom(Atom::of(name)));
        }
    };
    flag_if(true, "defined");
    flag_if(true, "visible");
    flag_if(dynamic, "dynamic");
    flag_if(!dynamic, "static");
    flag_if(p.has(flag::SYSTEM), "built_in");
    flag_if(p.has(flag::SYSTEM), "system");
    flag_if(p.has(flag::BUILTIN), "foreign");
    flag_if(!p.has(flag::BUILTIN), "interpreted");
    // As SWI-Prolog has it: what cannot be defined anew.
    flag_if(p.has(flag::CORE), "iso");
    flag_if(p.has(flag::MULTIFILE), "multifile");
    flag_if(p.has(flag::DISCONTIGUOUS), "discontiguous");
    flag_if(p.has(flag::THREAD_LOCAL), "thread_local");
    flag_if(tabled.has(flag::TABLED), "tabled");
    flag_if(p.has(flag::PUBLIC), "public");
    flag_if(p.has(flag::INCREMENTAL), "incremental");
    flag_if(p.has(flag::VOLATILE | flag::THREAD_LOCAL), "volatile");
    flag_if(p.has(flag::NOPROFILE), "noprofile");
    flag_if(p.has(flag::NODEBUG | flag::SYSTEM), "nodebug");
    flag_if(m.is_quasi_syntax(p), "quasi_quotation_syntax");
    let exported = m.exports(module, f);
    let mut flag_if = |on: bool, name: &str| {
        if on && wanted(name) {
            items.push(Cell::atom(Atom::of(name)));
        }
    };
    flag_if(exported, "exported");
    flag_if(p.has(flag::DET), "det");
    if p.module() != module && wanted("imported_from") {
        items.push(m.structure("imported_from", &[Cell::atom(p.module())])?);
    }
    if tabled.has(flag::TABLED) {
        let how = match tabled.modes() {
            Some(d) if d.subsumptive => "subsumptive",
            _ => "variant",
        };
        items.push(m.structure("tabled", &[Cell::atom(Atom::new(how))])?);
        if tabled.modes().is_some_and(|d| d.shared && !d.incremental) {
            items.push(m.structure("tabled", &[Cell::atom(Atom::new("shared"))])?);
        }
        if tabled.modes().is_some_and(|d| d.subgoal_shared) {
            let how = Cell::atom(Atom::new("subgoal_shared"));
            items.push(m.structure("tabled", &[how])?);
        }
        let restraints = tabled.modes().map(|d| d.restraints).unwrap_or_default();
        for (name, most) in [
            ("subgoal_abstract", restraints.subgoal),
            ("answer_abstract", restraints.answer),
            ("max_answers", restraints.answers),
        ] {
            if let Some(most) = most {
                let limit = m.structure(name, &[Cell::small(i64::from(most))])?;
                items.push(m.structure("tabled", &[limit])?);
            }
        }
        if tabled.modes().is_some_and(|d| d.incremental) {
            let incremental = Cell::atom(Atom::new("incremental"));
            items.push(m.structure("tabled", &[incremental])?);
            if !p.has(flag::INCREMENTAL) {
                items.push(incremental);
            }
        }
    }
    if p.changes().is_some_and(|c| c.is_whole()) {
        items.push(m.structure("abstract", &[Cell::small(0)])?);
    }
    if p.has(flag::INCREMENTAL) {
        // How many clauses there are is one of them.
        m.uses_all_clauses(p)?;
    }
    if !p.has(flag::BUILTIN | flag::CONTROL) {
        let own = m.own(p);
        if own.has(flag::ONE_SIDED) {
            items.push(Cell::atom(Atom::new("ssu")));
        }
        if wanted("last_modified_generation") {
            let modified = match &m.thread.transactions.open {
                Some(transaction) => transaction.modified(own),
                None => own.modified(),
            };
            let modified = Cell::small(modified as i64);
            items.push(m.structure("last_modified_generation", &[modified])?);
        }
        m.reader.enter();
        if wanted("number_of_clauses") {
            let n = m.count_clauses(own) as i64;
            items.push(m.structure("number_of_clauses", &[Cell::small(n)])?);
        }
        if wanted("number_of_rules") {
            let clauses = own.view_of(&m.reader).walked();
            let n = clauses.filter(|c| c.is_rule()).count() as i64;
            items.push(m.structure("number_of_rules", &[Cell::small(n)])?);
        }
        if wanted("size") {
            let n = view::bytes(own, &m.reader) as i64;
            items.push(m.structure("size", &[Cell::small(n)])?);
        }
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
    if wanted("indexed")
        && let Some(indexes) = indexed(m, p)?
    {
        items.push(m.structure("indexed", &[indexes])?);
    }
    if p.is_transparent() || p.meta().is_some_and(|s| s.iter().any(|&s| is_meta(s))) {
        items.push(atom("transparent"));
    }
    if p.is_wrapped() {
        let mut names = Vec::new();
        for w in m.program.wrappers.of(p).iter().rev() {
            growth::push(&mut names, Cell::atom(w.name.get()))?;
        }
        let names = m.heap.list(&names, Cell::NIL)?;
        items.push(m.structure("wrapped", &[names])?);
    }
    let told = p.meta().filter(|spec| !spec.is_empty());
    let is_only_marked = (p.is_transparent() || p.is_wrapped())
        && told.is_some_and(|spec| spec.iter().all(|&s| s == b'?'));
    if let Some(spec) = told.filter(|_| !is_only_marked) {
        let args: Vec<Cell> = spec
            .iter()
            .map(|&s| match s {
                b'0'..=b'9' => Cell::small(i64::from(s - b'0')),
                b'm' | b'M' => Cell::atom(Atom::new(":")),
                b'/' => Cell::atom(Atom::new("//")),
                s => Cell::atom(Atom::of(&char::from(s).to_string())),
            })
            .collect();
        let head = m.heap.structure(p.functor(), &args)?;
        items.push(m.structure("meta_predicate", &[head])?);
    }
    Ok(items)
}

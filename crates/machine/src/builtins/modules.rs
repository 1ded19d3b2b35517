//! Modules: what they export and inherit, which file they are in, and which one is the source module, to which clauses are added.
//!
//! A module is there once it has been mentioned ([`Ctx::mention`]); a file that begins one (`$declare_module`) says what it exports, and what an earlier
//! load of the file exported and this one does not is told to [`super::reloading`], which takes it away when the load ends. What a module exports
//! because another one does is kept with that one's name. What modules import is in [`super::imports`], their flags in [`super::module_flags`].

use super::{Entry, det, pure};
use crate::engine::ctx::Ctx;
use crate::engine::worker::Args;
use crate::error::{Res, Throw};
use rustc_hash::FxHashMap;
use samite_code::inherit::Inheritance;
use samite_code::program::{Imports, Module, Reexport};
use samite_term::{Atom, Cell, Functor, HeldFunctor, TermRef, atoms};

pub const TABLE: &[Entry] = &[
    // '$program_size'(+Module, -Bytes): what its clauses take.
    det("$program_size", 2, |m, a| {
        let module = m.atom_argument(a, 0)?;
        let size = m.program_size(module) as i64;
        m.unify_int(a, 1, size)
    }),
    // '$program_space'(+Module, -Bytes): what they may take, if that is limited.
    det("$program_space", 2, |m, a| {
        let module = m.atom_argument(a, 0)?;
        match m.program.module_space.limit(module) {
            Some(bytes) => m.unify_int(a, 1, bytes as i64),
            None => Ok(false),
        }
    }),
    // '$set_program_space'(+Module, +Bytes): 0: it is not.
    det("$set_program_space", 2, |m, a| {
        let module = m.atom_argument(a, 0)?;
        let bytes = usize::try_from(m.arg(a, 1).small_value()).unwrap_or(0);
        m.program.module_space.set_limit(module, bytes);
        Ok(true)
    }),
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
    det("$declare_module", 3, declare_module),
    // '$declare_unit'(+Module, +File): the file, which is being loaded, has begun a unit of tests, which is no module that others ask the file for.
    det("$declare_unit", 2, |m, a| {
        let (name, file) = (m.atom_argument(a, 0)?, m.atom_argument(a, 1)?);
        m.mention(name)?;
        if let Some(module) = m.program.code.modules.write().get_mut(&name) {
            module.file = Some(file.hold());
        }
        m.program.code.take_name(name);
        if let Some(load) = m.thread.loading.loads.last_mut() {
            load.units.push(name.hold());
        }
        Ok(true)
    }),
    det("$modules_of_file", 2, modules_of_file),
    det("$reset_module_flags", 1, |m, a| {
        let module = m.atom_argument(a, 0)?;
        m.reset_module_flags(module);
        Ok(true)
    }),
    det("$export", 2, export),
    det("$reexport", 4, reexport),
    det("$unexport", 2, unexport),
    det("$export_targets", 2, export_targets),
    det("$undefined_exports", 2, undefined_exports),
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
    det("$is_module", 1, |m, a| {
        let module = m.atom_argument(a, 0)?;
        Ok(m.program.code.modules.read().contains_key(&module))
    }),
    // '$module_file'(+Module, -File)
    det("$module_file", 2, |m, a| {
        let module = m.atom_argument(a, 0)?;
        let file = m
            .program
            .code
            .modules
            .read()
            .get(&module)
            .and_then(|m| m.file.clone());
        Ok(file.is_some_and(|f| m.unify_atom(a, 1, f.get())))
    }),
    // '$import_modules'(+Module, -Modules): where it looks for what it does not define
    det("$import_modules", 2, |m, a| {
        let module = m.atom_argument(a, 0)?;
        let parents = m.program.code.inheritance.of(module);
        let cells: Vec<Cell> = parents.into_iter().map(Cell::atom).collect();
        let list = m.heap.list(&cells, Cell::NIL)?;
        Ok(m.unify_arg(a, 1, list))
    }),
    det("$set_import_modules", 2, set_import_modules),
];

impl Ctx<'_> {
    /// Whether a module exports a name, also for another one.
    pub(super) fn exports(&self, module: Atom, f: Functor) -> bool {
        let modules = self.program.code.modules.read();
        let module = modules.get(&module);
        module.is_some_and(|m| m.exports.iter().any(|e| *e == f))
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

fn declare_module(m: &mut Ctx, a: Args) -> Res {
    let (name, file) = (m.atom_argument(a, 0)?, m.atom_argument(a, 1)?);
    let (items, _) = m.view(a, 2).list_items();
    let mut exports = indicators(m, items)?;
    let mut added = Vec::new();
    let mut gone = Vec::new();
    let program = m.program.clone();
    let mut modules = program.code.modules.write();
    if let Some(module) = modules.get(&name) {
        added.extend(module.added.iter().cloned());
        let others = added.iter().filter(|f| !exports.contains(f));
        let others: Vec<HeldFunctor> = others.cloned().collect();
        exports.extend(others);
        let old = module.exports.iter().filter(|f| !exports.contains(f));
        gone.extend(old.map(|f| (name.hold(), f.clone())));
    }
    let was = modules.insert(
        name.hold(),
        Module {
            file: (file != atoms::NIL).then(|| file.hold()),
            exports,
            added,
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

/// `'$modules_of_file'(+File, -Modules)`: those that a loaded file has begun.
fn modules_of_file(m: &mut Ctx, a: Args) -> Res {
    let file = m.atom_argument(a, 0)?;
    let found: Vec<Cell> = {
        let modules = m.program.code.modules.read();
        let of_file = modules
            .iter()
            .filter(|(_, module)| module.file.as_ref().is_some_and(|f| *f == file));
        of_file.map(|(name, _)| Cell::atom(name.get())).collect()
    };
    let list = m.heap.list(&found, Cell::NIL)?;
    Ok(m.unify_arg(a, 1, list))
}

/// `'$export'(+Module, +Indicators)`: adds to what the module exports.
fn export(m: &mut Ctx, a: Args) -> Res {
    let name = m.atom_argument(a, 0)?;
    let (items, _) = m.view(a, 1).list_items();
    let new = indicators(m, items)?;
    m.mention(name)?;
    let by = m.thread.loading.loads.last().map(|l| l.file.clone());
    let mut modules = m.program.code.modules.write();
    if let Some(module) = modules.get_mut(&name) {
        if module.file.is_some() && module.file != by {
            let is_new = |f: &&HeldFunctor| !module.exports.contains(f);
            let others: Vec<HeldFunctor> = new.iter().filter(is_new).cloned().collect();
            module.added.extend(others);
        }
        new.into_iter().for_each(|f| module.export(f));
    }
    Ok(true)
}

/// `'$reexport'(+Module, +Selected, +Kind, +Of)`: it exports what it has imported from the module Of, `strong`ly if that is by name; Selected are terms
/// `PI as Name`, or `From:PI as Name` of what comes from another module in place of that one.
fn reexport(m: &mut Ctx, a: Args) -> Res {
    let name = m.atom_argument(a, 0)?;
    let (items, _) = m.view(a, 1).list_items();
    let by_name = m.atom_argument(a, 2)?.as_str() == "strong";
    let of = m.atom_argument(a, 3)?;
    m.mention(name)?;
    let mut new = Vec::new();
    for (f, args) in items.iter().filter_map(|t| t.callable()) {
        if f.arity() == 2
            && let Some(exported) = args.get(1).as_atom()
        {
            let (source, _) = m.strip_module(args.get(0).cell(), of)?;
            let source = m.functor_of_indicator(source)?;
            let why = Reexport {
                of: (of.hold(), source.hold()),
                by_name,
            };
            new.push((Functor::new(exported, source.arity()).hold(), why));
        }
    }
    let mut modules = m.program.code.modules.write();
    if let Some(module) = modules.get_mut(&name) {
        new.into_iter().for_each(|(f, why)| module.reexport(f, why));
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

/// `'$set_import_modules'(+Module, +Modules)`: fails if the module would inherit from itself.
fn set_import_modules(m: &mut Ctx, a: Args) -> Res {
    let module = m.atom_argument(a, 0)?;
    let (items, _) = m.view(a, 1).list_items();
    let parents: Vec<Atom> = items.iter().filter_map(|t| t.as_atom()).collect();
    m.room(Inheritance::bytes(parents.len()))?;
    // (What is in no module yet has called nothing.)
    let is_new = !m.program.code.modules.read().contains_key(&module);
    m.mention(module)?;
    let set = m.program.code.set_import_modules(module, parents);
    // What it has called may mean something else now.
    m.settle_bindings();
    if !is_new {
        m.meanings_changed();
    }
    Ok(set)
}

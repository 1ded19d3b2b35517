//! What a program is besides its clauses, as terms: the tables of [`samite_code::Program`], for a saved program (library/program/qsave.pl, state.pl).
//!
//! A saved program is no text that is loaded: that would be told again what directives have said to others, in another order. It is an image: what there
//! is when it is saved is put in place when it is started, as it is. So it has in these tables what the program had that was loaded: which
//! files there are, which of them have a say in which predicates and have declared what of them, what modules export, and because of whom, who imports what from
//! where, by which name and how strongly, flags of modules, what they inherit from. And each clause comes back in its place among the
//! others of its predicate, with its file, text and line.
//!
//! *Equation*: with no load in progress, `'$image'/1` of a program that has restored the rows of another one are those rows.
//!
//! What is of Samite's own libraries is in no row: they are loaded as in any program, before what refers to them.
//!
//! Called by one thread, before the program begins.

use super::clauses::be_of_kind;
use super::{Entry, det, known_flags, module_flags};
use crate::engine::ctx::Ctx;
use crate::engine::worker::Args;
use crate::error::{Res, Throw};
use samite_code::predicate::{Clause, flag};
use samite_code::program::{Context, Import, Imports, Loaded, Module, Reexport, RefusedImport};
use samite_code::sources::What;
use samite_code::{Predicate, database};
use samite_syntax::ops::OpType;
use samite_term::{Atom, Cell, HeldAtom, HeldFunctor, Number, TermRef, View, atoms, view};
use std::sync::atomic::Ordering;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

pub const TABLE: &[Entry] = &[
    // '$image'(-Rows)
    det("$image", 1, |m, a| {
        let mut rows = Rows(Vec::new());
        m.rows_of_files(&mut rows)?;
        m.rows_of_modules(&mut rows)?;
        m.rows_of_predicates(&mut rows)?;
        m.rows_of_sources(&mut rows)?;
        m.rows_of_imports(&mut rows)?;
        let list = m.heap.list(&rows.0, Cell::NIL)?;
        Ok(m.unify_arg(a, 0, list))
    }),
    // '$library_state'(-List): of state(PI, Kind), predicates of Samite's own that programs may have a part in. Kind is (dynamic) or static.
    det("$library_state", 1, |m, a| {
        let mut items = Vec::new();
        for p in m.program.clone().code.predicates() {
            let never = flag::BUILTIN | flag::CONTROL | flag::VOLATILE | flag::THREAD_LOCAL;
            if m.is_programs(p.module())
                || p.has(never)
                || !p.has(flag::DYNAMIC | flag::MULTIFILE)
                || !p.is_defined()
            {
                continue;
            }
            let kind = if p.is_dynamic() { "dynamic" } else { "static" };
            let (pi, kind) = (m.qualified_indicator(p)?, Cell::atom(Atom::of(kind)));
            items.push(m.structure("state", &[pi, kind])?);
        }
        let list = m.heap.list(&items, Cell::NIL)?;
        Ok(m.unify_arg(a, 0, list))
    }),
    // '$restore_row'(+Row): fails if it is none.
    det("$restore_row", 1, |m, a| {
        let Some((row, args)) = m.view(a, 0).callable() else {
            return Ok(false);
        };
        let name = row.name().as_str();
        if !ROWS.contains(&(name, row.arity())) {
            return Ok(false);
        }
        let all: Vec<TermRef> = (0..row.arity()).map(|i| args.get(i)).collect();
        Ok(m.restore_row(name, &all)?.is_some())
    }),
    // '$restore_clause'(+Module:Clause, +File, +Text, +Line): added as the last one of its predicate. File is [] of what no file says.
    det("$restore_clause", 4, restore_clause),
    // '$withdraw_clauses'(+Module:PI): those that are of no library.
    det("$withdraw_clauses", 1, |m, a| {
        let p = m.predicate_argument(a, 0)?;
        withdraw(p);
        Ok(true)
    }),
];

/// The rows, by their names and numbers of columns.
const ROWS: [(&str, usize); 15] = [
    ("files", 2),
    ("loaded", 7),
    ("source_name", 2),
    ("context", 6),
    ("module", 5),
    ("inherits", 2),
    ("operator", 4),
    ("module_flag", 3),
    ("predicate", 7),
    ("source", 3),
    ("declared", 3),
    ("displaced", 2),
    ("imports", 3),
    ("refused", 3),
    ("refused_definition", 2),
];

/// The arguments of a term that has so many.
fn parts(t: TermRef<'_>, n: usize) -> Option<view::Args<'_>> {
    let (f, args) = t.callable()?;
    (f.arity() == n).then_some(args)
}

/// What stands for the file of a library (`'$library_file'/2`).
fn is_of_library(file: Atom) -> bool {
    file.as_str().starts_with("library(")
}

fn withdraw(p: &'static Predicate) {
    if p.is_defined() && !p.has(flag::BUILTIN | flag::CONTROL) {
        database::withdraw(p, |c| !is_of_library(c.file()));
    }
}

/// What a row of a predicate says of its flags.
const SAID: u32 = flag::MULTIFILE | flag::DISCONTIGUOUS | flag::TOLD & !flag::INCREMENTAL;

struct Rows(Vec<Cell>);

impl Rows {
    fn add(&mut self, m: &mut Ctx, name: &str, args: &[Cell]) -> Result<(), Throw> {
        self.0.push(m.structure(name, args)?);
        Ok(())
    }
}

/// `[]` if there is none.
fn atom_or_nil(atom: Option<&HeldAtom>) -> Cell {
    atom.map_or(Cell::NIL, |a| Cell::atom(a.get()))
}

fn bool_of(is: bool) -> Cell {
    Cell::atom(if is { atoms::TRUE } else { atoms::FALSE })
}

fn is_true(t: TermRef) -> bool {
    t.as_atom() == Some(atoms::TRUE)
}

fn int(t: TermRef) -> Option<i64> {
    match t.number() {
        Some(Number::Int(n)) => Some(n),
        _ => None,
    }
}

/// An atom but `[]`.
fn held(t: TermRef) -> Option<HeldAtom> {
    t.as_atom().filter(|&a| a != atoms::NIL).map(Atom::hold)
}

// --- rows of what there is ---

impl Ctx<'_> {
    fn time(&mut self, time: Option<SystemTime>) -> Result<Cell, Throw> {
        let since = time.and_then(|t| t.duration_since(UNIX_EPOCH).ok());
        let nanoseconds = since.and_then(|s| i64::try_from(s.as_nanos()).ok());
        Ok(match nanoseconds {
            Some(n) => self.heap.number(&Number::Int(n))?,
            None => Cell::NIL,
        })
    }

    fn indicators_of(&mut self, all: &[HeldFunctor]) -> Result<Cell, Throw> {
        let mut items = Vec::new();
        for f in all {
            items.push(self.indicator(f.get())?);
        }
        Ok(self.heap.list(&items, Cell::NIL)?)
    }

    fn predicates_list(&mut self, all: &[&'static Predicate]) -> Result<Cell, Throw> {
        let mut items = Vec::new();
        for &p in all {
            items.push(self.qualified_indicator(p)?);
        }
        Ok(self.heap.list(&items, Cell::NIL)?)
    }

    fn is_programs(&self, module: Atom) -> bool {
        !self.program.code.is_library(module)
    }

    /// `files(Loads, UserTexts)`; `loaded(File, Modified, Into, Encoding, Count, Includes, State)`, State `whole`, `half` or `empty`, in their order; `source_name(Path, File)`;
    /// `context(File, Module, Text, Line, By, How)`.
    fn rows_of_files(&mut self, rows: &mut Rows) -> Result<(), Throw> {
        let code = &self.program.clone().code;
        let loads = Cell::small(code.loads.load(Ordering::Relaxed));
        let texts = Cell::small(code.user_texts.load(Ordering::Relaxed) as i64);
        rows.add(self, "files", &[loads, texts])?;
        let loaded = code.loaded.lock().clone();
        let mut loaded: Vec<_> = loaded.into_iter().collect();
        loaded.sort_by_key(|(_, l)| l.place);
        for (file, l) in loaded {
            let mut includes = Vec::new();
            for (text, then, line) in &l.includes {
                let then = self.time(*then)?;
                let args = [Cell::atom(text.get()), then, Cell::small((*line).into())];
                includes.push(self.structure("text", &args)?);
            }
            let includes = self.heap.list(&includes, Cell::NIL)?;
            let modified = self.time(l.modified)?;
            let (into, encoding) = (Cell::atom(l.into.get()), atom_or_nil(l.encoding.as_ref()));
            let (file, count) = (Cell::atom(Atom::of(&file)), Cell::small(l.count.into()));
            let state = match (l.half, l.is_empty) {
                (true, _) => "half",
                (false, true) => "empty",
                (false, false) => "whole",
            };
            let state = Cell::atom(Atom::new(state));
            let row = [file, modified, into, encoding, count, includes, state];
            rows.add(self, "loaded", &row)?;
        }
        let names = code.source_names.lock().clone();
        for (path, file) in names {
            let row = [&path, &file].map(|text| Cell::atom(Atom::of(text)));
            rows.add(self, "source_name", &row)?;
        }
        let contexts = code.contexts.lock().clone();
        for (file, context) in contexts
            .iter()
            .flat_map(|(file, all)| all.iter().map(move |c| (file, c)))
        {
            let (text, line) = match &context.from {
                Some((text, line)) => (Cell::atom(text.get()), Cell::small((*line).into())),
                None => (Cell::NIL, Cell::small(0)),
            };
            let how = self.heap.instantiate(&context.how)?;
            let [file, module, by] =
                [file, &context.module, &context.by].map(|a| Cell::atom(a.get()));
            rows.add(self, "context", &[file, module, text, line, by, how])?;
        }
        Ok(())
    }

    /// `module(Module, File, Exports, Added, Reexported)`, where Reexported are `reexport(PI, Of, OfPI, ByName)`; `inherits(Module, Modules)`;
    /// `operator(Module, Priority, Type, Name)`; `module_flag(Module, Flag, Value)`.
    fn rows_of_modules(&mut self, rows: &mut Rows) -> Result<(), Throw> {
        let code = &self.program.clone().code;
        let modules = code.modules.read().clone();
        for (name, module) in modules {
            if !self.is_programs(name.get()) {
                continue;
            }
            let mut reexported = Vec::new();
            // (In the order of what it exports: the table has none.)
            let reasons = |f| module.reexported.get(f).into_iter().flatten();
            let all = (module.exports.iter()).flat_map(|f| reasons(f).map(move |why| (f, why)));
            for (f, why) in all {
                let (pi, of) = (self.indicator(f.get())?, self.indicator(why.of.1.get())?);
                let args = [pi, Cell::atom(why.of.0.get()), of, bool_of(why.by_name)];
                reexported.push(self.structure("reexport", &args)?);
            }
            let reexported = self.heap.list(&reexported, Cell::NIL)?;
            let exports = self.indicators_of(&module.exports)?;
            let added = self.indicators_of(&module.added)?;
            let (name, file) = (Cell::atom(name.get()), atom_or_nil(module.file.as_ref()));
            rows.add(self, "module", &[name, file, exports, added, reexported])?;
        }
        for (module, parents) in code.inheritance.changes() {
            let parents: Vec<Cell> = parents.into_iter().map(Cell::atom).collect();
            let parents = self.heap.list(&parents, Cell::NIL)?;
            rows.add(self, "inherits", &[Cell::atom(module), parents])?;
        }
        for (module, (priority, ty, name)) in code.operators_said() {
            if self.is_programs(module) {
                let (module, name) = (Cell::atom(module), Cell::atom(name));
                let row = [
                    module,
                    Cell::small(priority.into()),
                    Cell::atom(ty.atom()),
                    name,
                ];
                rows.add(self, "operator", &row)?;
            }
        }
        let flags = code.module_flags.read().clone();
        for ((module, name), value) in flags {
            let row = [&module, &name, &value].map(|a| Cell::atom(a.get()));
            rows.add(self, "module_flag", &row)?;
        }
        Ok(())
    }

    /// `predicate(PI, Flags, File, Session, ByFile, Meta, IsTransparent)`: what is said of predicates of programs beside their kinds.
    fn rows_of_predicates(&mut self, rows: &mut Rows) -> Result<(), Throw> {
        for p in self.program.clone().code.predicates() {
            let said = p.flags() & SAID;
            if !self.is_programs(p.module()) || !(p.is_defined() || p.meta().is_some()) {
                continue;
            }
            let (file, session) = {
                let w = p.lock();
                (atom_or_nil(w.file.as_ref()), Cell::small(w.session))
            };
            let meta = match p.meta() {
                Some(spec) => Cell::atom(Atom::of(&String::from_utf8_lossy(spec))),
                None => Cell::NIL,
            };
            let by_file = bool_of(p.has(flag::DYNAMIC_BY_FILE));
            let (pi, flags) = (self.qualified_indicator(p)?, Cell::small(said.into()));
            let transparent = bool_of(p.is_transparent());
            let row = [pi, flags, file, session, by_file, meta, transparent];
            rows.add(self, "predicate", &row)?;
        }
        Ok(())
    }

    /// `source(File, PIs)`, in the order of the ends of their loads; `declared(File, What, PIs)`; `displaced(PI, Files)`.
    fn rows_of_sources(&mut self, rows: &mut Rows) -> Result<(), Throw> {
        let code = &self.program.clone().code;
        let all = code.predicates();
        let (files, displaced) = {
            let sources = code.sources.lock();
            (sources.files(), sources.all_displaced(&all))
        };
        let files = files.into_iter().filter(|(f, _)| !is_of_library(*f));
        for (file, ended) in files {
            let of = code.sources.lock().of(file);
            let of = self.predicates_list(&of)?;
            rows.add(self, "source", &[Cell::atom(file), of, bool_of(ended)])?;
            for what in What::ALL {
                let declared = code.sources.lock().declared_by(file, what);
                if !declared.is_empty() {
                    let declared = self.predicates_list(&declared)?;
                    let what = Cell::atom(Atom::of(what.directive()));
                    rows.add(self, "declared", &[Cell::atom(file), what, declared])?;
                }
            }
        }
        for (p, files) in displaced {
            let files: Vec<Cell> = files.into_iter().map(Cell::atom).collect();
            let files = self.heap.list(&files, Cell::NIL)?;
            let pi = self.qualified_indicator(p)?;
            rows.add(self, "displaced", &[pi, files])?;
        }
        Ok(())
    }

    fn import_term(&mut self, i: &Import) -> Result<Cell, Throw> {
        let (name, target) = (
            self.qualified_indicator(i.name)?,
            self.qualified_indicator(i.target)?,
        );
        let (from, of) = (Cell::atom(i.from.0.get()), self.indicator(i.from.1.get())?);
        let args = [name, target, from, of, bool_of(i.weak), bool_of(i.single)];
        self.structure("import", &args)
    }

    /// `imports(By, Import, Link)`, where Link is `strong` or `weak` if the name is linked by that, else `none`; `refused(By, Import, Before)`;
    /// `refused_definition(By, PI)`.
    fn rows_of_imports(&mut self, rows: &mut Rows) -> Result<(), Throw> {
        let code = &self.program.clone().code;
        let all: Vec<(HeldAtom, Import)> = {
            let imports = code.imports.lock();
            let each = |(by, list): (&HeldAtom, &Imports)| {
                let by = by.clone();
                let all: Vec<_> = list.all().map(|i| (by.clone(), i.clone())).collect();
                all
            };
            imports.iter().flat_map(each).collect()
        };
        for (by, i) in &all {
            if !self.is_programs(i.name.module()) {
                continue;
            }
            let link = match i.name.is_import() && i.name.is_link_to(i.target) {
                true if i.name.has(flag::STRONG_IMPORT) => "strong",
                true => "weak",
                false => "none",
            };
            let import = self.import_term(i)?;
            let link = Cell::atom(Atom::of(link));
            rows.add(self, "imports", &[Cell::atom(by.get()), import, link])?;
        }
        let refused: Vec<(HeldAtom, Import, bool)> = {
            let refused = code.refused_imports.lock();
            let parts = |r: &RefusedImport| (r.by.clone(), r.import.clone(), r.before);
            refused.iter().map(parts).collect()
        };
        for (by, i, before) in &refused {
            if self.is_programs(i.name.module()) {
                let import = self.import_term(i)?;
                let row = [Cell::atom(by.get()), import, bool_of(*before)];
                rows.add(self, "refused", &row)?;
            }
        }
        let definitions = code.refused_definitions.lock().clone();
        for (by, p) in definitions {
            let pi = self.qualified_indicator(p)?;
            rows.add(self, "refused_definition", &[Cell::atom(by.get()), pi])?;
        }
        Ok(())
    }
}

// --- and what they say ---

/// `None`: a row that says nothing that can be done.
type Done = Result<Option<()>, Throw>;

/// `?` for what is no such term.
macro_rules! some {
    ($e:expr) => {
        match $e {
            Some(value) => value,
            None => return Ok(None),
        }
    };
}

fn time_of(t: TermRef) -> Option<SystemTime> {
    let nanoseconds = u64::try_from(int(t)?).ok()?;
    UNIX_EPOCH.checked_add(Duration::from_nanos(nanoseconds))
}

impl Ctx<'_> {
    fn predicate_term(&mut self, t: TermRef) -> Result<&'static Predicate, Throw> {
        let (t, module) = self.strip_module(t.cell(), atoms::USER)?;
        let f = self.functor_of_indicator(t)?;
        self.predicate_of(module, f)
    }

    fn functors(&mut self, t: TermRef) -> Result<Vec<HeldFunctor>, Throw> {
        let mut all = Vec::new();
        for item in t.list_items().0 {
            all.push(self.functor_of_indicator(item.cell())?.hold());
        }
        Ok(all)
    }

    fn restore_row(&mut self, row: &str, args: &[TermRef]) -> Done {
        match row {
            "files" | "loaded" | "source_name" | "context" => self.restore_file(row, args),
            "module" => self.restore_module(args),
            "inherits" => {
                let module = some!(args[0].as_atom());
                let parents = args[1].list_items().0;
                let parents = parents.iter().filter_map(|t| t.as_atom()).collect();
                self.mention(module)?;
                Ok((self.program.code.set_import_modules(module, parents)).then_some(()))
            }
            "operator" => {
                let [module, ty, name] = [0, 2, 3].map(|i| args[i].as_atom().unwrap_or(atoms::NIL));
                let priority = int(args[1]).and_then(|p| u16::try_from(p).ok());
                let priority = some!(priority.filter(|&p| p <= 1200));
                let operator = (priority, some!(OpType::from_atom(ty)), name);
                self.program.code.add_operator(module, operator);
                Ok(Some(()))
            }
            "module_flag" => {
                let [module, name, value] =
                    [args[0], args[1], args[2]].map(|t| t.as_atom().unwrap_or(atoms::NIL));
                let values = some!(known_flags::values(name).filter(|_| module_flags::has(name)));
                self.check_flag(name, values, Cell::atom(value), None)?;
                self.set_module_flag(module, name, value)?;
                Ok(Some(()))
            }
            "predicate" => self.restore_predicate(args),
            "source" | "declared" | "displaced" => self.restore_source(row, args),
            _ => self.restore_import(row, args),
        }
    }

    fn restore_file(&mut self, row: &str, args: &[TermRef]) -> Done {
        let code = &self.program.clone().code;
        match row {
            "files" => {
                let (loads, texts) = (some!(int(args[0])), some!(int(args[1])));
                code.loads.fetch_max(loads, Ordering::Relaxed);
                code.user_texts.fetch_max(texts as u64, Ordering::Relaxed);
            }
            "loaded" => {
                let mut includes = Vec::new();
                for t in args[5].list_items().0 {
                    let text = some!(parts(t, 3));
                    let line = some!(int(text.get(2))) as u32;
                    includes.push((some!(held(text.get(0))), time_of(text.get(1)), line));
                }
                let file = some!(args[0].as_atom()).as_str().to_owned();
                let state = args[6].as_atom().map(|a| a.as_str());
                let mut loaded = code.loaded.lock();
                let last = loaded.values().map(|l| l.place).max();
                let entry = Loaded {
                    place: last.map_or(0, |last| last + 1),
                    modified: time_of(args[1]),
                    into: some!(held(args[2])),
                    encoding: held(args[3]),
                    count: some!(int(args[4])) as u32,
                    includes,
                    before: None,
                    begun: true,
                    is_empty: state == Some("empty"),
                    half: state == Some("half"),
                };
                loaded.insert(file, entry);
            }
            "source_name" => {
                let [path, file] = [args[0], args[1]].map(|t| t.as_atom().map(|a| a.as_str()));
                let (path, file) = (some!(path).to_owned(), some!(file).to_owned());
                code.source_names.lock().insert(path, file);
            }
            _ => {
                let from = held(args[2]).zip(int(args[3]).map(|line| line as u32));
                let context = Context {
                    module: some!(held(args[1])),
                    from,
                    by: some!(args[4].as_atom()).hold(),
                    how: self.record(args[5].cell())?,
                };
                let mut contexts = code.contexts.lock();
                (contexts.entry(some!(held(args[0]))).or_default()).push(context);
            }
        }
        Ok(Some(()))
    }

    fn restore_module(&mut self, args: &[TermRef]) -> Done {
        let name = some!(args[0].as_atom());
        let mut module = Module {
            file: held(args[1]),
            exports: self.functors(args[2])?,
            added: self.functors(args[3])?,
            ..Module::default()
        };
        for t in args[4].list_items().0 {
            let why = some!(parts(t, 4));
            let f = self.functor_of_indicator(why.get(0).cell())?.hold();
            let of = self.functor_of_indicator(why.get(2).cell())?.hold();
            let why = Reexport {
                of: (some!(held(why.get(1))), of),
                by_name: is_true(why.get(3)),
            };
            module.reexported.entry(f).or_default().push(why);
        }
        self.mention(name)?;
        let code = &self.program.code;
        if module.file.is_some() {
            // (The name may be that of a library that it has not loaded.)
            code.take_name(name);
        }
        code.modules.write().insert(name.hold(), module);
        Ok(Some(()))
    }

    /// Its kind has been declared. What it has from the beginning of every program, the saved one had, or not any more.
    fn restore_predicate(&mut self, args: &[TermRef]) -> Done {
        let p = self.predicate_term(args[0])?;
        withdraw(p);
        let said = some!(int(args[1])) as u32 & SAID;
        if said != 0 {
            p.declare(said);
        }
        if said & flag::DET != 0 {
            database::look_again(p);
        }
        if let Some(spec) = held(args[5]) {
            p.declare_meta(Some(spec.get().as_str().as_bytes().to_vec()));
        }
        if is_true(args[6]) {
            p.be_transparent();
        }
        if is_true(args[4]) && p.is_dynamic() {
            p.has_become_dynamic_by_file();
        }
        let mut w = p.lock();
        w.file = held(args[2]);
        w.session = some!(int(args[3]));
        Ok(Some(()))
    }

    fn restore_source(&mut self, row: &str, args: &[TermRef]) -> Done {
        let program = self.program.clone();
        if row == "displaced" {
            let p = self.predicate_term(args[0])?;
            let files = args[1].list_items().0;
            let mut sources = program.code.sources.lock();
            (files.iter().filter_map(|t| t.as_atom())).for_each(|f| sources.displace(f, p));
            return Ok(Some(()));
        }
        let file = some!(args[0].as_atom());
        let (of, what) = match row {
            "source" => (args[1], None),
            _ => {
                let what = some!(args[1].as_atom()).as_str();
                (args[2], Some(some!(What::of_directive(what))))
            }
        };
        for t in of.list_items().0 {
            let p = self.predicate_term(t)?;
            let mut sources = program.code.sources.lock();
            match what {
                None => sources.add(file, p),
                Some(what) => sources.set_declared(file, p, what, true),
            }
        }
        if what.is_none() && is_true(args[2]) {
            program.code.sources.lock().ends(file);
        }
        Ok(Some(()))
    }

    fn import_of(&mut self, t: TermRef) -> Result<Option<Import>, Throw> {
        let args = some!(parts(t, 6));
        let from = some!(held(args.get(2)));
        let of = self.functor_of_indicator(args.get(3).cell())?.hold();
        Ok(Some(Import {
            name: self.predicate_term(args.get(0))?,
            target: self.predicate_term(args.get(1))?,
            from: (from, of),
            weak: is_true(args.get(4)),
            single: is_true(args.get(5)),
        }))
    }

    fn restore_import(&mut self, row: &str, args: &[TermRef]) -> Done {
        let by = some!(args[0].as_atom()).hold();
        let code = &self.program.clone().code;
        match row {
            "imports" => {
                let import = some!(self.import_of(args[1])?);
                match args[2].as_atom().map(|a| a.as_str()) {
                    Some("strong") => import.name.import(import.target, false),
                    Some("weak") => import.name.import(import.target, true),
                    _ => {}
                }
                let mut imports = code.imports.lock();
                imports.entry(by).or_default().last.push(import);
            }
            "refused" => {
                let import = some!(self.import_of(args[1])?);
                let before = is_true(args[2]);
                let refused = RefusedImport { by, import, before };
                code.refused_imports.lock().push(refused);
            }
            "refused_definition" => {
                let p = self.predicate_term(args[1])?;
                code.refused_definitions.lock().push((by, p));
            }
            _ => return Ok(None),
        }
        Ok(Some(()))
    }
}

fn restore_clause(m: &mut Ctx, a: Args) -> Res {
    let parts = m.clause_parts(m.arg(a, 0))?;
    let Some((f, _)) = parts.clause.head.callable() else {
        return Ok(false);
    };
    let p = m.predicate_of(parts.module, f)?;
    let (file, text) = (m.atom_argument(a, 1)?, m.atom_argument(a, 2)?);
    let line = match m.view(a, 3).view() {
        View::Int(line) => line as u32,
        _ => 0,
    };
    if p.is_dynamic() {
        m.room_for_clause(p, true)?;
    }
    let (record, is_straight) = m.clause_record(parts.clause)?;
    let mut clause = if p.is_dynamic() {
        let key = samite_code::compile::head_key(parts.clause);
        let mut clause = Box::new(Clause::new(p, key, Some(record), None, line));
        if is_straight && !p.is_transparent() {
            clause.set_straight();
        }
        clause
    } else {
        let compiled = match m.compile(parts.module, parts.clause, 0) {
            Ok(c) => c,
            Err(e) => {
                let body = parts.clause.body.map_or(Cell::NIL, TermRef::cell);
                return Err(m.compile_error(e, body));
            }
        };
        let block = Some(compiled.block);
        let mut clause = Box::new(Clause::new(p, compiled.key, Some(record), block, line));
        clause.set_linked();
        clause
    };
    be_of_kind(&mut clause, &parts.clause);
    if file != atoms::NIL {
        clause.set_file(file, text);
    }
    m.add_clause(p, clause, true)?;
    Ok(true)
}

//! Source files: where they are found, which are loaded, what they define, and taking that away again.

use super::{Entry, det};
use crate::engine::ctx::Ctx;
use crate::engine::worker::Args;
use crate::error::Res;
use samite_code::Predicate;
use samite_code::predicate::flag;
use samite_code::program::{Context, Loaded};
use samite_stream::StreamId;
use samite_term::{Atom, Cell, TermRef, atoms};
use samite_world::files;
use std::sync::atomic::Ordering;
use std::time::{SystemTime, UNIX_EPOCH};

pub const TABLE: &[Entry] = &[
    det("$loaded_files", 1, loaded_files),
    det("$is_loaded", 1, |m, a| {
        let f = m.atom_argument(a, 0)?;
        Ok(m.program.code.loaded.lock().contains_key(f.as_str()))
    }),
    // '$loaded_into'(+File, -Module): it is loaded, or being loaded; Module is what the source module was then.
    det("$loaded_into", 2, |m, a| {
        let f = m.atom_argument(a, 0)?.as_str();
        let into = m.program.code.loaded.lock().get(f).map(|l| l.into.clone());
        Ok(into.is_some_and(|into| m.unify_atom(a, 1, into.get())))
    }),
    // Whether a file, or a text that it includes, is of another time than when it was loaded: maybe of an earlier one, if it has been replaced. What there
    // is half of counts as changed.
    det("$is_changed", 1, |m, a| {
        let f = m.atom_argument(a, 0)?;
        let (half, mut texts) = {
            let loaded = m.program.code.loaded.lock();
            let Some(l) = loaded.get(f.as_str()) else {
                return Ok(false);
            };
            let included = (l.includes.iter()).map(|(text, then, _)| (text.clone(), *then));
            let texts = included.chain([(f.hold(), l.modified)]);
            (l.half, texts.collect::<Vec<_>>())
        };
        // (The lock is free: the file system may not answer.) What is gone cannot be loaded again.
        if let Some((file, then)) = texts.last()
            && (half || then.is_some())
        {
            let gone = modified(m, file.as_str()).is_none();
            if gone || half {
                return Ok(!gone);
            }
        }
        Ok(texts
            .drain(..)
            .any(|(text, then)| modified(m, text.as_str()).is_some_and(|now| then != Some(now))))
    }),
    // '$included'(+File, +Text, +Line): a file that is being loaded asks for a text in a line.
    det("$included", 3, |m, a| {
        let (f, text) = (m.atom_argument(a, 0)?, m.atom_argument(a, 1)?);
        let line = m.arg(a, 2);
        let line = if line.is_small() {
            line.small_value() as u32
        } else {
            0
        };
        let then = modified(m, text.as_str());
        if let Some(l) = m.program.code.loaded.lock().get_mut(f.as_str()) {
            l.includes.push((text.hold(), then, line));
        }
        Ok(true)
    }),
    // '$includes'(+File, -List): `text(Text, Time, Line)` for each of them, in their order.
    det("$includes", 2, |m, a| {
        let f = m.atom_argument(a, 0)?;
        let includes = (m.program.code.loaded.lock().get(f.as_str()))
            .map_or_else(Vec::new, |l| l.includes.clone());
        let mut items = Vec::new();
        for (text, then, line) in includes {
            let since = then.and_then(|t| t.duration_since(UNIX_EPOCH).ok());
            let time = m.heap.float(since.map_or(0.0, |t| t.as_secs_f64()))?;
            let args = [Cell::atom(text.get()), time, Cell::small(line.into())];
            items.push(m.structure("text", &args)?);
        }
        let list = m.heap.list(&items, Cell::NIL)?;
        Ok(m.unify_arg(a, 1, list))
    }),
    // '$set_loaded'(+File, +Encoding, -Was): it is read in this encoding, or [] for the one of all. Was is `new` if it was not loaded before.
    det("$set_loaded", 3, |m, a| {
        let f = m.atom_argument(a, 0)?;
        let encoding = m.atom_argument(a, 1)?;
        let encoding = (encoding != atoms::NIL).then(|| encoding.hold());
        // Before the lock: the file system may not answer.
        let modified = modified(m, f.as_str());
        let was = {
            let mut loaded = m.program.code.loaded.lock();
            let last = loaded.values().map(|l| l.place).max();
            let was = loaded.remove(f.as_str());
            let is_new = was.is_none();
            let (place, count) = match &was {
                Some(was) => (was.place, was.count),
                None => (last.map_or(0, |last| last + 1), 0),
            };
            let before = was.map(|was| {
                Box::new(Loaded {
                    before: None,
                    ..was
                })
            });
            let entry = Loaded {
                place,
                modified,
                into: m.thread.modules.source.clone(),
                encoding,
                count: count + 1,
                includes: Vec::new(),
                before,
                begun: false,
                is_empty: false,
                half: false,
            };
            loaded.insert(f.as_str().to_owned(), entry);
            is_new
        };
        // It says anew what it loads.
        m.forget_contexts(f);
        let was = if was { "new" } else { "loaded" };
        Ok(m.unify_atom(a, 2, Atom::new(was)))
    }),
    // '$loaded_encoding'(+File, -Encoding): that it was read in, if who loaded it has said so.
    det("$loaded_encoding", 2, |m, a| {
        let f = m.atom_argument(a, 0)?.as_str();
        let encoding = (m.program.code.loaded.lock().get(f)).and_then(|l| l.encoding.clone());
        Ok(encoding.is_some_and(|encoding| m.unify_atom(a, 1, encoding.get())))
    }),
    // '$note_load'(+File, +By, +Text, +Line, +How): the place that asks for File to be loaded into the source module, in a text that is
    // part of the file By, or By is [].
    det("$note_load", 5, |m, a| {
        let (f, by) = (m.atom_argument(a, 0)?, m.atom_argument(a, 1)?);
        let (text, line) = (m.atom_argument(a, 2)?, m.arg(a, 3));
        let line = if line.is_small() {
            line.small_value()
        } else {
            0
        };
        let from = (by != atoms::NIL).then(|| (text.hold(), line as u32));
        let how = m.record(m.arg(a, 4))?;
        let module = m.thread.modules.source.clone();
        let context = Context {
            module,
            from,
            by: by.hold(),
            how,
        };
        let mut contexts = m.program.code.contexts.lock();
        let of = contexts.entry(f.hold()).or_default();
        if !of.contains(&context) {
            of.push(context);
        }
        Ok(true)
    }),
    // '$load_history'(+File, -Count, -Contexts): how often it has been loaded, and by whom, as `context(Module, Place, By, How)`.
    det("$load_history", 3, |m, a| {
        let f = m.atom_argument(a, 0)?;
        let Some(count) = (m.program.code.loaded.lock().get(f.as_str())).map(|l| l.count) else {
            return Ok(false);
        };
        let contexts = m.program.code.contexts.lock().get(&f).cloned();
        let mut items = Vec::new();
        for context in contexts.unwrap_or_default() {
            let place = match &context.from {
                None => Cell::atom(atoms::USER),
                Some((by, line)) => {
                    m.structure(":", &[Cell::atom(by.get()), Cell::small(i64::from(*line))])?
                }
            };
            let how = m.heap.instantiate(&context.how)?;
            let args = [
                Cell::atom(context.module.get()),
                place,
                Cell::atom(context.by.get()),
                how,
            ];
            items.push(m.structure("context", &args)?);
        }
        let list = m.heap.list(&items, Cell::NIL)?;
        Ok(m.unify_int(a, 1, i64::from(count))? && m.unify_arg(a, 2, list))
    }),
    // '$modified_when_loaded'(+File, -Time)
    det("$modified_when_loaded", 2, |m, a| {
        let f = m.atom_argument(a, 0)?.as_str();
        let modified = (m.program.code.loaded.lock().get(f)).and_then(|l| l.modified);
        let since = modified.and_then(|t| t.duration_since(UNIX_EPOCH).ok());
        match since {
            Some(since) => {
                let time = m.heap.float(since.as_secs_f64())?;
                Ok(m.unify_arg(a, 1, time))
            }
            None => Ok(false),
        }
    }),
    // '$source_clauses'(+File, -Count)
    det("$source_clauses", 2, |m, a| {
        let file = m.atom_argument(a, 0)?;
        let of = m.program.code.sources.lock().of(file);
        m.reader.enter();
        let clauses = of.into_iter().flat_map(|p| p.visible_clauses());
        let count = clauses.filter(|c| c.file() == file).count();
        m.unify_int(a, 1, count as i64)
    }),
    // '$set_half'(+File): its first load has been left before its end. Nothing of it is loaded if no term of it has been read.
    det("$set_half", 1, |m, a| {
        let f = m.atom_argument(a, 0)?;
        let mut loaded = m.program.code.loaded.lock();
        if let Some(l) = loaded.get_mut(f.as_str()) {
            l.half = l.begun;
            if !l.half {
                loaded.remove(f.as_str());
            }
        }
        Ok(true)
    }),
    // '$is_half'(+File): what there is of it is the beginning of a text.
    det("$is_half", 1, |m, a| {
        let f = m.atom_argument(a, 0)?;
        let loaded = m.program.code.loaded.lock();
        Ok(loaded.get(f.as_str()).is_some_and(|l| l.half))
    }),
    // '$set_changed'(+File): it is to be loaded again, though nobody has edited it.
    det("$set_changed", 1, |m, a| {
        let f = m.atom_argument(a, 0)?;
        if let Some(l) = m.program.code.loaded.lock().get_mut(f.as_str()) {
            l.modified = None;
        }
        Ok(true)
    }),
    // '$keep_version_before'(+File): a load of it has been left, and what there is of it is what was loaded before.
    det("$keep_version_before", 1, |m, a| {
        let f = m.atom_argument(a, 0)?;
        if let Some(l) = m.program.code.loaded.lock().get_mut(f.as_str())
            && let Some(before) = l.before.take()
        {
            let count = l.count;
            *l = Loaded { count, ..*before };
        }
        Ok(true)
    }),
    // The name of the text that is consulted from the user now, as SWI-Prolog's. On a terminal its first line is the next one.
    det("$next_user_source", 1, |m, a| {
        let t = m.target_of(StreamId::STDIN, StreamId::STDIN.term())?;
        let mut input = m.locked(&t)?;
        if input.is_tty() {
            input.set_line(1);
        }
        drop(input);
        let n = m.program.code.user_texts.fetch_add(1, Ordering::Relaxed) + 1;
        Ok(m.unify_atom(a, 0, Atom::of(&format!("user://{n}"))))
    }),
    det("$resolve_source", 4, resolve_source),
    det("$source_name", 2, source_name),
    det("$source_files_of", 2, files_of),
    det("$source_predicates", 2, predicates_of),
    det("$unload_file", 1, unload),
];

/// When a file was changed; `None` if that cannot be said, or there is a directory in its place.
fn modified(m: &mut Ctx, path: &str) -> Option<SystemTime> {
    let about = m.in_file_system(|| files::metadata(path)).ok()?;
    about.modified().ok().filter(|_| !about.is_dir())
}

/// `'$resolve_source'(+Dir, +Text, +Extensions, -Path)`: the name of an existing file, or of what can be read like one (a pipe of the shell's
/// `<(command)`), with one of the extensions if there is one and the text has none of these.
fn resolve_source(m: &mut Ctx, a: Args) -> Res {
    let dir = m.atom_argument(a, 0)?;
    let text = m.atom_argument(a, 1)?;
    let base = std::path::Path::new(dir.as_str()).join(text.as_str());
    let base = base.to_string_lossy();
    let (items, _) = m.view(a, 2).list_items();
    let dotted = |t: TermRef| t.as_atom().map(|e| format!(".{}", e.as_str()));
    let mut extensions: Vec<String> = items.into_iter().filter_map(dotted).collect();
    let whole = (extensions.iter()).any(|ext| text.as_str().ends_with(ext.as_str()));
    let without = if whole { 0 } else { extensions.len() };
    extensions.insert(without, String::new());
    for ext in extensions {
        let path = super::files::absolute(m, &format!("{base}{ext}"))?;
        let there = m.in_file_system(|| files::is(&path, |about| !about.is_dir()));
        if there.map_err(|e| m.file_error(&e, "open", "source_sink", m.arg(a, 1)))? {
            return unify_source_name(m, a, 3, path);
        }
    }
    Ok(false)
}

/// `'$source_name'(+Path, -Name)`: what the source file of an absolute path is known by.
fn source_name(m: &mut Ctx, a: Args) -> Res {
    let path = m.atom_argument(a, 0)?.as_str().to_owned();
    unify_source_name(m, a, 1, path)
}

/// A source file is known by the path that was first asked for, links and all: what it names lies beside the link, as with a directory of links to
/// files of many places. Another path of the same file is no other file; but once the first one leads elsewhere (a link to the current version of a
/// directory), it is.
fn unify_source_name(m: &mut Ctx, a: Args, i: usize, path: String) -> Res {
    let real = |m: &mut Ctx, path: &str| {
        let real = m.in_file_system(|| files::canonical(path)).ok()?;
        Some(real.to_string_lossy().into_owned())
    };
    let name = match real(m, &path) {
        // (A pipe: what it is called without links is no name.)
        None => path,
        Some(file) => {
            let known = (m.program.code.source_names.lock().get(&file)).cloned();
            match known {
                Some(name) if name == path || real(m, &name).as_ref() == Some(&file) => name,
                before => {
                    let mut names = m.program.code.source_names.lock();
                    // Another thread may have been faster.
                    match names.get(&file) {
                        Some(name) if Some(name) != before.as_ref() => name.clone(),
                        _ => {
                            names.insert(file, path.clone());
                            path
                        }
                    }
                }
            }
        }
    };
    let name = m.atom_of_text(&name)?;
    Ok(m.unify_atom(a, i, name))
}

/// `'$loaded_files'(-Files)`, in the order in which they were first loaded.
fn loaded_files(m: &mut Ctx, a: Args) -> Res {
    m.asked_for_all();
    let mut files: Vec<(u64, String)> = m
        .program
        .code
        .loaded
        .lock()
        .iter()
        .map(|(path, l)| (l.place, path.clone()))
        .collect();
    files.sort();
    let items: Vec<Cell> = files
        .iter()
        .map(|(_, path)| Cell::atom(Atom::of(path)))
        .collect();
    let list = m.heap.list(&items, Cell::NIL)?;
    Ok(m.unify_arg(a, 0, list))
}

/// The files that clauses of a predicate are from, in the order of its clauses.
fn files(p: &'static Predicate) -> Vec<Atom> {
    let mut files = Vec::new();
    for c in p.visible_clauses() {
        let file = c.file();
        if file != atoms::NIL && !files.contains(&file) {
            files.push(file);
        }
    }
    files
}

/// `'$source_files_of'(+PI, -Files)`: files with clauses of a predicate of a program, as this thread sees it.
fn files_of(m: &mut Ctx, a: Args) -> Res {
    let (t, module) = m.strip_module(m.arg(a, 0), atoms::USER)?;
    let f = m.functor_of_indicator(t)?;
    m.reader.enter();
    let found = match m.program.code.find(module, f) {
        Some(p) if !p.has(flag::SYSTEM | flag::LIBRARY) => files(m.own(p)),
        _ => Vec::new(),
    };
    if found.is_empty() {
        m.missed(f);
    }
    let items: Vec<Cell> = found.into_iter().map(Cell::atom).collect();
    let list = m.heap.list(&items, Cell::NIL)?;
    Ok(m.unify_arg(a, 1, list))
}

/// `'$source_predicates'(+File, -List)`: `Module:Name/Arity` of the predicates with clauses from a file.
fn predicates_of(m: &mut Ctx, a: Args) -> Res {
    let file = m.atom_argument(a, 0)?;
    m.asked_for_all();
    m.reader.enter();
    let mut items = Vec::new();
    for p in m.program.code.predicates() {
        if !p.has(flag::SYSTEM | flag::LIBRARY) && files(m.own(p)).contains(&file) {
            let indicator = m.indicator(p.functor())?;
            items.push(m.structure(":", &[Cell::atom(p.module()), indicator])?);
        }
    }
    let list = m.heap.list(&items, Cell::NIL)?;
    Ok(m.unify_arg(a, 1, list))
}

/// `'$unload_file'(+File)`: erases the clauses of a file. Its predicates that have no others become undefined, its module
/// exports nothing any more. Fails if the file is not loaded. The caller has claimed the file, or is loading it.
fn unload(m: &mut Ctx, a: Args) -> Res {
    let file = m.atom_argument(a, 0)?;
    if m.program.code.loaded.lock().remove(file.as_str()).is_none() {
        return Ok(false);
    }
    (m.program.code.source_names.lock()).retain(|_, name| name != file.as_str());
    m.forget_contexts(file);
    // Nor is it asked for by who has typed so, or by a goal: but by files that ask when they are loaded.
    if let Some(of) = m.program.code.contexts.lock().get_mut(&file) {
        of.retain(|c| c.by != atoms::NIL);
    }
    m.forget_refused_definitions(file);
    m.forget_file(file);
    Ok(true)
}

impl Ctx<'_> {
    /// A file does not ask for others any more.
    fn forget_contexts(&self, file: Atom) {
        for of in self.program.code.contexts.lock().values_mut() {
            of.retain(|c| c.by != file);
        }
    }
}

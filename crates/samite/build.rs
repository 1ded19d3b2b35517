//! Reads the libraries when Samite is built, so that no program has to: the terms of each text ([`samite_term::packed`]), a list of the files
//! (`libraries.rs`: path, module, text, terms) and what they export, by name and arity, with meta-arguments. A library that has no module header, or is no
//! Prolog text, or has directives that say how it is to be read, does not build.

use samite_syntax::ops::Operators;
use samite_syntax::read::{ReadFlags, StrSource, read_term};
use samite_term::packed::Packer;
use samite_term::view::Args;
use samite_term::{Functor, TermRef, View};
use std::collections::BTreeMap;
use std::error::Error;
use std::fmt::Write;
use std::path::Path;

/// Not libraries: what every program begins with, in this order.
const BOOT: [&str; 6] = [
    "boot",
    "boot/expansion",
    "boot/reflection",
    "boot/loading",
    "boot/queries",
    "toplevel",
];

/// Directives that libraries do without: they would have to be run when these are read.
const UNREADABLE: [(&str, usize); 7] = [
    ("if", 1),
    ("elif", 1),
    ("else", 0),
    ("endif", 0),
    ("include", 1),
    ("encoding", 1),
    ("op", 3),
];

/// An export list and the meta-arguments of what is in it.
#[derive(Default)]
struct Library {
    module: String,
    exports: Vec<(String, usize)>,
    metas: BTreeMap<(String, usize), String>,
    terms: Packer,
}

/// Where a term of a library is packed; those of one place stay in their order.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Place {
    Header,
    Declaration,
    Text,
}

fn main() -> Result<(), Box<dyn Error>> {
    let root = Path::new(&std::env::var("CARGO_MANIFEST_DIR")?).join("library");
    println!("cargo::rerun-if-changed=library");
    let mut paths = Vec::new();
    for folder in ["", "dcg"] {
        for entry in std::fs::read_dir(root.join(folder))? {
            let file = entry?.path();
            let Some(name) = file.file_stem().and_then(|n| n.to_str()) else {
                continue;
            };
            if file.extension().is_some_and(|e| e == "pl") && !BOOT.contains(&name) {
                let path = if folder.is_empty() {
                    name.to_owned()
                } else {
                    format!("{folder}/{name}")
                };
                paths.push((path, file));
            }
        }
    }
    paths.sort();
    let mut exports = BTreeMap::new();
    let mut rows = String::new();
    for (number, (path, file)) in paths.iter().enumerate() {
        let library = read(&std::fs::read_to_string(file)?, path)?;
        let module = &library.module;
        if module.is_empty() {
            return Err(format!("library/{path}.pl: no module header").into());
        }
        let terms = write_terms(path, library.terms)?;
        writeln!(
            rows,
            "    LibraryText {{ path: {path:?}, module: {module:?}, text: include_str!({file:?}), terms: {terms} }},"
        )?;
        for export in library.exports {
            let meta = library.metas.get(&export).cloned().unwrap_or_default();
            exports
                .entry(export)
                .or_insert_with(Vec::new)
                .push((number, meta));
        }
    }
    let mut lines = String::new();
    for ((name, arity), from) in exports {
        for (library, meta) in from {
            writeln!(lines, "{name}\t{arity}\t{library}\t{meta}")?;
        }
    }
    let mut boot = String::new();
    for path in BOOT {
        let text = std::fs::read_to_string(root.join(path).with_extension("pl"))?;
        let terms = write_terms(path, read(&text, path)?.terms)?;
        writeln!(boot, "    ({path:?}, {terms}),")?;
    }
    let out = format!(
        "/// Loaded when a program starts, in this order.\npub const BOOT: &[(&str, &[u8])] = &[\n{boot}];\n\n\
         /// In order of their paths.\npub const LIBRARIES: &[LibraryText] = &[\n{rows}];\n\n\
         /// In order of name and arity, then of path.\npub const EXPORTS: &str = {lines:?};\n"
    );
    std::fs::write(
        Path::new(&std::env::var("OUT_DIR")?).join("libraries.rs"),
        out,
    )?;
    Ok(())
}

/// Writes the terms of a library; returns the expression that includes them.
fn write_terms(path: &str, terms: Packer) -> Result<String, Box<dyn Error>> {
    let name = format!("{}.terms", path.replace('/', "-"));
    let out = std::env::var("OUT_DIR")?;
    std::fs::write(Path::new(&out).join(&name), terms.finish())?;
    Ok(format!(
        "include_bytes!(concat!(env!(\"OUT_DIR\"), \"/{name}\"))"
    ))
}

/// The terms and declarations of a library's text. What it declares of meta-arguments holds for all of it: those directives come first, behind the
/// module header, since a goal is told its module when its clause is compiled.
fn read(text: &str, path: &str) -> Result<Library, Box<dyn Error>> {
    let ops = Operators::iso_swi();
    let mut source = StrSource::new(text);
    let mut library = Library::default();
    let mut terms = Vec::new();
    loop {
        let t = read_term(&mut source, &ops, &ReadFlags::default())
            .map_err(|e| format!("library/{path}.pl: {e:?}"))?;
        if t.is_eof {
            break;
        }
        let mut words = vec![0u64; t.record.heap_words()];
        let root = t.record.instantiate(&mut words);
        // SAFETY: `words` holds the term and stays as it is.
        let root = unsafe { TermRef::new(root) };
        let (_, read) = root.callable().ok_or("the reader's structure")?;
        let line = t.start.line;
        let of_directive = directive(read.get(0));
        let place = match of_directive.map(|(f, _)| (f.name().as_str(), f.arity())) {
            Some(("module", 2)) => Place::Header,
            Some(("meta_predicate", 1)) => Place::Declaration,
            _ => Place::Text,
        };
        terms.push((place, line, t.record));
        let Some((f, args)) = of_directive else {
            continue;
        };
        match (f.name().as_str(), f.arity()) {
            ("module", 2) => {
                let name = args.get(0).as_atom().ok_or("a module has a name")?;
                library.module = name.as_str().to_owned();
                let items = args.get(1).list_items().0;
                library.exports = items.into_iter().filter_map(indicator).collect();
            }
            (name, arity) if UNREADABLE.contains(&(name, arity)) => {
                return Err(format!("library/{path}.pl:{line}: {} in a library", name).into());
            }
            ("meta_predicate", 1) => metas(args.get(0), &mut library.metas),
            _ => {}
        }
    }
    // (The first text defines meta_predicate/1.)
    if path != BOOT[0] {
        terms.sort_by_key(|&(place, ..)| place);
    }
    for (_, line, record) in terms {
        let mut words = vec![0u64; record.heap_words()];
        let root = record.instantiate(&mut words);
        // SAFETY: as above.
        let (_, read) = unsafe { TermRef::new(root) }
            .callable()
            .ok_or("the reader's structure")?;
        (library.terms)
            .add(read.get(0), line)
            .map_err(|_| format!("library/{path}.pl:{line}: a term that cannot be packed"))?;
    }
    Ok(library)
}

/// `(:- G)`: G.
fn directive<'a>(term: TermRef<'a>) -> Option<(Functor, Args<'a>)> {
    let (neck, args) = term.callable()?;
    (neck.name().as_str() == ":-" && neck.arity() == 1).then(|| args.get(0).callable())?
}

/// `Name/Arity` or `Name//Arity`.
fn indicator(t: TermRef) -> Option<(String, usize)> {
    let (slash, pi) = t.callable()?;
    let extra = match (slash.name().as_str(), slash.arity()) {
        ("/", 2) => 0,
        ("//", 2) => 2,
        _ => return None,
    };
    match (pi.get(0).as_atom(), pi.get(1).view()) {
        (Some(name), View::Int(n)) => Some((name.as_str().to_owned(), n as usize + extra)),
        _ => None,
    }
}

/// The specifiers of heads joined by commas.
fn metas(t: TermRef, metas: &mut BTreeMap<(String, usize), String>) {
    let Some((f, args)) = t.callable() else {
        return;
    };
    if f.name().as_str() == "," && f.arity() == 2 {
        metas_of(args.get(0), metas);
        self::metas(args.get(1), metas);
    } else {
        metas_of(t, metas);
    }
}

fn metas_of(head: TermRef, metas: &mut BTreeMap<(String, usize), String>) {
    let Some((f, args)) = head.callable() else {
        return;
    };
    let specifier = |i: usize| match args.get(i).view() {
        View::Int(n) => char::from(b'0' + n as u8),
        View::Atom(s) if s.as_str() == "//" => '/',
        View::Atom(s) if ["^", ":"].contains(&s.as_str()) => {
            s.as_str().chars().next().unwrap_or('?')
        }
        _ => '?',
    };
    let spec = (0..f.arity()).map(specifier).collect();
    metas.insert((f.name().as_str().to_owned(), f.arity()), spec);
}

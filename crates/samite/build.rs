//! Reads the libraries when Samite is built, so that no program has to: the terms of each text ([`samite_term::packed`]), a list of the files
//! (`libraries.rs`: path, module, text, terms) and what they export, by name and arity, with meta-arguments. A library that has no module header, or is no
//! Prolog text, or has directives that say how it is to be read, does not build.
//!
//! A folder of `library` is a shelf, whose name is no part of what is on it; a folder within it is: `text/dcg/basics.pl` is `library(dcg/basics)`.
//! So no two shelves have a library of the same name.

use samite_syntax::ops::Operators;
use samite_syntax::read::{ReadFlags, StrSource, read_term};
use samite_term::packed::Packer;
use samite_term::view::Args;
use samite_term::{Functor, TermRef, View};
use std::collections::BTreeMap;
use std::error::Error;
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// The shelf of what every program begins with: no libraries.
const BOOT_SHELF: &str = "boot";

/// What is on it, in the order in which it is loaded.
const BOOT: [&str; 11] = [
    "boot",
    "expansion",
    "reflection",
    "loading",
    "texts",
    "attributes",
    "negation",
    "libraries",
    "said",
    "queries",
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

/// Libraries that are not loaded because a name of theirs is called: SWI-Prolog has none like them, and programs may mean something else.
/// Or it has them, but loads them only if they are asked for. So are those in folders of these names; with a slash at the end only those.
const ASKED_FOR: [&str; 4] = ["clpfd", "dialect/", "http/", "mt"];

fn main() -> Result<(), Box<dyn Error>> {
    let root = Path::new(&std::env::var("CARGO_MANIFEST_DIR")?).join("library");
    println!("cargo::rerun-if-changed=library");
    let boot_shelf = root.join(BOOT_SHELF);
    check_boot(&boot_shelf)?;
    let mut files = BTreeMap::new();
    for shelf in std::fs::read_dir(&root)? {
        let shelf = shelf?.path();
        if shelf.is_dir() && shelf != boot_shelf {
            put_files(&shelf, "", &mut files)?;
        } else if shelf.extension().is_some_and(|e| e == "pl") {
            return Err(format!("{}: stands on no shelf", shelf.display()).into());
        }
    }
    let mut exports = BTreeMap::new();
    let mut rows = String::new();
    for (number, (path, file)) in files.iter().enumerate() {
        let library = read(file)?;
        let module = &library.module;
        if module.is_empty() {
            return Err(format!("{}: no module header", file.display()).into());
        }
        let terms = write_terms(path, library.terms)?;
        let folder = &path[..path.find('/').map_or(path.len(), |i| i + 1)];
        let asked_for =
            ASKED_FOR.contains(&folder) || ASKED_FOR.contains(&folder.trim_end_matches('/'));
        writeln!(
            rows,
            "    LibraryText {{ path: {path:?}, module: {module:?}, text: include_str!({file:?}), terms: {terms}, asked_for: {asked_for} }},"
        )?;
        for export in library.exports {
            let meta = library.metas.get(&export).cloned().unwrap_or_default();
            exports
                .entry(export)
                .or_insert_with(Vec::new)
                .push((asked_for, number, meta));
        }
    }
    let mut lines = String::new();
    for ((name, arity), mut from) in exports {
        from.sort_unstable();
        for (_, library, meta) in from {
            writeln!(lines, "{name}\t{arity}\t{library}\t{meta}")?;
        }
    }
    let mut boot = String::new();
    for path in BOOT {
        let file = boot_shelf.join(path).with_extension("pl");
        let path = format!("{BOOT_SHELF}/{path}");
        let terms = write_terms(&path, read(&file)?.terms)?;
        writeln!(boot, "    ({path:?}, {terms}),")?;
    }
    let out = format!(
        "/// Loaded when a program starts, in this order.\npub const BOOT: &[(&str, &[u8])] = &[\n{boot}];\n\n\
         /// In order of their paths.\npub const LIBRARIES: &[LibraryText] = &[\n{rows}];\n\n\
         /// In order of name and arity; those of libraries that are to be asked for last.\npub const EXPORTS: &str = {lines:?};\n"
    );
    std::fs::write(
        Path::new(&std::env::var("OUT_DIR")?).join("libraries.rs"),
        out,
    )?;
    Ok(())
}

/// The texts in a folder, and in those within it, by the names that they have as libraries.
fn put_files(
    folder: &Path,
    prefix: &str,
    files: &mut BTreeMap<String, PathBuf>,
) -> Result<(), Box<dyn Error>> {
    for entry in std::fs::read_dir(folder)? {
        let file = entry?.path();
        let name = file.file_stem().and_then(|n| n.to_str());
        let path = format!("{prefix}{}", name.ok_or("a name that is no text")?);
        if file.is_dir() {
            put_files(&file, &format!("{path}/"), files)?;
        } else if file.extension().is_some_and(|e| e == "pl")
            && let Some(other) = files.insert(path, file.clone())
        {
            return Err(format!("{}: so is {}", file.display(), other.display()).into());
        }
    }
    Ok(())
}

/// What is on the shelf of boot texts is in [`BOOT`].
fn check_boot(shelf: &Path) -> Result<(), Box<dyn Error>> {
    for entry in std::fs::read_dir(shelf)? {
        let file = entry?.path();
        let name = file.file_stem().and_then(|n| n.to_str());
        if !name.is_some_and(|n| BOOT.contains(&n)) {
            return Err(format!("{}: is not loaded", file.display()).into());
        }
    }
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
fn read(file: &Path) -> Result<Library, Box<dyn Error>> {
    let text = std::fs::read_to_string(file)?;
    let place = file.display();
    let ops = Operators::iso_swi();
    let mut source = StrSource::new(&text);
    let mut library = Library::default();
    let mut terms = Vec::new();
    loop {
        let t = read_term(&mut source, &ops, &ReadFlags::default())
            .map_err(|e| format!("{place}: {e:?}"))?;
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
        let order = match of_directive.map(|(f, _)| (f.name().as_str(), f.arity())) {
            Some(("module", 2)) => Place::Header,
            Some(("meta_predicate", 1)) => Place::Declaration,
            _ => Place::Text,
        };
        terms.push((order, line, t.record));
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
                return Err(format!("{place}:{line}: {name} in a library").into());
            }
            ("meta_predicate", 1) => metas(args.get(0), &mut library.metas),
            _ => {}
        }
    }
    // (The first text defines meta_predicate/1.)
    if !file.ends_with(Path::new(BOOT_SHELF).join("boot.pl")) {
        terms.sort_by_key(|&(order, ..)| order);
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
            .map_err(|_| format!("{place}:{line}: a term that cannot be packed"))?;
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

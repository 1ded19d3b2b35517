//! Which modules of a crate know which: read in the sources, so that what the head comments say stays true.
//!
//! A module knows another if a path in its text, in a `use` or anywhere else, begins in it: `crate::x::…`, or `super::…` that comes out
//! there. Where it says so ([`METHODS`]), who calls a method knows the module that defines it; whose method it is is told by its name, if that is given in one module
//! only and no type of another crate has one of that name, or what it is called of is `self` or a type. What the crate's root re-exports is known where it is defined. A re-export is no knowledge, nor are tests, models and comments. A
//! module here is one of the crate's root, with all that is below it.
//!
//! `alloc` has floors, in the table of its head comment: arrows go down. Elsewhere arrows may not make circles, but those in the lists below,
//! which are what is not yet right. **These lists only shrink**: a new arrow in a circle is a mistake, and an arrow that is gone, or is in no
//! circle any more, is to be taken out.

mod common;

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// Crates in which who calls a method is known to know the module that defines it.
const METHODS: [&str; 2] = ["code", "machine"];

/// Names that types of the standard library have, too, or that a table has.
const STANDARD: [&str; 33] = [
    "all",
    "clear",
    "clone",
    "compare",
    "count",
    "entry",
    "extend",
    "find",
    "first",
    "get",
    "insert",
    "is_empty",
    "iter",
    "keys",
    "len",
    "load",
    "lock",
    "new",
    "next",
    "pop",
    "push",
    "range",
    "read",
    "replace",
    "retain",
    "set",
    "store",
    "swap",
    "take",
    "then",
    "truncate",
    "with_capacity",
    "write",
];

/// Who knows whom.
type Arrows = BTreeMap<String, BTreeSet<String>>;

/// Where an arrow comes from: paths and calls, with their files.
type Reasons = BTreeMap<(String, String), BTreeSet<String>>;

/// Modules that are there for tests and models only.
const TESTS: [&str; 3] = ["loom_models", "list_tests", "tests"];

/// The arrows of `machine` that are in circles: a module and those that it knows.
const MACHINE: &str = "
";

/// Those of its engine: the abstract machine itself, whose functions are all the worker's.
const ENGINE: &str = "
alone: control ops
arithmetic: control
begin: long
collect: control tabling
control: collect dynamic limits results run tabling
dynamic: ops
limits: long
long: begin run
ops: arithmetic control dynamic run tabling
results: collect control tabling
run: alone collect control ops tabling
tabling: control dynamic
";

#[test]
fn arrows_of_alloc_go_down() {
    let (modules, arrows, _) = arrows("alloc");
    let floors = floors("alloc");
    for m in &modules {
        assert!(floors.contains_key(m), "{m} is on no floor");
    }
    for m in floors.keys() {
        assert!(modules.contains(m), "{m} has a floor, and is not there");
    }
    for (from, to) in arrows
        .iter()
        .flat_map(|(m, all)| all.iter().map(move |k| (m, k)))
    {
        let (f, t) = (floors[from], floors[to]);
        assert!(f > t, "{from} (floor {f}) knows {to} (floor {t})");
    }
}

/// In `code` there are none, nor in its database.
#[test]
fn code_has_no_circles() {
    only_known_circles("code", "");
    only_known_circles("code/db", "");
}

#[test]
fn circles_of_machine_get_fewer() {
    only_known_circles("machine", MACHINE);
}

#[test]
fn circles_of_the_engine_get_fewer() {
    only_known_circles("machine/engine", ENGINE);
}

fn only_known_circles(name: &str, known: &str) {
    let (_, all, reasons) = arrows(name);
    let now = in_circles(&all);
    let known: Arrows = known
        .lines()
        .filter_map(|line| line.split_once(": "))
        .map(|(m, all)| (m.to_owned(), all.split(' ').map(str::to_owned).collect()))
        .collect();
    let (new, gone) = (without(&now, &known), without(&known, &now));
    assert!(
        new.is_empty(),
        "new arrows in circles of {name}:\n{}they come from:\n{}\
         A call `.f()` or `Type::f()` counts as one of the only module that has a function `f` of a type: if yours is not meant, give it another name.",
        text(&new),
        reasons_of(&new, &reasons)
    );
    assert!(
        gone.is_empty(),
        "no longer in circles of {name}, to be taken out of the list:\n{}",
        text(&gone)
    );
}

fn without(all: &Arrows, some: &Arrows) -> Arrows {
    let none = BTreeSet::new();
    all.iter()
        .map(|(m, known)| (m.clone(), known - some.get(m).unwrap_or(&none)))
        .filter(|(_, known)| !known.is_empty())
        .collect()
}

fn text(arrows: &Arrows) -> String {
    arrows
        .iter()
        .map(|(m, all)| {
            format!(
                "{m}: {}\n",
                Vec::from_iter(all.iter().map(String::as_str)).join(" ")
            )
        })
        .collect()
}

/// A line for each arrow, with some of its reasons.
fn reasons_of(arrows: &Arrows, reasons: &Reasons) -> String {
    let all = arrows
        .iter()
        .flat_map(|(m, all)| all.iter().map(move |k| (m.clone(), k.clone())));
    all.map(|arrow| {
        let some: Vec<&str> = (reasons.get(&arrow).into_iter().flatten().take(5))
            .map(String::as_str)
            .collect();
        format!("{} -> {}: {}\n", arrow.0, arrow.1, some.join(", "))
    })
    .collect()
}

/// The arrows that lead from a module to one that knows it, itself or through others.
fn in_circles(arrows: &Arrows) -> Arrows {
    let reach = |from: &str| {
        let (mut seen, mut left) = (BTreeSet::new(), vec![from.to_owned()]);
        while let Some(m) = left.pop() {
            for k in arrows.get(&m).into_iter().flatten() {
                if seen.insert(k.clone()) {
                    left.push(k.clone());
                }
            }
        }
        seen
    };
    let reached: BTreeMap<&String, _> = arrows.keys().map(|m| (m, reach(m))).collect();
    arrows
        .iter()
        .map(|(m, all)| {
            let back = |k: &&String| reached.get(k).is_some_and(|r| r.contains(m));
            (m.clone(), all.iter().filter(back).cloned().collect())
        })
        .filter(|(_, all): &(_, BTreeSet<String>)| !all.is_empty())
        .collect()
}

/// The floor of each module, in the table `| floor | modules | … |` of the crate's head comment.
fn floors(name: &str) -> BTreeMap<String, u32> {
    let root = common::root().join("crates").join(name).join("src/lib.rs");
    let text = std::fs::read_to_string(root).expect("a root");
    let mut floors = BTreeMap::new();
    for line in text.lines().filter_map(|l| l.strip_prefix("//! | ")) {
        let mut columns = line.split(" | ");
        let Some(floor) = columns.next().and_then(|n| n.parse().ok()) else {
            continue;
        };
        for m in columns.next().into_iter().flat_map(|c| c.split(", ")) {
            let before = floors.insert(m.trim_matches('`').to_owned(), floor);
            assert_eq!(before, None, "{m} has two floors");
        }
    }
    floors
}

/// The modules of a crate, or of a module of one (`crate/module`), who knows whom, and why.
fn arrows(name: &str) -> (BTreeSet<String>, Arrows, Reasons) {
    let (name, inside) = name.split_once('/').unwrap_or((name, ""));
    let source = common::root().join("crates").join(name).join("src");
    let mut files = Vec::new();
    gather(&source.join(inside), &[], &mut files);
    let within = |path: Vec<String>| match inside {
        "" => Some(path),
        _ => (path.first().is_some_and(|m| m == inside)).then(|| path[1..].to_vec()),
    };
    let first = |path: &[String]| path.first().cloned();
    let modules: BTreeSet<String> = files
        .iter()
        .filter_map(|(path, _)| first(path))
        .filter(|m| !TESTS.contains(&m.as_str()))
        .collect();
    // What the root re-exports, and from where.
    let mut exports = BTreeMap::new();
    let root = files
        .iter()
        .find(|(path, _)| path.is_empty())
        .expect("a root");
    for p in paths(&root.1, &[]).into_iter().filter(|p| p.exported) {
        if inside.is_empty()
            && let [m, .., last] = &p.to[..]
        {
            exports.insert(last.clone(), m.clone());
        }
    }
    let (methods, elsewhere) = match METHODS.contains(&name) {
        true => (methods(&files), functions_elsewhere(name, inside)),
        false => Default::default(),
    };
    let (mut arrows, mut reasons) = (Arrows::new(), Reasons::new());
    for (path, text) in &files {
        if path.is_empty() || path.iter().any(|m| TESTS.contains(&m.as_str())) {
            continue;
        }
        let whole: Vec<String> = (inside.split_terminator('/').map(str::to_owned))
            .chain(path.iter().cloned())
            .collect();
        let mut add = |to: &String, what: String| {
            let from = &path[0];
            if modules.contains(to) && to != from {
                arrows.entry(from.clone()).or_default().insert(to.clone());
                let why = reasons.entry((from.clone(), to.clone())).or_default();
                why.insert(format!("`{what}` in {}", path.join("/")));
            }
        };
        for p in paths(text, &whole) {
            let what = p.to.join("::");
            let Some(to) = within(p.to).and_then(|to| first(&to)) else {
                continue;
            };
            let to = &to;
            let to = exports.get(to).unwrap_or(to);
            if !p.exported {
                add(to, what);
            }
        }
        for (to, name) in called(text, &methods, &elsewhere) {
            add(to, format!("{name}()"));
        }
    }
    (modules, arrows, reasons)
}

/// Sources without the modules of tests in them.
fn without_tests(tokens: &[String]) -> Vec<&str> {
    let (mut left, mut i) = (Vec::new(), 0);
    while i < tokens.len() {
        let at = |k: usize| tokens.get(k).map_or("", String::as_str);
        if at(i) == "mod" && TESTS.contains(&at(i + 1)) && at(i + 2) == "{" {
            let mut depth = 0;
            i += 2;
            loop {
                match at(i) {
                    "{" => depth += 1,
                    "}" => depth -= 1,
                    "" => break,
                    _ => {}
                }
                i += 1;
                if depth == 0 {
                    break;
                }
            }
            continue;
        }
        left.push(at(i));
        i += 1;
    }
    left
}

/// The functions of types, by name, and the module whose text defines them, wherever the type is at home. Those of a name that is given in several modules are
/// left out: a text does not say which of them is called.
fn methods(files: &[(Vec<String>, Vec<String>)]) -> BTreeMap<String, String> {
    let mut of: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    let mut inherent = BTreeSet::new();
    for (path, text) in files {
        let Some(module) = path.first() else { continue };
        let text = without_tests(text);
        let (mut depth, mut within) = (0, None);
        for (i, &word) in text.iter().enumerate() {
            match word {
                "{" => depth += 1,
                "}" => {
                    depth -= 1;
                    if within == Some(depth) {
                        within = None;
                    }
                }
                "impl" if depth == 0 || within.is_none() => {
                    let head: Vec<&str> = (text[i..].iter().copied())
                        .take_while(|&w| w != "{" && w != ";" && w != "(")
                        .collect();
                    if !head.contains(&"for") {
                        within = Some(depth);
                    }
                }
                "fn" => {
                    if let Some(&name) = text.get(i + 1) {
                        of.entry(name.to_owned())
                            .or_default()
                            .insert(module.clone());
                        if within.is_some_and(|d| depth == d + 1) {
                            inherent.insert(name.to_owned());
                        }
                    }
                }
                _ => {}
            }
        }
    }
    of.into_iter()
        .filter(|(name, modules)| modules.len() == 1 && inherent.contains(name))
        .filter(|(name, _)| !STANDARD.contains(&name.as_str()))
        .filter_map(|(name, modules)| Some((name, modules.into_iter().next()?)))
        .collect()
}

/// The names of functions in all other crates, and in this one outside of `inside`.
fn functions_elsewhere(name: &str, inside: &str) -> BTreeSet<String> {
    let crates = common::root().join("crates");
    let mut files = Vec::new();
    for other in std::fs::read_dir(&crates).expect("a folder") {
        let other = other.expect("an entry");
        let is_this = other.file_name().to_str() == Some(name);
        if !(is_this && inside.is_empty()) && other.path().join("src").is_dir() {
            let mut found = Vec::new();
            gather(&other.path().join("src"), &[], &mut found);
            found.retain(|(path, _)| !is_this || path.first().is_none_or(|m| m != inside));
            files.extend(found);
        }
    }
    let named = |text: &Vec<String>| -> Vec<String> {
        let pairs = text.windows(2).filter(|w| w[0] == "fn");
        pairs.map(|w| w[1].clone()).collect()
    };
    files.iter().flat_map(|(_, text)| named(text)).collect()
}

/// The modules whose methods a text calls, and the methods. Of what has a name that functions `elsewhere` have, too, only what is called of `self` or of a type.
fn called<'m>(
    text: &[String],
    methods: &'m BTreeMap<String, String>,
    elsewhere: &BTreeSet<String>,
) -> BTreeSet<(&'m String, &'m String)> {
    let text = without_tests(text);
    // (`module::function` is a path.)
    let is_type = |w: &str| w.starts_with(char::is_uppercase);
    let calls = text.windows(5).map(|w| [w[0], w[1], w[2], w[3], w[4]]);
    let calls = calls.filter_map(|[sign_before, before, sign, name, after]| {
        let of_type = sign == "::" && is_type(before);
        let of_self = sign == "." && before == "self" && sign_before != ".";
        let clear = of_type || of_self || sign == "." && !elsewhere.contains(name);
        (clear && ["(", "::"].contains(&after)).then_some(name)
    });
    calls
        .filter_map(|name| methods.get_key_value(name))
        .map(|(name, module)| (module, name))
        .collect()
}

/// All sources below a folder: the path of the module, and the tokens.
fn gather(folder: &Path, path: &[String], files: &mut Vec<(Vec<String>, Vec<String>)>) {
    for entry in std::fs::read_dir(folder).expect("a folder") {
        let entry = entry.expect("an entry").path();
        let stem = entry
            .file_stem()
            .expect("a name")
            .to_str()
            .expect("Unicode");
        let mut path = path.to_vec();
        if entry.is_dir() {
            path.push(stem.to_owned());
            gather(&entry, &path, files);
        } else if entry.extension().is_some_and(|e| e == "rs") {
            if !["mod", "lib", "main"].contains(&stem) {
                path.push(stem.to_owned());
            }
            let text = std::fs::read_to_string(&entry).expect("a source");
            files.push((path, tokens(&text)));
        }
    }
}

/// A path in a source, from the crate's root.
struct Named {
    to: Vec<String>,
    /// In a `pub use`.
    exported: bool,
}

/// The paths that begin with `crate`, `super` or `self`, and in a `pub use` of the root those that begin with a module. `here` is the module
/// of the source; modules in braces are followed, tests in them left out.
fn paths(tokens: &[String], here: &[String]) -> Vec<Named> {
    let (mut found, mut inside, mut depth) = (Vec::new(), Vec::<(String, usize)>::new(), 0);
    let mut i = 0;
    let at = |i: usize| tokens.get(i).map_or("", String::as_str);
    while i < tokens.len() {
        match at(i) {
            "{" => depth += 1,
            "}" => {
                depth -= 1;
                if inside.last().is_some_and(|(_, d)| *d == depth) {
                    inside.pop();
                }
            }
            "mod" if at(i + 2) == "{" => {
                inside.push((at(i + 1).to_owned(), depth));
                depth += 1;
                i += 2;
            }
            // `pub(in crate::x)` says who may see, not who is known.
            "in" if at(i + 1) == "crate" => i += 2,
            word @ ("crate" | "super" | "self" | "use") => {
                let start = if word == "use" { i + 1 } else { i };
                let exported = word == "use" && i > 0 && ["pub", ")"].contains(&at(i - 1));
                let from_here = ["crate", "super", "self"].contains(&at(start));
                if from_here && at(start + 1) == "::" || exported && here.is_empty() {
                    let mut all = Vec::new();
                    i = tree(tokens, start, &[], &mut all);
                    let tested = inside.iter().any(|(m, _)| TESTS.contains(&m.as_str()));
                    let module: Vec<String> = here
                        .iter()
                        .chain(inside.iter().map(|(m, _)| m))
                        .cloned()
                        .collect();
                    if !tested {
                        found.extend(all.into_iter().map(|p| Named {
                            to: absolute(&module, &p),
                            exported,
                        }));
                    }
                    continue;
                }
            }
            _ => {}
        }
        i += 1;
    }
    found
}

/// Reads a path or a tree of paths, as in `use`; returns where it ends.
fn tree(tokens: &[String], mut i: usize, before: &[String], all: &mut Vec<Vec<String>>) -> usize {
    let mut path = before.to_vec();
    loop {
        match tokens.get(i).map_or("", String::as_str) {
            "{" => {
                i += 1;
                while tokens.get(i).is_some_and(|t| t != "}") {
                    i = tree(tokens, i, &path, all);
                    if tokens.get(i).is_some_and(|t| t == ",") {
                        i += 1;
                    }
                }
                return i + 1;
            }
            word if word.starts_with(|c: char| c.is_alphabetic() || c == '_') => {
                path.push(word.to_owned())
            }
            "*" => {}
            // A generic argument: `crate::x::<T>`.
            _ => break,
        }
        i += 1;
        match tokens.get(i).map_or("", String::as_str) {
            "::" => i += 1,
            "as" => {
                i += 2;
                break;
            }
            _ => break,
        }
    }
    all.push(path);
    i
}

fn absolute(module: &[String], path: &[String]) -> Vec<String> {
    let mut at = module.to_vec();
    for (i, step) in path.iter().enumerate() {
        match step.as_str() {
            "crate" if i == 0 => at.clear(),
            "self" => {}
            "super" => drop(at.pop()),
            _ => at.push(step.clone()),
        }
    }
    at
}

/// Names, `::`, and single signs, without comments and texts.
fn tokens(text: &str) -> Vec<String> {
    let bytes = text.as_bytes();
    let is_name = |b: u8| b.is_ascii_alphanumeric() || b == b'_' || b >= 0x80;
    let (mut all, mut i) = (Vec::new(), 0);
    while let Some(&b) = bytes.get(i) {
        let rest = &bytes[i..];
        if rest.starts_with(b"//") {
            i += rest.iter().position(|&b| b == b'\n').unwrap_or(rest.len());
        } else if rest.starts_with(b"/*") {
            i += rest
                .windows(2)
                .position(|w| w == b"*/")
                .map_or(rest.len(), |n| n + 2);
        } else if let Some(n) = raw_text(rest) {
            i += n;
        } else if b == b'"' {
            i += 1;
            while bytes.get(i).is_some_and(|&b| b != b'"') {
                i += if bytes[i] == b'\\' { 2 } else { 1 };
            }
            i += 1;
        } else if b == b'\'' {
            // A character, or the name of a lifetime.
            let quote = if rest.get(1) == Some(&b'\\') { 3 } else { 2 };
            let end = rest.iter().skip(quote).take(10).position(|&b| b == b'\'');
            let lifetime = rest.get(1).is_some_and(|&b| is_name(b))
                && rest.get(2) != Some(&b'\'')
                && rest[1] < 0x80;
            i += if lifetime {
                1
            } else {
                end.map_or(1, |n| quote + n + 1)
            };
        } else if is_name(b) {
            let n = rest.iter().position(|&b| !is_name(b)).unwrap_or(rest.len());
            all.push(text[i..i + n].to_owned());
            i += n;
        } else if rest.starts_with(b"::") {
            all.push("::".to_owned());
            i += 2;
        } else {
            if !b.is_ascii_whitespace() {
                all.push(char::from(b).to_string());
            }
            i += 1;
        }
    }
    all
}

/// Bytes of the raw text that something begins with.
fn raw_text(bytes: &[u8]) -> Option<usize> {
    let start = usize::from(bytes.starts_with(b"b")) + 1;
    let hashes = bytes
        .get(start..)?
        .iter()
        .take_while(|&&b| b == b'#')
        .count();
    if bytes[start - 1] != b'r' || bytes.get(start + hashes) != Some(&b'"') {
        return None;
    }
    let body = start + hashes + 1;
    let mut end = vec![b'"'];
    end.resize(1 + hashes, b'#');
    let n = bytes[body..].windows(end.len()).position(|w| w == end)?;
    Some(body + n + end.len())
}

/// The reader of sources sees what is meant, and no more.
#[test]
fn paths_are_found_in_sources() {
    let text = r####"
        // crate::comment::x
        use crate::{a::{self, B}, c as d};
        pub use crate::exported::E;
        pub(in crate::seen) fn f<'a>(x: &'a str) -> crate::e::T { "crate::text::y"; '\''; '{'; r#"crate::raw"# }
        mod inner { use super::super::g; fn h() { self::i(); super::j(); crate::k::<u8>() } }
        mod tests { use crate::never::N; }
        fn l() { crate::m!(x) }
    "####;
    let here = ["top".to_owned(), "file".to_owned()];
    let found = paths(&tokens(text), &here);
    let names = |exported: bool| -> Vec<String> {
        let chosen = found.iter().filter(|p| p.exported == exported);
        chosen.map(|p| p.to.join("::")).collect()
    };
    assert_eq!(names(true), ["exported::E"]);
    let expected = "a a::B c e::T top::g top::file::inner::i top::file::j k m";
    assert_eq!(names(false), expected.split(' ').collect::<Vec<_>>());
}

/// A mutex of the system's is taken by `'$locked'/2`, which keeps handlers of events from running meanwhile: one that waits there would wait for ever for
/// who waits for the mutex.
#[test]
fn libraries_hold_no_mutex_while_events_are_handled() {
    let mut folders = vec![common::root().join("crates/samite/library")];
    let mut own = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).expect("a shelf") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let text = std::fs::read_to_string(&path).expect("text");
            let lines = text.lines().filter(|l| l.contains("with_mutex('$"));
            own.extend(lines.map(str::to_owned));
        }
    }
    // Who only waits until nobody holds it.
    assert_eq!(
        own,
        ["'$await_loader' :- with_mutex('$load_library', true)."]
    );
    let path = common::root().join("crates/samite/library/boot/boot.pl");
    let boot = std::fs::read_to_string(path).expect("text");
    assert!(boot.contains("'$locked'(Mutex, Goal) :- '$undivided'(with_mutex(Mutex, Goal))."));
}

/// Arrows in circles, and only those.
#[test]
fn circles_are_found() {
    let arrows = Arrows::from_iter(
        [("a", "b"), ("b", "c d"), ("c", "a"), ("d", "e"), ("f", "a")]
            .map(|(m, all)| (m.to_owned(), all.split(' ').map(str::to_owned).collect())),
    );
    assert_eq!(text(&in_circles(&arrows)), "a: b\nb: c\nc: a\n");
}

/// Methods are their module's, whosever the type is; those of traits and of several modules are not looked at.
#[test]
fn methods_are_found() {
    let file = |path: &str, text: &str| (vec![path.to_owned()], tokens(text));
    let files = [
        file(
            "low",
            "struct A; impl A { fn at_home(&self) {} fn twice(&self) {} }",
        ),
        file(
            "high",
            "impl<T: X> A<T> where T: Y { pub fn away(&self) { fn inner() {} } } impl B { fn twice() {} }",
        ),
        file("trait", "impl Z for A { fn of_trait(&self) {} }"),
        file(
            "caller",
            "fn f(a: A) { a.away(); a.of_trait(); a.twice(); a.inner() } mod tests { fn g() { a.at_home() } }",
        ),
    ];
    let methods = methods(&files);
    let names: Vec<&str> = methods.keys().map(String::as_str).collect();
    assert_eq!(names, ["at_home", "away"]);
    let here = |elsewhere: &[&str]| -> Vec<&String> {
        let elsewhere = elsewhere.iter().map(|&n| n.to_owned()).collect();
        let found = called(&files[3].1, &methods, &elsewhere);
        found.into_iter().map(|(module, _)| module).collect()
    };
    assert_eq!(here(&[]), ["high"]);
    assert_eq!(here(&["away"]), [""; 0]);
    assert_eq!(here(&["at_home"]), ["high"]);
    let own = tokens("impl A { fn f(&self) { self.a.at_home(); self.away() } }");
    let elsewhere = ["away", "at_home"].map(str::to_owned).into();
    let known: Vec<_> = called(&own, &methods, &elsewhere).into_iter().collect();
    assert_eq!(known, [(&"high".to_owned(), &"away".to_owned())]);
}

//! Properties: what is written reads back as the same term, under random operator tables; no input panics the reader,
//! and reading always goes on until the end of the text.

mod common;

use common::{canonical, with_part, with_term, written};
use proptest::prelude::{
    Just, ProptestConfig, Strategy, any, prop, prop_assert_eq, prop_oneof, proptest,
};
use samite_syntax::read::{ReadError, ReadFlags, StrSource, parse_number, parse_text, read_term};
use samite_syntax::write::{WriteOptions, format_float, portray_clause};
use samite_syntax::{OpType, Operators};
use samite_term::number::{IBig, Ratio, UBig};
use samite_term::{Atom, Cell, Functor, Number, Record, RecordBuilder, atoms, dict};

/// A term to be built.
#[derive(Clone, Debug)]
enum Tree {
    Var(u8),
    Atom(String),
    Nil,
    Int(i64),
    Big(i128),
    Ratio(i64, u64),
    Float(f64),
    Text(String),
    List(Vec<Tree>, Box<Tree>),
    Compound(String, Vec<Tree>),
    /// Without a tag: a variable.
    Dict(Option<String>, Vec<(Key, Tree)>),
}

#[derive(Clone, Debug)]
enum Key {
    Atom(String),
    Int(i64),
}

fn build(tree: &Tree, b: &mut RecordBuilder, variables: &mut Vec<Cell>) -> Cell {
    match tree {
        Tree::Var(i) => {
            while variables.len() <= *i as usize {
                let v = b.variable();
                variables.push(v);
            }
            variables[*i as usize]
        }
        Tree::Atom(a) => Cell::atom(Atom::of(a)),
        Tree::Nil => Cell::NIL,
        Tree::Int(v) => b.number(&Number::Int(*v)),
        Tree::Big(v) => b.number(&Number::from_big(IBig::from(*v))),
        Tree::Ratio(n, d) => {
            let ratio = Ratio::from_parts(IBig::from(*n), UBig::from((*d).max(1)));
            b.number(&Number::from_rational(ratio))
        }
        Tree::Float(f) => b.number(&Number::Float(*f)),
        Tree::Text(s) => b.string(s),
        Tree::List(items, tail) => {
            let items: Vec<Cell> = items.iter().map(|t| build(t, b, variables)).collect();
            let tail = build(tail, b, variables);
            b.list(&items, tail)
        }
        Tree::Compound(name, args) => {
            let args: Vec<Cell> = args.iter().map(|t| build(t, b, variables)).collect();
            let name = Atom::of(name);
            if name == atoms::DOT && args.len() == 2 {
                b.list_cell(args[0], args[1])
            } else {
                b.structure(Functor::new(name, args.len()), &args)
            }
        }
        Tree::Dict(tag, pairs) => {
            let tag = match tag {
                Some(name) => Cell::atom(Atom::of(name)),
                None => b.variable(),
            };
            let mut made: Vec<(Cell, Cell)> = Vec::new();
            for (key, value) in pairs {
                let key = match key {
                    Key::Atom(name) => Cell::atom(Atom::of(name)),
                    Key::Int(n) => Cell::small(*n),
                };
                if made.iter().all(|(other, _)| *other != key) {
                    made.push((key, build(value, b, variables)));
                }
            }
            made.sort_by(|x, y| dict::order(x.0, y.0));
            let mut args = vec![tag];
            args.extend(made.iter().flat_map(|&(key, value)| [value, key]));
            b.structure(dict::functor(made.len()), &args)
        }
    }
}

fn record(tree: &Tree) -> Record {
    let mut b = RecordBuilder::new();
    let root = build(tree, &mut b, &mut Vec::new());
    if root.is_immediate() {
        return Record::immediate(root);
    }
    b.finish(root)
}

/// Names of atoms and operators; the first [`OPERATORS`] get random operator definitions.
const NAMES: &[&str] = &[
    "-",
    "+",
    "foo",
    "bar",
    "<>",
    "\\",
    ":-",
    ";",
    "->",
    "*->",
    "\\+",
    "-->",
    "=>",
    "?-",
    "mod",
    "$",
    "é",
    "→",
    "My op",
    "it's",
    "?",
    "a",
    "[]",
    "{}",
    "!",
    "",
    "A",
    "_x",
    ".",
    "/*",
    "[|]",
    "\n",
    "=",
    "e10",
    "日本",
    ":",
    "*",
    "^",
    "Inf",
    "0",
    "'",
    "is",
    "dynamic",
    "\u{1}\u{a0}",
    "x y",
];
const OPERATORS: usize = 22;

fn name() -> impl Strategy<Value = String> {
    prop_oneof![
        8 => prop::sample::select(NAMES).prop_map(str::to_owned),
        1 => Just(",".to_owned()),
        1 => Just("|".to_owned()),
        1 => "\\PC{0,3}",
    ]
}

fn float() -> impl Strategy<Value = f64> {
    prop_oneof![
        any::<f64>().prop_filter("one NaN is enough", |f| !f.is_nan()),
        Just(f64::NAN),
        Just(f64::INFINITY),
        Just(f64::NEG_INFINITY),
        Just(-0.0),
        Just(1e15),
        Just(123_456.789),
    ]
}

fn key() -> impl Strategy<Value = Key> {
    prop_oneof![
        3 => name().prop_map(Key::Atom),
        1 => (-3i64..4).prop_map(Key::Int),
    ]
}

fn tree() -> impl Strategy<Value = Tree> {
    let leaf = prop_oneof![
        4 => name().prop_map(Tree::Atom),
        1 => (0u8..4).prop_map(Tree::Var),
        1 => Just(Tree::Nil),
        2 => (-3i64..4).prop_map(Tree::Int),
        1 => any::<i64>().prop_map(Tree::Int),
        1 => any::<i128>().prop_map(Tree::Big),
        1 => (any::<i64>(), any::<u64>()).prop_map(|(n, d)| Tree::Ratio(n, d)),
        1 => float().prop_map(Tree::Float),
        1 => "\\PC{0,4}|[\\x00-\\x20'\"`\\\\]{1,3}".prop_map(Tree::Text),
    ];
    leaf.prop_recursive(6, 40, 3, |inner| {
        prop_oneof![
            4 => (name(), prop::collection::vec(inner.clone(), 1..3))
                .prop_map(|(n, a)| Tree::Compound(n, a)),
            1 => (name(), prop::collection::vec(inner.clone(), 0..4))
                .prop_map(|(n, a)| Tree::Compound(n, a)),
            1 => (prop::collection::vec(inner.clone(), 1..3), inner.clone())
                .prop_map(|(i, t)| Tree::List(i, Box::new(t))),
            1 => (prop::option::of(name()), prop::collection::vec((key(), inner), 0..3))
                .prop_map(|(tag, pairs)| Tree::Dict(tag, pairs)),
        ]
    })
}

/// Operator tables as ISO allows them: no atom is both an infix and a postfix operator.
fn definitions() -> impl Strategy<Value = Vec<(usize, u16, OpType)>> {
    let prefix = prop_oneof![Just(OpType::Fy), Just(OpType::Fx)];
    let infix = prop_oneof![Just(OpType::Xfx), Just(OpType::Xfy), Just(OpType::Yfx)];
    let postfix = prop_oneof![Just(OpType::Xf), Just(OpType::Yf)];
    let one = (
        0..OPERATORS,
        prop_oneof![4 => 1u16..1201, 4 => Just(200), 4 => Just(700), 4 => Just(1200), 1 => Just(0)],
        prop_oneof![2 => prefix, 2 => infix, 1 => postfix],
    );
    prop::collection::vec(one, 0..12)
}

fn operators(definitions: &[(usize, u16, OpType)]) -> Operators {
    let mut ops = Operators::iso_swi();
    for &(i, priority, ty) in definitions {
        let name = Atom::new(NAMES[i]);
        if ty.is_postfix() {
            ops.add(0, OpType::Xfx, name);
        } else if ty.is_infix() {
            ops.add(0, OpType::Xf, name);
        }
        ops.add(priority, ty, name);
    }
    ops
}

/// Whether there is a conjunction whose first goal is one.
fn nests_to_the_left(tree: &Tree) -> bool {
    let is_conjunction = |t: &Tree| matches!(t, Tree::Compound(n, a) if n == "," && a.len() == 2);
    match tree {
        Tree::Compound(_, args) => {
            (is_conjunction(tree) && is_conjunction(&args[0])) || args.iter().any(nests_to_the_left)
        }
        Tree::List(items, tail) => items.iter().any(nests_to_the_left) || nests_to_the_left(tail),
        Tree::Dict(_, pairs) => pairs.iter().any(|(_, value)| nests_to_the_left(value)),
        _ => false,
    }
}

fn is_fact_with_body(tree: &Tree) -> bool {
    let is_true = |t: &Tree| matches!(t, Tree::Atom(a) if a == "true");
    matches!(tree, Tree::Compound(n, a) if n == ":-" && a.len() == 2 && is_true(&a[1]))
}

/// A term that has necks and control constructs in all places.
fn clause() -> impl Strategy<Value = Tree> {
    let binary = prop::sample::select(&["->", "*->", ";", ",", ":-", "-->", "=>"][..]);
    let unary = prop::sample::select(&["\\+", ":-", "?-", "{}", "-", "foo"][..]);
    tree().prop_recursive(4, 24, 2, move |inner| {
        prop_oneof![
            3 => (binary.clone(), inner.clone(), inner.clone())
                .prop_map(|(n, a, b)| Tree::Compound(n.to_owned(), vec![a, b])),
            1 => (unary.clone(), inner).prop_map(|(n, a)| Tree::Compound(n.to_owned(), vec![a])),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 3000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn what_is_written_reads_back(tree in tree(), definitions in definitions(), spacing in any::<bool>(), ignore in any::<bool>()) {
        let ops = operators(&definitions);
        let record = record(&tree);
        let options = WriteOptions {
            quoted: true,
            spacing_next_argument: spacing,
            ignore_ops: ignore,
            ..WriteOptions::default()
        };
        let (text, expected) =
            with_term(&record, |t| (written(t, &ops, &options), canonical(t, &ops)));
        let got = match parse_text(&text, &ops, &ReadFlags::default()) {
            Ok(read) => with_part(&read, 0, |t| canonical(t, &ops)),
            Err(e) => format!("{e:?}"),
        };
        prop_assert_eq!(got, expected, "written as {}", text);
    }

    /// As the same layout, but for conjunctions nested to the left: those are flattened one level at a time, as in SWI-Prolog.
    #[test]
    fn clauses_that_are_laid_out_read_back(tree in tree()) {
        let ops = Operators::iso_swi();
        let mut text = String::new();
        with_term(&record(&tree), |t| portray_clause(&mut text, t, &ops));
        let mut again = String::new();
        match read_term(&mut StrSource::new(&text), &ops, &ReadFlags::default()) {
            Ok(read) => with_part(&read, 0, |t| portray_clause(&mut again, t, &ops)),
            Err(e) => again = format!("{e:?}"),
        }
        if nests_to_the_left(&tree) {
            let bare = |s: &str| s.replace(['(', ')', ' ', '\n'], "");
            prop_assert_eq!(bare(&again), bare(&text));
        } else {
            prop_assert_eq!(again, text);
        }
    }

    /// Whatever the program has made of the operators: as the same clause, but for conjunctions nested to the left and the body `true`.
    #[test]
    fn clauses_read_back_with_operators_of_the_program(tree in clause(), definitions in definitions()) {
        let ops = operators(&definitions);
        let mut text = String::new();
        let expected = with_term(&record(&tree), |t| {
            portray_clause(&mut text, t, &ops);
            canonical(t, &ops)
        });
        let got = match read_term(&mut StrSource::new(&text), &ops, &ReadFlags::default()) {
            Ok(read) => with_part(&read, 0, |t| canonical(t, &ops)),
            Err(e) => format!("{e:?}"),
        };
        if !nests_to_the_left(&tree) && !is_fact_with_body(&tree) {
            prop_assert_eq!(got, expected, "written as {}", text);
        }
    }

    #[test]
    fn floats_read_back(f in float()) {
        let text = format_float(f);
        let Some(Number::Float(back)) = parse_number(&text) else {
            panic!("{text}");
        };
        prop_assert_eq!(back.to_bits(), f.to_bits(), "{}", text);
    }

    #[test]
    fn no_text_panics_the_reader(text in "\\PC*|[a-zA-Z0-9_'\"`\\\\.,|()\\[\\]{}%/* \n:=+-]{0,60}") {
        read_all(&text);
    }

    #[test]
    fn no_sequence_of_tokens_panics_the_reader(
        tokens in prop::collection::vec(prop::sample::select(TOKENS), 0..20)
    ) {
        read_all(&tokens.concat());
        read_all(&tokens.join(" "));
    }

    #[test]
    fn no_bytes_panic_the_reader(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        read_all(&String::from_utf8_lossy(&bytes));
    }
}

const TOKENS: &[&str] = &[
    "a", "X", "_", "1", "1.5", "0'", "0'a", "0'\\", "0x", "16'", "1r", "1e", "1.0Inf", "'", "\"",
    "`", "'a'", "\\", "\\x41", "-", "+", ":-", "dynamic", "(", ")", "f(", "[", "]", "{", "}", ",",
    "a{", "X{", "-{", "'a'{", "a:", ":", "1:", "|", ".", ". ", ".a", "%", "\n", "/*", "*/", "!",
    ";", "é", "→", "\u{301}", "\u{feff}", "\0",
];

/// Reads clause by clause to the end, and the text as one term.
fn read_all(text: &str) {
    let ops = Operators::iso_swi();
    let flags = ReadFlags::default();
    let mut src = StrSource::new(text);
    loop {
        let left = src.rest().len();
        match read_term(&mut src, &ops, &flags) {
            Ok(read) if read.is_eof => break,
            Ok(read) => read.record.verify(),
            Err(ReadError::Syntax(e)) => {
                assert!(e.text_offset <= e.text.chars().count());
                assert!(e.position.byte_count as usize <= text.len());
            }
            Err(e) => panic!("{e:?}"),
        }
        assert!(src.rest().len() < left, "no progress in {text:?}");
    }
    assert!(src.rest().is_empty());
    // Only that it returns.
    let _ = parse_text(text, &ops, &flags);
    let _ = parse_number(text);
}

//! The reader: what clauses mean, which errors they have and where, variables, flags, sources.

mod common;

use common::{canonical, meaning, operators, outcome, parse, read, with_part, written};
use samite_syntax::read::{
    CharSource, Note, Position, QuoteKind, ReadError, ReadFlags, SourceError, StrSource,
    SyntaxError, parse_number, parse_number_or_error, parse_text, read_term,
};
use samite_syntax::write::WriteOptions;
use samite_syntax::{OpType, Operators};
use samite_term::Number;
use samite_term::number::{IBig, Ratio, UBig};

#[test]
fn clauses_mean_what_they_mean_to_swi() {
    let ops = Operators::iso_swi();
    let mut failures = Vec::new();
    for line in include_str!("data/reads.tsv").lines() {
        if line.starts_with('#') && line.contains("SWI-Prolog") {
            continue;
        }
        let (text, expected) = line.split_once('\t').expect("two columns");
        let got = outcome(read(text, &ops), &ops);
        if got != expected {
            failures.push(format!("{text}\n  expected {expected}\n  got      {got}"));
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

#[test]
fn more_than_swi_reads() {
    let ops = Operators::iso_swi();
    for (text, expected) in [
        ("a '=' b", "=(a,b)"),
        ("-{a}", "-({}(a))"),
        ("- {a}", "-({}(a))"),
        ("0'\\x41\\", "65"),
        ("x-->{a}", "-->(x,{}(a))"),
        ("a :- b --> c", "error operator_clash"),
    ] {
        assert_eq!(meaning(text, &ops), expected, "{text}");
    }
}

#[test]
fn texts_over_several_lines() {
    let ops = Operators::iso_swi();
    for (text, expected) in [
        ("'a\nb'. ", "'a\\nb'"),
        ("'a\\\nb'. ", "ab"),
        ("'a\\\r\nb'. ", "ab"),
        ("'a\\\n   b'. ", "ab"),
        ("'a\\c\n   b'. ", "ab"),
        ("\"a\\\n\\\nb\". ", "\"ab\""),
        ("`a\nb`. ", "[97,10,98]"),
        ("a /* x\n. */ :- % y.\n b.\n", ":-(a,b)"),
        ("0'\n. ", "10"),
        ("0'\\\n. ", "10"),
        ("a.%b", "a"),
        ("a.", "a"),
        ("X = \"a. b\".", "=(_,\"a. b\")"),
        ("p(0'.).", "p(46)"),
        ("p(0'').", "p(39)"),
        ("p(0''', 0'a).", "p(39,97)"),
        ("p(16'FF, 'x').", "p(255,x)"),
        ("[0'\\x41\\, '\\x41\\.'].", "[65,'A.']"),
    ] {
        assert_eq!(outcome(read(text, &ops), &ops), expected, "{text:?}");
    }
}

#[test]
fn iso_mode_is_stricter() {
    let ops = Operators::iso_swi();
    let flags = ReadFlags {
        iso: true,
        ..ReadFlags::default()
    };
    for (text, expected) in [
        ("f(a:-b)", "error operator_clash"),
        ("[a:-b]", "error operator_clash"),
        ("f((a:-b))", "f(:-(a,b))"),
        ("{a:-b}", "{}(:-(a,b))"),
        ("'a\\\n  b'", "'a  b'"),
    ] {
        let got = outcome(parse_text(text, &ops, &flags), &ops);
        assert_eq!(got, expected, "{text}");
    }
}

#[test]
fn quotes_follow_the_flags() {
    let ops = Operators::iso_swi();
    for (kind, expected) in [
        (QuoteKind::Codes, "[97,98]"),
        (QuoteKind::Chars, "[a,b]"),
        (QuoteKind::Atom, "ab"),
        (QuoteKind::String, "\"ab\""),
    ] {
        let flags = ReadFlags {
            double_quotes: kind,
            back_quotes: kind,
            ..ReadFlags::default()
        };
        for text in ["\"ab\"", "`ab`"] {
            let got = outcome(parse_text(text, &ops, &flags), &ops);
            assert_eq!(got, expected, "{text} as {kind:?}");
        }
    }
}

#[test]
fn var_prefix_makes_capitals_names() {
    let ops = Operators::iso_swi();
    let flags = ReadFlags {
        var_prefix: true,
        ..ReadFlags::default()
    };
    let got = outcome(parse_text("Foo(Bar, _x, _x)", &ops, &flags), &ops);
    assert_eq!(got, "'Foo'('Bar',A,A)");
}

#[test]
fn operators_of_the_user() {
    let ops = operators(&[
        (700, OpType::Xfx, "===>"),
        (200, OpType::Xf, "++"),
        (300, OpType::Yf, "post"),
        (300, OpType::Xfx, "post"),
        (400, OpType::Fx, "pre"),
        (400, OpType::Yfx, "pre"),
    ]);
    for (text, expected) in [
        ("a ===> b", "===>(a,b)"),
        ("a ++", "++(a)"),
        ("- a ++", "-(++(a))"),
        ("a post", "post(a)"),
        ("a post post", "post(post(a))"),
        ("f(a post, b)", "f(post(a),b)"),
        ("a post = b", "=(post(a),b)"),
        ("a post b", "post(a,b)"),
        ("pre a", "pre(a)"),
        ("a pre b", "pre(a,b)"),
        ("a pre b pre c", "pre(pre(a,b),c)"),
        ("pre pre", "pre(pre)"),
        ("pre pre pre", "error operator_clash"),
        ("[pre|pre]", "[pre|pre]"),
    ] {
        assert_eq!(meaning(text, &ops), expected, "{text}");
    }
}

/// The three lists of a `'$read'/5` term.
fn variables(text: &str) -> [String; 3] {
    let ops = Operators::iso_swi();
    let read = parse(text, &ops);
    [1, 2, 3].map(|i| {
        with_part(&read, i, |t| {
            let options = WriteOptions {
                var_name: Some(&|_| Some("V".to_owned())),
                ..WriteOptions::default()
            };
            written(t, &ops, &options)
        })
    })
}

#[test]
fn variables_in_order() {
    assert_eq!(
        variables("f(X, Y, _, X, _Z, __, _a, _)"),
        [
            "[V,V,V,V,V,V,V]",
            "[X=V,Y=V,_Z=V,__=V,_a=V]",
            "[Y=V,_Z=V,__=V,_a=V]"
        ]
    );
    assert_eq!(variables("f(a)"), ["[]", "[]", "[]"]);
    let many: Vec<String> = (0..40).map(|i| format!("V{},V{}", i, i % 20)).collect();
    let [all, names, singletons] = variables(&format!("f({})", many.join(",")));
    assert_eq!(all.matches('V').count(), 40);
    assert_eq!(names.matches('=').count(), 40);
    assert_eq!(singletons.matches('=').count(), 20);
}

#[test]
fn variables_are_shared() {
    let ops = Operators::iso_swi();
    let read = parse("f(X, Y, X)", &ops);
    samite_term::Record::verify(&read.record);
    with_part(&read, 0, |t| {
        assert_eq!(canonical(t, &ops), "f(A,_,A)");
    });
}

fn syntax_error(text: &str) -> SyntaxError {
    match read(text, &Operators::iso_swi()) {
        Err(ReadError::Syntax(e)) => e,
        other => panic!("{text}: {other:?}"),
    }
}

#[test]
fn errors_say_where() {
    for (text, message, line, column, excerpt) in [
        ("foo bar.", "operator_expected", 1, 4, "foo bar."),
        (
            "\n\nfoo(a,\n  b c).",
            "operator_expected",
            4,
            4,
            "foo(a,\n  b c).",
        ),
        ("a :- b, ).", "cannot_start_term", 1, 8, "a :- b, )."),
        ("f(a", "end_of_file", 1, 3, "f(a"),
        ("f(a  \n\n", "end_of_file", 1, 3, "f(a"),
        ("x. 'abc\nd", "", 0, 0, ""),
        ("'abc\nd", "end_of_file_in_quoted", 1, 0, "'abc\nd"),
        (
            "a /* b\nc",
            "end_of_file_in_block_comment",
            1,
            2,
            "a /* b\nc",
        ),
        ("\ta b.", "operator_expected", 1, 3, "a b."),
        (
            "% x\n\t/* y\n */\ta\tb.",
            "operator_expected",
            3,
            6,
            "a\tb.",
        ),
        (
            "a = 'x\\qy'.",
            "undefined_char_escape",
            1,
            6,
            "a = 'x\\qy'.",
        ),
        ("a \u{1} b.", "illegal_character", 1, 2, "a \u{1} b."),
        ("é é.", "operator_expected", 1, 2, "é é."),
        ("f(1e999).", "float_overflow", 1, 2, "f(1e999)."),
        ("a = b = c.", "operator_clash", 1, 2, "a = b = c."),
        ("(a.", "end_of_clause", 1, 2, "(a."),
        (". ", "end_of_clause", 1, 0, "."),
    ] {
        if message.is_empty() {
            continue;
        }
        let e = syntax_error(text);
        let p = e.position;
        assert_eq!(
            (e.message, p.line, p.column),
            (message, line, column),
            "{text:?}"
        );
        assert_eq!(&*e.text, excerpt, "{text:?}");
    }
}

/// What is open, and where a term began that has no end.
#[test]
fn errors_say_what_is_open() {
    for (text, note) in [
        ("p(1) :- [a,\n  b.", Some(Note::Opened('[', 1, 8))),
        ("p :- {a, (b}.", Some(Note::Opened('(', 1, 9))),
        ("p :- q\nr.", Some(Note::Begins(1))),
        ("p :- q,\n r s.", None),
        ("p :- q s.", None),
        ("\np :-\n  q", Some(Note::Begins(2))),
    ] {
        assert_eq!(syntax_error(text).note, note, "{text:?}");
    }
}

#[test]
fn long_terms_are_cut_around_the_error() {
    let text = format!("{} b c.", "x,".repeat(500));
    let e = syntax_error(&text);
    assert_eq!(e.position.column, 1003);
    assert!(e.text.chars().count() <= 800);
    assert_eq!(e.text.chars().nth(e.text_offset), Some('c'));
}

#[test]
fn reading_goes_on_behind_an_error() {
    let ops = Operators::iso_swi();
    let flags = ReadFlags::default();
    let text = "a.\nb c d 'it''s. ' . % x.\nf(. \ng(X) :- /* . */ h.\n  'unfinished";
    let mut src = StrSource::new(text);
    let mut got = Vec::new();
    let mut starts = Vec::new();
    loop {
        let result = read_term(&mut src, &ops, &flags);
        if let Ok(read) = &result {
            starts.push((read.start.line, read.start.column));
            if read.is_eof {
                break;
            }
        }
        got.push(outcome(result, &ops));
    }
    assert_eq!(
        got,
        [
            "a",
            "error operator_expected",
            "error end_of_clause",
            ":-(g(_),h)",
            "error end_of_file_in_quoted(')"
        ]
    );
    assert_eq!(starts, [(1, 0), (4, 0), (5, 13)]);
}

#[test]
fn only_the_clause_is_taken_from_the_source() {
    let ops = Operators::iso_swi();
    let mut src = StrSource::new(" foo(X). bar");
    let read = read_term(&mut src, &ops, &ReadFlags::default()).expect("a clause");
    assert_eq!(src.rest(), " bar");
    assert_eq!((read.start.char_count, read.end.char_count), (1, 8));
}

#[test]
fn empty_texts_are_end_of_file() {
    let ops = Operators::iso_swi();
    for text in ["", "  \n", "% x", "/* x */ % y\n"] {
        let r = read(text, &ops).expect("end of file");
        assert!(r.is_eof, "{text:?}");
        let p = parse(text, &ops);
        assert!(p.is_eof, "{text:?}");
        assert_eq!(with_part(&p, 0, |t| canonical(t, &ops)), "end_of_file");
    }
    assert!(!parse("end_of_file", &ops).is_eof);
}

#[test]
fn the_end_of_a_text_is_optional() {
    let ops = Operators::iso_swi();
    for (text, expected) in [
        ("a", "a"),
        ("a.", "a"),
        ("a . ", "a"),
        ("a. % c", "a"),
        ("a. b", "a"),
        ("X+Y.", "+(_,_)"),
        ("f(a", "error end_of_file"),
        ("a b", "error operator_expected"),
        (".", "error end_of_clause"),
        ("\"a", "error end_of_file_in_quoted(\")"),
        ("a /*", "error end_of_file_in_block_comment"),
    ] {
        assert_eq!(meaning(text, &ops), expected, "{text}");
    }
}

/// Fails after some characters.
struct Failing(&'static str, usize);

impl CharSource for Failing {
    fn peek(&mut self) -> Result<Option<char>, SourceError> {
        self.0[self.1..]
            .chars()
            .next()
            .map(Some)
            .ok_or(SourceError::Encoding)
    }
    fn next(&mut self) -> Result<Option<char>, SourceError> {
        let c = self.peek()?;
        self.1 += 1;
        Ok(c)
    }
    fn position(&self) -> Position {
        Position::default()
    }
}

/// A text that comes in characters only.
struct OneByOne<'t>(StrSource<'t>);

impl CharSource for OneByOne<'_> {
    fn peek(&mut self) -> Result<Option<char>, SourceError> {
        self.0.peek()
    }
    fn next(&mut self) -> Result<Option<char>, SourceError> {
        self.0.next()
    }
    fn position(&self) -> Position {
        self.0.position()
    }
}

/// What comes of the text, and where each term or error is.
fn all_of(src: &mut impl CharSource) -> Vec<String> {
    let ops = Operators::iso_swi();
    let mut terms = Vec::new();
    loop {
        let read = read_term(src, &ops, &ReadFlags::default());
        terms.push(format!("{read:?} {:?}", src.position()));
        if read.is_ok_and(|t| t.is_eof) || terms.len() > 200 {
            return terms;
        }
    }
}

#[test]
fn what_is_at_hand_reads_as_character_by_character() {
    let text = "% c\tomment \u{e9}\n  % more\n/* block\n\t*/ foo(Bar, _b\u{e9}c1d) :-\n    \tx  ,  \
        'quoted \\\n  \t\u{e9}''it\\x41\\\\\\'\n\t, \"string\\\"s\", `co``de`, 0'', 0''', 0'a, 0'\\n, 16'fF, 1.5e3, \
        a- -1 --> {\u{2200}+X}. % end\na b c. 'open\nx'. f(\t'\r\n\u{8}').\n[a|b]. \u{1}. x:-y,\u{a0}z. 0'. %\n'no end . x";
    let mut errors = 0;
    for (from, _) in text.char_indices() {
        let text = &text[from..];
        let got = all_of(&mut StrSource::new(text));
        assert_eq!(got, all_of(&mut OneByOne(StrSource::new(text))), "{text}");
        errors += got.iter().filter(|t| t.starts_with("Err")).count();
    }
    assert!(errors > 200, "{errors}");
}

#[test]
fn failures_of_the_source_come_through() {
    let ops = Operators::iso_swi();
    let mut src = Failing("foo. bar", 0);
    let src: &mut dyn CharSource = &mut src;
    assert!(read_term(src, &ops, &ReadFlags::default()).is_ok());
    let second = read_term(src, &ops, &ReadFlags::default());
    assert!(matches!(
        second,
        Err(ReadError::Source(SourceError::Encoding))
    ));
}

#[test]
fn numbers() {
    let big = |text: &str| Number::from_big(text.parse::<IBig>().expect("digits"));
    let ratio =
        |n: i64, d: u64| Number::Rat(Box::new(Ratio::from_parts(IBig::from(n), UBig::from(d))));
    for (text, expected) in [
        ("0", Number::Int(0)),
        ("  12", Number::Int(12)),
        ("\n-12", Number::Int(-12)),
        ("+7", Number::Int(7)),
        ("007", Number::Int(7)),
        ("9223372036854775807", Number::Int(i64::MAX)),
        ("9223372036854775808", big("9223372036854775808")),
        ("-9223372036854775808", Number::Int(i64::MIN)),
        (
            "123456789012345678901234567890",
            big("123456789012345678901234567890"),
        ),
        ("0xffff_ffff", Number::Int(0xffff_ffff)),
        ("-0x1F", Number::Int(-31)),
        ("0o17", Number::Int(15)),
        ("0b101", Number::Int(5)),
        ("36'zZ", Number::Int(35 * 37)),
        ("0'a", Number::Int(97)),
        ("-0'a", Number::Int(-97)),
        ("0'''", Number::Int(39)),
        ("0''", Number::Int(39)),
        ("0'\\n", Number::Int(10)),
        ("1_000_000", Number::Int(1_000_000)),
        ("1r3", ratio(1, 3)),
        ("-2r6", ratio(-1, 3)),
        ("4r2", Number::Int(2)),
        ("1.5", Number::Float(1.5)),
        ("-0.0", Number::Float(-0.0)),
        ("1e5", Number::Float(1e5)),
        ("1.0E-3", Number::Float(1e-3)),
        ("1.0e-400", Number::Float(0.0)),
        ("5.0e-324", Number::Float(5e-324)),
        ("1.0Inf", Number::Float(f64::INFINITY)),
        ("-1.0Inf", Number::Float(f64::NEG_INFINITY)),
        ("٣", Number::Int(3)),
        ("१२_०", Number::Int(120)),
        ("٣.٥", Number::Float(3.5)),
    ] {
        assert_eq!(parse_number(text), Some(expected), "{text}");
    }
    let nan = parse_number("1.5NaN");
    assert!(matches!(nan, Some(Number::Float(f)) if f.to_bits() == f64::NAN.to_bits()));
    for text in [
        "", " ", "-", "a", "12 ", "- 1", "+ 1", "--1", "inf", "nan", "1.", "1.e5", "1e", "0x",
        "0b2", "1_", "1__0", "1r0", "1r-3", "1R3", "1_000.5", "1.000_5", "1.0NaN", "2.0NaN",
        "1Inf", "1.0Infx", "0'\\d", "0'\\z", "0''''", "\"1\"", "37'1", "1'1", "1/*", "٣5", "5٣",
        "٣१", "٣.", "²",
    ] {
        let e = parse_number_or_error(text).expect_err(text);
        assert_eq!(e.message, "illegal_number", "{text}");
    }
    assert_eq!(
        parse_number_or_error("1.0e400")
            .expect_err("overflow")
            .message,
        "float_overflow"
    );
}

#[test]
fn character_escapes() {
    let ops = Operators::iso_swi();
    let read = parse(
        r#""\a\b\e\f\n\r\s\t\v\0\\\\\'\"\`\x41\\101\\u00e9\U0001F600""#,
        &ops,
    );
    with_part(&read, 0, |t| match t.view() {
        samite_term::View::Str(text) => {
            assert_eq!(text, "\u{7}\u{8}\u{1b}\u{c}\n\r \t\u{b}\0\\\\'\"`AAé😀")
        }
        _ => panic!("not a string"),
    });
    for text in ["'\\z'", "'\\9'", "'\\xg'", "'\\d'", "'\\ '"] {
        assert!(
            meaning(text, &ops).starts_with("error undefined_char_escape"),
            "{text}"
        );
    }
}

//! `format/2` against what SWI-Prolog does with the same calls (`data/format_cases.pl`, made by `data/record.pl`).

mod common;

use common::Term;
use samite_stream::format::{
    FormatEnv, FormatError, FormatState, Step, UserDirective, arguments, format_text,
};
use samite_syntax::Operators;
use samite_syntax::write::{WriteOptions, write_term};
use samite_term::{Number, TermRef, View};

fn writeq(term: TermRef, ops: &Operators) -> String {
    let mut text = String::new();
    let options = WriteOptions {
        quoted: true,
        numbervars: true,
        character_escapes_unicode: false,
        ..WriteOptions::default()
    };
    write_term(&mut text, term, ops, &options);
    text
}

/// The formal part of the error term, written.
fn formal(e: FormatError, format: TermRef, args: &[TermRef], ops: &Operators) -> String {
    match e {
        FormatError::UnknownDirective(c) => {
            let mut atom = String::new();
            samite_syntax::write::quote_atom(&mut atom, &c.to_string());
            let atom = atom.replace("\\u0000", "\\x0\\");
            format!("existence_error(format_character,{atom})")
        }
        FormatError::ArgumentType(c, i) => {
            format!("format_argument_type({c},{})", writeq(args[i], ops))
        }
        FormatError::Radix(r) => format!("domain_error(radix,{r})"),
        FormatError::CodePoint => "representation_error(code_point)".into(),
        FormatError::Memory => "resource_error(memory)".into(),
        FormatError::Instantiation => "instantiation_error".into(),
        FormatError::Text => format!("type_error(text,{})", writeq(format, ops)),
        FormatError::NeedsMachine(i) => format!("needs_machine({i})"),
        other => {
            let mut atom = String::new();
            samite_syntax::write::quote_atom(&mut atom, other.message().unwrap());
            format!("format({atom})")
        }
    }
}

/// A machine that can add, and knows the constants.
fn evaluate(t: TermRef) -> Number {
    if let Some(n) = t.number() {
        return n;
    }
    let float = |t: TermRef| evaluate(t).to_f64();
    match t.view() {
        View::Atom(a) => Number::Float(match a.as_str() {
            "pi" => std::f64::consts::PI,
            "inf" => f64::INFINITY,
            "nan" => f64::NAN,
            other => panic!("cannot evaluate {other}"),
        }),
        View::Compound(c) if c.name().as_str() == "+" => {
            match (evaluate(c.arg(0)), evaluate(c.arg(1))) {
                (Number::Int(x), Number::Int(y)) => Number::Int(x + y),
                _ => Number::Float(float(c.arg(0)) + float(c.arg(1))),
            }
        }
        _ => panic!("cannot evaluate"),
    }
}

/// A machine that can `write/1` text.
fn output_of(goal: TermRef) -> String {
    match goal.view() {
        View::Compound(c) if c.name().as_str() == "write" => match c.arg(0).view() {
            View::Atom(a) => a.as_str().to_owned(),
            _ => panic!("cannot write that"),
        },
        _ => panic!("cannot run that"),
    }
}

fn run(format: TermRef, args: &[TermRef], ops: &Operators) -> Result<String, FormatError> {
    let env = FormatEnv::new(ops);
    let mut state = FormatState::new(format_text(format)?, 0);
    let mut out = String::new();
    loop {
        let step = state.step(args, &env);
        out.push_str(&state.take_output());
        match step? {
            Step::Done => return Ok(out),
            Step::Goal(i) => state.supply(&output_of(args[i])),
            Step::Print(i) => state.supply(&writeq(args[i], ops)),
            Step::Evaluate(i) => state.supply_number(&evaluate(args[i]), &env)?,
            Step::WriteTerm(_) | Step::User { .. } => unreachable!("no such directives"),
        }
    }
}

/// Variables without their names.
fn anonymous(text: &str) -> String {
    let mut out = String::new();
    let mut in_variable = false;
    for c in text.chars() {
        in_variable = c == '_' || in_variable && c.is_alphanumeric();
        if !in_variable || c == '_' {
            out.push(c);
        }
    }
    out
}

#[test]
fn formats_as_swi_prolog_does() {
    let ops = Operators::iso_swi();
    let mut count = 0;
    let mut wrong = String::new();
    for line in include_str!("data/format_cases.pl").lines() {
        let case = Term::parse(line, &ops);
        let View::Compound(c) = case.root().view() else {
            panic!("no case: {line}")
        };
        let (format, args) = (c.arg(0), arguments(c.arg(1)));
        let View::Compound(expected) = c.arg(2).view() else {
            panic!("no result: {line}")
        };
        let View::Str(text) = expected.arg(0).view() else {
            panic!("no text: {line}")
        };
        let expected = format!("{}: {text}", expected.name().as_str());
        let found = match run(format, &args, &ops) {
            Ok(text) => format!("ok: {text}"),
            Err(e) => format!("err: {}", formal(e, format, &args, &ops)),
        };
        if anonymous(&found) != anonymous(&expected) {
            wrong.push_str(&format!("{line}\n    gave {found:?}\n"));
        }
        count += 1;
    }
    assert!(count > 400, "only {count} cases");
    assert!(wrong.is_empty(), "{wrong}");
}

#[test]
fn a_column_starts_where_the_stream_is() {
    let ops = Operators::iso_swi();
    let env = FormatEnv::new(&ops);
    let t = Term::parse("[d].", &ops);
    let at3 =
        |text: &str, args: &[TermRef]| samite_stream::format::format(text, args, 3, &env).unwrap();
    let args = arguments(t.root());
    assert_eq!(at3("~t~w~10|x", &args), "      dx");
    assert_eq!(at3("d~10|x", &[]), "d      x");
    assert_eq!(at3("d~4+x", &[]), "dx");
    assert_eq!(at3("d~t~w~10+x", &args), "d     dx");
}

#[test]
fn finished_output_precedes_an_error_and_a_goal() {
    let ops = Operators::iso_swi();
    let env = FormatEnv::new(&ops);
    let t = Term::parse("[x, y].", &ops);
    let args = arguments(t.root());
    let mut s = FormatState::new("abc~w~n~w~w", 0);
    assert_eq!(s.step(&args, &env), Err(FormatError::NotEnoughArguments));
    assert_eq!(s.take_output(), "abcx\ny");
    let mut s = FormatState::new("abc~t~w~a~f", 0);
    assert_eq!(s.step(&args, &env), Err(FormatError::NotEnoughArguments));
    assert_eq!((s.take_output(), s.is_pending()), ("abc".into(), true));
    let mut s = FormatState::new("abc~@~t~@~10|z", 0);
    assert_eq!(s.step(&args, &env), Ok(Step::Goal(0)));
    assert_eq!((s.take_output(), s.is_pending()), ("abc".into(), false));
    s.supplied_directly(5);
    assert_eq!(s.step(&args, &env), Ok(Step::Goal(1)));
    assert_eq!((s.take_output(), s.column()), ("".into(), 5));
    s.supply("r");
    assert_eq!(s.step(&args, &env), Ok(Step::Done));
    assert_eq!(s.take_output(), "    rz");
}

#[test]
fn user_directives_come_first() {
    let ops = Operators::iso_swi();
    let own = [('w', 2), ('é', 0)].map(|(name, takes)| UserDirective { name, takes });
    let env = FormatEnv {
        user_directives: &own,
        ..FormatEnv::new(&ops)
    };
    let t = Term::parse("[x, y].", &ops);
    let args = arguments(t.root());
    let mut s = FormatState::new("~3w~é", 0);
    let user = |directive, count, first, takes| {
        Ok(Step::User {
            directive,
            count,
            first,
            takes,
        })
    };
    assert_eq!(s.step(&args, &env), user('w', Some(3), 0, 2));
    assert_eq!(s.step(&args, &env), user('é', None, 2, 0));
    assert_eq!(s.step(&args, &env), Ok(Step::Done));
}

#[test]
fn absurd_sizes_are_resource_errors() {
    let ops = Operators::iso_swi();
    let env = FormatEnv::new(&ops);
    let t = Term::parse("[1].", &ops);
    let args = arguments(t.root());
    for d in ["|", "+", "n", "c", "d", "D", "f", "e", "g"] {
        let text = format!("~99999999999999999999999{d}");
        let mut s = FormatState::new(text, 0);
        assert_eq!(s.step(&args, &env), Err(FormatError::Memory), "~{d}");
    }
}

/// Very many digits of what is no float: long products of which large parts are zeros.
#[test]
fn very_many_digits() {
    let ops = Operators::iso_swi();
    let env = FormatEnv::new(&ops);
    let t = Term::parse("[100000000000000000000, -1r3].", &ops);
    let args = arguments(t.root());
    let format = |text: &str, arg: usize| {
        samite_stream::format::format(text, &args[arg..=arg], 0, &env).unwrap()
    };
    assert_eq!(format("~938173G", 0), "100000000000000000000");
    let zeros = "0".repeat(938_153);
    assert_eq!(
        format("~938173f", 0),
        format!("1{}.{zeros}{}", "0".repeat(20), "0".repeat(20))
    );
    let threes = "3".repeat(300_000);
    assert_eq!(format("~300000f", 1), format!("-0.{threes}"));
    assert_eq!(format("~300000e", 1), format!("-3.{threes}e-01"));
    assert_eq!(format("~300000g", 1), format!("-0.{threes}"));
}

proptest::proptest! {
    /// No text and no arguments make it panic, and stepping always ends.
    #[test]
    fn random_formats_do_not_panic(
        text in "(~([0-9]{0,3}|\\*|`.)?:?[a-zA-Z~|+@ ]|[a-z\t\n\u{8}é日]){0,12}~?[0-9]{0,2}",
        args in proptest::collection::vec("1|-3|a|\"s\"|1\\.5|X|f\\(x\\)|\\[97,98\\]|1r3|100000000000000000000|1\\.0Inf|'\\$VAR'\\(3\\)", 0..8),
    ) {
        let ops = Operators::iso_swi();
        let env = FormatEnv::new(&ops);
        let t = Term::parse(&format!("[{}].", args.join(",")), &ops);
        let args = arguments(t.root());
        let mut s = FormatState::new(text, 5);
        while let Ok(step) = s.step(&args, &env) {
            match step {
                Step::Done => break,
                Step::Evaluate(_) => drop(s.supply_number(&Number::Float(0.5), &env)),
                _ => s.supply("some\ttext"),
            }
            s.take_output();
        }
    }

    /// Exact and floating formats agree where both are exact.
    #[test]
    fn exact_numbers_format_as_floats_do(n in -1_000_000_000i64..1_000_000_000, digits in 0usize..12) {
        let ops = Operators::iso_swi();
        let env = FormatEnv::new(&ops);
        let t = Term::parse(&format!("[{n}, {n}.0]."), &ops);
        let args = arguments(t.root());
        let text = format!("~{digits}f ~{digits}f");
        let out = samite_stream::format::format(&text, &args, 0, &env).unwrap();
        let (a, b) = out.split_once(' ').unwrap();
        proptest::prop_assert_eq!(a, b);
    }
}

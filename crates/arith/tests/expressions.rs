//! Whole expressions, from terms in memory to values and errors. The values are SWI-Prolog 9.0.4's.

use samite_arith::{ArithError, Culprit, Env, Value, eval};
use samite_term::{Atom, Cell, Functor, Number, RecordBuilder, Tag, TermRef};

/// A term to be built.
#[derive(Clone)]
enum T {
    Int(i64),
    Float(f64),
    Atom(&'static str),
    Str(&'static str),
    Var,
    Nil,
    List(Vec<T>, Box<T>),
    F(&'static str, Vec<T>),
}

fn build(b: &mut RecordBuilder, t: &T) -> Cell {
    match t {
        T::Int(v) => b.number(&Number::Int(*v)),
        T::Float(f) => b.number(&Number::Float(*f)),
        T::Atom(a) => Cell::atom(Atom::new(a)),
        T::Str(s) => b.string(s),
        T::Var => b.variable(),
        T::Nil => Cell::NIL,
        T::List(items, tail) => {
            let items: Vec<Cell> = items.iter().map(|t| build(b, t)).collect();
            let tail = build(b, tail);
            b.list(&items, tail)
        }
        T::F(name, args) => {
            let args: Vec<Cell> = args.iter().map(|t| build(b, t)).collect();
            b.structure(Functor::new(Atom::new(name), args.len()), &args)
        }
    }
}

fn evaluate_built(b: RecordBuilder, root: Cell, env: &mut Env) -> Value {
    let record = b.finish(root);
    let mut memory = vec![0; record.heap_words()];
    let cell = record.instantiate(&mut memory);
    // SAFETY: the term lies in `memory`, which outlives the reference and does not change.
    eval(unsafe { TermRef::new(cell) }, env)
}

fn value_in(t: &T, env: &mut Env) -> Value {
    let mut b = RecordBuilder::new();
    let root = build(&mut b, t);
    evaluate_built(b, root, env)
}

fn value(t: T) -> Value {
    value_in(&t, &mut Env::default())
}

fn f(name: &'static str, args: Vec<T>) -> T {
    T::F(name, args)
}

fn list(items: Vec<T>) -> T {
    T::List(items, Box::new(T::Nil))
}

fn not_a_function(name: &str, arity: usize) -> Value {
    Err(ArithError::NotEvaluable(Atom::of(name).hold(), arity))
}

#[test]
fn nested_expressions() {
    let t = f(
        "*",
        vec![f("+", vec![T::Int(1), T::Int(2)]), f("-", vec![T::Int(4)])],
    );
    assert_eq!(value(t), Ok(Number::Int(-12)));
    assert_eq!(
        value(f("/", vec![T::Int(7), T::Int(2)])),
        Ok(Number::Float(3.5))
    );
    assert_eq!(
        value(f("powm", vec![T::Int(2), T::Int(3), T::Int(5)])),
        Ok(Number::Int(3))
    );
    assert_eq!(
        value(f("eval", vec![f("+", vec![T::Int(1), T::Float(0.5)])])),
        Ok(Number::Float(1.5))
    );
}

#[test]
fn constants() {
    assert_eq!(
        value(T::Atom("pi")),
        Ok(Number::Float(std::f64::consts::PI))
    );
    assert_eq!(value(T::Atom("inf")), Ok(Number::Float(f64::INFINITY)));
    assert!(matches!(value(T::Atom("nan")), Ok(Number::Float(f)) if f.is_nan()));
    assert!(matches!(value(T::Atom("cputime")), Ok(Number::Float(f)) if f >= 0.0));
    assert!(matches!(value(T::Atom("realtime")), Ok(Number::Int(t)) if t > 1_700_000_000));
    assert!(matches!(value(T::Atom("random_float")), Ok(Number::Float(f)) if f > 0.0 && f < 1.0));
    assert_eq!(value(T::Atom("foo")), not_a_function("foo", 0));
    assert_eq!(
        value(T::Nil),
        Err(ArithError::Type("evaluable", Culprit::Term(Cell::NIL)))
    );
    assert_eq!(value(T::Atom("[]")), not_a_function("[]", 0));
}

#[test]
fn the_last_argument_is_evaluated_first() {
    assert_eq!(
        value(f("+", vec![T::Var, T::Atom("a")])),
        not_a_function("a", 0)
    );
    assert_eq!(
        value(f("+", vec![T::Atom("a"), T::Var])),
        Err(ArithError::Instantiation)
    );
    assert_eq!(
        value(f("foo", vec![T::Var])),
        Err(ArithError::Instantiation)
    );
    assert_eq!(value(f("foo", vec![T::Int(1)])), not_a_function("foo", 1));
    assert_eq!(
        value(f("foo", vec![T::Int(1); 5])),
        not_a_function("foo", 5)
    );
    assert_eq!(
        value(f("sin", vec![T::Int(1); 2])),
        not_a_function("sin", 2)
    );
    assert_eq!(value(T::Var), Err(ArithError::Instantiation));
}

#[test]
fn text_of_one_character_is_its_code() {
    assert_eq!(value(T::Str("a")), Ok(Number::Int(97)));
    assert_eq!(value(T::Str("é")), Ok(Number::Int(233)));
    assert_eq!(value(list(vec![T::Int(5)])), Ok(Number::Int(5)));
    assert_eq!(value(list(vec![T::Atom("a")])), Ok(Number::Int(97)));
    assert_eq!(
        value(f("+", vec![T::Str("1"), T::Int(1)])),
        Ok(Number::Int(50))
    );
    for t in [
        T::Str("ab"),
        T::Str(""),
        list(vec![T::Int(1), T::Int(2)]),
        T::List(vec![T::Int(1)], Box::new(T::Var)),
    ] {
        assert!(matches!(
            value(t),
            Err(ArithError::Type("[]", Culprit::Term(_)))
        ));
    }
    for t in [
        T::Int(-1),
        T::Int(0x11_0000),
        T::Atom("ab"),
        T::Float(1.5),
        T::Nil,
        T::Str("a"),
    ] {
        assert!(matches!(
            value(list(vec![t])),
            Err(ArithError::Type("character", Culprit::Term(_)))
        ));
    }
    assert_eq!(value(list(vec![T::Var])), Err(ArithError::Instantiation));
}

#[test]
fn rounding_is_set_for_one_expression_only() {
    let third = |mode| {
        f(
            "roundtoward",
            vec![f("/", vec![T::Int(1), T::Float(3.0)]), T::Atom(mode)],
        )
    };
    let mut env = Env::default();
    assert_eq!(
        value_in(&third("to_positive"), &mut env),
        Ok(Number::Float(0.333_333_333_333_333_37))
    );
    assert_eq!(
        value_in(&third("to_negative"), &mut env),
        Ok(Number::Float(1.0 / 3.0))
    );
    let sum = f(
        "+",
        vec![third("to_positive"), f("*", vec![T::Float(0.1), T::Int(3)])],
    );
    assert_eq!(
        value_in(&sum, &mut env),
        Ok(Number::Float(0.333_333_333_333_333_37 + 0.1 * 3.0))
    );
    assert!(matches!(
        value_in(&third("up"), &mut env),
        Err(ArithError::Domain("round", _))
    ));
    let failing = f("roundtoward", vec![T::Atom("foo"), T::Atom("to_zero")]);
    assert_eq!(value_in(&failing, &mut env), not_a_function("foo", 0));
    assert_eq!(env.flag("float_rounding"), Some("to_nearest"));
}

/// `1+1+…`, nested to the left or right.
fn deep(depth: usize, left: bool) -> Value {
    let mut b = RecordBuilder::new();
    let plus = Functor::new(Atom::new("+"), 2);
    let one = Cell::small(1);
    let mut t = one;
    for _ in 0..depth {
        t = b.structure(plus, &if left { [t, one] } else { [one, t] });
    }
    evaluate_built(b, t, &mut Env::default())
}

#[test]
fn depth_is_no_problem() {
    assert_eq!(deep(1_000_000, true), Ok(Number::Int(1_000_001)));
    assert_eq!(deep(1_000_000, false), Ok(Number::Int(1_000_001)));
}

/// Evaluates the term that a memory of cells holds; `cells` gets the address of the memory.
fn cyclic(cells: impl Fn(u64) -> Vec<Cell>, root: Tag) -> Value {
    let n = cells(0).len();
    let mut memory = vec![Cell::ZERO; n];
    let base = memory.as_ptr() as u64;
    memory.copy_from_slice(&cells(base));
    let root = Cell::pointer(root, base);
    // SAFETY: the term lies in `memory`, which outlives the reference and does not change.
    let v = eval(unsafe { TermRef::new(root) }, &mut Env::default());
    if let Err(ArithError::Type(_, Culprit::Term(t))) = &v {
        assert_eq!(*t, root);
    }
    v
}

#[test]
fn cyclic_expressions_are_type_errors() {
    let plus = Functor::new(Atom::new("+"), 2).cell();
    let minus = Functor::new(Atom::new("-"), 1).cell();
    let one = Cell::small(1);
    let this = |base| Cell::pointer(Tag::Str, base);
    let is_cyclic = |v: Value| assert!(matches!(v, Err(ArithError::Type("expression", _))));
    is_cyclic(cyclic(|base| vec![plus, this(base), one], Tag::Str));
    is_cyclic(cyclic(|base| vec![plus, one, this(base)], Tag::Str));
    is_cyclic(cyclic(|base| vec![plus, this(base), this(base)], Tag::Str));
    is_cyclic(cyclic(
        |base| {
            vec![
                minus,
                this(base + 16),
                minus,
                this(base + 32),
                minus,
                this(base + 16),
            ]
        },
        Tag::Str,
    ));
    let list = cyclic(|base| vec![one, Cell::pointer(Tag::Lst, base)], Tag::Lst);
    assert!(matches!(list, Err(ArithError::Type("[]", _))));
}

/// A term that shares its parts has 2^20 paths, and is no cycle.
#[test]
fn shared_parts_are_no_cycle() {
    let mut b = RecordBuilder::new();
    let plus = Functor::new(Atom::new("+"), 2);
    let mut t = Cell::small(1);
    for _ in 0..16 {
        t = b.structure(plus, &[t, t]);
    }
    assert_eq!(
        evaluate_built(b, t, &mut Env::default()),
        Ok(Number::Int(1 << 16))
    );
}

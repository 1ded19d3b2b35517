//! Programs as one executable file: `samite -c` and `qsave_program/2`. What they are when they are started is what they were when they were saved.

mod common;

use common::{LIMIT, Run, Scratch, finish, samite};
use std::process::Command;

const MODULE: &str = r#"
:- module(store, [ total/1, keep/1, op(700, xfx, ===>) ]).
:- dynamic(kept/1).
:- meta_predicate(each(1)).
:- table(reach/2).
:- det(first/2).
:- thread_local(own/1).
kept(1).
keep(X) :- assertz(kept(X)).
total(S) :- findall(X, kept(X), Xs), sum_list(Xs, S).
each(G) :- forall(kept(X), call(G, X)).
reach(X, Y) :- reach(X, Z), edge(Z, Y).
reach(X, Y) :- edge(X, Y).
edge(a, b). edge(b, c). edge(c, a).
first(f(X, _), X).
kind(X), X > 0 => writeln(positive).
kind(_) => writeln(other).
letters --> "ab", [C], { C == 0'c }.
user:portray(shown(X)) :- write(X), edge(a, _).
"#;

const PROGRAM: &str = r#"
:- use_module(store).
:- use_module(library(clpfd)).
:- op(700, xfx, is_like).
:- dynamic([ fact/1, rule/2, cell/1 ]).
:- discontiguous(other/1).
other(1).
plain(1).
other(2).
fact(1). fact(2).
:- retract(fact(1)), asserta(fact(0)), assertz((fact(X) :- X = 9)), assertz((rule(X, Y) :- X = Y, \+ fact(X), ( fact(3) -> true ; other(_) ))).
:- create_prolog_flag(saved_flag, hello(1), []), recordz(saved, v(_, "s")), flag(saved_counter, _, 42).
:- table(best(_, min)).
best(a, 3). best(a, 2).
:- initialization(assertz(cell(begun))).
:- keep(41).
term_expansion(plain(X), plain(X, expanded)).
user:file_search_path(somewhere, '/somewhere').
"#;

const GOALS: [(&str, &str); 20] = [
    ("total(X)", "42"),
    ("(findall(Y, fact(Y), X))", "[0,2,9]"),
    (
        "(clause(rule(A, B), Body), numbervars(A+B+Body, 0, _), X = Body)",
        "_",
    ),
    ("(findall(Y, other(Y), X))", "[1,2]"),
    ("(findall(Y, cell(Y), X))", "[begun,begun]"),
    ("current_prolog_flag(saved_flag, X)", "hello(1)"),
    ("(recorded(saved, v(_, X)))", "s"),
    ("flag(saved_counter, X, X)", "42"),
    ("best(a, X)", "2"),
    ("(findall(Y, store:reach(a, Y), L), msort(L, X))", "[a,b,c]"),
    ("(term_to_atom(T, 'a is_like b'), T =.. X)", "[is_like,a,b]"),
    ("(X #> 3, X #< 5)", "4"),
    (
        "(predicate_property(store:first(_, _), det), X = yes)",
        "yes",
    ),
    (
        "(predicate_property(store:each(_), meta_predicate(M)), X = M)",
        "each(1)",
    ),
    ("file_search_path(somewhere, X)", "/somewhere"),
    (
        "(source_file(store:total(_), F), file_base_name(F, X))",
        "store.pl",
    ),
    (
        "(nth_clause(store:edge(_, _), 2, R), clause_property(R, line_count(X)))",
        "14",
    ),
    ("(phrase(store:letters, `abc`), X = yes)", "yes"),
    (
        "(aggregate_all(count, file_search_path(library, _), X))",
        "1",
    ),
    ("(catch(store:own(_), _, fail) -> X = yes ; X = no)", "no"),
];

struct Saved(Scratch);

impl Saved {
    fn new(words: &[&str], files: &[(&str, &str)]) -> Saved {
        let scratch = Scratch::new();
        let paths: Vec<String> = files
            .iter()
            .map(|(name, text)| scratch.file(name, text))
            .collect();
        let mut command = samite();
        command
            .args(words)
            .args(["-o", &scratch.path("saved"), "-c"]);
        command.arg(paths.last().expect("a file"));
        finish(command, b"", LIMIT).status(0).silent();
        for path in paths {
            std::fs::remove_file(path).expect("it was written");
        }
        Saved(scratch)
    }
    fn run(&self, words: &[&str], input: &str) -> Run {
        let mut command = Command::new(self.0.path("saved"));
        command.args(words);
        finish(command, input.as_bytes(), LIMIT)
    }
}

fn program() -> [(&'static str, &'static str); 2] {
    [("store.pl", MODULE), ("main.pl", PROGRAM)]
}

#[test]
fn the_program_is_as_it_was() {
    let saved = Saved::new(&[], &program());
    let mut queries = String::new();
    let mut expected = String::new();
    for (goal, value) in GOALS {
        if value == "_" {
            continue;
        }
        queries += &format!("{goal}, write(X), nl, !, fail.\n");
        expected += &format!("{value}\n");
    }
    let run = saved
        .run(
            &[],
            &format!("set_prolog_flag(toplevel_extra_white_line, false), fail.\n{queries}"),
        )
        .status(0);
    let values: String = run
        .out
        .lines()
        .filter(|l| *l != "false." && !l.is_empty())
        .map(|l| format!("{l}\n"))
        .collect();
    assert_eq!(values, expected, "{run:#?}");
}

#[test]
fn rules_and_hooks_come_back() {
    let saved = Saved::new(
        &[
            "-g",
            "store:kind(3), store:kind(-3), print(shown(x)), nl",
            "-t",
            "halt",
        ],
        &program(),
    );
    saved
        .run(&[], "")
        .status(0)
        .silent()
        .prints("positive\nother\nx\n");
}

/// They are no options of Samite's.
#[test]
fn words_are_the_programs() {
    let text =
        ":- initialization(main, main).\nmain :- current_prolog_flag(argv, A), print(A), nl.";
    let saved = Saved::new(&[], &[("words.pl", text)]);
    saved
        .run(&["a", "--help", "-g", "x"], "")
        .status(0)
        .silent()
        .prints("[a,'--help','-g',x]\n");
}

#[test]
fn statuses_are_those_of_the_goals() {
    let text = ":- initialization(main, main).\nmain :- halt(7).";
    Saved::new(&[], &[("status.pl", text)])
        .run(&[], "")
        .status(7)
        .silent();
    let saved = Saved::new(&["-g", "fail"], &[("status.pl", "a.")]);
    saved.run(&[], "").status(1);
}

/// A program with goals is over after them, and reads no queries unless option -t says so.
#[test]
fn goals_are_all_of_a_program() {
    let text = "hello :- write(hello), nl.";
    let query = "write(asked), nl, fail.\n";
    for (words, out) in [
        (&["-g", "hello"][..], "hello\n"),
        (&["-g", "hello", "-g", "hello"], "hello\nhello\n"),
        (&["-g", "hello", "-t", "default"], "hello\n"),
        (&["-g", "hello", "-t", "hello"], "hello\nhello\n"),
    ] {
        Saved::new(words, &[("goals.pl", text)])
            .run(&[], query)
            .status(0)
            .silent()
            .prints(out);
    }
    for words in [&["-g", "hello", "-t", "prolog"][..], &[]] {
        Saved::new(words, &[("goals.pl", text)])
            .run(&[], query)
            .status(0)
            .prints_parts(&["asked\n"]);
    }
    let main = ":- initialization((write(main), nl), main).\nhello :- write(hello), nl.";
    Saved::new(&["-g", "hello"], &[("main.pl", main)])
        .run(&[], query)
        .status(0)
        .silent()
        .prints("hello\nmain\n");
}

#[test]
fn what_comes_after_the_goal_is_an_option() {
    for (options, out) in [
        ("[goal(hello)]", "hello\n"),
        ("[goal(hello), toplevel(hello)]", "hello\nhello\n"),
        ("[toplevel(hello)]", "hello\n"),
        ("[goal(hello), toplevel(prolog)]", "hello\nasked\n"),
        ("[]", "asked\n"),
    ] {
        let scratch = Scratch::new();
        let file = scratch.file("after.pl", "hello :- write(hello), nl.");
        let mut command = samite();
        let goal = format!("qsave_program('{}', {options})", scratch.path("x"));
        command.args(["-g", &goal, "-t", "halt", &file]);
        finish(command, b"", LIMIT).status(0).silent();
        let run = finish(
            Command::new(scratch.path("x")),
            b"write(asked), nl, fail.\n",
            LIMIT,
        )
        .status(0);
        assert!(run.out.starts_with(out), "{run:#?}");
        assert_eq!(run.out.contains("asked"), out.contains("asked"), "{run:#?}");
    }
}

#[test]
fn initializations_run_in_their_order() {
    let text = r"
:- initialization((write(first), nl)).
:- initialization((write(now), nl), now).
:- initialization((write(restored), nl), restore_state).
:- initialization((write(prepared), nl), prepare_state).
:- initialization((write(program), nl), program).
:- initialization((write(main), nl), main).
:- initialization((write(last), nl)).
:- at_halt((write(end), nl)).
";
    let scratch = Scratch::new();
    let file = scratch.file("order.pl", text);
    let mut command = samite();
    command.args(["-o", &scratch.path("saved"), "-c", &file]);
    finish(command, b"", LIMIT)
        .status(0)
        .silent()
        .prints("now\nfirst\nlast\nprepared\nend\n");
    finish(Command::new(scratch.path("saved")), b"", LIMIT)
        .status(0)
        .silent()
        .prints("first\nnow\nrestored\nlast\nprogram\nmain\nend\n");
}

/// A program that was saved saves itself: with what has been added since.
#[test]
fn saved_programs_can_be_saved() {
    let text = r"
:- dynamic(n/1).
n(1).
run :- retract(n(N)), write(N), nl, N1 is N+1, assertz(n(N1)), current_prolog_flag(argv, [To|_]), qsave_program(To, [goal(show), toplevel(halt)]).
show :- n(N), write(N), nl.
";
    let saved = Saved::new(&["-g", "run", "-t", "halt"], &[("again.pl", text)]);
    let again = saved.0.path("again");
    saved.run(&[&again], "").status(0).silent().prints("1\n");
    finish(Command::new(&again), b"", LIMIT)
        .status(0)
        .silent()
        .prints("2\n");
    let sizes = ["saved", "again"].map(|name| {
        std::fs::metadata(saved.0.path(name))
            .expect("it was written")
            .len()
    });
    assert!(sizes[1] < sizes[0] + 10_000, "{sizes:?}");
}

#[test]
fn what_does_not_load_is_told() {
    let scratch = Scratch::new();
    let file = scratch.file("wrong.pl", "a :- .\nb.\n");
    let mut command = samite();
    command.args(["-o", &scratch.path("saved"), "-c", &file]);
    finish(command, b"", LIMIT)
        .status(1)
        .warns(&["Syntax error"]);
}

#[test]
fn options_are_looked_at() {
    for (options, error) in [
        ("[foo(1)]", "domain_error(qsave_option,foo(1))"),
        ("[goal(1)]", "type_error(callable,1)"),
        ("[_]", "instantiation_error"),
        ("a", "type_error(list,a)"),
        (
            "[emulator(nowhere)]",
            "existence_error(source_sink,nowhere)",
        ),
    ] {
        let scratch = Scratch::new();
        let mut command = samite();
        let goal = format!(
            "catch(qsave_program('{}', {options}), error(E, _), (print(E), nl))",
            scratch.path("x")
        );
        command.args(["-g", &goal, "-t", "halt"]);
        finish(command, b"", LIMIT)
            .status(0)
            .silent()
            .prints(&format!("{error}\n"));
        assert!(!std::fs::exists(scratch.path("x")).expect("known"));
    }
}

/// What a saved program of these files prints, the last of which is its main file, is what it prints when it is loaded.
#[track_caller]
fn as_loaded(files: &[(&str, &str)], out: &str) {
    let scratch = Scratch::new();
    let mut main = String::new();
    for (name, text) in files {
        main = scratch.file(name, text);
    }
    let mut command = samite();
    command.arg(&main);
    finish(command, b"", LIMIT).status(0).silent().prints(out);
    let mut command = samite();
    command.args(["-o", &scratch.path("saved"), "-c", &main]);
    finish(command, b"", LIMIT).status(0).silent();
    let saved = Command::new(scratch.path("saved"));
    finish(saved, b"", LIMIT).status(0).silent().prints(out);
}

#[test]
fn imports_have_the_names_that_they_had() {
    let main = "\
:- use_module(b, [q/1 as bq]).
:- use_module(a).
:- use_module(library(lists), [append/3 as app]).
:- use_module(library(apply), except([partition/4])).
partition(_, mine, _, _).
:- initialization(main, main).
main :- bq(X), z(Y), v(V), app([X, Y], [V], L), partition(_, M, _, _), print(L-M), nl.
";
    let a = ":- module(a, [go/0]).\n:- reexport(b, [q/1 as z]).\n:- reexport(d).\ngo.\n";
    as_loaded(
        &[
            ("b.pl", ":- module(b, [q/1]).\nq(1).\n"),
            ("d.pl", ":- module(d, [v/1]).\nv(2).\n"),
            ("a.pl", a),
            ("main.pl", main),
        ],
        "[1,1,2]-mine\n",
    );
}

#[test]
fn modules_have_their_flags_and_operators() {
    let m = "\
:- module(m, [unknown/1, codes/1, op(700, xfx, ===>)]).
:- set_prolog_flag(unknown, fail).
:- set_prolog_flag(double_quotes, codes).
:- op(0, xfx, is).
unknown(X) :- ( nowhere -> X = true ; X = false ).
codes(\"a\").
";
    let main = "\
:- use_module(m).
:- op(0, xfx, =@=).
:- format_predicate(k, fk(_, _)).
fk(_, X) :- write(k(X)).
:- initialization(main, main).
main :- unknown(X), codes(C), print(X-C), nl, format('~k~n', [a]), catch(nowhere, error(E, _), true), print(E), nl,
    forall(member(M:O, [user:(===>), user:(=@=), m:is, user:is]), ( current_op(P, xfx, M:O) -> print(P), nl ; print(none), nl )),
    catch(m:term_to_atom(_, 'a is b'), error(syntax_error(_), _), true).
";
    as_loaded(
        &[("m.pl", m), ("main.pl", main)],
        "false-[97]\nk(a)\nexistence_error(procedure,nowhere/0)\n700\nnone\nnone\n700\n",
    );
}

#[test]
fn flags_are_of_their_kinds() {
    let main = "\
:- create_prolog_flag(fixed, 5, [access(read_only)]).
:- create_prolog_flag(typed, 5, [type(integer)]).
:- initialization(main, main).
main :- forall(member(F-V, [fixed-6, typed-a, typed-7]), ( catch(( set_prolog_flag(F, V), E = set ), error(E, _), true), print(E), nl )).
";
    as_loaded(
        &[("main.pl", main)],
        "permission_error(modify,flag,fixed)\ntype_error(integer,a)\nset\n",
    );
}

/// Whatever a program may set is as it has set it; and as the options of the command have, by which it was saved.
#[test]
fn flags_are_as_they_were_set() {
    let flags = "\
    encoding-iso_latin_1, stack_limit-20000000, table_space-30000000, shared_table_space-40000000, determinism_error-silent, autoload-user_or_explicit, \
    max_answers_for_subgoal-10, max_answers_for_subgoal_action-bounded_rationality, max_table_subgoal_size-11, max_table_subgoal_size_action-abstract, \
    max_table_answer_size-12, max_table_answer_size_action-fail, table_incremental-true, table_shared-true, table_subsumptive-true, user_flags-error, \
    color_term-false, toplevel_var_size-10, warn_override_implicit_import-false, detect_deadlocks-true, thread_kind-light, message_context-[], \
    answer_write_options-[quoted(true)], tmp_dir-'/var/tmp', workers-3, cpu_count-5, stream_type_check-true, iso-true, own-1";
    let main = format!(
        "\
:- create_prolog_flag(own, 0, []).
given([{flags}]).
:- given(Fs), forall(member(F-V, Fs), set_prolog_flag(F, V)).
:- initialization(main, main).
main :- given(Fs), forall(( member(F-V, Fs), current_prolog_flag(F, W), V \\== W ), ( print(F-W), nl )), ( catch(long, error(E, _), true) -> print(E), nl ; true ).
long :- length(L, 3000000), L = [_|_].
"
    );
    as_loaded(&[("main.pl", &main)], "resource_error(memory)\n");
    let limits = "limits :- forall(member(F, [memory_limit, stack_limit]), ( current_prolog_flag(F, V), print(V), nl )).";
    let plain = Saved::new(&["-g", "limits"], &[("limits.pl", limits)]).run(&[], "");
    let machines = plain.out.lines().next().expect("a limit").to_owned();
    plain
        .status(0)
        .silent()
        .prints(&format!("{machines}\n1073741824\n"));
    for (option, out) in [
        ("--stack-limit=50m", format!("{machines}\n52428800\n")),
        ("--memory-limit=60m", "62914560\n62914560\n".to_owned()),
    ] {
        let run = Saved::new(&[option, "-g", "limits"], &[("limits.pl", limits)]).run(&[], "");
        run.status(0).silent().prints(&out);
    }
}

/// What is no row of a table is not taken for one.
#[test]
fn rows_that_are_none_are_refused() {
    let main = "\
:- initialization(main, main).
main :- forall(member(R, [loaded(a), operator(user), module(zz, [], [], [], [x]), module(zz, [], [], [], [reexport(a/1)]), imports(a, b, c), operator(user, 70000, xfx, aa),
    module_flag(user, double_quotes, zork), context(1, 2, 3, 4, 5, 6), files(a, b), refused(x, y, z), loaded(a, 1, u, u, 1, [text]), none]),
    \\+ catch('$restore_row'(R), error(_, _), fail)), print(none), nl.
";
    as_loaded(&[("main.pl", main)], "none\n");
}

/// They are of several files, in the order in which these were loaded.
#[test]
fn clauses_are_in_their_order() {
    let f = ":- multifile(hook/1).\nhook(f1).\nhook(f2).\n:- multifile(portray/1).\nportray(x) :- write(f).\n";
    let main = "\
:- multifile(hook/1).
hook(main1).
:- [f].
hook(main2).
m:h(main).
portray(x) :- write(main).
:- initialization(main, main).
main :- forall(hook(X), ( print(X), nl )), forall(h(X), ( print(X), nl )), print(x), nl.
:- use_module(m).
m:h(main2).
";
    let m = ":- module(m, [h/1]).\n:- multifile(h/1).\nh(m).\n";
    as_loaded(
        &[("f.pl", f), ("m.pl", m), ("main.pl", main)],
        "main1\nf1\nf2\nmain2\nmain\nm\nmain2\nf\n",
    );
}

/// Which clauses are a file's it knows beside those that were asserted, so it exchanges them when the file is loaded again; and who imports what the
/// file exports has what it exports then.
#[test]
fn files_can_be_loaded_again() {
    let scratch = Scratch::new();
    let file = scratch.file(
        "f.pl",
        ":- module(f, [d/1]).\n:- dynamic(d/1).\nd(1).\nd(2).\n",
    );
    let main = "\
:- use_module(f).
main :- show, make, show.
show :- findall(X, d(X), L), print(L), findall(X, catch(new(X), error(_, _), fail), N), print(N), nl.
";
    let main = scratch.file("main.pl", main);
    let goal = format!(
        "assertz(d(3)), asserta(d(0)), qsave_program('{}', [goal(main)])",
        scratch.path("saved")
    );
    let mut command = samite();
    command.args(["-g", &goal, "-t", "halt", &main]);
    finish(command, b"", LIMIT).status(0).silent();
    scratch.file(
        "f.pl",
        ":- module(f, [d/1, new/1]).\n:- dynamic(d/1).\nd(1).\nd(4).\nnew(5).\n",
    );
    let times = std::fs::File::options()
        .append(true)
        .open(&file)
        .expect("it is there");
    let later = std::time::SystemTime::now() + std::time::Duration::from_secs(5);
    times.set_modified(later).expect("a time");
    let saved = Command::new(scratch.path("saved"));
    finish(saved, b"", LIMIT)
        .status(0)
        .silent()
        .prints("[0,1,2,3][]\n[0,1,4,3][5]\n");
}

/// Libraries remember what directives have told them.
#[test]
fn libraries_know_what_they_were_told() {
    let main = r#"
:- use_module(library(broadcast)).
:- use_module(library(quasi_quotations)).
:- use_module(library(debug)).
:- use_module(library(settings)).
:- use_module(library(arithmetic)).
:- use_module(library(record)).
:- listen(told(X), ( write(heard(X)), nl )).
:- quasi_quotation_syntax(txt).
txt(Content, _, _, Text) :- with_quasi_quotation_input(Content, S, read_string(S, _, Text)).
:- debug(topic).
:- setting(port, integer, 80, 'A port').
:- arithmetic_function(twice/1).
twice(X, Y) :- Y is X*2.
:- record(point(x:integer=1, y)).
:- thread_initialization(nb_setval(begun, yes)).
:- wrap_predicate(wrapped(X), by, W, ( write(before(X)), nl, W )).
wrapped(_).
:- initialization(main, main).
main :-
    broadcast(told(1)),
    term_string(T, "{|txt||hello|}"), print(T), nl,
    ( debugging(topic) -> writeln(on) ; writeln(off) ),
    set_setting(port, 81), setting(port, P), print(P), nl,
    term_to_atom(G, 'Y is twice(4)'), arg(1, G, Y), expand_goal(G, E), call(E), print(Y), nl,
    default_point(Point), arg(1, Point, One), print(One), nl,
    nb_getval(begun, B), print(B), nl,
    thread_create(( nb_getval(begun, B1), print(B1), nl ), Id), thread_join(Id),
    wrapped(1).
"#;
    as_loaded(
        &[("main.pl", main)],
        "heard(1)\n\"hello\"\non\n81\n8\n1\nyes\nyes\nbefore(1)\n",
    );
}

/// Tests that fail do so in a saved program, too.
#[test]
fn units_of_tests_are_there() {
    let text = "\
:- use_module(library(plunit)).
:- begin_tests(t).
test(a) :- fail.
test(b) :- true.
:- end_tests(t).
:- initialization(main, main).
main :- run_tests -> writeln(passed) ; writeln(failed), halt(1).
";
    let saved = Saved::new(&[], &[("tests.pl", text)]);
    let run = saved.run(&[], "").status(1).prints("failed\n");
    assert!(run.err.contains("1 test failed"), "{run:#?}");
}

/// A program that has told of an error ends with the status 1, as SWI-Prolog's does; one that could not be loaded without is not saved.
#[test]
fn errors_are_told_by_the_status() {
    let text =
        ":- initialization(main, main).\nmain :- print_message(error, format(\"wrong\", [])).\n";
    for (words, status) in [(&[][..], 1), (&["--on-error=print"], 0)] {
        Saved::new(words, &[("main.pl", text)])
            .run(&[], "")
            .status(status)
            .warns(&["wrong"]);
    }
    let scratch = Scratch::new();
    let file = scratch.file("wrong.pl", ":- foo(.\na.\n");
    let mut command = samite();
    command.args(["-o", &scratch.path("saved"), "-c", &file]);
    finish(command, b"", LIMIT)
        .status(1)
        .warns(&["Syntax error"]);
    assert!(!std::fs::exists(scratch.path("saved")).expect("known"));
}

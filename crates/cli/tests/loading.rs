//! What a file may look like, and what its declarations do. As in SWI-Prolog.

mod common;

use common::{Scratch, finish, run, samite};
use std::time::Duration;

/// Loads the text.
#[track_caller]
fn prints(text: &str, expected: &str) {
    let scratch = Scratch::new();
    let file = scratch.file("program.pl", text);
    run(&["-g", "true", "-t", "halt", &file], "")
        .silent()
        .status(0)
        .prints(expected);
}

/// A first line for the system is passed over, and counts as a line.
#[test]
fn scripts() {
    prints(
        "#!/usr/bin/env samite\np(1).\n:- p(X), source_location(_, L), writeln(X-L).\n",
        "1-3\n",
    );
}

/// Lines that end in carriage return and newline.
#[test]
fn lines_of_other_systems() {
    prints(
        "p(1).\r\np(2) :-\r\n  true.\r\n:- X = \"a\\\r\n   b\", atom_length(X, L), writeln(L).\r\n:- findall(X, p(X), L), writeln(L).\r\n",
        "2\n[1,2]\n",
    );
}

/// A predicate that has clauses already becomes dynamic with them.
#[test]
fn dynamic_after_clauses() {
    prints(
        "p(1).\n\
         q(1) :- true.\n\
         q(2).\n\
         :- p(X), writeln(X).\n\
         :- dynamic([p/1, q/1]).\n\
         :- discontiguous(p/1).\n\
         p(2).\n\
         :- assertz(p(3)), retract(q(1)), findall(X, p(X), L), findall(X, q(X), M), writeln(L/M).\n\
         r(1). r(2).\n\
         t :- forall(r(X), writeln(X)).\n\
         :- t.\n\
         :- initialization(( dynamic(r/1), assertz(r(3)), retract(r(1)), t )).\n",
        "1\n[1,2,3]/[2]\n1\n2\n2\n3\n",
    );
}

/// What a file has defined so far can be called between its clauses: such calls walk the clauses until it is worth it to build a switch of them.
#[test]
fn calls_between_the_clauses() {
    let mut text = String::from(
        r"
:- discontiguous keyed/2, any/2, mixed/2, tabled/2.
:- table tabled/2.
bad(G, I) :- print(G-I), nl.
is(G, Template, Goal, I, List) :- ( findall(Template, Goal, L), L == List -> true ; bad(G, I) ).
check(I) :-
    J is I // 2,
    is(keyed, X, keyed(J, X), I, [J]),
    is(keyed_last, X, keyed(I, X), I, [I]),
    is(keyed_none, X, keyed(x, X), I, []),
    is(keyed_first, X, once(keyed(_, X)), I, [1]),
    numlist(1, I, All),
    is(keyed_all, X, keyed(_, X), I, All).
more(I) :-
    J is I // 2,
    numlist(1, I, All),
    is(any, X, any(a, X), I, All),
    is(cut, X, once(( any(a, X), X >= J )), I, [J]),
    is(mixed, X, mixed(J, X), I, [0, J]),
    is(mixed_none, X, mixed(x, X), I, [0]),
    abolish_all_tables,
    is(tabled, X, tabled(J, X), I, [J]),
    ( keyed(J, K) -> ( deterministic(keyed(J, _)), K == J -> true ; bad(deterministic, I) ) ; bad(keyed, I) ).
deterministic(G) :- call_cleanup(G, Done = true), ( Done == true -> true ; fail ), !.
mixed(_, 0).
",
    );
    for i in 1..=150 {
        text += &format!(
            "keyed({i}, {i}).
any(_, {i}) :- true.
mixed({i}, {i}).
tabled({i}, {i}) :- true.
"
        );
        if i > 1 {
            text += &format!(
                ":- check({i}), more({i}).
"
            );
        }
    }
    text += ":- writeln(end).
";
    prints(
        &text, "end
",
    );
    // Loaded again, it is the loading thread that sees what has been read so far.
    let scratch = Scratch::new();
    let file = scratch.file("again.pl", &text);
    let goal = format!(
        "consult('{file}'), keyed(_, X), ( X =:= 75 -> load_files('{file}', [if(true)]) ; X =:= 150 ), ( X < 150 -> fail ; writeln(X) )"
    );
    run(&["-g", &goal, "-t", "halt"], "")
        .silent()
        .status(0)
        .prints(
            "end
end
150
",
        );
}

/// Conditions within conditions, so many that they are not kept together; around files that have as many, and that leave theirs open.
#[test]
fn deeply_nested_conditions() {
    let scratch = Scratch::new();
    let depth = 200;
    let nested = |name: &str, within: &str, left: usize| {
        let mut text = String::new();
        for i in 0..depth {
            // Every third one is not met, and the other branch is loaded.
            match i % 3 {
                0 => text += &format!(":- if(fail).\n{name}(no({i})).\n:- else.\n"),
                1 => text += ":- if(true).\n",
                _ => text += ":- if(fail).\n:- elif(true).\n",
            }
            text += &format!("{name}({i}).\n");
        }
        text += within;
        for i in (left..depth).rev() {
            if i % 3 == 1 {
                text += &format!(":- else.\n{name}(no({i})).\n");
            }
            text += &format!(":- endif.\n{name}(end({i})).\n");
        }
        text
    };
    scratch.file("open.pl", nested("o", "", 150));
    scratch.file("inner.pl", nested("i", ":- consult(open).\n", 0));
    let whole = nested("p", ":- include(inner).\n", 0);
    let file = scratch.file(
        "program.pl",
        format!(
            ":- discontiguous p/1, i/1.\n{whole}
count(P, Begun, Ended, No) :-
    aggregate_all(count, ( call(P, X), integer(X) ), Begun), aggregate_all(count, call(P, end(_)), Ended), aggregate_all(count, call(P, no(_)), No).
:- forall(member(P, [p, i, o]), ( count(P, B, E, N), print(P/B/E/N), nl )).
"
        ),
    );
    let said = run(&["-q", "-g", "true", "-t", "halt", &file], "")
        .sound()
        .prints("p/200/200/0\ni/200/200/0\no/200/50/0\n");
    assert_eq!(said.err.matches("ERROR").count() / 2, 150, "{}", said.err);
}

/// Clauses of a text that is included belong to the file, and stand in the text; so does what is said of them. Loaded again when the text has changed.
#[test]
fn included_texts() {
    let scratch = Scratch::new();
    scratch.file("part.pl", "\np(1).\n:- dynamic d/1.\nd(1).\n");
    let main = scratch.file(
        "main.pl",
        r"
a(1).
:- include(part).
a1(1).
:- initialization(show).
show :- \+ told, assertz(told), all, edit, make, all.
show.
:- dynamic told/0.
all :-
    forall(member(H, [a(_), p(_), d(_), a1(_)]), place(H)),
    main(Main),
    forall(member(P, [includes(T, _), included_in(T, _), source(_)]),
           forall(source_file_property(F, P), ( short(F, FS), P =.. [N, A|_], short(A, AS), writeln(FS:N:AS) ))),
    forall(( source_file(p(_), F) ), ( F == Main -> writeln(owner) ; writeln(F) )).
main(Main) :- source_file(all, Main).
place(H) :-
    nth_clause(H, 1, R), clause_property(R, file(F)), clause_property(R, source(S)), clause_property(R, line_count(L)),
    predicate_property(H, file(PF)), predicate_property(H, line_count(PL)),
    short(F, FS), short(S, SS), short(PF, PS), functor(H, N, _), writeln(N:FS:L:SS:PS:PL).
short(F, S) :- ( atom(F), sub_atom(F, _, _, _, (/)) -> file_base_name(F, S) ; S = F ).
edit :-
    main(Main), file_directory_name(Main, D), atom_concat(D, '/part.pl', Part),
    setup_call_cleanup(open(Part, write, S), format(S, '~n~np(2).~n:- dynamic d/1.~nd(2).~n', []), close(S)),
    format(atom(Touch), 'touch -d ''5 seconds'' ~w', [Part]), shell(Touch).
",
    );
    let places = |line: u32| {
        format!(
            "a:main.pl:2:main.pl:main.pl:2\np:part.pl:{line}:main.pl:part.pl:{line}\nd:part.pl:{}:main.pl:part.pl:{}\na1:main.pl:4:main.pl:main.pl:4\n\
             main.pl:includes:part.pl\npart.pl:included_in:main.pl\nmain.pl:source:file\npart.pl:source:file\nowner\n",
            line + 2,
            line + 2
        )
    };
    run(&["-g", "true", "-t", "halt", &main], "")
        .silent()
        .status(0)
        .prints(&format!("{}{}", places(2), places(3)));
}

/// Conditions are goals of the module that is being read.
#[test]
fn conditions_in_a_module() {
    prints(
        ":- module(m, []).\n\
         p(1).\n\
         goal_expansion(never, fail).\n\
         :- if(never).\n\
         q(no).\n\
         :- elif(p(1)).\n\
         q(yes).\n\
         :- else.\n\
         q(no).\n\
         :- endif.\n\
         :- q(X), writeln(X).\n",
        "yes\n",
    );
}

/// Goals that threads run at their end are those of the module that asks for it.
#[test]
fn exit_goals_of_a_module() {
    prints(
        ":- module(m, []).\n\
         bye(X) :- writeln(X).\n\
         :- thread_create(true, T, [at_exit(bye(1)), at_exit(m:bye(2))]), thread_join(T).\n\
         :- thread_create(thread_at_exit(bye(3)), T), thread_join(T).\n\
         :- O = [at_exit(bye(4))], thread_create(true, T, O), thread_join(T).\n",
        "2\n1\n3\n4\n",
    );
}

/// Compared with SWI-Prolog's output; `script` is not there, and a directive is not `[]` while it runs.
#[test]
fn what_is_being_loaded_can_be_asked_for() {
    let scratch = Scratch::new();
    let included = "% One line.\n  :- show(in).\n";
    scratch.file("included.pl", included);
    let module = ":- module(asks, []).\n\
        show(Where) :- forall(member(K, [source, file, directory, module, term_position, reloading]),\n\
            ( prolog_load_context(K, V0) -> ( atom(V0) -> file_base_name(V0, V) ; V = V0 ), print(Where:K-V), nl ; true )).\n\
        :- source_location(F, L), file_base_name(F, B), print(B:L), nl.\n\
        :- initialization(show(after)).\n\
        :- show(here).\n\
        :- include(included).\n";
    let file = scratch.file("asks.pl", module);
    let directory = file.trim_end_matches("/asks.pl");
    let name = directory.rsplit('/').next().unwrap_or_default();
    let once = |reloading: &str| {
        format!(
            "'asks.pl':4\n\
             here:source-'asks.pl'\nhere:file-'asks.pl'\nhere:directory-'{name}'\nhere:module-asks\n\
             here:term_position-'$stream_position'(323,6,0,323)\n{}\
             in:source-'asks.pl'\nin:file-'included.pl'\nin:directory-'{name}'\nin:module-asks\n\
             in:term_position-'$stream_position'(14,2,2,14)\n{}",
            reloading.replace('W', "here"),
            reloading.replace('W', "in"),
        )
    };
    let out = run(
        &[
            "-q",
            "-g",
            &format!("consult('{file}'), consult('{file}')"),
            "-t",
            "halt",
        ],
        "",
    )
    .sound()
    .out;
    let out: String = (out.split_inclusive('\n'))
        .filter(|l| !l.starts_with("after:"))
        .collect();
    assert_eq!(out, once("") + &once("W:reloading-true\n"));
}

#[test]
fn files_and_libraries_are_found_or_are_not() {
    let scratch = Scratch::new();
    let file = scratch.file("m.pl", ":- module(m, [p/1]).\np(1).\np(2).\n");
    let goals = format!(
        "F = '{file}', consult(F),\n\
         forall(member(P, [source(_), module(_), number_of_clauses(_)]), ( source_file_property(F, P) -> print(P), nl ; true )),\n\
         source_file_property(F, modified(T)), time_file(F, T2), ( T =:= T2 -> writeln(same) ; writeln(T-T2) ),\n\
         ( source_file_property('/nothing.pl', _) -> writeln(yes) ; writeln(no) ),\n\
         forall(member(G, [exists_source(_), exists_source(library(lists)), exists_source(library(messages)), exists_source(m),\n\
             use_module(library(imports)), consult(library(files)), consult('~/not there'), consult('/'), consult(12), use_module(library(12)), [1.5]]),\n\
             ( catch(( G -> R = yes ; R = no ), error(E, _), R = E), ( R = existence_error(K, _) -> print(K) ; print(R) ), nl ))"
    );
    run(&["-q", "-g", &goals, "-t", "halt"], "").sound().prints(
        "source(file)\nmodule(m)\nnumber_of_clauses(2)\nsame\nno\n\
         instantiation_error\nyes\nno\nno\nsource_sink\nsource_sink\nsource_sink\nfile\nsource_sink\nsource_sink\nsource_sink\n",
    );
}

/// What is known of who has loaded a file and where its predicates begin; as SWI-Prolog's output.
#[test]
fn who_has_loaded_a_file() {
    let scratch = Scratch::new();
    scratch.file("m.pl", ":- module(m, [mp/1]).\n\nmp(1).\n");
    scratch.file("b.pl", "\nbq(1).\n:- tell(b).\n");
    let file = scratch.file(
        "a.pl",
        ":- use_module(m).\n:- ensure_loaded(b).\n:- dynamic d/1.\np(1).\np(2).\nd(1).\n:- tell(a), forall(member(P, [p(_), d(_), bq(_), mp(_), nowhere(_)]),\n\
         ( functor(P, N, _), ( predicate_property(P, line_count(L)) -> print(N-L) ; print(N) ), nl )).\n",
    );
    let goals = format!(
        "assertz((base(F:L, B:L) :- !, file_base_name(F, B))), assertz(base(X, X)),\n\
         assertz((tell(N) :- source_file(F), file_base_name(F, B), file_name_extension(N, _, B), source_file_property(F, load_count(C)),\n\
             forall(source_file_property(F, load_context(M, W0, O)), ( base(W0, W), print(N-C-M-W-O), nl )))),\n\
         A = '{file}', consult(A), consult(A), file_directory_name(A, D), working_directory(_, D), use_module(m), load_files(b, [if(true)]),\n\
         maplist(tell, [a, b, m])"
    );
    let lines = |count: u32| {
        format!("b-1-user-('a.pl':2)-[]\na-{count}-user-user-[]\np-4\nd-6\nbq-2\nmp-3\nnowhere\n")
    };
    let last = "b-2-user-('a.pl':2)-[]\nb-2-user-user-[]\na-2-user-user-[]\nb-2-user-('a.pl':2)-[]\nb-2-user-user-[]\n\
         m-1-user-('a.pl':1)-[]\nm-1-user-user-[]\n";
    let second = lines(2).replace("b-1-user-('a.pl':2)-[]\n", "");
    run(&["-q", "-g", &goals, "-t", "halt"], "")
        .sound()
        .prints(&(lines(1) + &second + last));
    if let Some(mut swipl) = common::swipl() {
        let out = (swipl.args(["-q", "-g", &goals, "-t", "halt"]).output()).unwrap();
        assert_eq!(
            String::from_utf8_lossy(&out.stdout),
            lines(1) + &second + last
        );
    }
}

/// `library(operators)`; as SWI-Prolog's output.
#[test]
fn operators_for_a_while() {
    let goal = "use_module(library(operators)), use_module(library(system)),\n\
        assertz((s(Op) :- findall(P-T, current_op(P, T, Op), L0), msort(L0, L), print(L), nl)),\n\
        push_operators([op(700, xfx, ==>>), op(200, xfy, ~~>)]), s(==>>), s(~~>), push_op(300, fy, fff),\n\
        push_operators([op(0, xfx, ==>>), op(200, xfx, is)]), s(==>>), s(is), s(fff),\n\
        pop_operators, s(==>>), s(is), s(fff), pop_operators, s(==>>), s(~~>), s(fff),\n\
        push_operators([op(700, xfx, zot), op(200, fy, zot)], U), s(zot), pop_operators(U), s(zot),\n\
        ( pop_operators -> writeln(popped) ; writeln(none) )";
    run(&["-q", "-g", goal, "-t", "halt"], "").sound().prints(
        "[700-xfx]\n[200-xfy]\n[]\n[200-xfx]\n[300-fy]\n[700-xfx]\n[700-xfx]\n[300-fy]\n[]\n[]\n[]\n\
         [200-fy,700-xfx]\n[]\nnone\n",
    );
}

/// What files say of their licenses can be asked for.
#[test]
fn licenses() {
    let scratch = Scratch::new();
    let file = scratch.file(
        "licensed.pl",
        ":- module(licensed, []).\n:- license(mit).\n:- license(zlib, data).\n",
    );
    let goal = format!("load_files('{file}', []), license");
    run(&["-g", &goal, "-t", "halt", &file], "")
        .status(0)
        .silent()
        .prints(&format!(
            "Samite is under MIT or Apache-2.0, at your choice.\n{file}: mit\ndata: zlib\n"
        ));
}

/// The extensions of programs are what user:prolog_file_type/2 says.
#[test]
fn extensions_of_programs() {
    let scratch = Scratch::new();
    scratch.file("other.own", "other(1).\n");
    scratch.file("number.pl", ":- multifile other/1.\n");
    let file = scratch.file(
        "program.pl",
        ":- prolog_load_context(directory, D), working_directory(_, D).\n\
         :- multifile user:prolog_file_type/2.\n\
         user:prolog_file_type(own, prolog).\n\
         user:prolog_file_type(own, ours).\n\
         :- consult(other), other(X), write(X), nl.\n\
         :- forall(member(T, [prolog, source, ours, nothing]),\n\
                   ( catch(absolute_file_name(other, F, [file_type(T), access(read)]), error(E, _), F = E),\n\
                     ( atom(F) -> file_base_name(F, B) ; B = F ), write(B), nl )).\n\
         :- ( exists_source(other) -> write(yes) ; write(no) ), nl.\n\
         :- absolute_file_name('other.own', P), source_file(P), unload_file(other), ( source_file(P) -> write(yes) ; write(no) ), nl.\n\
         :- forall(( user:prolog_file_type(E, prolog), E \\== own ), ( write(E), nl )).\n",
    );
    run(&["-g", "true", "-t", "halt", &file], "").status(0).prints(
        "1\nother.own\nother.own\nother.own\ndomain_error(file_type,nothing)\nyes\nno\npl\nprolog\n",
    );
}

/// What is defined nowhere the program may define when it is needed, or do without.
#[test]
fn what_is_missing_is_asked_for() {
    prints(
        r"
:- multifile user:exception/3.
:- dynamic user:exception/3.
user:exception(undefined_predicate, PI, Action) :- print(PI), nl, action(PI, Action).
user:exception(undefined_global_variable, Name, retry) :- print(Name), nl, ( Name == v -> b_setval(v, 1) ; true ).
action(a/1, retry) :- assertz(a(1)).
action(m:g/1, retry) :- assertz(m:g(2)).
action(b/1, retry).
action(c/1, fail).
action(d/1, error).
action(e/1, _).
t(G) :- ( catch(G, E, true) -> ( var(E) -> R = G ; E = error(R, _) ) ; R = no ), print(R), nl.
:- forall(member(G, [a(_), m:g(_), b(_), c(_), d(_), e(_), f(_), b_getval(v, _), nb_getval(w, _)]), t(G)).
",
        "a/1\na(1)\nm:g/1\nm:g(2)\nb/1\nexistence_error(procedure,b/1)\nc/1\nno\nd/1\nexistence_error(procedure,d/1)\n\
         e/1\nexistence_error(procedure,e/1)\nf/1\nexistence_error(procedure,f/1)\n\
         v\nb_getval(v,1)\nw\nexistence_error(variable,w)\n",
    );
}

/// Who answers for one kind of what is missing leaves the others as the flag says.
#[test]
fn what_is_missing_is_warned_of_beside_a_hook() {
    let scratch = Scratch::new();
    let text = "\
:- multifile user:exception/3.
:- dynamic user:exception/3.
user:exception(undefined_global_variable, gv, retry) :- nb_setval(gv, 7).
:- set_prolog_flag(unknown, warning).
p :- nowhere.
p :- nb_getval(gv, X), print(X), nl.
:- p.
";
    let file = scratch.file("warned.pl", text);
    let run = run(&["-q", "-g", "halt", &file], "").sound();
    assert_eq!(run.out, "7\n");
    assert!(
        run.err.contains("Warning") && run.err.contains("Unknown procedure: nowhere/0"),
        "{run:#?}"
    );
    assert!(!run.err.contains("ERROR"), "{run:#?}");
}

/// Who loads files may be somebody else: `user:prolog_load_file/2` is offered each that is in no stream and no library of the system's own loading.
#[test]
fn a_hook_loads_files() {
    prints(
        r"
:- current_predicate(prolog_load_file/2), current_predicate(portray/1), \+ current_predicate(portray/7).
:- multifile user:prolog_load_file/2.
:- dynamic user:prolog_load_file/2.
user:prolog_load_file(M:made(X), Options) :- print(M-X-Options), nl, assertz(M:made_of(X)).
t(G) :- ( catch(G, error(E, _), ( print(E), nl )) -> true ; print(no), nl ).
:- t(load_files([made(a), m:made(b)], [if(changed)])), t([made(c)]), t(consult(not_there)).
:- t(use_module(library(lists), [])), t(( made_of(a), m:made_of(b), made_of(c) )).
",
        "user-a-[if(changed)]\nm-b-[if(changed)]\nuser-c-[expand(true)]\nexistence_error(source_sink,not_there)\n",
    );
}

/// A project spread over directories and started from another one: what a text names is beside it, whether it is loaded or included, and whoever
/// looks for it. What has the same name in the working directory or beside the file that includes is another one.
#[test]
fn names_are_relative_to_the_text_that_is_read() {
    let scratch = Scratch::new();
    let files = [
        (
            "project/main.pl",
            ":- include('parts/first').\n:- use_module('lib/m').\n:- include('parts/first_again').\np(main).\n\
            :- initialization(( here(after), ( absolute_file_name(data, F, [extensions([txt]), access(read), file_errors(fail)]) -> told(F) ; told(none) ) )).\n\
            :- here(main).\n:- reads(main).\nq :- forall(p(X), ( write(X), write(' ') )), nl.\n",
        ),
        (
            "project/parts/first.pl",
            ":- dynamic p/1.\n:- discontiguous p/1.\n\
            told(F) :- file_directory_name(F, D), file_base_name(D, B), writeln(B).\n\
            here(W) :- ( prolog_load_context(directory, D) -> file_base_name(D, B) ; B = none ), writeln(W/B).\n\
            reads(W) :- read_file_to_string('data.txt', S, []), string_length(S, L), read_file_to_terms('data.txt', Ts, []), writeln(W/Ts/L).\n\
            p(first).\n:- include(second).\n:- use_module(used).\n:- ensure_loaded(part).\n:- here(first).\n:- reads(first).\n\
            :- if(exists_source(only_here)).\np(found).\n:- else.\np(not_found).\n:- endif.\n\
            :- absolute_file_name('data.txt', F), told(F).\n:- absolute_file_name('data.txt', F, []), told(F).\n\
            :- absolute_file_name(deep/data, F, [extensions([txt]), access(read)]), told(F).\n\
            :- absolute_file_name('only_away.txt', F, [access(read)]), told(F).\n",
        ),
        ("project/parts/first_again.pl", ":- here(again).\n"),
        (
            "project/parts/second.pl",
            "p(second).\n:- include('deep/third').\n:- here(second).\n",
        ),
        (
            "project/parts/deep/third.pl",
            "p(third).\n:- include('../../lib/fourth').\n:- here(third).\n",
        ),
        ("project/parts/deep/data.txt", "deep.\n"),
        (
            "project/parts/used.pl",
            ":- module(used, []).\n:- user:here(used).\n",
        ),
        ("project/parts/part.pl", "p2(part).\n:- here(part).\n"),
        ("project/parts/only_here.pl", "only_here.\n"),
        ("project/parts/data.txt", "parts.\n"),
        ("project/lib/fourth.pl", "p(fourth).\n:- here(fourth).\n"),
        ("project/lib/m.pl", ":- module(m, []).\n:- user:reads(m).\n"),
        ("project/lib/data.txt", "lib(1).\n"),
        ("project/data.txt", "project.\n"),
        ("project/second.pl", "p(wrong).\n"),
        ("project/used.pl", ":- module(wrong, []).\n"),
        ("away/second.pl", "p(wrong).\n"),
        ("away/data.txt", "away.\n"),
        ("away/only_away.txt", "away.\n"),
    ];
    for (name, text) in files {
        let path = scratch.path(name);
        std::fs::create_dir_all(std::path::Path::new(&path).parent().expect("a folder"))
            .expect("folders");
        scratch.file(name, text);
    }
    let mut command = samite();
    command
        .args(["-g", "q", "-t", "halt", "../project/main.pl"])
        .current_dir(scratch.path("away"));
    finish(command, b"", Duration::from_secs(60)).silent().status(0).prints(
        "fourth/lib\nthird/deep\nsecond/parts\nused/parts\npart/parts\nfirst/parts\nfirst/[parts]/7\naway\nparts\ndeep\naway\n\
         m/[lib(1)]/8\nagain/parts\nmain/project\nmain/[project]/9\nafter/none\naway\nfirst second third fourth found main \n",
    );
}

/// What is to run after a load may be anything: that nothing can be run is an error of it.
#[test]
fn goals_that_are_none_after_a_load() {
    let scratch = Scratch::new();
    let file = scratch.file(
        "program.pl",
        ":- initialization(_).\n:- initialization(1).\n:- initialization(m:_).\n:- initialization(_:true).\n:- initialization('$at_halt_of'(a, true)).\n\
         :- initialization(at_halt(writeln(bye))).\n:- initialization(writeln(last)).\n",
    );
    let run = run(&["-g", "true", "-t", "halt", &file], "")
        .status(0)
        .prints("last\nbye\n");
    for line in ["1: ", "2: ", "3: ", "4: ", "5: "] {
        assert!(
            run.err.contains(&format!("program.pl:{line}")),
            "{}",
            run.err
        );
    }
    assert_eq!(
        run.err.matches("not sufficiently instantiated").count(),
        3,
        "{}",
        run.err
    );
}

/// Where a clause stood may be where its file ends now, or what made it is the end itself: it is listed without its text.
#[test]
fn clauses_at_the_end_of_the_file_are_listed() {
    let scratch = Scratch::new();
    let edited = scratch.file("edited.pl", "p(1).\n% c\nq(X) :- r(X).\n");
    let file = scratch.file(
        "program.pl",
        format!(
            "user:term_expansion(end_of_file, [last(1), end_of_file]).\np(1).\n\
             main :- listing(last/1), consult('{edited}'), open('{edited}', write, S), write(S, 'p(1).\\n\\n'), close(S), listing(q/1).\n"
        ),
    );
    let run = run(&["-q", "-g", "main", "-t", "halt", &file], "").status(0);
    assert!(run.out.contains("last(1)."), "{}", run.out);
    assert!(run.out.contains("q("), "{}", run.out);
}

/// What `absolute_file_name/3` is told of a file, who reads it as a whole tells it.
#[test]
fn files_that_are_read_as_a_whole_have_extensions() {
    let scratch = Scratch::new();
    scratch.file("data", "without.");
    scratch.file("data.pl", "with.");
    let file = scratch.file(
        "program.pl",
        "user:file_search_path(here, D) :- source_file(main, F), file_directory_name(F, D).\n\
         main :- O = [extensions([pl])], read_file_to_string(here(data), S, O), read_file_to_terms(here(data), Ts, O), \
             read_file_to_codes(here(data), Cs, O), atom_codes(A, Cs), read_file_to_string(here(data), S0, []), print([S, Ts, A, S0]), nl.\n",
    );
    run(&["-q", "-g", "main", "-t", "halt", &file], "")
        .status(0)
        .silent()
        .prints("[\"with.\",[with],'with.',\"without.\"]\n");
}

/// Libraries of the program's with the names of Samite's are found where they stand before these: by `asserta/1`, `library_directory/1` and `-p`, in
/// the order that these say.
#[test]
fn libraries_with_the_names_of_others() {
    let scratch = Scratch::new();
    for (directory, text) in [("first", "first"), ("second", "second")] {
        std::fs::create_dir(scratch.path(directory)).unwrap();
        scratch.file(
            &format!("{directory}/assoc.pl"),
            format!(":- module(assoc, [empty_assoc/1]).\nempty_assoc({text}).\n"),
        );
        scratch.file(
            &format!("{directory}/heaps.pl"),
            format!(":- module(heaps_{text}, [empty_heap/1]).\n:- use_module(library(assoc)).\nempty_heap({text}(A)) :- empty_assoc(A).\n"),
        );
    }
    let main = "main :- empty_assoc(A), empty_heap(H), print([A, H]), nl, \
                ( exists_source(library(assoc), P), absolute_file_name(library(assoc), P, [file_type(prolog), access(read), file_errors(fail)]) -> true ; writeln(own) ), \
                ( catch(unload_file(library(heaps)), error(E, _), ( print(E), nl )) -> true ; true ).\n";
    let load = ":- use_module(library(assoc)).\n:- use_module(library(heaps)).\n";
    let first = scratch.path("first");
    let second = scratch.path("second");
    let own = "[t,heap(nil,0)]\nown\npermission_error(unload,file,library(heaps))\n";
    let of_first = "[first,first(first)]\n";
    let of_second = "[second,second(second)]\n";
    for (text, expected) in [
        (String::new(), own),
        (format!("user:file_search_path(library, '{first}').\n"), own),
        (
            format!(":- asserta(user:file_search_path(library, '{first}')).\n"),
            of_first,
        ),
        (
            format!(
                "user:file_search_path(ours, '{first}').\n:- asserta(user:file_search_path(library, ours('../second'))).\n"
            ),
            of_second,
        ),
        (
            format!(
                "user:library_directory('{second}').\nuser:file_search_path(library, '{first}').\n"
            ),
            of_second,
        ),
        (
            format!(
                ":- asserta(user:file_search_path(library, '{first}')), retract(user:file_search_path(library, samite(library))).\n"
            ),
            of_first,
        ),
        (
            ":- retract(user:file_search_path(library, samite(library))).\n".to_owned(),
            own,
        ),
    ] {
        let program = scratch.file("program.pl", format!("{text}{load}{main}"));
        run(&["-q", "-g", "main", "-t", "halt", &program], "")
            .status(0)
            .silent()
            .prints(expected);
    }
    let program = scratch.file("program.pl", format!("{load}{main}"));
    for (options, expected) in [
        (vec![format!("library={first}:{second}")], of_first),
        (
            vec![format!("library={first}"), format!("library={second}")],
            of_second,
        ),
    ] {
        let mut words = vec!["-q", "-g", "main", "-t", "halt"];
        for option in &options {
            words.extend(["-p", option]);
        }
        words.push(&program);
        run(&words, "").status(0).silent().prints(expected);
    }
}

/// What might be needed of a library that is not there is a warning, and what it was to define an error when it is called.
#[test]
fn libraries_that_are_missing_may_never_be_needed() {
    let scratch = Scratch::new();
    let file = scratch.file(
        "program.pl",
        ":- autoload(library(missing), [p/1]).\n:- autoload(library(missing)).\n:- use_module(library(missing)).\nmain :- catch(p(_), error(E, _), ( print(E), nl )).\n",
    );
    let run = run(&["-q", "-g", "main", "-t", "halt", &file], "")
        .status(0)
        .prints("existence_error(procedure,p/1)\n");
    let expected = format!(
        "Warning: {file}:1:\nWarning:    library(missing): No such file\nWarning: {file}:2:\nWarning:    library(missing): No such file\n\
         ERROR: {file}:3:\nERROR:    source_sink `library(missing)' does not exist\nWarning: {file}:3:\nWarning:    Goal (directive) failed: user:use_module(library(missing))\n"
    );
    assert_eq!(run.err, expected);
}

/// A file that is no module is part of one module, whoever asks for it; what need not exist is no error.
#[test]
fn whether_a_file_is_loaded() {
    prints(
        r"
text(Name, Text) :- open(Name, write, S), write(S, Text), close(S), sleep(0.02).
c(G) :- ( catch(G, error(E, _), true) -> ( var(E) -> writeln(yes) ; functor(E, F, _), writeln(F) ) ; writeln(no) ).
:- initialization(run).
run :-
    tmp_file(loaded, D), make_directory(D), working_directory(Was, D),
    text('part.pl', 'part(1).'), c(load_files(m:part, [])), c(m:ensure_loaded(part)), c(ensure_loaded(part)), c(load_files(part, [if(changed)])),
    c(load_files(nothing, [if(exists)])), c(load_files([nothing, library(nothing)], [if(exists), must_be_module(true)])), c(load_files(nothing, [if(changed)])),
    text('there.pl', ':- writeln(loading).'), forall(between(1, 2, _), c(load_files(there, [if(exists)]))),
    text('there.pl', ':- writeln(loading).'), c(load_files(there, [if(exists)])),
    text('ops.pl', ':- module(ops, [op(700, xfx, ===>), op(700, xfx, <===), o/1]). o(1).'),
    c(use_module(ops, except([op(_, _, <===)]))), c(o(_)), c(current_op(_, _, ===>)), c(current_op(_, _, <===)),
    working_directory(_, Was), delete_directory_and_contents(D).
",
        "yes\nyes\npermission_error\npermission_error\nyes\nyes\nexistence_error\nloading\nyes\nyes\nloading\nyes\nyes\nyes\nyes\nno\n",
    );
}

//! What a load that is left before its end leaves to others: files that use each other have taken half of it, and were loaded to their ends. Whoever
//! takes one of them has the rest loaded.
//!
//! `SAMITE_SEED=n` is the first seed of the random webs, `SAMITE_HISTORIES=n` how many there are.

mod common;

use common::random::setting;
use common::{LIMIT, Run, Scratch, finish, samite};

/// Puts files into the directory of the program, as `Name-Text`; `once_only(N)` throws the first time that it is called for N.
const TEXTS: &str = r"
:- dynamic(passed/1).
texts(L) :- forall(member(N-T, L), ( atom_concat(N, '.pl', F), open(F, write, S), write(S, T), close(S) )).
once_only(N) :- passed(N) -> true ; assertz(passed(N)), throw(stop(N)).
show(Goals) :- forall(member(G, Goals), ( catch(findall(G, G, L), error(E, _), L = E), print(L), nl )).
caught(G) :- catch(G, E, true), ( var(E) -> writeln(loaded) ; print(E), nl ).
";

fn runs(text: &str) -> Run {
    let scratch = Scratch::new();
    let file = scratch.file("program.pl", format!("{TEXTS}{text}"));
    let mut command = samite();
    command.current_dir(scratch.path(""));
    command.args(["-f", "none", "-g", "run", "-t", "halt", &file]);
    finish(command, b"", LIMIT).status(0)
}

#[test]
fn who_takes_what_has_half_of_a_file_has_the_rest_loaded() {
    runs(
        r"
run :-
    texts([a-':- module(a, [a/1]). :- use_module(c). :- user:once_only(a). a(1).',
           c-':- module(c, [c/1]). :- use_module(a). c(X) :- a(X).',
           d-':- module(d, [d/1]). :- use_module(c). d(X) :- c(X).']),
    caught(use_module(a)),
    use_module(d), show([d:d(_), c:c(_), a:a(_)]),
    load_files([a, c, d], []), show([d:d(_)]).
",
    )
    .silent()
    .prints("stop(a)\n[d:d(1)]\n[c:c(1)]\n[a:a(1)]\n[d:d(1)]\n");
}

/// It is cut off again, and again; nobody is told that a file is loaded which lacks something.
#[test]
fn it_may_be_cut_off_again() {
    runs(
        r"
again :- once_only(1), once_only(2).
run :-
    texts([m0-':- module(m0, [e0/1]). :- use_module(m1). e0(X) :- e1(X).',
           m1-':- module(m1, [e1/1]). :- use_module(m2). e1(X) :- e2(X).',
           m2-':- module(m2, [e2/1]). :- use_module(m0). :- use_module(m1). e2(1). :- user:again.']),
    caught(use_module(m1)), caught(use_module(m0)), caught(use_module(m0)), show([m0:e0(_)]).
",
    )
    .silent()
    .prints("stop(1)\nstop(2)\nloaded\n[m0:e0(1)]\n");
}

/// What cannot be loaded any more is told of, once.
#[test]
fn what_is_gone_is_told_of() {
    runs(
        r"
run :-
    texts([a-':- module(a, [a/1]). :- use_module(c). :- user:once_only(a). a(1).',
           c-':- module(c, [c/1]). :- use_module(a). c(1).']),
    caught(use_module(a)), delete_file('a.pl'), use_module(c), use_module(c), show([c:c(_)]).
",
    )
    .warns(&["source_sink", "a.pl"])
    .prints("stop(a)\n[c:c(1)]\n");
}

/// Files that are no modules, loaded into one.
#[test]
fn parts_of_a_module_are_cut_off_too() {
    runs(
        r"
run :-
    texts([a-':- ensure_loaded(c). :- user:once_only(a). a(1).', c-':- ensure_loaded(a). c(X) :- a(X).']),
    caught(ensure_loaded(m:a)), ensure_loaded(m:c), show([m:c(_)]).
",
    )
    .silent()
    .prints("stop(a)\n[m:c(1)]\n");
}

#[test]
fn who_has_waited_for_what_is_cut_off_loads_it() {
    runs(
        r"
:- dynamic(main/1).
gate :- once_at_gate, !, main(Main), thread_send_message(Main, here), thread_get_message(go).
gate.
once_at_gate :- passed(gate) -> fail ; assertz(passed(gate)).
run :-
    thread_self(Main), assertz(main(Main)),
    texts([a-':- module(a, [a/1]). :- use_module(c). :- user:gate. a(1).',
           c-':- module(c, [c/1]). :- use_module(a). c(X) :- a(X).']),
    thread_create(caught(use_module(a)), First), thread_get_message(here),
    thread_create(( use_module(c), show([c:c(_)]) ), Second), sleep(0.1),
    thread_signal(First, throw(stop)), thread_join(First, _), thread_join(Second, _).
",
    )
    .silent()
    .prints_parts(&["[c:c(1)]\n"]);
}

/// Random webs of modules, each loaded by several threads that are interrupted somewhere. Whose load has come to its end has everything that his module
/// uses; and in the end, so has everybody.
#[test]
fn in_webs_nothing_is_missing() {
    let (seed, histories) = (setting("SAMITE_SEED", 1), setting("SAMITE_HISTORIES", 12));
    runs(&format!(
        r"
:- dynamic(uses/3).
run :- Last is {seed}+{histories}-1, forall(between({seed}, Last, S), ( web(S) -> true ; print(failed(S)), nl )).
web(S) :-
    set_random(seed(S)),
    random_between(2, 7, N),
    Top is N-1,
    forall(between(0, Top, I),
           ( random_between(1, 3, K), findall(J, ( between(1, K, _), random_between(0, Top, J), J =\= I ), Js0), sort(0, @>=, Js0, Js),
             assertz(uses(S, I, Js)), text(S, I, Js) )),
    random_between(1, 3, Threads),
    findall(E-At, ( between(1, Threads, _), random_between(0, Top, E), random_between(1, 6000, At) ), Plans),
    findall(T, ( member(E-At, Plans), thread_create(interrupted(S, E, At), T) ), Ts),
    forall(member(T, Ts), ( thread_join(T, Status), ( Status == true -> true ; print(S-Status), nl ) )),
    findall(E, between(0, Top, E), Es), random_permutation(Es, Order),
    forall(member(E, Order), load(S, E)).
text(S, I, Js) :-
    name(S, I, M),
    findall(U, ( member(J, Js), name(S, J, MJ), format(atom(U), ':- use_module(~w).~n', [MJ]) ), Us),
    findall(C, ( member(J, Js), format(atom(C), 'u~w(X) :- e~w_~w(X).~n', [I, S, J]) ), Cs),
    atomic_list_concat(Us, UT), atomic_list_concat(Cs, CT),
    format(atom(T), ':- module(~w, [e~w_~w/1]).~n:- dynamic(u~w/1).~n~we~w_~w(~w).~n~w', [M, S, I, I, UT, S, I, I, CT]),
    texts([M-T]).
name(S, I, M) :- format(atom(M), 'w~w_~w', [S, I]).
interrupted(S, E, At) :-
    catch(( '$signal_at_safe_point'(At, throw(stop)), load(S, E), '$signal_at_safe_point'(0, true) ), stop, true).
load(S, E) :-
    name(S, E, M), load_files(M, [if(not_loaded), imports([])]),
    reached([E], S, [], Is),
    forall(member(I, Is), has_all(S, E, I)).
reached([], _, Is, Is).
reached([I|Rest], S, Seen, Is) :-
    (   memberchk(I, Seen) -> reached(Rest, S, Seen, Is)
    ;   uses(S, I, Js), append(Js, Rest, More), reached(More, S, [I|Seen], Is)
    ).
has_all(S, E, I) :-
    name(S, I, M), uses(S, I, Js),
    atom_concat(u, I, U), G =.. [U, X],
    catch(findall(X, M:G, Xs), error(Error, _), Xs = Error),
    ( Xs == Js -> true ; print(missing(S, E, M, Js, Xs)), nl ).
"
    ))
    .silent()
    .prints("");
}

/// The module that others reexport is edited, and loaded again by make/0, which is interrupted at each place in turn: what has not been imported by then is
/// imported in the end, by whoever has been told of it before or not.
#[test]
fn what_is_left_of_renewed_imports_is_taken_up() {
    runs(
        r"
version(a, ':- module(m1, [p/1]). p(a).', [[p(a)], no]).
version(b, ':- module(m1, [p/1, q/1]). p(b). q(b).', [[p(b)], [q(b)]]).
version(c, ':- module(m1, [q/1]). q(c).', [no, [q(c)]]).
edit(V) :- version(V, T, _), texts([m1-T]), sleep(0.005).
run :-
    texts([m2-':- module(m2, []). :- reexport(m1).', m3-':- module(m3, []). :- use_module(m2).',
           m4-':- module(m4, []). :- reexport(m2).', m5-':- use_module(m4).']),
    edit(a), load_files([m3, m5], []), rounds(1, [b, c, a, b, a, c]).
rounds(N, [V|Vs]) :-
    edit(V),
    catch(( '$signal_at_safe_point'(N, throw(stop)), make, '$signal_at_safe_point'(0, true), Done = true ), stop, Done = false),
    ( N mod 2 =:= 0 -> make ; load_files(m3, [if(not_loaded), imports([])]), make ),
    version(V, _, Expected),
    forall(member(M, [m3, m4, user]), ( findall(R, means(M, R), Rs), ( Rs == Expected -> true ; writeln(N/V/M-Rs) ) )),
    append(Vs, [V], Next),
    ( Done == true -> writeln(done) ; N1 is N + 1, rounds(N1, Next) ).
means(M, R) :- member(G, [p(_), q(_)]), catch(findall(G, M:G, R), error(existence_error(_, _), _), R = no).
",
    )
    .silent()
    .prints("done\n");
}

/// Whether an option, a directive or who opened the stream has said which one it is; but not a mark at the beginning.
#[test]
fn included_text_is_in_the_encoding_of_the_one_that_includes_it() {
    runs(
        r"
put(N, T, E) :- atom_concat(N, '.pl', F), open(F, write, S, E), write(S, T), close(S), sleep(0.005).
text(N, T) :- put(N, T, [encoding(iso_latin_1)]).
shown :- findall(C, ( a(A), char_code(A, C) ), Cs), writeln(Cs).
shown(N, Options) :- load_files(N, Options), shown, unload_file(N).
run :-
    text(i, 'a(\u00e4).'), text(f, ':- include(i).'), text(g, ':- include(f).'), text(d, ':- encoding(iso_latin_1). :- include(f).'),
    shown(f, [encoding(iso_latin_1)]), shown(g, [encoding(iso_latin_1)]), shown(d, []),
    absolute_file_name('f.pl', F), setup_call_cleanup(open(F, read, S, [encoding(iso_latin_1)]), shown(F, [stream(S)]), close(S)),
    load_files(g, [encoding(iso_latin_1)]), text(i, 'a(\u00e5).'), make, shown, unload_file(g),
    text(i, ':- encoding(utf8). a(b).'), shown(f, [encoding(iso_latin_1)]),
    put(i, 'a(\u00e6).', [encoding(utf8)]), shown(f, []),
    put(w, ':- include(i).', [encoding(unicode_le), bom(true)]), shown(w, []),
    put(i, 'a(\u00e7).', [encoding(utf8), bom(true)]), shown(f, [encoding(iso_latin_1)]).
",
    )
    .silent()
    .prints("[228]\n[228]\n[228]\n[228]\n[229]\n[98]\n[230]\n[230]\n[231]\n");
}

/// Who is told how a file is to be read tells whoever loads it again, without being asked how.
#[test]
fn a_file_stays_in_its_encoding() {
    runs(
        r"
put(N, T) :- atom_concat(N, '.pl', F), open(F, write, S, [encoding(iso_latin_1)]), write(S, T), close(S), sleep(0.005).
put(N, Header, C) :- format(atom(T), '~w a(~c). :- user:once_only(~w).', [Header, C, C]), put(N, T).
shown(M) :- findall(C, ( M:a(A), char_code(A, C) ), Cs), writeln(Cs).
run :-
    assertz(passed(0'\u00e4)), assertz(passed(0'\u00e5)), assertz(passed(0'\u00e7)), assertz(passed(0'\u00ea)),
    put(f, '', 0'\u00e4), load_files(f, [encoding(iso_latin_1)]), shown(user),
    put(f, '', 0'\u00e5), make, shown(user), make, shown(user),
    put(m, ':- module(m, [a/1]).', 0'\u00e4), put(n, ':- load_files(m, [encoding(iso_latin_1), imports([]), if(not_loaded)]).'), load_files(n, []), shown(m),
    put(m, ':- module(m, [a/1]).', 0'\u00e5), make, shown(m),
    put(m, ':- module(m, [a/1]).', 0'\u00e6), caught(make), shown(m), make, shown(m),
    put(c1, ':- module(c1, [a/1]). :- use_module(c2). a(\u00e7). :- user:once_only(1).'), put(c2, ':- module(c2, []). :- use_module(c1).'),
    caught(load_files(c1, [encoding(iso_latin_1), imports([])])), use_module(c2), shown(c2).
",
    )
    .silent()
    .prints("[228]\n[229]\n[229]\n[228]\n[229]\nstop(230)\n[229]\n[230]\nstop(1)\n[231]\n");
}

/// A file is loaded again because the import that kept it from defining something is gone, which is interrupted at each place in turn.
#[test]
fn what_is_left_of_loading_freed_files_is_taken_up() {
    runs(
        r"
:- multifile(user:message_hook/3).
user:message_hook(error(permission_error(_, _, _), _), error, _).
run :- texts([m-':- module(m, [q/1]). q(m).', f-'q(f).']), rounds(1).
rounds(N) :-
    texts([g-':- use_module(m, [q/1]).']), load_files([g, f], []), sleep(0.005), texts([g-'']),
    catch(( '$signal_at_safe_point'(N, throw(stop)), make, '$signal_at_safe_point'(0, true), Done = true ), stop, Done = false),
    make, catch(findall(X, q(X), L), error(E, _), L = E), ( L == [f] -> true ; writeln(N-L) ),
    unload_file(f), unload_file(g),
    ( Done == true -> writeln(done) ; N1 is N + 1, rounds(N1) ).
",
    )
    .silent()
    .prints("done\n");
}

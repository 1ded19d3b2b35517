//! What Samite defines is nobody's to replace or damage: every way there is to change a predicate is tried on several of `system`, from any
//! thread, in clauses and in files. Whatever the goal says, others find the predicates as they were.

mod common;

use common::{Scratch, run};

/// Goals that would change a predicate `N/A` with head `H` and the same head of module `foo`, `F`, if they were let.
const WAYS: &str = r"
way(N/A, _, _, system:import(foo:N/A)).
way(N/A, _, _, foo:export(N/A)).
way(_, H, _, assertz(system:H)).
way(_, H, _, asserta((system:H :- true))).
way(_, H, _, assertz((system:H :- true), _)).
way(_, H, _, system:assertz(H)).
way(_, H, _, retract(system:H)).
way(_, H, _, retract((system:H :- _))).
way(_, H, _, retractall(system:H)).
way(_, H, _, system:retractall(H)).
way(N/A, _, _, abolish(system:N/A)).
way(N/A, _, _, abolish(system:N, A)).
way(N/A, _, _, system:abolish(N/A)).
way(N/A, _, _, dynamic(system:N/A)).
way(N/A, _, _, system:dynamic([N/A])).
way(N/A, _, _, @(dynamic(N/A), system)).
way(N/A, _, _, thread_local(system:N/A)).
way(N/A, _, _, multifile(system:N/A)).
way(N/A, _, _, discontiguous(system:N/A)).
way(N/A, _, _, table(system:N/A)).
way(N/A, _, _, system:table(N/A)).
way(N/A, _, _, untable(system:N/A)).
way(N/A, _, _, volatile(system:N/A)).
way(_, H, _, meta_predicate(system:H)).
way(N/A, _, _, compile_predicates([system:N/A])).
way(N/A, _, _, copy_predicate_clauses(foo:N/A, system:N/A)).
way(_, H, _, compile_aux_clauses([(system:H)])).
way(_, H, _, compile_aux_clauses([(system:H :- true)])).
way(_, H, _, (clause(system:H, _, R), erase(R))).
way(_, H, _, (nth_clause(system:H, 1, R), erase(R))).
way(N/A, _, _, (foo:export(N/A), system:use_module(F))) :- file(foo, F).
way(_, _, _, consult(F)) :- file(clauses, F).
way(_, _, _, system:consult(F)) :- file(clauses, F).
way(_, _, _, use_module(F)) :- file(module, F).
way(_, _, _, load_files(F, [redefine_module(true)])) :- file(module, F).
way(_, _, _, system:load_files(F, [])) :- file(module, F).
way(_, _, _, unload_file(system)).
way(_, _, _, add_import_module(system, foo, start)).
way(_, _, _, set_base_module(system:foo)).
way(_, _, _, set_prolog_flag(system:unknown, fail)).
way(_, _, _, op(700, xfy, system:is)).
way(_, _, _, op(0, xfx, system:(=..))).
";

const PROGRAM: &str = r"
:- dynamic([foo:between/3, foo:succ/2, foo:ignore/1, foo:sumlist/2, foo:nb_getval/2]).
foo:between(_, _, x). foo:succ(_, x). foo:ignore(_). foo:nb_getval(_, x).
target(between/3). target(atom_length/2). target(succ/2). target(ignore/1). target(nb_getval/2).
file(Name, File) :- directory(D), atomic_list_concat([D, Name], File).
in(direct, G, G).
in(thread, G, ( thread_create(G, T), thread_join(T, _) )).
in(clause, G, ( assertz((run_it :- G)), run_it )).
try(PI, Way, G) :-
    PI = N/A, functor(H, N, A), in(Way, G, Goal),
    ( catch(Goal, _, true) -> true ; true ), retractall(run_it),
    forall(broken(What), ( print(broken(What, H, Way, G)), nl )).
% (Libraries have their own goals, which are compiled when they are loaded.)
broken(P) :- probe(P, G, X, V), ( catch(findall(X, G, L), E, L = E) -> true ; L = failed ), L \== V.
probe(between, system:between(1, 2, X), X, [1, 2]).
probe(length, system:atom_length(ab, X), X, [2]).
probe(succ, system:succ(1, X), X, [2]).
probe(ignore, system:ignore(fail), x, [x]).
probe(value, ( nb_setval(k, v), system:nb_getval(k, X) ), X, [v]).
probe(numlist, numlist(1, 3, X), X, [[1, 2, 3]]).
probe(nth, nth1(2, [a, b], X), X, [b]).
probe(unknown, catch(system:nobody_has_this, error(existence_error(_, _), _), X = unknown), X, [unknown]).
probe(other, never_heard_of:between(1, 2, X), X, [1, 2]).
probe(ops, term_to_atom(_ is 1 + 2, 'A is 1+2'), x, [x]).
probe(univ, term_to_atom(_ =.. _, 'A=..B'), x, [x]).
probe(header, current_op(P, _, =..), P, [700]).
main :-
    forall(( target(PI), PI = N/A, functor(H, N, A), way(PI, H, foo, G), member(Way, [direct, thread, clause]) ), try(PI, Way, G)),
    aggregate_all(count, ( target(T), T = N/A, functor(H, N, A), way(T, H, foo, _) ), Count), writeln(Count).
";

#[test]
fn nothing_replaces_what_samite_defines() {
    let scratch = Scratch::new();
    let clauses = "system:between(_, _, x).\nsystem:succ(_, x) :- true.\n:- system:dynamic(ignore/1).\n\
                   :- multifile(system:nb_getval/2).\nsystem:nb_getval(_, x).\n:- op(0, xfx, system:is).\n";
    scratch.file("clauses.pl", clauses);
    scratch.file(
        "module.pl",
        ":- module(system, [between/3, succ/2]).\nbetween(_, _, x).\nsucc(_, x).\n",
    );
    scratch.file(
        "foo.pl",
        ":- module(foo2, [between/3, succ/2, ignore/1]).\nbetween(_, _, x).\nsucc(_, x).\nignore(_).\n",
    );
    let directory = scratch.file("x", "");
    let directory = directory.trim_end_matches('x');
    let program = scratch.file(
        "program.pl",
        format!("directory('{directory}').\n{WAYS}{PROGRAM}"),
    );
    run(&["-q", "-g", "main", "-t", "halt", &program], "").prints("210\n");
}

/// As in SWI-Prolog, but that there a system predicate may be abolished, redefined and so on from module `system`.
#[test]
fn modules_have_one_file() {
    let scratch = Scratch::new();
    let one = scratch.file(
        "one.pl",
        ":- module(mm, [p/1]).\np(1).\nq(1).\nonly_here.\n",
    );
    let two = scratch.file("two.pl", ":- module(mm, [p/1]).\np(2).\nq(2).\n");
    let system = scratch.file(
        "system.pl",
        ":- module(system, [p/1]).\np(3).\n:- writeln(here).\n",
    );
    let library = scratch.file(
        "library.pl",
        ":- module(lists, [append/3]).\nappend(_, _, x).\n",
    );
    let program = scratch.file(
        "program.pl",
        format!(
            "t(G) :- catch(G, error(E, _), ( print(E), nl )).\n\
             shows :- findall(X, mm:p(X), Ps), findall(X, mm:q(X), Qs), print(Ps/Qs), nl.\n\
             main :- t(consult('{one}')), t(consult('{two}')), shows,\n\
                 t(load_files('{two}', [redefine_module(false)])), shows,\n\
                 t(load_files('{two}', [redefine_module(true)])), shows, t(mm:only_here),\n\
                 ( source_file('{one}') -> writeln(loaded) ; writeln(gone) ),\n\
                 t(consult('{one}')), t(consult('{system}')), t(use_module('{system}')),\n\
                 lists:last([a], _), t(consult('{library}')), append([], [a], L), print(L), nl.\n"
        ),
    );
    run(&["-q", "-g", "main", "-t", "halt", &program], "")
        .sound()
        .prints(
            "permission_error(redefine,module,mm)\n[1]/[1]\n\
             permission_error(redefine,module,mm)\n[1]/[1]\n\
             [2]/[2]\nexistence_error(procedure,mm:only_here/0)\ngone\n\
             permission_error(redefine,module,mm)\n\
             permission_error(load,module,system)\npermission_error(load,module,system)\n\
             permission_error(redefine,module,lists)\n[a]\n",
        );
}

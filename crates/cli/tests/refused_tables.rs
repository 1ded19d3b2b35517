//! Tables refused memory: what the system does not map, and what the allocator refuses, is a resource error of the goal that wanted it. No table is left half
//! made: the same goal gives all its answers afterwards, from what is there and from nothing.
//!
//! First the n-th request at each door fails, for each n until a task has no n-th one; then requests fail at random, by seed. Faults begin and end
//! within the process, so each task is tried some hundred times.

mod common;

use common::{run_program, samite};

/// `task(Name, Goal)`: Goal holds, whatever tables there are.
const TASKS: &str = r#"
:- use_module(library(lists)).
:- dynamic seen/1.
:- table fed/2.
fed(X, Y) :- arc(X, Y).
fed(X, Y) :- arc(X, Z), fed(Z, Y).
fed(X, X) :- node(X), node(Y), fed(X, Y), fed(Y, X).
arc(1, 2). arc(2, 3). arc(3, 4). arc(4, 5). arc(5, 6). arc(6, 7). arc(7, 8). arc(8, 1). arc(2, 9). arc(10, 1).
node(1). node(2). node(3). node(4). node(5). node(6). node(7). node(8). node(9). node(10).
:- table path/2, long(_, min), first(_, lattice(either/3)), wide/2, list/2, even/1, odd/1, hop/2, win/1, deep/1.
edge(X, Y) :- between(1, 60, X), ( Y is X mod 60 + 1 ; Y is (X * 7) mod 60 + 1 ).
path(X, Y) :- edge(X, Y).
path(X, Y) :- path(X, Z), edge(Z, Y).
long(X, 0) :- X = 1.
long(Y, N) :- long(X, M), edge(X, Y), N is M+1.
either(X, Y, Z) :- ( X @=< Y -> Z = X ; Z = Y ).
first(X, f(X, Y)) :- between(1, 400, X), ( Y = b ; Y = a ).
wide(N, X) :- between(1, N, X).
list(N, L) :- numlist(1, N, L).
list(N, L) :- numlist(2, N, L).
even(0).
even(N) :- N > 0, M is N-1, odd(M).
odd(N) :- N > 0, M is N-1, even(M).
hop(X, Y) :- hop(X, Z), catch(step(Z, Y), ball(Y), true).
hop(X, X).
step(Z, Y) :- Z < 300, Y0 is Z+1, ( Y0 mod 3 =:= 0 -> throw(ball(Y0)) ; Y = Y0 ).
win(X) :- between(1, 2, S), Y is X+S, Y =< 200, \+ win(Y).
deep(N) :- N > 0, M is N-1, deep(M), fail.
deep(_).
:- table subgoals/2 as subgoal_shared, subgoal(_, min) as subgoal_shared, walk/2 as subgoal_shared, common/2 as shared.
subgoals(N, X) :- between(1, N, X).
subgoal(X, N) :- edge(X, N).
walk(X, Y) :- edge(X, Y).
walk(X, Y) :- edge(X, Z), walk(Z, Y).
common(X, Y) :- edge(X, Y).
common(X, Y) :- common(X, Z), walk(Z, Y).
:- table row/3 as subsumptive.
row(I, f(K), J) :- between(1, 300, I), K is I mod 7, J is I mod 50.
task(paths, ( path(1, _) -> aggregate_all(count, path(_, _), N), N == 3600 )).
task(each, ( forall(between(1, 60, X), aggregate_all(count, path(X, _), 60)) )).
task(fed, ( aggregate_all(count, fed(_, _), N), N == 81, \+ fed(9, 1), fed(10, 9) )).
task(moded, ( aggregate_all(max(D), long(_, D), N), N == 9 )).
task(lattice, ( aggregate_all(count, ( first(_, F), F = f(_, a) ), N), N == 400 )).
task(wide, ( aggregate_all(count, wide(20000, _), N), N == 20000 )).
task(calls, ( forall(between(1, 2000, X), ( wide(X, 1) -> true )) )).
task(lists, ( aggregate_all(count, list(20000, _), N), N == 2 )).
task(mutual, ( even(3000), \+ odd(3000) )).
task(caught, ( aggregate_all(count, hop(1, _), N), N == 300 )).
task(negation, ( aggregate_all(count, ( between(1, 200, X), win(X) ), N), N == 133 )).
task(deep, ( aggregate_all(count, deep(2000), N), N == 1 )).
task(selected, ( ( row(_, _, _) -> true ), aggregate_all(count, row(_, f(3), _), A), A == 43, aggregate_all(count, row(_, _, 7), B), B == 6, aggregate_all(count, row(9, f(2), 9), C), C == 1 )).
task(cut, ( once(path(3, _)), path(3, 3), !)).
task(again, ( wide(3000, X), X >= 3000, abolish_all_tables, wide(3000, Y), Y >= 3000, ! )).
task(kept, ( findall(X, wide(5000, X), L), length(L, 5000), abolish_all_tables, aggregate_all(count, wide(5000, _), 5000) )).
task(asserted, ( retractall(seen(_)), forall(wide(2000, X), assertz(seen(X))), aggregate_all(count, seen(_), 2000) )).
task(subgoals, ( forall(between(1, 700, X), ( subgoals(X, 1) -> true )), aggregate_all(count, subgoals(500, _), 500) )).
task(subgoal_values, ( forall(between(1, 60, X), aggregate_all(count, subgoal(X, _), 1)) )).
task(walks, ( aggregate_all(count, walk(_, _), N), N == 3600, aggregate_all(count, walk(7, _), 60) )).
task(mixed, ( aggregate_all(count, common(1, _), N), N == 60 )).
% Threads that put calls at the same time, and leave what they have put.
task(members, (
    Goal = ( forall(between(1, 300, X), ( subgoals(X, 1) -> true )), aggregate_all(count, walk(_, _), 3600) ),
    catch(thread_create(Goal, A), E, true),
    ( var(E) -> catch(thread_create(Goal, B), F, true), thread_join(A, S), ( var(F) -> thread_join(B, T) ; T = exception(F) ) ; S = exception(E), T = true ),
    ( member(exception(R), [S, T]) -> throw(R) ; S-T == true-true )
  )).
task(thread, ( thread_create(( aggregate_all(count, wide(7000, _), N), N == 7000 ), Id), thread_join(Id, S), ( S = exception(E) -> throw(E) ; S == true ) )).
"#;

/// Trying them. What is not fine is printed.
const TRIES: &str = r#"
fine(error(resource_error(memory), _)).
fine(error(resource_error(threads), _)).
tried(Name, Goal, Faults, Met) :-
    abolish_all_tables,
    '$inject_faults'(Faults),
    catch(( \+ \+ Goal -> R = true ; R = false ), E, R = caught),
    '$end_faults'(Met),
    ( R == true -> true ; R == caught, fine(E), Met > 0 -> flag(refused, F, F+1) ; report(Name, Faults, R-E) ),
    % What is there of it now, and without it.
    ( catch(\+ \+ Goal, _, fail) -> true ; report(Name, Faults, kept) ).
report(Name, Faults, What) :- print(Name), write(' '), print(Faults), write(' '), print(What), nl.
each(Name, Goal, D, N) :- format(string(F), "nth=~w,doors=~w", [N, D]), tried(Name, Goal, F, Met),
    ( Met =:= 0 -> true ; M is N+1, each(Name, Goal, D, M) ).
each :- findall(Name, task(Name, _), Names), each(Names).
each(Names) :- forall(( member(Name, Names), task(Name, Goal) ), forall(member(D, [tables, map, memory]), each(Name, Goal, D, 1))).
some(Least) :- flag(refused, N, N), ( N >= Least -> true ; print(refused(N)), nl ).
sound :- forall(task(Name, Goal), ( abolish_all_tables, catch(Goal, E, true) -> ( var(E) -> true ; report(Name, none, E) ) ; report(Name, none, false) )).
seeds(From, To, Rate) :-
    forall(( between(From, To, Seed), task(Name, Goal) ),
        ( format(string(F), "seed=~w,rate=~w,doors=tables+map+memory", [Seed, Rate]), tried(Name, Goal, F, _) )).
"#;

fn tried(switches: &[(&str, &str)], goal: &str) {
    tried_with(&[], switches, goal);
}

fn tried_with(options: &[String], switches: &[(&str, &str)], goal: &str) {
    let mut command = samite();
    command.args(options).envs(switches.iter().copied());
    let program = format!("{TASKS}{TRIES}run :- sound, {goal}, sound.\n");
    run_program(command, &program).status(0).silent().prints("");
}

/// Each task, each door, each request.
#[test]
fn whichever_request_is_refused_no_table_is_wrong() {
    tried(&[], "each, some(120)");
}

/// The same where threads write into common calls under locks, and where each structure is of the general allocator.
fn tried_in_common(sync: &str, alloc: &str) {
    tried_with(
        &[
            format!("--table-sync={sync}"),
            format!("--table-alloc={alloc}"),
        ],
        &[],
        "each([subgoals, subgoal_values, walks, mixed, members]), some(20)",
    );
}

#[test]
fn whichever_request_is_refused_no_table_in_common_is_wrong() {
    tried_in_common("lockfree", "malloc");
}

#[test]
fn whichever_request_is_refused_no_table_under_locks_of_fields_is_wrong() {
    tried_in_common("tlwl_field", "pages");
}

#[test]
fn whichever_request_is_refused_no_table_under_an_array_of_locks_is_wrong() {
    tried_in_common("tlwl_array", "malloc");
}

/// Several at once, from `SAMITE_SEED` on.
#[test]
fn whatever_is_refused_no_table_is_wrong() {
    let given = std::env::var("SAMITE_SEED").ok();
    let seed = given.and_then(|s| s.parse::<u32>().ok()).unwrap_or(1);
    tried(&[], &format!("seeds({seed}, {}, 5), some(100)", seed + 19));
    tried(
        &[("SAMITE_NURSERY_STRESS", "3")],
        &format!("seeds({seed}, {}, 20), some(20)", seed + 9),
    );
}

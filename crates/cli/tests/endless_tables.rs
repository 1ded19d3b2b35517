//! Tabled programs without end: each is refused memory at some point of its evaluation, by the limit of the thread or that of the system, which is
//! an error that is caught; the evaluation is abandoned then, what it held is given back, and tables are right: those from before, new ones,
//! and the same call again, which is no complete table.

mod common;

use common::{run_program, samite_in};

const PROGRAM: &str = r"
:- table deep/1, answers/2, waiting/1, caught/0, even/1, odd/1, grown/1, large/1, found/2, least(_, min), joined(_, lattice(longer/3)),
         ordered(_, po(<)), summed(sum), last(_, last).
% Deeper and deeper calls, alone and in one component.
deep(N) :- M is N+1, deep(M).
even(N) :- M is N+1, odd(M), even(0).
odd(N) :- even(0), M is N+1, even(M).
odd(N) :- M is N+1, even(M).
% Answers.
answers(X, Y) :- between(1, inf, Y), X = x.
large(L) :- between(1, inf, N), M is N+500, numlist(N, M, L).
least(X, Y) :- between(1, inf, Z), X is Z // 2, Y is -Z.
joined(X, Y) :- between(1, inf, Z), X is Z // 2, Y = [Z|_].
longer(X, Y, Z) :- append(X, Y, Z), !.
ordered(X, Y) :- between(1, inf, Z), X is Z // 2, Y = Z.
last(X, Y) :- between(1, inf, Z), X is Z mod 4, Y = f(Z, _).
summed(1) :- repeat.
% Consumers, with bindings and catches.
waiting(X) :- between(1, inf, N), waiting(Y), X = f(N, Y).
caught :- between(1, inf, _), catch(caught, no_ball, true).
% A call that grows, and one within findall/3.
grown(L) :- append(L, L, M), grown(M).
found(N, L) :- M is N+1, findall(X, found(M, X), L).

endless([deep(0), even(1), answers(_, _), large(_), least(_, _), joined(_, _), ordered(_, _), waiting(_), caught, grown([a]), found(0, _)]).
% What grows by a word for each solution takes a while.
slow([last(_, _), summed(_)]).

:- table path/2, shortest(_, _, min), kept/1.
edge(X, Y) :- ( nonvar(X) -> true ; between(0, 19, X) ), Y is (X+1) mod 20.
path(X, Y) :- edge(X, Y).
path(X, Y) :- path(X, Z), edge(Z, Y).
shortest(X, Y, 1) :- edge(X, Y).
shortest(X, Y, N) :- shortest(X, Z, M), edge(Z, Y), N is M+1.
kept(X) :- member(X, [a, b, c]).

count(G, N) :- aggregate_all(count, G, N).
right :-
    count(kept(_), 3), count(path(_, _), 400), count(path(3, _), 20),
    count(shortest(_, _, _), 400), count(( shortest(X, X, N), N =:= 20 ), 20).
% No memory is held for what was abandoned but what is not worth looking through.
little(Most, G) :- statistics(table_space_used, Held), ( Held =< Most -> true ; print(held(Held, G)), nl ).
exceed(G) :- catch(( G, print(solution(G)), nl ), error(E, _), true), ( E == resource_error(memory) -> true ; print(E-G), nl ).
check(G) :- count(kept(_), 3), exceed(G), little(4000000, G), ( right -> true ; print(wrong(G)), nl ), abolish_all_tables.
twice(G) :- count(kept(_), 3), exceed(G), exceed(G), ( right -> true ; print(wrong(G)), nl ).
all(Kind, Check) :- call(Kind, Gs), forall(member(G, Gs), call(Check, G)), right, write(done), nl.
";

fn run(words: &[&str], kilobytes: Option<u64>, goal: &str) {
    let mut command = samite_in(kilobytes);
    command.args(words);
    run_program(command, &format!("{PROGRAM}run :- {goal}.\n"))
        .status(0)
        .silent()
        .prints("done\n");
}

#[test]
fn within_the_limit_of_the_thread() {
    run(&["--memory-limit=6m"], None, "all(endless, twice)");
    run(&["--memory-limit=12m"], None, "all(endless, check)");
    run(&["--memory-limit=3m"], None, "all(slow, check)");
}

#[test]
fn in_little_address_space() {
    for kilobytes in [70_000, 100_000] {
        run(&[], Some(kilobytes), "all(endless, check)");
    }
    run(&[], Some(55_000), "all(slow, check)");
}

/// The same where there is a limit that the system does not let the thread reach.
#[test]
fn in_little_address_space_with_a_larger_limit() {
    run(&["--memory-limit=2g"], Some(80_000), "all(endless, twice)");
}

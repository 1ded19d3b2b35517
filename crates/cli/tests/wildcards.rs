//! Facts with variables in some of their arguments, as rules with wildcards have them: histories of adding and erasing, in the midst of which calls in all modes find what a plain
//! list of the facts has, in its order. Each mixes two shapes (how often an argument is bound) of few or many values, so that indexes of one and of several arguments are
//! made, grow, and keep apart what does not have all of their keys.
//!
//! `SAMITE_SEED=n` is the first seed, `SAMITE_SEEDS=n` how many there are.

mod common;

use common::random::setting;
use common::{LIMIT, Scratch, finish, samite};

const PROGRAM: &str = r"
:- dynamic r/4.

% --- what is drawn ---

draw(N, X) :-
    nb_getval(seed, S0), S is (S0*6364136223846793005+1442695040888963407) mod (1<<64), nb_setval(seed, S),
    X is (S>>33) mod N.
percent(P) :- draw(100, X), X < P.

shape(0, [100, 0, 100, 50]).
shape(1, [50, 50, 50, 50]).
shape(2, [0, 90, 90, 10]).
shape(3, [30, 95, 60, 95]).
shape(4, [100, 50, 50, 100]).
shape(5, [95, 95, 95, 95]).
shape(6, [0, 50, 100, 0]).
values(0, [400, 300, 3, 5]).
values(1, [2000, 2000, 2, 3]).
values(2, [50, 60, 40, 2]).

fact(Shape, Values, Fact) :- maplist(argument, Shape, Values, Args), Fact =.. [r|Args].
argument(P, Values, X) :- ( percent(P) -> draw(Values, N), value(N, X) ; true ).
value(N, f(N)) :- N mod 7 =:= 0, !.
value(N, A) :- N mod 11 =:= 0, !, atom_concat(a, N, A).
value(N, S) :- N mod 13 =:= 0, !, number_string(N, S).
value(N, B) :- N mod 17 =:= 0, !, B is N<<70.
value(N, N).

% --- a history ---

history(Seed) :-
    nb_setval(seed, Seed),
    draw(7, A), shape(A, S1), draw(7, B), shape(B, S2), draw(3, C), values(C, Values),
    retractall(r(_, _, _, _)), nb_setval(facts, []),
    draw(1500, N),
    forall(between(0, N, I), ( ( I mod 2 =:= 0 -> S = S1 ; S = S2 ), fact(S, Values, F), add(z, F) )),
    forall(between(1, 120, _), ( draw(20, What), step(What, S1, S2, Values) )).

step(What, S1, S2, Values) :- What < 3, !,
    draw(2, End), ( percent(50) -> S = S1 ; S = S2 ), fact(S, Values, F), nth0(End, [a, z], Where), add(Where, F).
step(3, _, _, Values) :- !,
    fact([60, 60, 60, 30], Values, F), nb_getval(facts, Fs0),
    ( retract(F) -> once(( append(Before, [F0|After], Fs0), \+ F0 \= F )), append(Before, After, Fs), nb_setval(facts, Fs) ; check(F) ).
step(4, _, _, Values) :- !,
    fact([100, 60, 60, 60], Values, F), retractall(F),
    nb_getval(facts, Fs0), exclude([F0]>>(\+ F0 \= F), Fs0, Fs), nb_setval(facts, Fs).
step(_, S1, S2, Values) :-
    (   percent(40), nb_getval(facts, Fs), Fs = [_|_]
    ->  length(Fs, N), draw(N, I), nth0(I, Fs, F0), copy_term(F0, F1), F1 =.. [r|Args1], maplist(sometimes, Args1, Args), F =.. [r|Args]
    ;   ( percent(50) -> S = S1 ; S = S2 ), fact(S, Values, F)
    ),
    check(F).
sometimes(X, Y) :- ( percent(50) -> Y = X ; true ).

add(a, F) :- asserta(F), nb_getval(facts, Fs), nb_setval(facts, [F|Fs]).
add(z, F) :- assertz(F), nb_getval(facts, Fs0), append(Fs0, [F], Fs), nb_setval(facts, Fs).

% --- what calls find ---

check(F) :-
    nb_getval(facts, Fs),
    findall(F, F, Found), findall(F, member(F, Fs), Expected),
    ( Found =@= Expected -> true ; print(F: Found \= Expected), nl, halt(1) ),
    ( Expected = [First|_] -> once(F), ( F =@= First -> true ; print(F \= First), nl, halt(1) ) ; true ).

run :- first(First), seeds(N), Last is First+N-1, forall(between(First, Last, Seed), ( history(Seed) -> true ; print(failed(Seed)), nl )).
";

#[test]
fn calls_find_what_a_list_has() {
    let first = setting("SAMITE_SEED", 1);
    let seeds = setting("SAMITE_SEEDS", 25);
    let scratch = Scratch::new();
    let file = scratch.file(
        "program.pl",
        format!("{PROGRAM}first({first}).\nseeds({seeds}).\n"),
    );
    let mut command = samite();
    command.args(["-g", "run", "-t", "halt", &file]);
    finish(command, b"", LIMIT).silent().status(0).prints("");
}

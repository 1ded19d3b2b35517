:- module(loops, [ (do)/2, op(1100, xfy, do) ]).

/*  Logical loops: `( Iterators do Body )`, as SICStus Prolog 4 and ECLiPSe have them; J. Schimpf: Logical loops (ICLP 2002).

        ( foreach(X, [1, 2, 3]), fromto(0, S0, S, Sum) do S is S0+X )

    The variables of the iterators and the body are new in each iteration, but for those that param(Var, ...) names; the lists, limits and results of iterators are those of the clause. A loop ends, for
    good, when all its iterators can end; cuts in the body are local to it.

    So names say what is local: where a loop is part of a text, its own variables are renamed when that is read. One that is called as a term has no names: what is bound already is the same in each iteration.

    Differs from the paper in: a loop is run as it stands, and not made a predicate of its own; there are no iterators on arrays, and none is nested in another one (multifor, `>>`).
*/

:- use_module(library(error), [domain_error/2, instantiation_error/1, must_be/2]).

:- meta_predicate(do(?, 0)).
:- meta_predicate(loop(?, 0)).

:- multifile(system:goal_expansion/2).
:- dynamic(system:goal_expansion/2).

system:goal_expansion(do(Iterators, Body), loops:loop(Iterators1, M:Body1)) :-
    '$source_module'(M),
    predicate_property(M:do(_, _), imported_from(Module)),
    '$library_module'(Module, 'dialect/loops'),
    renamed(Iterators, Body, Iterators1, Body1).

%   renamed(+Iterators, +Body, -Iterators1, -Body1) is semidet: the same with new variables in the place of those that are the loop's own.
renamed(Iterators, Body, Iterators1, Body1) :-
    parts(Iterators, Iterators1, Own, [], New, [], Shared, []),
    term_variables(Shared, Params),
    copy_term(Params-Own-Body, Params-New-Body1).

parts(Iterators, _, _, _, _, _, _, _) :-
    var(Iterators), !,
    fail.
parts((A, B), (A1, B1), Os0, Os, Ns0, Ns, Ps0, Ps) :- !,
    parts(A, A1, Os0, Os1, Ns0, Ns1, Ps0, Ps1),
    parts(B, B1, Os1, Os, Ns1, Ns, Ps1, Ps).
parts(Iterator, Iterator, Os, Os, Ns, Ns, [Iterator|Ps], Ps) :-
    functor(Iterator, param, _), !.
parts(Iterator, Iterator1, [Own|Os], Os, [New|Ns], Ns, Ps, Ps) :-
    part(Iterator, Own, Iterator1, New).

part(foreach(X, List), X, foreach(Y, List), Y).
part(foreacharg(X, Term), X, foreacharg(Y, Term), Y).
part(foreacharg(X, Term, I), X-I, foreacharg(Y, Term, J), Y-J).
part(for(I, From, To), I, for(J, From, To), J).
part(for(I, From, To, Step), I, for(J, From, To, Step), J).
part(count(I, From, To), I, count(J, From, To), J).
part(fromto(First, In, Out, Last), In-Out, fromto(First, In1, Out1, Last), In1-Out1).

%!  do(+Iterators, :Body) is nondet.
%
%   Iterators, joined by commas, are
%
%   - foreach(X, List): X is each element; of a partial list, elements are made as long as the other iterators go on;
%   - foreacharg(X, Term), foreacharg(X, Term, I): X is each argument, I its number;
%   - for(I, From, To), for(I, From, To, Step): I is each number; the limits are evaluated at first;
%   - count(I, From, To): I counts from From on, and To is the last one, bound or not;
%   - fromto(First, In, Out, Last): In is First at first, then Out of the iteration before; Last is the last Out, with which the loop ends;
%   - param(X, ...): the same variables in each iteration, and outside.

do(Iterators, Body) :-
    loop(Iterators, Body).

loop(Iterators, Body) :-
    iterators(Iterators, Locals, [], States, [], Shared, []),
    term_variables(Shared, Params),
    term_variables(Locals-Body, Variables),
    exclude_all(Variables, Params, New),
    run(States, Locals, Body, New).

iterators(Iterators, _, _, _, _, _, _) :-
    var(Iterators), !,
    instantiation_error(Iterators).
iterators((A, B), Ls0, Ls, Ss0, Ss, Ps0, Ps) :- !,
    iterators(A, Ls0, Ls1, Ss0, Ss1, Ps0, Ps1),
    iterators(B, Ls1, Ls, Ss1, Ss, Ps1, Ps).
iterators(Iterator, Ls, Ls, Ss, Ss, [Iterator|Ps], Ps) :-
    callable(Iterator),
    functor(Iterator, param, _), !.
iterators(Iterator, [Local|Ls], Ls, [State|Ss], Ss, Ps, Ps) :-
    (   iterator(Iterator, Local0, State0) -> Local = Local0, State = State0
    ;   domain_error(iterator, Iterator)
    ).

%   iterator(+Iterator, -Local, -State): what is new in each iteration, and where the loop is. States are list(Rest), item(I, End, Term), number(I, End, Step), count(I, Last),
%   value(Value, Last).
iterator(foreach(X, List), X, list(List)).
iterator(foreacharg(X, Term), X-_, State) :-
    iterator(foreacharg(X, Term, _), _, State).
iterator(foreacharg(X, Term, I), X-I, item(1, End, Term)) :-
    must_be(compound, Term),
    compound_name_arity(Term, _, Arity),
    End is Arity+1.
iterator(for(I, From, To), I, State) :-
    iterator(for(I, From, To, 1), _, State).
iterator(for(I, From, To, Step0), I, number(First, End, Step)) :-
    First is From,
    Last is To,
    Step is Step0,
    must_be(integer, First),
    must_be(integer, Last),
    must_be(integer, Step),
    (   Step > 0 -> Times is max(0, (Last-First) // Step + 1)
    ;   Step < 0 -> Times is max(0, (First-Last) // -Step + 1)
    ;   domain_error(not_zero, Step)
    ),
    ( Step > 0, Last < First -> Times1 = 0 ; Step < 0, Last > First -> Times1 = 0 ; Times1 = Times ),
    End is First + Times1*Step.
iterator(count(I, From, Last), I, count(Before, Last)) :-
    First is From,
    must_be(integer, First),
    Before is First-1.
iterator(fromto(First, In, Out, Last), In/Out, value(First, Last)).

exclude_all([], _, []).
exclude_all([V|Vs], Ps, Rest) :-
    (   '$memberchk_eq'(V, Ps) -> Rest = Rest1
    ;   Rest = [V|Rest1]
    ),
    exclude_all(Vs, Ps, Rest1).

run(States, Locals, Body, New) :-
    (   ended(States) -> true
    ;   copy_term_nat(New, Locals-Body, _, Locals1-Body1),
        entered(States, Locals1, Next),
        call(Body1),
        run(Next, Locals, Body, New)
    ).

ended([]).
ended([State|States]) :-
    end(State),
    ended(States).

end(list([])).
end(item(End, End, _)).
end(number(End, End, _)).
end(count(Last, Last)).
end(value(Last, Last)).

%   entered(+States, ?Locals, -Next): the local variables get what they are in this iteration.
entered([], [], []).
entered([State|States], [Local|Locals], [Next|Nexts]) :-
    entered_by(State, Local, Next),
    entered(States, Locals, Nexts).

entered_by(list([X|Rest]), X, list(Rest)).
entered_by(item(I, End, Term), X-I, item(Next, End, Term)) :-
    I < End,
    arg(I, Term, X),
    Next is I+1.
entered_by(number(I, End, Step), I, number(Next, End, Step)) :-
    I =\= End,
    Next is I+Step.
entered_by(count(Before, Last), I, count(I, Last)) :-
    I is Before+1.
entered_by(value(In, Last), In/Out, value(Out, Last)).

/*  Tabling: graphs with circles, shortest ways, and games that nobody wins.

        samite examples/win_or_draw.pl

    1. Reachability in a graph with circles, by the definition that comes to
       mind first, which without tabling does not end.
    2. Shortest ways: of all answers the table keeps the least.
    3. A game: who cannot move has lost.  `win(X) :- move(X, Y), not win(Y)` has no
       meaning in two values where moves go in a circle; in the well-founded
       semantics (A. Van Gelder, K. Ross and J. Schlipf, 1991) such positions are
       undefined, and these are those where nobody can force a win: draws.
    4. Negation on what is complete: what is needed for a build, in which order,
       and which parts are in a circle.
*/

:- use_module(library(lists)).
:- use_module(library(apply)).

:- initialization(main, main).

main :-
    format("reachable~n"),
    forall(station(From), show_reachable(From)),
    format("ways~n"),
    findall(From-To, ( station(From), station(To), From @< To ), Pairs),
    forall(member(From-To, Pairs), show_way(From, To)),
    format("game~n"),
    findall(X, position(X), Positions),
    forall(member(X, Positions), show_position(X)),
    format("build~n"),
    findall(Level-Part, level(Part, Level), Levels),
    sort(Levels, Sorted),
    forall(member(Level-Part, Sorted), format("  ~d ~w~n", [Level, Part])),
    findall(Part, circular(Part), Circular),
    sort(Circular, Set),
    format("  in a circle: ~w~n", [Set]).

                /*******************************
                *             WAYS             *
                *******************************/

%   line(From, To, Minutes): one way.
line(north,  market, 4).
line(market, harbour, 3).
line(harbour, castle, 2).
line(castle, market, 6).
line(castle, north, 12).
line(north,  castle, 11).
line(harbour, island, 15).

station(Station) :-
    setof(S, A^M^( line(S, A, M) ; line(A, S, M) ), Stations),
    member(Station, Stations).

:- table reachable/2.

reachable(X, Z) :- reachable(X, Y), line(Y, Z, _).
reachable(X, Y) :- line(X, Y, _).

:- table way(_, _, lattice(shorter/3)).

%!  way(?From, ?To, -Way) is nondet.
%
%   Way is Minutes-Stations, the stations from the last to the first.  What is
%   not part of the table's key, such as Way, is to be a variable in calls.

way(X, Y, M-[Y,X]) :-
    line(X, Y, M).
way(X, Z, M-[Z|Stations]) :-
    way(X, Y, Way),
    line(Y, Z, M1),
    Way = M0-Stations,
    M is M0+M1.

shorter(M1-Way1, M2-Way2, Way) :-
    (   M1 =< M2 -> Way = M1-Way1 ; Way = M2-Way2 ).

show_reachable(From) :-
    findall(To, reachable(From, To), Tos),
    sort(Tos, Set),
    format("  ~w: ~w~n", [From, Set]).

show_way(From, To) :-
    (   way(From, To, Way)
    ->  Way = Minutes-Reversed,
        reverse(Reversed, Stations),
        atomic_list_concat(Stations, ' ', Text),
        format("  ~w (~d minutes)~n", [Text, Minutes])
    ;   format("  ~w: none to ~w~n", [From, To])
    ).

                /*******************************
                *             GAME             *
                *******************************/

%   a and b go to and fro, and who is at c can choose.
move(a, b).
move(b, a).
move(b, c).
move(c, d).
move(e, f).
move(f, e).
move(g, e).
move(g, h).
move(h, d).
move(i, h).

position(Position) :-
    setof(X, Y^( move(X, Y) ; move(Y, X) ), Positions),
    member(Position, Positions).

:- table win/1.

win(X) :- move(X, Y), tnot(win(Y)).

%   An answer that depends on negations which are not decided has a delay.
show_position(X) :-
    (   call_delays(win(X), Delays)
    ->  (   Delays == true
        ->  Verdict = won
        ;   Verdict = drawn
        )
    ;   Verdict = lost
    ),
    format("  ~w is ~w~n", [X, Verdict]).

                /*******************************
                *            BUILD             *
                *******************************/

%   needs(Part, Part)
needs(program, parser).
needs(program, printer).
needs(parser, scanner).
needs(parser, tables).
needs(printer, tables).
needs(tables, generator).
needs(scanner, texts).
needs(help, pages).
needs(pages, index).
needs(index, pages).

part(Part) :-
    setof(P, Q^( needs(P, Q) ; needs(Q, P) ), Parts),
    member(Part, Parts).

:- table requires/2, level(_, max).

requires(X, Y) :- needs(X, Y).
requires(X, Z) :- requires(X, Y), needs(Y, Z).

circular(X) :- part(X), requires(X, X).

%   What can be built, and when: after the last of what it needs.
buildable(X) :-
    part(X),
    \+ ( ( Y = X ; requires(X, Y) ), circular(Y) ).

level(X, 1) :-
    buildable(X),
    \+ needs(X, _).
level(X, N) :-
    buildable(X),
    needs(X, Y),
    level(Y, M),
    N is M+1.

% Jobs on machines, the shortest schedule: disjunctions by truth values, cumulative/2, and labeling for the least end.

:- use_module(library(clpfd)).

main :-
    forall(between(1, 2, _), shortest(_, _)),
    shortest(A, B),
    format("~w~n~w~n", [A, B]).

shortest(End-Starts, End2-Starts2) :-
    jobs(Starts, End),
    once(labeling([ff], [End|Starts])),
    tasks(Starts2, End2),
    once(labeling([ff], [End2|Starts2])).

% Six jobs of six operations each (Fisher and Thompson, 1963, ft06), each on a machine of its own; the last ends before 55.
job([3-1,1-3,2-6,4-7,6-3,5-6]).
job([2-8,3-5,5-10,6-10,1-10,4-4]).
job([3-5,4-4,6-8,1-9,2-1,5-7]).
job([2-5,1-5,3-5,4-3,5-8,6-9]).
job([3-9,2-3,5-5,6-4,1-3,4-1]).
job([2-3,4-3,6-9,1-10,5-4,3-1]).

jobs(Starts, End) :-
    End in 55..70,
    findall(J, job(J), Js),
    operations(Js, End, Os),
    apart(Os),
    starts(Os, Starts).

operations([], _, []).
operations([J|Js], End, Os) :-
    job_operations(J, 0, End, Os, Os1),
    operations(Js, End, Os1).

job_operations([], Before, End, Os, Os) :-
    Before #=< End.
job_operations([M-D|Ops], Before, End, [o(M,S,D)|Os], Rest) :-
    S in 0..70,
    S #>= Before,
    After #= S+D,
    job_operations(Ops, After, End, Os, Rest).

apart([]).
apart([O|Os]) :-
    apart(Os, O),
    apart(Os).

apart([], _).
apart([o(M1,S1,D1)|Os], o(M,S,D)) :-
    (   M =:= M1
    ->  S+D #=< S1 #\/ S1+D1 #=< S
    ;   true
    ),
    apart(Os, o(M,S,D)).

starts([], []).
starts([o(_,S,_)|Os], [S|Ss]) :-
    starts(Os, Ss).

% Tasks that need some of thirteen units.
tasks(Starts, End) :-
    End in 0..40,
    Durations = [16,6,13,7,5,18,4],
    Needs = [2,9,3,7,10,1,11],
    length(Durations, N),
    length(Starts, N),
    Starts ins 0..40,
    cumulate(Starts, Durations, Needs, End, Ts),
    cumulative(Ts, [limit(13)]).

cumulate([], [], [], _, []).
cumulate([S|Ss], [D|Ds], [C|Cs], End, [task(S,D,E,C,_)|Ts]) :-
    E #= S+D,
    E #=< End,
    cumulate(Ss, Ds, Cs, End, Ts).

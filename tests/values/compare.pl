% Says where two runs of the same goals differ, and whether docs/compatibility.md knows.
%
%     compare.pl -- GOALS OURS THEIRS KNOWN DOCUMENT [all]
%
% Prints the differences that no line of KNOWN (known.pl) explains, by predicate, three of each (`all`: every one); then how often each line was met.
% The exit status is 1 if there are any.

:- initialization(main, main).
:- dynamic(met/2).
:- dynamic(unknown/4).
:- dynamic(known/4).
:- discontiguous(known/4).

main([Goals, Ours, Theirs, Known, Document|Options]) :-
    load_files(Known, []),
    document(Document),
    texts(Goals, Gs),
    texts(Ours, Os),
    texts(Theirs, Ts),
    set_stream(user_output, encoding(utf8)),
    compare_all(Gs, Os, Ts, 0, N),
    (   memberchk(all, Options) -> Most = 1 000 000 ; Most = 3 ),
    report(Most),
    aggregate_all(count, unknown(_, _, _, _), Unknown),
    aggregate_all(count, met(_, _), Met),
    format("~D goals: ~D differ as docs/compatibility.md says, ~D others~n", [N, Met, Unknown]),
    (   Unknown =:= 0 -> true ; halt(1) ).

% Each name of known.pl is one of the document's.
document(Document) :-
    read_file_to_string(Document, Text, [encoding(utf8)]),
    forall(
        ( clause(known(Id, _, _, _), _) ),
        (   atomic_list_concat(['| `', Id, '` |'], Row),
            sub_string(Text, _, _, _, Row)
        ->  true
        ;   format(user_error, "~w does not explain ~w~n", [Document, Id]),
            halt(2)
        )
    ).

texts(File, Lines) :-
    read_file_to_string(File, Text, [encoding(utf8)]),
    split_string(Text, "\n", "", Lines).

compare_all([G|Gs], [O0|Os], [T0|Ts], N0, N) :-
    G \== "",
    !,
    N1 is N0 + 1,
    result(O0, N1, O),
    result(T0, N1, T),
    (   O == T -> true
    ;   nameless(O, X), nameless(T, X) -> true
    ;   differ(G, O, T)
    ),
    compare_all(Gs, Os, Ts, N1, N).
compare_all(_, _, _, N, N).

result(Line, N, Text) :-
    (   sub_string(Line, B, 1, A, "\t"),
        sub_string(Line, 0, B, _, Number),
        number_string(N, Number)
    ->  sub_string(Line, _, A, 0, Text)
    ;   throw(error(existence_error(result, N), Line))
    ).

differ(G, O, T) :-
    (   catch(term_string(Goal-_, G), _, fail) -> true ; Goal = unreadable ),
    term_of(O, Ours),
    term_of(T, Theirs),
    (   same(Ours, Theirs)
    ->  true
    ;   known(Id, Goal, Ours, Theirs)
    ->  assertz(met(Id, G))
    ;   main_goal(Goal, PI),
        assertz(unknown(PI, G, O, T))
    ).

same(A, B) :- A =@= B, !.

% The text of a result without the digits of variables' names, as text, codes or characters, and without blanks, of which there are more where names are shorter.
nameless(Text, Codes) :-
    string_codes(Text, Cs),
    phrase(nameless(Codes), Cs).

nameless([0'_|T]) --> "_", ( "G" -> [] ; [] ), digit, !, digits, nameless(T).
nameless([0'_|T]) --> "'_','", digit, !, digits, "'", more_characters, nameless(T).
nameless([0'_|T]) --> "95,", code, !, codes, nameless(T).
nameless(T) --> [C], { C =< 0'  }, !, nameless(T).
nameless([C|T]) --> [C], !, nameless(T).
nameless([]) --> [].

more_characters --> ",'", digit, !, "'", more_characters.
more_characters --> [].

code --> ( "4", [D], { D >= 0'8, D =< 0'9 } ; "5", [D], { D >= 0'0, D =< 0'7 } ), !.

codes --> ",", code, !, codes.
codes --> [].

digit --> [C], { C >= 0'0, C =< 0'9 }.

digits --> digit, !, digits.
digits --> [].

term_of(Text, Term) :-
    (   catch(term_string(Term0, Text), _, fail) -> Term = Term0 ; Term = unreadable ).

% The predicate that a goal is for.
main_goal(Goal, PI) :- nonvar(Goal), ( Goal = (A->_) ; Goal = (A, fail) ), nonvar(A), \+ A = (_, _), !, main_goal(A, PI).
main_goal(Goal, PI) :- nonvar(Goal), ( Goal = (_, B) ; Goal = (_:B) ), nonvar(B), Goal = (A, _), setup(A), !, main_goal(B, PI).
main_goal(Goal, PI) :- nonvar(Goal), Goal = (A, _), !, main_goal(A, PI).
main_goal(Goal, Name/Arity) :- callable(Goal), !, shape(Goal, Name, Arity).
main_goal(_, other/0).

setup(A) :- nonvar(A), shape(A, Name, _), memberchk(Name, [open_string, =, open, atom_codes, current_output, list_to_assoc, list_to_rbtree, list_to_heap, empty_nb_set, ht_new]).

report(Most) :-
    findall(PI, unknown(PI, _, _, _), PIs0),
    sort(PIs0, PIs),
    forall(member(PI, PIs), (
        findall(x(G, O, T), unknown(PI, G, O, T), All),
        length(All, N),
        format("~n~q: ~d~n", [PI, N]),
        forall(( nth1(I, All, x(G, O, T)), I =< Most ), format("  ~s~n    samite ~s~n    swipl  ~s~n", [G, O, T]))
    )),
    nl,
    findall(Id, met(Id, _), Ids0),
    sort(Ids0, Ids),
    forall(member(Id, Ids), ( aggregate_all(count, met(Id, _), N), format("~w ~d~n", [Id, N]) )).

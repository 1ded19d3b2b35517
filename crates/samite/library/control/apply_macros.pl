% library(apply_macros): programs load it to have calls of maplist/N, forall/2, phrase/2,3 and others replaced by specialised
% code when they are loaded. Samite has no goal expansion: loading this changes nothing, and the calls run as they are
% written, with the same answers. What else the library has is here.

:- module(apply_macros, [expand_phrase/2, expand_phrase/4]).

%!  expand_phrase(:PhraseGoal, -Goal) is semidet.
%
%   Goal does what PhraseGoal, a call of phrase/2,3, does, without translating its grammar body: a non-terminal or a list of
%   terminals that is known. Fails for other bodies.

expand_phrase(Phrase, Goal) :-
    nonvar(Phrase),
    (   Phrase = phrase(Body, Head)
    ->  Tail = []
    ;   Phrase = phrase(Body, Head, Tail)
    ),
    phrase_body_goal(Body, Head, Tail, Goal).

%!  expand_phrase(:PhraseGoal, +Position0, -Goal, -Position) is semidet.
%
%   As expand_phrase/2. The layout of Goal is not known: Position stays unbound.

expand_phrase(Phrase, _, Goal, _) :-
    expand_phrase(Phrase, Goal).

phrase_body_goal(Body, _, _, _) :-
    var(Body), !,
    fail.
phrase_body_goal(Module:Body, Head, Tail, Goal) :- !,
    atom(Module),
    phrase_body_goal(Body, Head, Tail, Goal0),
    Goal = Module:Goal0.
phrase_body_goal(Body, Head, Tail, Goal) :-
    ( is_list(Body) ; string(Body) ), !,
    ( string(Body) -> string_codes(Body, List) ; List = Body ),
    append(List, Tail, Text),
    Goal = (Head = Text).
phrase_body_goal(Body, Head, Tail, Goal) :-
    callable(Body),
    \+ phrase_control(Body),
    Body =.. Parts0,
    append(Parts0, [Head, Tail], Parts),
    Goal =.. Parts.

phrase_control([_|_]).
phrase_control((_, _)).
phrase_control((_ ; _)).
phrase_control((_ | _)).
phrase_control((_ -> _)).
phrase_control((_ *-> _)).
phrase_control({_}).
phrase_control({}).
phrase_control(!).

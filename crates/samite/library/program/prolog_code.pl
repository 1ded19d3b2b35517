:- module(prolog_code,
          [ comma_list/2,
            semicolon_list/2,
            mkconj/3,
            mkdisj/3,
            pi_head/2,
            head_name_arity/3,
            most_general_goal/2,
            is_predicate_indicator/1,
            is_control_goal/1,
            body_term_calls/2,
            extend_goal/3,
            predicate_label/2,
            predicate_sort_key/2
          ]).

/*  Goals and predicate indicators as terms.

    As the part of SWI-Prolog's library(prolog_code).
*/

%!  comma_list(?Conjunction, ?List) is nondet.
%
%   Conjunction is (A,B,...) of the elements of List, which is not empty; for all lists that a partial one may become.

comma_list(Conjunction, List) :-
    (   nonvar(Conjunction)
    ->  phrase(parts(Conjunction, ','), List0),
        List = List0
    ;   joined(List, ',', Conjunction)
    ).

%!  semicolon_list(?Disjunction, ?List) is semidet.
%
%   As comma_list/2 with (A;B;...).

semicolon_list(Disjunction, List) :-
    (   nonvar(Disjunction)
    ->  phrase(parts(Disjunction, ;), List0),
        List = List0
    ;   joined(List, ;, Disjunction)
    ).

parts(T, _) --> { var(T) }, !, [T].
parts(T, F) --> { functor(T, F, 2) }, !,
    { arg(1, T, A), arg(2, T, B) },
    parts(A, F),
    parts(B, F).
parts(T, _) --> [T].

joined([X|Xs], F, T) :-
    joined_more(Xs, X, F, T).

joined_more([], X, _, X).
joined_more([Y|Ys], X, F, T) :-
    compound_name_arguments(T, F, [X, T1]),
    joined_more(Ys, Y, F, T1).

%!  mkconj(+A, +B, -Conjunction) is det.
%
%   Conjunction is (A,B), without what is `true`; nested to the right.

mkconj(A, B, Conjunction) :-
    (   A == true
    ->  Conjunction = B
    ;   B == true
    ->  Conjunction = A
    ;   nonvar(A),
        A = (A1, A2)
    ->  Conjunction = (A1, Rest),
        mkconj(A2, B, Rest)
    ;   Conjunction = (A, B)
    ).

%!  mkdisj(+A, +B, -Disjunction) is det.
%
%   Disjunction is (A;B), without what is `false`; nested to the right.

mkdisj(A, B, Disjunction) :-
    (   is_false(A)
    ->  Disjunction = B
    ;   is_false(B)
    ->  Disjunction = A
    ;   nonvar(A),
        A = (A1 ; A2)
    ->  Disjunction = (A1 ; Rest),
        mkdisj(A2, B, Rest)
    ;   Disjunction = (A ; B)
    ).

is_false(Goal) :- Goal == false.
is_false(Goal) :- Goal == fail.

%!  pi_head(?Indicator, ?Head) is det.
%
%   Head is a most general goal for Indicator (Name/Arity, Name//Arity,
%   possibly qualified).

pi_head(PI, Head) :-
    (   var(PI),
        var(Head)
    ->  throw(error(instantiation_error, _))
    ;   nonvar(PI),
        \+ indicator_form(PI)
    ->  type_error(predicate_indicator, PI)
    ;   pi_of(PI, Head)
    ).

indicator_form(_:_).
indicator_form(_/_).
indicator_form(_//_).

pi_of(M:PI, M:Head) :-
    !,
    pi_head(PI, Head).
pi_of(Name/Arity, Head) :-
    !,
    head_name_arity(Head, Name, Arity).
pi_of(Name//DCGArity, Head) :-
    (   nonvar(DCGArity)
    ->  Arity is DCGArity+2,
        head_name_arity(Head, Name, Arity)
    ;   head_name_arity(Head, Name, Arity),
        DCGArity is Arity-2
    ).

%!  head_name_arity(?Head, ?Name, ?Arity) is det.

head_name_arity(Head, Name, Arity) :-
    (   nonvar(Head)
    ->  must_be(callable, Head)
    ;   must_be(atom, Name)
    ),
    functor(Head, Name, Arity).

%!  most_general_goal(+Goal, -General) is det.
%
%   General has the functor (and module) of Goal and fresh arguments.

most_general_goal(Goal, General) :-
    (   var(Goal)
    ->  General = Goal
    ;   Goal = M:Goal1
    ->  General = M:General1,
        most_general_goal(Goal1, General1)
    ;   atom(Goal)
    ->  General = Goal
    ;   must_be(compound, Goal),
        compound_name_arity(Goal, Name, Arity),
        compound_name_arity(General, Name, Arity)
    ).

%!  is_predicate_indicator(@Term) is semidet.
%
%   Term is Name/Arity or Name//Arity, possibly qualified.

is_predicate_indicator(Term) :-
    (   var(Term)
    ->  throw(error(instantiation_error, _))
    ;   Term = M:PI
    ->  atom(M),
        indicator(PI)
    ;   indicator(Term)
    ).

indicator(PI) :-
    compound(PI),
    ( PI = Name/Arity ; PI = Name//Arity ),
    !,
    atom(Name),
    integer(Arity),
    Arity >= 0.

%!  is_control_goal(@Goal) is semidet.
%
%   Goal is a conjunction, disjunction, implication or negation.

is_control_goal(Goal) :-
    compound(Goal),
    control_parts(Goal, _), !.

control_parts((A, B), [A, B]).
control_parts((A ; B), [A, B]).
control_parts((A | B), [A, B]).
control_parts((A -> B), [A, B]).
control_parts((A *-> B), [A, B]).
control_parts(\+ A, [A]).

%!  body_term_calls(:Body, -Goal) is nondet.
%
%   Goal is Body or one that it may call: a part of a control structure, or an argument of a meta-predicate that is a goal as it
%   stands.

body_term_calls(Body, Goal) :-
    (   callable(Body)
    ->  (   Goal = Body
        ;   body_part(Body, Part),
            body_term_calls(Part, Goal)
        )
    ;   Goal = Body
    ).

body_part(Body, Part) :-
    is_control_goal(Body), !,
    control_parts(Body, Parts),
    member(Part, Parts).
body_part(_:Body, Part) :- !,
    Part = Body.
body_part(Body, Part) :-
    predicate_property(Body, meta_predicate(Modes)),
    arg(I, Modes, Mode),
    ( Mode == 0 -> true ; Mode == (^) ),
    arg(I, Body, Part0),
    '$strip_carets'(Part0, Part, [], _).

%!  extend_goal(:Goal, +Extra, -Extended) is det.
%
%   Extended is Goal with the arguments Extra behind its own; call(Goal, ...) if Goal is not known.

extend_goal(Goal, Extra, Extended) :-
    (   var(Goal)
    ->  Extended =.. [call, Goal|Extra]
    ;   Goal = Module:Goal1
    ->  extend_goal(Goal1, Extra, Extended1),
        Extended = Module:Extended1
    ;   Extra == []
    ->  Extended = Goal
    ;   atom(Goal)
    ->  Extended =.. [Goal|Extra]
    ;   compound(Goal)
    ->  compound_name_arguments(Goal, Name, Args0),
        append(Args0, Extra, Args),
        compound_name_arguments(Extended, Name, Args)
    ;   type_error(compound, Goal)
    ).

%!  predicate_label(:Indicator, -Label) is det.
%
%   Label is the text of Indicator, without its module if that is user or system.

predicate_label(Indicator, Label) :-
    (   nonvar(Indicator),
        Indicator = Module:PI,
        memberchk(Module, [user, system])
    ->  true
    ;   PI = Indicator
    ),
    predicate_label_text(PI, Label0),
    Label = Label0.

predicate_label_text(PI, _) :-
    var(PI), !,
    instantiation_error(PI).
predicate_label_text(Module:PI, Label) :- !,
    predicate_label_text(PI, Label0),
    atomic_list_concat([Module, :, Label0], Label).
predicate_label_text(Name/Arity, Label) :- !,
    atomic_list_concat([Name, /, Arity], Label).
predicate_label_text(Name//Arity, Label) :- !,
    atomic_list_concat([Name, //, Arity], Label).
predicate_label_text(PI, _) :-
    type_error(predicate_indicator, PI).

%!  predicate_sort_key(:Indicator, -Key) is det.
%
%   Key is the name in Indicator, for sorting.

predicate_sort_key(Indicator, Key) :-
    (   nonvar(Indicator)
    ->  (   Indicator = _:PI
        ->  predicate_sort_key(PI, Key)
        ;   ( Indicator = Name/_ ; Indicator = Name//_ )
        ->  Key = Name
        ;   type_error(predicate_indicator, Indicator)
        )
    ;   instantiation_error(Indicator)
    ).

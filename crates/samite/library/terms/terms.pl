:- module(terms,
          [ subsumes_chk/2,
            subsumes/2,
            term_subsumer/3,
            variant/2,
            same_functor/2,
            same_functor/3,
            same_functor/4,
            mapargs/3,
            term_factorized/3,
            mapsubterms/3,
            mapsubterms_var/3,
            foldsubterms/4,
            foldsubterms/5
          ]).

/*  Comparing and transforming terms.

    As SWI-Prolog's library(terms). What goes through all of a term ends for a cyclic
    one, too, where SWI-Prolog runs on: no way down goes into a term that it is in already.
*/

:- meta_predicate
    mapargs(2, ?, ?),
    mapsubterms(2, ?, ?),
    mapsubterms_var(2, ?, ?),
    foldsubterms(3, +, +, -),
    foldsubterms(4, +, ?, +, -),
    fold_cyclic(?, ?, 4, ?, ?, ?).

%!  subsumes_chk(@General, @Specific) is semidet.
%
%   General can be made equal to Specific by binding its variables only.

subsumes_chk(General, Specific) :-
    subsumes_term(General, Specific).

%!  subsumes(+General, @Specific) is semidet.
%
%   As subsumes_chk/2, and make them equal.

subsumes(General, Specific) :-
    subsumes_term(General, Specific),
    General = Specific.

%!  term_subsumer(@X, @Y, -General) is det.
%
%   General is the most special term that subsumes X and Y, by the
%   anti-unification of G.D. Plotkin (1970).

term_subsumer(X, Y, General) :-
    generalize(X, Y, General0, [], _),
    General = General0.

%   generalize(@X, @Y, -G, +Pairs0, -Pairs): Pairs has pair(X,Y,V) for each
%   variable V that stands for X and Y.

generalize(X, Y, G, Pairs0, Pairs) :-
    (   X == Y
    ->  G = X,
        Pairs = Pairs0
    ;   compound(X),
        compound(Y),
        compound_name_arity(X, Name, Arity),
        compound_name_arity(Y, Name, Arity)
    ->  compound_name_arity(G, Name, Arity),
        generalize_args(1, Arity, X, Y, G, Pairs0, Pairs)
    ;   stands_for(Pairs0, X, Y, G)
    ->  Pairs = Pairs0
    ;   Pairs = [pair(X,Y,G)|Pairs0]
    ).

generalize_args(I, Arity, X, Y, G, Pairs0, Pairs) :-
    (   I > Arity
    ->  Pairs = Pairs0
    ;   arg(I, X, X1),
        arg(I, Y, Y1),
        arg(I, G, G1),
        generalize(X1, Y1, G1, Pairs0, Pairs1),
        I1 is I+1,
        generalize_args(I1, Arity, X, Y, G, Pairs1, Pairs)
    ).

stands_for([pair(X0,Y0,V0)|Pairs], X, Y, V) :-
    (   X0 == X,
        Y0 == Y
    ->  V = V0
    ;   stands_for(Pairs, X, Y, V)
    ).

%!  term_factorized(+Term, -Skeleton, -Substitutions) is det.
%
%   Skeleton is Term with a variable for each compound sub-term that occurs
%   more than once; Substitutions has Variable=Value for these, in standard
%   order of the sub-terms. None of the results is cyclic.

%   The order of variables may change while this runs: in the copy that is
%   looked at, the I-th variable is '$factor_variable'(I).

term_factorized(Term, Skeleton, Substitutions) :-
    term_variables(Term, Vars),
    copy_term(Term/Vars, Copy/Numbered),
    number_variables(Numbered, 1),
    compound_name_arguments(Map, vars, Vars),
    empty_assoc(Seen0),
    seen(Copy, Seen0, Seen),
    assoc_to_list(Seen, Pairs),
    repeated(Pairs, Repeated),
    (   Repeated == []
    ->  Skeleton = Term,
        Substitutions = []
    ;   list_to_assoc(Repeated, Shared),
        factor(Copy, Shared/Map, Skeleton),
        substitutions(Repeated, Shared/Map, Substitutions)
    ).

number_variables([], _).
number_variables(['$factor_variable'(I)|Vs], I) :-
    I1 is I+1,
    number_variables(Vs, I1).

seen(T, Seen0, Seen) :-
    (   compound(T),
        T \= '$factor_variable'(_)
    ->  (   get_assoc(T, Seen0, Count)
        ->  (   Count == many
            ->  Seen = Seen0
            ;   put_assoc(T, Seen0, many, Seen)
            )
        ;   put_assoc(T, Seen0, one, Seen1),
            compound_name_arity(T, _, Arity),
            seen_args(1, Arity, T, Seen1, Seen)
        )
    ;   Seen = Seen0
    ).

seen_args(I, Arity, T, Seen0, Seen) :-
    (   I > Arity
    ->  Seen = Seen0
    ;   arg(I, T, Arg),
        (   I =:= Arity
        ->  seen(Arg, Seen0, Seen)
        ;   seen(Arg, Seen0, Seen1),
            I1 is I+1,
            seen_args(I1, Arity, T, Seen1, Seen)
        )
    ).

repeated([], []).
repeated([T-Count|Pairs], Repeated) :-
    (   Count == many
    ->  Repeated = [T-_|Repeated1]
    ;   Repeated = Repeated1
    ),
    repeated(Pairs, Repeated1).

factor(T, Variables, Skeleton) :-
    (   compound(T)
    ->  Variables = Shared/Map,
        (   T = '$factor_variable'(I)
        ->  arg(I, Map, Skeleton)
        ;   get_assoc(T, Shared, V)
        ->  Skeleton = V
        ;   factor_args(T, Variables, Skeleton)
        )
    ;   Skeleton = T
    ).

factor_args(T, Variables, Skeleton) :-
    compound_name_arity(T, Name, Arity),
    compound_name_arity(Skeleton, Name, Arity),
    factor_args(1, Arity, T, Variables, Skeleton).

factor_args(I, Arity, T, Variables, Skeleton) :-
    (   I > Arity
    ->  true
    ;   arg(I, T, Arg),
        arg(I, Skeleton, Arg1),
        (   I =:= Arity
        ->  factor(Arg, Variables, Arg1)
        ;   factor(Arg, Variables, Arg1),
            I1 is I+1,
            factor_args(I1, Arity, T, Variables, Skeleton)
        )
    ).

substitutions([], _, []).
substitutions([T-V|Repeated], Variables, [V=Value|Substitutions]) :-
    factor_args(T, Variables, Value),
    substitutions(Repeated, Variables, Substitutions).

%!  variant(@X, @Y) is semidet.
%
%   X and Y are equal up to the names of their variables.

variant(X, Y) :-
    X =@= Y.

%!  same_functor(?X, ?Y) is semidet.
%
%   X and Y have the same name and arity.

same_functor(X, Y) :-
    same_functor(X, Y, _, _).

%!  same_functor(?X, ?Y, ?Arity) is semidet.
%
%   As same_functor/2 with their Arity.

same_functor(X, Y, Arity) :-
    same_functor(X, Y, _, Arity).

%!  same_functor(?X, ?Y, ?Name, ?Arity) is semidet.
%
%   As same_functor/2 with their Name and Arity.

same_functor(X, Y, Name, Arity) :-
    (   nonvar(X)
    ->  functor(X, Name, Arity),
        functor(Y, Name, Arity)
    ;   functor(Y, Name, Arity),
        functor(X, Name, Arity)
    ).

%!  mapargs(:Goal, ?X, ?Y) is semidet.
%
%   X and Y have the same name and arity, and Goal relates their arguments.

mapargs(Goal, X, Y) :-
    (   compound(X)
    ->  compound_name_arity(X, Name, Arity),
        compound_name_arity(Y, Name, Arity)
    ;   same_functor(X, Y, Arity)
    ),
    mapargs(1, Arity, Goal, X, Y).

mapargs(I, Arity, Goal, X, Y) :-
    (   I > Arity
    ->  true
    ;   arg(I, X, X1),
        arg(I, Y, Y1),
        call(Goal, X1, Y1),
        I1 is I+1,
        mapargs(I1, Arity, Goal, X, Y)
    ).

%!  mapsubterms(:Goal, +X, -Y) is det.
%
%   Y is X with every outermost sub-term T, no variable, for which
%   call(Goal, T, T2) succeeds replaced by T2. Those of a list are its elements,
%   here and below: its ends are none.

mapsubterms(Goal, X, Y) :-
    (   acyclic_term(X)
    ->  map_acyclic(Goal, X, Y)
    ;   fold_cyclic(X, Y0, mapped(Goal), [], 0, _),
        Y = Y0
    ).

map_acyclic(Goal, X, Y) :-
    (   var(X)
    ->  Y = X
    ;   call(Goal, X, Y)
    ->  true
    ;   is_list(X)
    ->  map_list(X, Goal, Y0),
        Y = Y0
    ;   compound(X)
    ->  alike(X, Y0, First, Step, Arity),
        map_acyclic(First, Step, Arity, Goal, X, Y0),
        Y = Y0
    ;   Y = X
    ).

map_list([], _, []).
map_list([X|Xs], Goal, [Y|Ys]) :-
    map_acyclic(Goal, X, Y),
    map_list(Xs, Goal, Ys).

map_acyclic(I, Step, Arity, Goal, X, Y) :-
    (   I > Arity
    ->  true
    ;   arg(I, X, X1),
        arg(I, Y, Y1),
        map_acyclic(Goal, X1, Y1),
        I1 is I+Step,
        map_acyclic(I1, Step, Arity, Goal, X, Y)
    ).

%   alike(+X, -Y, -First, -Step, -Arity): Y is like X, but for the arguments that are sub-terms: First, and those that come by steps. Of a dict these are
%   the values, every other one; its tag and keys are not.

alike(X, Y, First, Step, Arity) :-
    (   is_dict(X)
    ->  dict_pairs(X, Tag, Pairs),
        pairs_keys_values(Pairs, Keys, _),
        pairs_keys_values(Others, Keys, _),
        dict_pairs(Y, Tag, Others),
        First = 2,
        Step = 2,
        length(Keys, N),
        Arity is 2*N
    ;   compound_name_arity(X, Name, Arity),
        compound_name_arity(Y, Name, Arity),
        First = 1,
        Step = 1
    ).

mapped(Goal, X, Y, V, V) :-
    nonvar(X),
    call(Goal, X, Y).

mapped_var(Goal, X, Y, V, V) :-
    call(Goal, X, Y).

%   fold_cyclic(+Term, -Term2, :Goal, +Above, +V0, -V): what is done with a cyclic term. Goal is called as that of foldsubterms/5;
%   Above has a pair for each term that the way down has come through and what it becomes.

fold_cyclic(Term, Term2, Goal, Above, V0, V) :-
    (   member(T-T2, Above),
        same_term(T, Term)
    ->  Term2 = T2,
        V = V0
    ;   call(Goal, Term, Term1, V0, V1)
    ->  Term2 = Term1,
        V = V1
    ;   is_list(Term)
    ->  fold_cyclic_list(Term, Term2, Goal, [Term-Term2|Above], V0, V)
    ;   compound(Term)
    ->  alike(Term, Term2, First, Step, Arity),
        fold_cyclic_args(First, Step, Arity, Term, Term2, Goal, [Term-Term2|Above], V0, V)
    ;   Term2 = Term,
        V = V0
    ).

fold_cyclic_list([], [], _, _, V, V).
fold_cyclic_list([X|Xs], [Y|Ys], Goal, Above, V0, V) :-
    fold_cyclic(X, Y, Goal, Above, V0, V1),
    fold_cyclic_list(Xs, Ys, Goal, Above, V1, V).

fold_cyclic_args(I, Step, Arity, Term, Term2, Goal, Above, V0, V) :-
    (   I > Arity
    ->  V = V0
    ;   arg(I, Term, X),
        arg(I, Term2, Y),
        fold_cyclic(X, Y, Goal, Above, V0, V1),
        I1 is I+Step,
        fold_cyclic_args(I1, Step, Arity, Term, Term2, Goal, Above, V1, V)
    ).

%!  mapsubterms_var(:Goal, +X, -Y) is det.
%
%   As mapsubterms/3, for variables too.

mapsubterms_var(Goal, X, Y) :-
    (   acyclic_term(X)
    ->  map_acyclic_var(Goal, X, Y)
    ;   fold_cyclic(X, Y0, mapped_var(Goal), [], 0, _),
        Y = Y0
    ).

map_acyclic_var(Goal, X, Y) :-
    (   call(Goal, X, Y0)
    ->  Y = Y0
    ;   is_list(X)
    ->  map_list_var(X, Goal, Y0),
        Y = Y0
    ;   compound(X)
    ->  alike(X, Y0, First, Step, Arity),
        map_acyclic_var(First, Step, Arity, Goal, X, Y0),
        Y = Y0
    ;   Y = X
    ).

map_list_var([], _, []).
map_list_var([X|Xs], Goal, [Y|Ys]) :-
    map_acyclic_var(Goal, X, Y),
    map_list_var(Xs, Goal, Ys).

map_acyclic_var(I, Step, Arity, Goal, X, Y) :-
    (   I > Arity
    ->  true
    ;   arg(I, X, X1),
        arg(I, Y, Y1),
        map_acyclic_var(Goal, X1, Y1),
        I1 is I+Step,
        map_acyclic_var(I1, Step, Arity, Goal, X, Y)
    ).

%!  foldsubterms(:Goal, +Term, +V0, -V) is det.
%
%   Take V0 to V by call(Goal, T, Vi, Vj) for every outermost sub-term T of Term
%   for which it succeeds.

foldsubterms(Goal, Term, V0, V) :-
    (   acyclic_term(Term)
    ->  fold(Term, Goal, V0, V)
    ;   fold_cyclic(Term, _, folded(Goal), [], V0, V1),
        V = V1
    ).

folded(Goal, Term, _, V0, V) :-
    call(Goal, Term, V0, V).

fold(Term, Goal, V0, V) :-
    (   call(Goal, Term, V0, V1)
    ->  V = V1
    ;   is_list(Term)
    ->  fold_list(Term, Goal, V0, V)
    ;   compound(Term)
    ->  compound_name_arity(Term, _, Arity0),
        (   is_dict(Term)
        ->  Arity is Arity0-1,
            fold_args(2, 2, Arity, Term, Goal, V0, V)
        ;   fold_args(1, 1, Arity0, Term, Goal, V0, V)
        )
    ;   V = V0
    ).

fold_list([], _, V, V).
fold_list([X|Xs], Goal, V0, V) :-
    fold(X, Goal, V0, V1),
    fold_list(Xs, Goal, V1, V).

fold_args(I, Step, Arity, Term, Goal, V0, V) :-
    (   I > Arity
    ->  V = V0
    ;   arg(I, Term, Arg),
        fold(Arg, Goal, V0, V1),
        I1 is I+Step,
        fold_args(I1, Step, Arity, Term, Goal, V1, V)
    ).

%!  foldsubterms(:Goal, +Term, -Term2, +V0, -V) is det.
%
%   As foldsubterms/4 with call(Goal, T, T2, Vi, Vj), and as mapsubterms/3.

foldsubterms(Goal, Term, Term2, V0, V) :-
    (   acyclic_term(Term)
    ->  fold(Term, Term2, Goal, V0, V)
    ;   fold_cyclic(Term, Term1, Goal, [], V0, V1),
        Term2 = Term1,
        V = V1
    ).

fold(Term, Term2, Goal, V0, V) :-
    (   call(Goal, Term, Term1, V0, V1)
    ->  Term2 = Term1,
        V = V1
    ;   is_list(Term)
    ->  fold_list(Term, Term1, Goal, V0, V),
        Term2 = Term1
    ;   compound(Term)
    ->  alike(Term, Term1, First, Step, Arity),
        fold_args(First, Step, Arity, Term, Term1, Goal, V0, V),
        Term2 = Term1
    ;   Term2 = Term,
        V = V0
    ).

fold_list([], [], _, V, V).
fold_list([X|Xs], [Y|Ys], Goal, V0, V) :-
    fold(X, Y, Goal, V0, V1),
    fold_list(Xs, Ys, Goal, V1, V).

fold_args(I, Step, Arity, Term, Term2, Goal, V0, V) :-
    (   I > Arity
    ->  V = V0
    ;   arg(I, Term, X),
        arg(I, Term2, Y),
        fold(X, Y, Goal, V0, V1),
        I1 is I+Step,
        fold_args(I1, Step, Arity, Term, Term2, Goal, V1, V)
    ).

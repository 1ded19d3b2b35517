:- module(clpfd,
          [ op(760, yfx, #<==>),
            op(750, xfy, #==>),
            op(750, yfx, #<==),
            op(740, yfx, #\/),
            op(730, yfx, #\),
            op(720, yfx, #/\),
            op(710,  fy, #\),
            op(700, xfx, #>),
            op(700, xfx, #<),
            op(700, xfx, #>=),
            op(700, xfx, #=<),
            op(700, xfx, #=),
            op(700, xfx, #\=),
            op(700, xfx, in),
            op(700, xfx, ins),
            op(700, xfx, in_set),
            op(450, xfx, ..),
            (#>)/2,
            (#<)/2,
            (#>=)/2,
            (#=<)/2,
            (#=)/2,
            (#\=)/2,
            (#\)/1,
            (#\)/2,
            (#/\)/2,
            (#\/)/2,
            (#==>)/2,
            (#<==)/2,
            (#<==>)/2,
            (in)/2,
            (ins)/2,
            all_different/1,
            all_distinct/1,
            sum/3,
            scalar_product/4,
            indomain/1,
            label/1,
            labeling/2,
            lex_chain/1,
            tuples_in/2,
            global_cardinality/2,
            global_cardinality/3,
            circuit/1,
            cumulative/1,
            cumulative/2,
            disjoint2/1,
            element/3,
            automaton/3,
            automaton/8,
            zcompare/3,
            chain/2,
            fd_var/1,
            fd_inf/2,
            fd_sup/2,
            fd_size/2,
            fd_dom/2,
            fd_degree/2,
            transpose/2,
            serialized/2,
            (in_set)/2,
            fd_set/2,
            is_fdset/1,
            empty_fdset/1,
            empty_interval/2,
            fdset_parts/4,
            fdset_interval/3,
            fdset_singleton/2,
            fdset_min/2,
            fdset_max/2,
            fdset_size/2,
            list_to_fdset/2,
            fdset_to_list/2,
            range_to_fdset/2,
            fdset_to_range/2,
            fdset_add_element/3,
            fdset_del_element/3,
            fdset_disjoint/2,
            fdset_intersect/2,
            fdset_intersection/3,
            fdset_member/2,
            fdset_eq/2,
            fdset_subset/2,
            fdset_subtract/3,
            fdset_union/2,
            fdset_union/3,
            fdset_complement/2
          ]).

:- use_module(library(clpfd/intervals),
              [ domain_intervals/2,
                intervals_domain/2,
                intersection_of/3,
                union_of/3,
                complement_of/2,
                limit_less/2
              ]).
:- use_module(library(clpfd/sets),
              [ fd_set_of/2,
                restrict_to_set/2,
                is_set_of_integers/1,
                set_of_range/2,
                set_range/2,
                set_interval/3,
                set_parts/4,
                set_limits/3,
                set_size/2,
                set_of_list/2,
                set_list/2,
                set_member/2,
                set_with/3,
                set_without/3,
                set_union/2
              ]).
:- use_module(library(clpfd/variables),
              [ fd_attribute/2,
                bounds/3,
                domain_of/2,
                size_of/2,
                restrict/4,
                start_all/1
              ]).
:- use_module(library(clpfd/expressions),
              [ post_comparison/3,
                post_sum_of/4
              ]).
:- use_module(library(clpfd/distinct),
              [ post_different/1,
                post_distinct/1
              ]).
:- use_module(library(clpfd/tables),
              [ post_element/3,
                post_tuples/2,
                post_automaton/3,
                post_automaton/8
              ]).
:- use_module(library(clpfd/counting),
              [ post_cardinality/3
              ]).
:- use_module(library(clpfd/circuits),
              [ post_circuit/1
              ]).
:- use_module(library(clpfd/scheduling),
              [ post_cumulative/2,
                post_disjoint/1,
                post_serialized/2
              ]).
:- use_module(library(clpfd/orders),
              [ post_chain/2,
                post_lex_chain/1,
                post_order/3,
                ordered/3
              ]).
:- use_module(library(clpfd/reified),
              [ post_true/1
              ]).
:- use_module(library(clpfd/expansion),
              [ expanded_goal/3
              ]).
:- use_module(library(clpfd/labeling),
              [ label_variables/1,
                label_with/2,
                degree/2
              ]).

%!  #=(?X, ?Y) is semidet.

#=(X, Y) :-
    post_comparison(eq, X, Y).

#\=(X, Y) :-
    post_comparison(ne, X, Y).

#=<(X, Y) :-
    post_comparison(le, X, Y).

#>=(X, Y) :-
    post_comparison(le, Y, X).

#<(X, Y) :-
    post_comparison(lt, X, Y).

#>(X, Y) :-
    post_comparison(lt, Y, X).

#\(A) :-
    post_true(#\(A)).

#\(A, B) :-
    post_true(#\(A, B)).

#/\(A, B) :-
    post_true(#/\(A, B)).

#\/(A, B) :-
    post_true(#\/(A, B)).

#==>(A, B) :-
    post_true(#==>(A, B)).

#<==(A, B) :-
    post_true(#<==(A, B)).

#<==>(A, B) :-
    post_true(#<==>(A, B)).

%!  in(?X, +Domain) is semidet.

in(X, D) :-
    domain_variable(X),
    domain_intervals(D, Is),
    into(X, Is).

into(X, Is) :-
    restrict(X, Is, Q, End),
    start_all(Q-End).

domain_variable(X) :-
    ( integer(X) -> true ; fd_attribute(X, _) ).

%!  ins(+Variables, +Domain) is semidet.
%
%   Each of Variables is in Domain.

ins(Xs, D) :-
    must_be(list, Xs),
    each_domain_variable(Xs),
    domain_intervals(D, Is),
    each_into(Xs, Is).

each_domain_variable([]).
each_domain_variable([X|Xs]) :-
    domain_variable(X),
    each_domain_variable(Xs).

each_into([], _).
each_into([X|Xs], Is) :-
    into(X, Is),
    each_into(Xs, Is).

%!  indomain(?Variable) is nondet.
%
%   The values of its domain, in order.

indomain(X) :-
    label([X]).

%!  label(+Variables) is nondet.
%
%   labeling([], Variables)
%
%   @error instantiation_error if a domain has no end

label(Xs) :-
    label_variables(Xs).

%!  labeling(+Options, +Variables) is nondet.
%
%   Values for Variables. Options: which variable comes next, leftmost, ff, ffc, min, max; in which order its
%   values come, up, down; how, step, enum, bisect; which solutions come first, min(Expression), max(Expression).

labeling(Options, Xs) :-
    label_with(Options, Xs).

%!  all_different(+Variables) is semidet.
%
%   They differ: what one has got none of the others gets.

all_different(Xs) :-
    must_be(list, Xs),
    each_domain_variable(Xs),
    post_different(Xs).

%!  all_distinct(+Variables) is semidet.
%
%   They differ; each value left in a domain is part of a solution of this constraint.

all_distinct(Xs) :-
    must_be(list, Xs),
    each_domain_variable(Xs),
    post_distinct(Xs).

%!  sum(+Variables, +Relation, ?Expression) is semidet.
%
%   Relation is #=, #\=, #<, #>, #=< or #>=.
%
%   @error domain_error(scalar_product_relation, Relation)

sum(Xs, Relation, E) :-
    must_be(list, Xs),
    each_domain_variable(Xs),
    ones(Xs, Ts),
    relate(Relation, Ts, E).

ones([], []).
ones([X|Xs], [X-1|Ts]) :-
    ones(Xs, Ts).

%!  scalar_product(+Integers, +Variables, +Relation, ?Expression) is semidet.
%
%   The sum of Variables, each times one of Integers, is in Relation to Expression.

scalar_product(Ks, Xs, Relation, E) :-
    must_be(list(integer), Ks),
    must_be(list, Xs),
    each_domain_variable(Xs),
    pairs(Ks, Xs, Ts),
    relate(Relation, Ts, E).

pairs([], [], []).
pairs([K|Ks], [X|Xs], Ts) :-
    ( K =:= 0 -> Ts = Ts1 ; Ts = [X-K|Ts1] ),
    pairs(Ks, Xs, Ts1).

relate(Relation, Ts, E) :-
    (   relation(Relation, Name, Sign, C)
    ->  (   Sign =:= 1
        ->  Ts1 = Ts,
            E1 = E
        ;   negated(Ts, Ts1),
            E1 = -E
        ),
        post_sum_of(Name, Ts1, C, E1)
    ;   throw(error(domain_error(scalar_product_relation, Relation), _))
    ).

relation(#=, sum, 1, 0).
relation(#\=, ne, 1, 0).
relation(#=<, le, 1, 0).
relation(#<, le, 1, 1).
relation(#>=, le, -1, 0).
relation(#>, le, -1, 1).

negated([], []).
negated([X-K0|Ts0], [X-K|Ts]) :-
    K is -K0,
    negated(Ts0, Ts).

%!  lex_chain(+Lists) is semidet.
%
%   The lists are in lexicographic order.

lex_chain(Ls) :-
    post_lex_chain(Ls).

%!  tuples_in(+Tuples, +Relation) is semidet.
%
%   Each of Tuples, lists of variables, is one of Relation, lists of integers.

tuples_in(Ts, Relation) :-
    must_be(list(list), Ts),
    must_be(list(list(integer)), Relation),
    each_list_of_variables(Ts),
    post_tuples(Ts, Relation).

each_list_of_variables([]).
each_list_of_variables([Xs|Xss]) :-
    each_domain_variable(Xs),
    each_list_of_variables(Xss).

%!  global_cardinality(+Variables, +Pairs) is semidet.
%!  global_cardinality(+Variables, +Pairs, +Options) is semidet.
%
%   Pairs has Key-Count: Count of Variables are Key; each is one of the keys. Options: cost(Cost, Matrix), where Matrix
%   has for each variable a list of what each key costs; consistency(_), which says nothing here.

global_cardinality(Xs, Pairs) :-
    post_cardinality(Xs, Pairs, []).

global_cardinality(Xs, Pairs, Options) :-
    post_cardinality(Xs, Pairs, Options).

%!  circuit(+Variables) is semidet.
%
%   Each says which one comes next, by its place: one round through all.

circuit(Xs) :-
    must_be(list, Xs),
    each_domain_variable(Xs),
    post_circuit(Xs).

%!  cumulative(+Tasks) is semidet.
%!  cumulative(+Tasks, +Options) is semidet.
%
%   Tasks are task(Start, Duration, End, Need, _); at no time do they need more than the limit, which is 1 if Options
%   have no limit(Limit).

cumulative(Tasks) :-
    post_cumulative(Tasks, [limit(1)]).

cumulative(Tasks, Options) :-
    post_cumulative(Tasks, Options).

%!  disjoint2(+Rectangles) is semidet.
%
%   Rectangles are F(X, Width, Y, Height); no two have a point in common.

disjoint2(Rectangles) :-
    post_disjoint(Rectangles).

%!  element(?N, +Variables, ?V) is semidet.
%
%   V is the N-th of Variables, counted from 1.

element(I, Xs, V) :-
    must_be(list, Xs),
    each_domain_variable([I,V|Xs]),
    post_element(I, Xs, V).

%!  automaton(+Variables, +Nodes, +Arcs) is semidet.
%!  automaton(+Sequence, ?Template, +Signature, +Nodes, +Arcs, +Counters, ?Initials, ?Finals) is semidet.
%
%   Nodes are source(S) and sink(S), Arcs arc(S, Symbol, T): they lead from a source to a sink by the symbols that the variables
%   are. With counters: arc(S, Symbol, T, Expressions) has what they become, in terms of Counters and Template, which stand for what they were
%   and for the member of Sequence.

automaton(Xs, Nodes, Arcs) :-
    must_be(list(list), [Xs,Nodes,Arcs]),
    each_domain_variable(Xs),
    post_automaton(Xs, Nodes, Arcs).

automaton(Sequence, Template, Signature, Nodes, Arcs, Counters, Initials, Finals) :-
    must_be(list(list), [Sequence,Signature,Nodes,Arcs,Counters,Initials,Finals]),
    each_domain_variable(Signature),
    post_automaton(Sequence, Template, Signature, Nodes, Arcs, Counters, Initials, Finals).

%!  zcompare(?Order, ?A, ?B) is semidet.
%
%   Order is <, = or >, as compare/3 of two integers.

zcompare(Order, A, B) :-
    each_domain_variable([A,B]),
    post_order(Order, A, B).

zcompare_(Order, X, Y) :-
    ordered(Order, X, Y).

%!  chain(+Variables, +Relation) is semidet.
%
%   Each two that follow each other are in Relation: #<, #=<, #>, #>=, #=.

chain(Xs, Relation) :-
    post_chain(Xs, Relation).

%!  fd_var(@X) is semidet.
%
%   X is a variable with a domain.

fd_var(X) :-
    var(X),
    get_attr(X, '$clpfd', _).

%!  fd_inf(?X, -Least) is det.
%
%   An integer, or inf.

fd_inf(X, L) :-
    domain_variable(X),
    bounds(X, L, _).

%!  fd_sup(?X, -Greatest) is det.
%
%   An integer, or sup.

fd_sup(X, H) :-
    domain_variable(X),
    bounds(X, _, H).

%!  fd_size(?X, -Size) is det.
%
%   How many values it may have: an integer, or sup.

fd_size(X, N) :-
    domain_variable(X),
    size_of(X, N).

%!  fd_dom(?X, -Domain) is det.

fd_dom(X, D) :-
    domain_variable(X),
    domain_of(X, Is),
    intervals_domain(Is, D).

%!  fd_degree(?X, -Count) is det.
%
%   How many propagators wait for it.

fd_degree(X, N) :-
    domain_variable(X),
    degree(X, N).

%!  transpose(+Lists, -Lists) is semidet.

transpose(Xss, Yss) :-
    must_be(list(list), Xss),
    (   Xss == []
    ->  Yss = []
    ;   Xss = [Xs|_],
        columns(Xs, Xss, Yss)
    ).

columns([], _, []).
columns([_|Xs], Xss0, [Ys|Yss]) :-
    firsts(Xss0, Ys, Xss),
    columns(Xs, Xss, Yss).

firsts([], [], []).
firsts([[X|Xs]|Xss0], [X|Ys], [Xs|Xss]) :-
    firsts(Xss0, Ys, Xss).

%!  serialized(+Starts, +Durations) is semidet.
%
%   What begins at Starts and takes Durations does not overlap.

serialized(Starts, Durations) :-
    must_be(list, Starts),
    must_be(list(integer), Durations),
    each_domain_variable(Starts),
    post_serialized(Starts, Durations).

%   --- sets of integers: those of SICStus Prolog's library(clpfd) ---

%!  in_set(?X, +Set) is semidet.

in_set(X, Set) :-
    restrict_to_set(X, Set).

%!  fd_set(?X, -Set) is det.

fd_set(X, Set) :-
    fd_set_of(X, Set).

%!  is_fdset(@Term) is semidet.

is_fdset(Set) :-
    is_set_of_integers(Set).

%!  empty_fdset(?Set) is semidet.

empty_fdset([]).

%!  empty_interval(+Min, +Max) is semidet.

empty_interval(Min, Max) :-
    limit_less(Max, Min).

%!  fdset_parts(?Set, ?Min, ?Max, ?Rest) is semidet.

fdset_parts(Set, Min, Max, Rest) :-
    ( var(Set), var(Rest) -> Rest = [] ; true ),
    set_parts(Set, Min, Max, Rest).

%!  fdset_interval(?Set, ?Min, ?Max) is semidet.

fdset_interval(Set, Min, Max) :-
    set_interval(Set, Min, Max).

%!  fdset_singleton(?Set, ?Element) is semidet.

fdset_singleton([N-N], N) :-
    integer(N).

%!  fdset_min(+Set, -Min) is semidet.
%!  fdset_max(+Set, -Max) is semidet.

fdset_min(Set, Min) :-
    set_limits(Set, Min, _).

fdset_max(Set, Max) :-
    set_limits(Set, _, Max).

%!  fdset_size(+Set, -Size) is det.

fdset_size(Set, Size) :-
    set_size(Set, Size).

%!  list_to_fdset(+Integers, -Set) is det.

list_to_fdset(Ns, Set) :-
    set_of_list(Ns, Set).

%!  fdset_to_list(+Set, -Integers) is semidet.

fdset_to_list(Set, Ns) :-
    set_list(Set, Ns).

%!  range_to_fdset(+Domain, -Set) is det.

range_to_fdset(Domain, Set) :-
    set_of_range(Domain, Set).

%!  fdset_to_range(+Set, -Domain) is det.

fdset_to_range(Set, Domain) :-
    set_range(Set, Domain).

%!  fdset_add_element(+Set, +Integer, -Set) is det.

fdset_add_element(Set0, N, Set) :-
    set_with(Set0, N, Set).

%!  fdset_del_element(+Set, +Integer, -Set) is det.

fdset_del_element(Set0, N, Set) :-
    must_be(integer, N),
    set_without(Set0, [N-N], Set).

%!  fdset_disjoint(+Set1, +Set2) is semidet.

fdset_disjoint(A, B) :-
    acyclic_term(A-B),
    intersection_of(A, B, []).

%!  fdset_intersect(+Set1, +Set2) is semidet.

fdset_intersect(A, B) :-
    acyclic_term(A-B),
    \+ fdset_disjoint(A, B).

%!  fdset_intersection(+Set1, +Set2, -Set) is det.

fdset_intersection(A, B, Set) :-
    acyclic_term(A-B),
    intersection_of(A, B, Set).

%!  fdset_member(?Integer, +Set) is nondet.

fdset_member(N, Set) :-
    set_member(N, Set).

%!  fdset_eq(+Set1, +Set2) is semidet.

fdset_eq(A, B) :-
    A == B.

%!  fdset_subset(+Set1, +Set2) is semidet.

fdset_subset(A, B) :-
    acyclic_term(A-B),
    intersection_of(A, B, A).

%!  fdset_subtract(+Set1, +Set2, -Set) is det.

fdset_subtract(A, B, Set) :-
    set_without(A, B, Set).

%!  fdset_union(+Sets, -Set) is det.

fdset_union(Sets, Set) :-
    set_union(Sets, Set).

%!  fdset_union(+Set1, +Set2, -Set) is det.

fdset_union(A, B, Set) :-
    acyclic_term(A-B),
    union_of(A, B, Set).

%!  fdset_complement(+Set, -Set) is det.

fdset_complement(Set0, Set) :-
    acyclic_term(Set0),
    complement_of(Set0, Set).

%   For modules that import this library: comparisons of integers are arithmetic.

:- multifile(system:goal_expansion/2).
:- dynamic(system:goal_expansion/2).

system:goal_expansion(Goal, Expanded) :-
    expands(Goal),
    '$source_module'(M),
    predicate_property(M:Goal, imported_from(Module)),
    '$library_module'(Module, clpfd),
    \+ current_prolog_flag(clpfd_goal_expansion, false),
    expanded_goal(Goal, Module, Expanded).

expands(#=(_, _)).
expands(#\=(_, _)).
expands(#<(_, _)).
expands(#>(_, _)).
expands(#=<(_, _)).
expands(#>=(_, _)).

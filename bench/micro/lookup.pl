% Look-ups: calls that select one of many clauses, by each argument, by each kind of key, by two arguments together. The facts are dynamic but
% for those of static_*. Index building is part of the work, as each preparation asserts the facts anew.

:- dynamic([fact/4, pair/3, ruled/2, keyed/2, loaded/1]).

% kinds of keys
key(atom, I, K) :- atom_concat(key_, I, K).
key(int, I, I).
key(negative, I, K) :- K is -I.
key(strided12, I, K) :- K is I<<12.
key(strided40, I, K) :- K is I<<40.
key(strided50, I, K) :- K is I<<50.
key(mirrored, I, K) :- K is (I<<32) xor I.              % halves that cancel each other
key(big, I, K) :- K is I+(1<<100).
key(bigstrided, I, K) :- K is (I<<64)+(1<<100).
key(rational, I, K) :- K is (2*I+1) rdiv 2.
key(float, I, K) :- K is I*1.5.
key(floatpower, I, K) :- K is 2.0**(I mod 512)*(1+(I//512)).
key(string, I, K) :- format(string(K), "key ~d", [I]).
key(longstring, I, K) :- format(string(K), "a rather long text that many keys begin with, and which ends only after a while, number ~d", [I]).
key(functor, I, K) :- atom_concat(f_, I, F), functor(K, F, 1).
key(deep, I, f(I)).
key(list, I, [I, b]).
key(deeper, I, f(g(I))).
key(functors, I, K) :- F is I mod 500, atom_concat(f_, F, Name), K =.. [Name, I].

keys(Kind, N, Keys) :-
    numlist(1, N, Is),
    keys_of(Is, Kind, Keys).

keys_of([], _, []).
keys_of([I|Is], Kind, [K|Ks]) :- key(Kind, I, K), keys_of(Is, Kind, Ks).

% the argument a key stands in
put(1, K, V, fact(K, x, y, V)).
put(2, K, V, fact(x, K, y, V)).
put(3, K, V, fact(x, y, K, V)).

get(1, [], S, S).
get(1, [K|Ks], S0, S) :- fact(K, _, _, V), S1 is S0+V, get(1, Ks, S1, S).
get(2, [], S, S).
get(2, [K|Ks], S0, S) :- fact(_, K, _, V), S1 is S0+V, get(2, Ks, S1, S).
get(3, [], S, S).
get(3, [K|Ks], S0, S) :- fact(_, _, K, V), S1 is S0+V, get(3, Ks, S1, S).

operation(first_int, 20000).
operation(first_negative, 20000).
operation(first_atom, 20000).
operation(first_strided12, 20000).
operation(first_strided40, 20000).
operation(first_strided50, 20000).
operation(first_mirrored, 20000).
operation(first_big, 10000).
operation(first_bigstrided, 10000).
operation(first_rational, 20000).
operation(first_float, 20000).
operation(first_floatpower, 10000).
operation(first_string, 30000).
operation(first_longstring, 25000).
operation(first_functor, 40000).
operation(first_deep, 30000).
operation(first_list, 30000).
operation(first_deeper, 20000).
operation(first_functors, 20000).
operation(second_int, 45000).
operation(second_atom, 35000).
operation(second_strided40, 35000).
operation(second_big, 25000).
operation(second_float, 30000).
operation(second_string, 25000).
operation(second_functor, 20000).
operation(second_deep, 30000).
operation(third_int, 20000).
operation(third_atom, 20000).
operation(third_string, 20000).

place(Name, Argument, Kind) :-
    atomic_list_concat([Position, Kind], '_', Name),
    nth1(Argument, [first, second, third], Position).

prepare(Name, N, Argument-Keys) :-
    place(Name, Argument, Kind),
    retractall(fact(_, _, _, _)),
    keys(Kind, N, Keys),
    nth1_assert(Keys, Argument, 1).

nth1_assert([], _, _).
nth1_assert([K|Ks], Argument, I) :-
    put(Argument, K, I, Fact),
    assertz(Fact),
    I1 is I+1,
    nth1_assert(Ks, Argument, I1).

work(Name, _, Argument-Keys, Sum) :-
    place(Name, Argument, _),
    get(Argument, Keys, 0, Sum).

% two arguments, each of which alone leaves many clauses
operation(two_ints, 25000).
operation(two_atoms, 20000).
operation(two_mixed, 20000).

two(two_ints, I, A, B, M) :- A is I mod M, B is I//M.
two(two_atoms, I, A, B, M) :- A0 is I mod M, B0 is I//M, atom_concat(a, A0, A), atom_concat(b, B0, B).
two(two_mixed, I, A, B, M) :- A is I mod M, B0 is I//M, atom_concat(b, B0, B).

prepare(Name, N, Pairs) :-
    memberchk(Name, [two_ints, two_atoms, two_mixed]),
    retractall(pair(_, _, _)),
    M is integer(sqrt(N)),
    findall(A-B, ( between(1, N, I), two(Name, I, A, B, M), assertz(pair(A, B, I)) ), Pairs).

work(Name, _, Pairs, Sum) :-
    memberchk(Name, [two_ints, two_atoms, two_mixed]),
    get_pairs(Pairs, 0, Sum).

get_pairs([], S, S).
get_pairs([A-B|Ps], S0, S) :- pair(A, B, V), S1 is S0+V, get_pairs(Ps, S1, S).

% keys that are not there
operation(missing_first, 40000).
operation(missing_second, 40000).

prepare(missing_first, N, Keys) :- prepare(first_int, N, _-Keys).
prepare(missing_second, N, Keys) :- prepare(second_int, N, _-Keys).

work(missing_first, _, Keys, Count) :- miss_first(Keys, 0, Count).
work(missing_second, _, Keys, Count) :- miss_second(Keys, 0, Count).

miss_first([], C, C).
miss_first([K0|Ks], C0, C) :- K is K0+1000000, \+ fact(K, _, _, _), C1 is C0+1, miss_first(Ks, C1, C).
miss_second([], C, C).
miss_second([K0|Ks], C0, C) :- K is K0+1000000, \+ fact(_, K, _, _), C1 is C0+1, miss_second(Ks, C1, C).

% one clause in front, in the middle or at the end that fits every key
operation(variable_first, 10000).
operation(variable_middle, 10000).
operation(variable_last, 10000).

prepare(Name, N, Keys) :-
    nth1(Place, [variable_first, variable_middle, variable_last], Name),
    retractall(keyed(_, _)),
    keys(int, N, Keys),
    At is 1+(N-1)*(Place-1)//2,
    forall(member(K, Keys),
           ( ( K =:= At -> assertz(keyed(_, 0)) ; true ), assertz(keyed(K, K)) )).

work(Name, _, Keys, Sum) :-
    memberchk(Name, [variable_first, variable_middle, variable_last]),
    get_all(Keys, 0, Sum).

get_all([], S, S).
get_all([K|Ks], S0, S) :-
    findall(V, keyed(K, V), Vs),
    sum_list(Vs, V),
    S1 is S0+V,
    get_all(Ks, S1, S).

% a hundred clauses among them that fit every key
operation(variable_some, 10000).

prepare(variable_some, N, Keys) :-
    retractall(keyed(_, _)),
    keys(int, N, Keys),
    Step is max(1, N//100),
    forall(member(K, Keys), ( assertz(keyed(K, K)), ( K mod Step =:= 0 -> assertz(keyed(_, 0)) ; true ) )).

work(variable_some, _, Keys, Sum) :- get_all(Keys, 0, Sum).

% a hundredth of them fits every key, and the first answer is all that is wanted
operation(variable_hundredth, 5000).

prepare(variable_hundredth, N, Keys) :-
    retractall(keyed(_, _)),
    keys(int, N, Keys),
    forall(member(K, Keys), ( K mod 100 =:= 0 -> assertz(keyed(_, K)) ; assertz(keyed(K, K)) )).

work(variable_hundredth, _, Keys, Sum) :- first_answers(Keys, 0, S), first_answers(Keys, S, Sum).

% the same of half of them
operation(variable_half, 5000).

prepare(variable_half, N, Keys) :-
    retractall(keyed(_, _)),
    keys(int, N, Keys),
    forall(member(K, Keys), ( K mod 2 =:= 0 -> assertz(keyed(_, K)) ; assertz(keyed(K, K)) )).

work(variable_half, _, Keys, Sum) :- first_answers(Keys, 0, S), first_answers(Keys, S, Sum).

first_answers([], S, S).
first_answers([K|Ks], S0, S) :- once(keyed(K, V)), S1 is S0+V, first_answers(Ks, S1, S).

% few clauses to a key, all of them wanted
operation(several, 20000).
prepare(several, N, Count) :-
    retractall(keyed(_, _)),
    Count is N//10,
    forall(between(1, N, I), ( K is I mod Count, assertz(keyed(K, I)) )).
work(several, _, Count, Sum) :-
    Last is Count-1,
    numlist(0, Last, Keys),
    get_all(Keys, 0, Sum).

% rules
operation(rules_int, 20000).
prepare(rules_int, N, Keys) :-
    retractall(ruled(_, _)),
    keys(int, N, Keys),
    forall(member(K, Keys), assertz(( ruled(K, V) :- V is K+1 ))).
work(rules_int, _, Keys, Sum) :- get_ruled(Keys, 0, Sum).

get_ruled([], S, S).
get_ruled([K|Ks], S0, S) :- ruled(K, V), S1 is S0+V, get_ruled(Ks, S1, S).

% static facts, from a file
operation(static_int, 45000).
operation(static_atom, 25000).
operation(static_strided40, 35000).
operation(static_float, 20000).
operation(static_string, 20000).
operation(static_second, 35000).
operation(static_deep, 25000).

static_kind(static_int, 1, int).
static_kind(static_atom, 1, atom).
static_kind(static_strided40, 1, strided40).
static_kind(static_float, 1, float).
static_kind(static_string, 1, string).
static_kind(static_second, 2, int).
static_kind(static_deep, 1, deep).

prepare(Name, N, Keys) :-
    static_kind(Name, Argument, Kind),
    forall(retract(loaded(Old)), unload_file(Old)),
    keys(Kind, N, Keys),
    tmp_file(static, File),
    open(File, write, Out),
    write_static(Keys, Argument, 1, Out),
    close(Out),
    load_files(File, []),
    delete_file(File),
    assertz(loaded(File)).

write_static([], _, _, _).
write_static([K|Ks], Argument, I, Out) :-
    ( Argument == 1 -> T = static_fact(K, x, I) ; T = static_fact(x, K, I) ),
    writeq(Out, T),
    write(Out, '.\n'),
    I1 is I+1,
    write_static(Ks, Argument, I1, Out).

work(Name, _, Keys, Sum) :-
    static_kind(Name, Argument, _),
    get_static(Argument, Keys, 0, Sum).

get_static(1, [], S, S).
get_static(1, [K|Ks], S0, S) :- static_fact(K, _, V), S1 is S0+V, get_static(1, Ks, S1, S).
get_static(2, [], S, S).
get_static(2, [K|Ks], S0, S) :- static_fact(_, K, V), S1 is S0+V, get_static(2, Ks, S1, S).

% static rules most of which fit every key
operation(static_unkeyed, 6000).

prepare(static_unkeyed, N, N) :-
    forall(retract(loaded(Old)), unload_file(Old)),
    tmp_file(static, File),
    open(File, write, Out),
    forall(between(1, 400, I),
           ( ( I mod 5 =:= 0 -> J is I mod 10, atom_concat(k, J, K) ; K = _ ), portray_clause(Out, ( unkeyed(K, V) :- unkeyed_value(I, V) )) )),
    close(Out),
    load_files(File, []),
    delete_file(File),
    assertz(loaded(File)).

unkeyed_value(I, V) :- I > 100000, V = I.

work(static_unkeyed, _, N, N) :- forall(between(1, N, _), \+ unkeyed(z9, _)).

% reading facts in order, without a key
operation(all_facts, 100000).
prepare(all_facts, N, N) :- prepare(first_int, N, _).
work(all_facts, _, _, Sum) :- aggregate_all(sum(V), fact(_, _, _, V), Sum).

% Global counters and records by key: flag/3 and the recorded database, as in SWI-Prolog, without references to records.

:- module(flag_keys, [
       flag/3,
       recorda/2,
       recordz/2,
       recorded/2,
       current_key/1
   ]).

:- dynamic(flag_value/2).
:- dynamic(record_of/3).

%!  flag(+Key, -Old, +New) is det.
%
%   Old is the value of the flag (0 at first); then it gets the value of the expression New. One step for all threads.

flag(Key, Old, New) :-
    must_be(nonvar, Key),
    with_mutex('$flag', change_flag(Key, Old, New)).

change_flag(Key, Old, New) :-
    ( flag_value(Key, Old0) -> true ; Old0 = 0 ),
    Old = Old0,
    Value is New,
    retractall(flag_value(Key, _)),
    assertz(flag_value(Key, Value)).

%!  recorda(+Key, +Term) is det.
%!  recordz(+Key, +Term) is det.
%
%   Adds a copy of Term to the records of Key, at the start or the end. Of a compound key only name and arity count.

recorda(Key, Term) :-
    record_key(Key, K, A),
    asserta(record_of(K, A, Term)).

recordz(Key, Term) :-
    record_key(Key, K, A),
    assertz(record_of(K, A, Term)).

%!  recorded(?Key, ?Term) is nondet.

recorded(Key, Term) :-
    nonvar(Key), !,
    record_key(Key, K, A),
    record_of(K, A, Term).
recorded(Key, Term) :-
    record_of(K, A, Term),
    key_of_record(K, A, Key).

%!  current_key(?Key) is nondet.
%
%   Key has records.

current_key(Key) :-
    findall(K-A, record_of(K, A, _), Keys0),
    sort(Keys0, Keys),
    member(K-A, Keys),
    key_of_record(K, A, Key).

record_key(Key, K, A) :-
    must_be(nonvar, Key),
    (   compound(Key)
    ->  compound_name_arity(Key, K, A)
    ;   K = Key,
        A = 0
    ).

key_of_record(K, A, Key) :-
    (   A =:= 0
    ->  Key = K
    ;   compound_name_arity(Key, K, A)
    ).

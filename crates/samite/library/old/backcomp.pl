:- module(backcomp,
          [ concat_atom/2,
            concat_atom/3,
            concat/3,
            'C'/3,
            checklist/2,
            sublist/3,
            write_ln/1,
            flush/0,
            proper_list/1,
            free_variables/2,
            setup_and_call_cleanup/3,
            merge/3,
            merge_set/3,
            displayq/1,
            displayq/2,
            setup_and_call_cleanup/4,
            call_cleanup/3,
            sformat/2,
            sformat/3,
            string_to_list/2,
            substring/4,
            read_variables/2,
            read_variables/3,
            read_clause/1,
            current_thread/2,
            message_queue_size/2,
            feature/2,
            set_feature/2,
            convert_time/2,
            convert_time/8,
            at_initialization/1,
            hash_term/2,
            index/1,
            trie_insert_new/3
          ]).

/*  Old names of predicates that have newer ones.

    As the part of SWI-Prolog's library(backcomp) that old programs use.
*/

:- meta_predicate
    checklist(1, +),
    sublist(1, +, -),
    setup_and_call_cleanup(0, 0, 0),
    setup_and_call_cleanup(0, 0, ?, 0),
    call_cleanup(0, ?, 0),
    sformat(-, +, :),
    at_initialization(0),
    index(:).

%!  concat_atom(+List, -Atom) is det.

concat_atom(List, Atom) :-
    atomic_list_concat(List, Atom).

%!  concat_atom(?List, +Separator, ?Atom) is det.

concat_atom(List, Separator, Atom) :-
    atomic_list_concat(List, Separator, Atom).

%!  concat(?A, ?B, ?Atom) is nondet.

concat(A, B, Atom) :-
    atomic_concat_part(A),
    atomic_concat_part(B),
    atom_concat(A, B, Atom).

atomic_concat_part(A) :-
    ( compound(A) -> type_error(atomic, A) ; true ).

%!  'C'(?List, ?Head, ?Tail) is semidet.

'C'([Head|Tail], Head, Tail).

%!  checklist(:Goal, +List) is semidet.

checklist(Goal, List) :-
    maplist(Goal, List).

%!  sublist(:Goal, +List, -Included) is det.

sublist(_, [], Included) :- !,
    Included = [].
sublist(Goal, [X|Xs], Included) :-
    call(Goal, X), !,
    Included = [X|Included1],
    sublist(Goal, Xs, Included1).
sublist(Goal, [_|Xs], Included) :-
    sublist(Goal, Xs, Included).

%!  write_ln(@Term) is det.

write_ln(Term) :-
    writeln(Term).

%!  flush is det.

flush :-
    flush_output.

%!  proper_list(@Term) is semidet.

proper_list(Term) :-
    is_list(Term).

%!  free_variables(+Term, -Vars) is det.

free_variables(Term, Vars) :-
    term_variables(Term, Vars).

%!  setup_and_call_cleanup(:Setup, :Goal, :Cleanup) is nondet.

setup_and_call_cleanup(Setup, Goal, Cleanup) :-
    setup_call_cleanup(Setup, Goal, Cleanup).

%!  merge(+A, +B, -Merged) is det.
%
%   The sorted lists A and B in one, duplicates kept.

merge([], B, B) :- !.
merge(A, [], A) :- !.
merge([A|As], [B|Bs], [C|Cs]) :-
    (   A @=< B
    ->  C = A,
        merge(As, [B|Bs], Cs)
    ;   C = B,
        merge([A|As], Bs, Cs)
    ).

%!  merge_set(+A, +B, -Merged) is det.

merge_set(A, B, Merged) :-
    ord_union(A, B, Merged).

%!  displayq(+Term) is det.
%!  displayq(+Stream, +Term) is det.

displayq(Term) :-
    write_term(Term, [quoted(true), ignore_ops(true)]).
displayq(Stream, Term) :-
    write_term(Stream, Term, [quoted(true), ignore_ops(true)]).

%!  setup_and_call_cleanup(:Setup, :Goal, ?Catcher, :Cleanup) is nondet.

setup_and_call_cleanup(Setup, Goal, Catcher, Cleanup) :-
    setup_call_catcher_cleanup(Setup, Goal, Catcher, Cleanup).

%!  call_cleanup(:Goal, ?Catcher, :Cleanup) is nondet.

call_cleanup(Goal, Catcher, Cleanup) :-
    setup_call_catcher_cleanup(true, Goal, Catcher, Cleanup).

%!  sformat(-String, +Format) is det.
%!  sformat(-String, +Format, :Args) is det.

sformat(String, Format) :-
    sformat(String, Format, []).
sformat(String, Format, Args) :-
    format(string(String), Format, Args).

%!  string_to_list(?String, ?Codes) is det.

string_to_list(String, Codes) :-
    string_codes(String, Codes).

%!  substring(+Text, +Start, +Length, -Sub) is det.
%
%   Start counts from 1.

substring(Text, Start, Length, Sub) :-
    must_be(positive_integer, Start),
    Before is Start - 1,
    sub_string(Text, Before, Length, _, Sub).

%!  read_variables(-Term, -Bindings) is det.
%!  read_variables(+Stream, -Term, -Bindings) is det.

read_variables(Term, Bindings) :-
    read_term(Term, [variable_names(Bindings)]).
read_variables(Stream, Term, Bindings) :-
    read_term(Stream, Term, [variable_names(Bindings)]).

%!  read_clause(-Term) is det.

read_clause(Term) :-
    read_term(Term, []).

%!  current_thread(?Thread, ?Status) is nondet.

current_thread(Thread, Status) :-
    nonvar(Thread),
    !,
    catch(thread_property(Thread, status(Status)),
          error(existence_error(thread, _), _), fail).
current_thread(Thread, Status) :-
    thread_property(Thread, status(Status)).

%!  message_queue_size(?Queue, ?Size) is nondet.

message_queue_size(Queue, Size) :-
    message_queue_property(Queue, size(Size)).

%!  feature(?Flag, ?Value) is nondet.

feature(Flag, Value) :-
    current_prolog_flag(Flag, Value).

%!  set_feature(+Flag, +Value) is det.

set_feature(Flag, Value) :-
    (   current_prolog_flag(Flag, _)
    ->  set_prolog_flag(Flag, Value)
    ;   create_prolog_flag(Flag, Value, [])
    ).

%!  convert_time(+Stamp, -String) is det.

convert_time(Stamp, String) :-
    format_time(string(String), '%a %b %e %T %Y', Stamp).

%!  convert_time(+Stamp, -Year, -Month, -Day, -Hour, -Minute, -Second, -Millisecond) is det.

convert_time(Stamp, Year, Month, Day, Hour, Minute, Second, Millisecond) :-
    stamp_date_time(Stamp, date(Year, Month, Day, Hour, Minute, Seconds, _, _, _), local),
    Second is integer(truncate(Seconds)),
    Millisecond is integer(float_fractional_part(Seconds) * 1000).

%!  hash_term(+Term, -Hash) is det.

hash_term(Term, Hash) :-
    term_hash(Term, Hash).

%!  index(:Heads) is det.
%
%   Which arguments are indexed follows from the calls, as a warning says.

index(Heads) :-
    print_message(warning, decl_no_effect(index(Heads))).

%!  at_initialization(:Goal) is det.

at_initialization(Goal) :-
    initialization(Goal).

%!  trie_insert_new(+Trie, +Key, -Node) is semidet.

trie_insert_new(Trie, Key, Node) :-
    trie_insert(Trie, Key, [], Node).

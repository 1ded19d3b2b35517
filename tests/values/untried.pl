% Says which builtins and library predicates no goal of the grammar is about, by name.
%
%     untried.pl -- GRAMMAR LIBRARY...     files of the libraries

:- initialization(main, main).

main([Grammar|Libraries]) :-
    read_file_to_string(Grammar, Text, [encoding(utf8)]),
    findall(Name, ( predicate_property(system:Head, defined), functor(Head, Name, _) ), Builtins),
    findall(Name, ( member(File, Libraries), exported(File, Name) ), Exports),
    append(Builtins, Exports, All0),
    sort(All0, All),
    forall(( member(Name, All), \+ private(Name), \+ tried(Name, Text) ), ( writeq(Name), nl )).

exported(File, Name) :-
    setup_call_cleanup(open(File, read, In, [encoding(utf8)]), read(In, Header), close(In)),
    Header = (:- module(Module, Exports)),
    \+ private(Module),
    member(Name/_, Exports).

private(Name) :- sub_atom(Name, 0, _, _, $).

tried(Name, Text) :-
    sub_string(Text, Before, _, After, Name),
    \+ ( Before > 0, B is Before - 1, sub_string(Text, B, 1, _, C), part_of_name(C) ),
    \+ ( After > 0, sub_string(Text, _, 1, After0, D), After0 =:= After - 1, part_of_name(D) ),
    !.

part_of_name(C) :-
    char_type(C, csym).

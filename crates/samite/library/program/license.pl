:- module(license, [ known_licenses/0, license/0, license/1, license/2 ]).

/*  Which licenses the parts of a program are under: files say so in a directive, and license/0 prints it. Differs from SWI-Prolog in: any name is
    taken, nothing is said of whether licenses go together.  */

%!  license(+License) is det.
%
%   The file that is being loaded, or else the program, is under License, an atom.

license(License) :-
    (   prolog_load_context(source, File)
    ->  note(License, File)
    ;   note(License, program)
    ).

%!  license(+License, +Component) is det.
%
%   Component, an atom, is under License.

license(License, Component) :-
    must_be(atom, Component),
    note(License, Component).

note(License, Component) :-
    must_be(atom, License),
    Said = License-Component,
    '$say_anew'('$license', Said, Said).

%!  license is det.
%
%   Prints what is known.

license :-
    writeln('Samite is under MIT or Apache-2.0, at your choice.'),
    findall(Said, '$says'('$license', Said), All),
    list_to_set(All, Licenses),
    forall(member(License-Component, Licenses), format('~w: ~w~n', [Component, License])).

%!  known_licenses is det.
%
%   Says which names license/1,2 take.

known_licenses :-
    print_message(information, format('Any atom names a license; which ones go together is not known', [])).

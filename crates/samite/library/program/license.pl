:- module(license, [ license/0, license/1, license/2 ]).

/*  Which licenses the parts of a program are under: files say so in a directive, and license/0 prints it. Differs from SWI-Prolog in: any name is
    taken, nothing is said of whether licenses go together.  */

:- dynamic(licensed/2).

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

%   A file that is loaded again says it again.
note(License, Component) :-
    must_be(atom, License),
    (   licensed(License, Component)
    ->  true
    ;   assertz(licensed(License, Component))
    ).

%!  license is det.
%
%   Prints what is known.

license :-
    writeln('Samite is under MIT or Apache-2.0, at your choice.'),
    forall(licensed(License, Component), format('~w: ~w~n', [Component, License])).

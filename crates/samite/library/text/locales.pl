:- module('$locales',
     [ locale_create/3, locale_destroy/1, locale_property/2, current_locale/1, set_locale/1, setlocale/3, collation_key/2 ]).

/*  Locales: how the directives of format/2 with a colon punctuate numbers. Each thread has a current one, which those it creates inherit.

    Differs from SWI-Prolog in: the only locales of the system are "C" and "POSIX"; what stands for a locale without alias is an atom. */

:- dynamic(locale/4).            % Name, point, separator, grouping

locale(default, '.', '', []).

%!  current_locale(?Locale) is semidet.

current_locale(Name) :-
    '$current_locale'(Current),
    Name = Current.

%!  set_locale(+Locale) is det.

set_locale(Spec) :-
    found(Spec, set_locale/1, Name, Point, Separator, Grouping),
    sizes(Grouping, First, Others),
    '$set_locale'(Name, Point, Separator, First, Others).

%!  locale_create(-Locale, +Default, +Options) is semidet.
%
%   Options: alias(Name), decimal_point(Atom), thousands_sep(Atom), grouping(List) of sizes and, as the last, repeat(Size). What they do
%   not say is as in Default, a locale or the name of one of the system as a string.

locale_create(Name, Default, Options) :-
    PI = locale_create/3,
    must_be_options(Options, PI),
    (   ( string(Default) ; atom(Default) ), system_locale(Default)
    ->  Point0 = '.', Separator0 = '', Grouping0 = []
    ;   found(Default, PI, _, Point0, Separator0, Grouping0)
    ),
    chosen(decimal_point(Point), Options, Point0),
    chosen(thousands_sep(Separator), Options, Separator0),
    chosen(grouping(Grouping), Options, Grouping0),
    must_be_atom(Point, PI),
    must_be_atom(Separator, PI),
    must_be_grouping(Grouping, PI),
    (   '$member'(alias(Alias), Options)
    ->  must_be_atom(Alias, PI),
        (   locale(Alias, _, _, _)
        ->  throw(error(permission_error(create, locale, Alias), context(system:PI, 'Alias name already taken')))
        ;   true
        ),
        New = Alias
    ;   gensym('<locale>', New)
    ),
    Name = New,
    assertz(locale(New, Point, Separator, Grouping)).

system_locale(Name) :-
    atom_string(Name, Text),
    '$memberchk_eq'(Text, ["C", "POSIX"]).

must_be_options(Options, PI) :-
    (   var(Options) -> throw(error(instantiation_error, context(system:PI, _)))
    ;   Options = [Option|More]
    ->  (   var(Option) -> throw(error(instantiation_error, context(system:PI, _)))
        ;   compound(Option), compound_name_arity(Option, _, 1) -> true
        ;   throw(error(type_error(locale_property, Option), context(system:PI, _)))
        ),
        must_be_options(More, PI)
    ;   Options == [] -> true
    ;   throw(error(type_error(list, Options), context(system:PI, _)))
    ).

chosen(Option, Options, Default) :-
    (   '$member'(Option, Options) -> true
    ;   arg(1, Option, Default)
    ).

%!  locale_destroy(+Locale) is det.
%
%   Threads that have it as their current one keep it.

locale_destroy(Name) :-
    found(Name, locale_destroy/1, _, _, _, _),
    retractall(locale(Name, _, _, _)).

%!  locale_property(?Locale, ?Property) is nondet.
%
%   Property is alias(Name), decimal_point(Atom), thousands_sep(Atom) or grouping(List); the last two only where digits are grouped.

locale_property(_, Property) :-
    nonvar(Property),
    \+ known_property(Property), !,
    ( ( atom(Property) ; compound(Property) ) -> Error = domain_error(locale_property, Property) ; Error = type_error(locale_property, Property) ),
    throw(error(Error, context(system:locale_property/2, _))).
locale_property(Spec, Property) :-
    ( Spec == current_locale -> current_locale(Name) ; Name = Spec ),
    locale(Name, Point, Separator, Grouping),
    property(Property, Name, Point, Separator, Grouping).

known_property(alias(_)).
known_property(decimal_point(_)).
known_property(thousands_sep(_)).
known_property(grouping(_)).

property(alias(Name), Name, _, _, _) :- \+ sub_atom(Name, 0, _, _, '<locale>').
property(decimal_point(Point), _, Point, _, _) :- Point \== ''.
property(thousands_sep(Separator), _, _, Separator, _) :- Separator \== ''.
property(grouping(Grouping), _, _, _, Grouping) :- Grouping \== [].

%   found(+Spec, +Caller, -Name, -Point, -Separator, -Grouping)

found(Spec, PI, _, _, _, _) :- var(Spec), !,
    throw(error(instantiation_error, context(system:PI, _))).
found(current_locale, _, Name, Point, Separator, Grouping) :- !,
    '$current_locale'(Name),
    locale(Name, Point, Separator, Grouping).
found(Name, _, Name, Point, Separator, Grouping) :-
    atom(Name),
    locale(Name, Point, Separator, Grouping), !.
found(Spec, PI, _, _, _, _) :-
    ( ( atom(Spec) ; string(Spec), PI = locale_create/3 ) -> Error = existence_error(locale, Spec) ; Error = type_error(locale, Spec) ),
    throw(error(Error, context(system:PI, _))).

must_be_atom(X, PI) :-
    (   atom(X) -> true
    ;   var(X) -> throw(error(instantiation_error, context(system:PI, _)))
    ;   throw(error(type_error(atom, X), context(system:PI, _)))
    ).

must_be_grouping(L, PI) :-
    (   is_list(L) -> true
    ;   var(L) -> throw(error(instantiation_error, context(system:PI, _)))
    ;   throw(error(type_error(list, L), context(system:PI, _)))
    ),
    (   '$member'(Size, L),
        \+ group_size(Size)
    ->  ( nonvar(Size), Size = repeat(N) -> true ; N = Size ),
        ( var(N) -> Error = instantiation_error ; Error = type_error(integer, N) ),
        throw(error(Error, context(system:PI, _)))
    ;   \+ ( '$append'(_, [repeat(_), _|_], L) )
    ).

group_size(Size) :- integer(Size), Size > 0.
group_size(repeat(Size)) :- integer(Size), Size > 0.

sizes([], [], 0).
sizes([repeat(N)|_], [], N) :- !.
sizes([N|Ns], [N|First], Others) :- sizes(Ns, First, Others).

%!  setlocale(+Category, -Old, +New) is semidet.
%
%   The system's locale of Category was Old and is New, if that is bound. It is always C, in all categories: what depends on the country is said by
%   set_locale/1, and how texts are encoded by the flag `encoding`.

setlocale(Category, Old, New) :-
    PI = setlocale/3,
    must_be_atom(Category, PI),
    (   '$memberchk_eq'(Category, [all, collate, ctype, messages, monetary, numeric, time]) -> true
    ;   throw(error(domain_error(category, Category), context(system:PI, _)))
    ),
    Old = 'C',
    (   var(New) -> true
    ;   must_be_atom(New, PI),
        (   '$memberchk_eq'(New, ['C', 'POSIX', '']) -> true
        ;   throw(error(existence_error(locale, New), context(system:PI, _)))
        )
    ).

%!  collation_key(+Atom, -Key) is det.
%
%   Key is a string that orders as Atom does; in the locales that there are it has the same characters.

collation_key(Atom, Key) :-
    (   var(Atom) -> throw(error(instantiation_error, context(system:collation_key/2, _)))
    ;   ( atom(Atom) ; string(Atom) ) -> true
    ;   throw(error(type_error(atom, Atom), context(system:collation_key/2, _)))
    ),
    atom_string(Atom, Key).

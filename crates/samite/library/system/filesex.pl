:- module(filesex,
     [ directory_file_path/3,
       relative_file_name/3,
       make_directory_path/1,
       directory_member/3,
       copy_file/2,
       link_file/3,
       set_time_file/3,
       chmod/2,
       copy_directory/2,
       delete_directory_contents/1,
       delete_directory_and_contents/1
     ]).

/*  Names of files in directories, directories with what is in them; as in SWI-Prolog's library(filesex).  */

%!  directory_file_path(?Directory, ?File, ?Path) is det.
%
%   Path is File in Directory; an absolute File stays as it is. If one of them is unbound it is what Path has before or behind the other one; if both are,
%   they are the directory and the name of Path.

directory_file_path(Directory, File, Path) :-
    ( var(Directory) ; var(File) ),
    var(Path), !,
    throw(error(instantiation_error, context(system:directory_file_path/3, _))).
directory_file_path(Directory, File, Path) :-
    var(Directory),
    var(File), !,
    file_directory_name(Path, Directory0),
    file_base_name(Path, File0),
    atom_string(Directory, Directory0),
    atom_string(File, File0).
directory_file_path(Directory, File, Path) :-
    var(Directory), !,
    atom_concat(Before, File, Path),
    (   atom_concat(Name, /, Before),
        Name \== ''
    ->  Directory = Name
    ;   Directory = Before
    ).
directory_file_path(Directory, File, Path) :-
    var(File), !,
    (   atom_string('.', Directory),
        \+ is_absolute_file_name(Path)
    ->  atom_string(File, Path)
    ;   sub_atom(Directory, _, 1, 0, /)
    ->  atom_concat(Directory, File, Path)
    ;   atomic_list_concat([Directory, /], Before),
        atom_concat(Before, File, Path)
    ).
directory_file_path(_, File, Path) :-
    is_absolute_file_name(File), !,
    atom_string(Path, File).
directory_file_path('.', File, Path) :- !,
    atom_string(Path, File).
directory_file_path(Directory, File, Path) :-
    (   sub_atom(Directory, _, 1, 0, /)
    ->  atomic_list_concat([Directory, File], Path)
    ;   atomic_list_concat([Directory, /, File], Path)
    ).

%!  relative_file_name(?Path, +RelativeTo, ?Relative) is det.
%
%   Relative is the name of Path as seen from the directory of the file RelativeTo.

relative_file_name(Path, RelativeTo, Relative) :-
    nonvar(Path), !,
    absolute_file_name(Path, AbsolutePath),
    absolute_file_name(RelativeTo, AbsoluteTo),
    (   AbsolutePath == AbsoluteTo
    ->  Relative = '.'
    ;   atomic_list_concat(PathParts, /, AbsolutePath),
        atomic_list_concat(ToParts, /, AbsoluteTo),
        append(Directory, [_], ToParts), !,
        uncommon(PathParts, Directory, Down, Up),
        up_and_down(Up, Down, Parts),
        ( Parts == [] -> Relative = '.' ; atomic_list_concat(Parts, /, Relative) )
    ).
relative_file_name(Path, _, Relative) :-
    is_absolute_file_name(Relative), !,
    atom_string(Path, Relative).
relative_file_name(Path, RelativeTo, Relative) :-
    file_directory_name(RelativeTo, Directory),
    directory_file_path(Directory, Relative, Joined),
    absolute_file_name(Joined, Path).

uncommon([X|Xs], [Y|Ys], Down, Up) :-
    X == Y, !,
    uncommon(Xs, Ys, Down, Up).
uncommon(Down, Up, Down, Up).

%   One step up for every directory.
up_and_down([], Down, Down).
up_and_down([_|Up], Down, [..|Parts]) :-
    up_and_down(Up, Down, Parts).

%!  make_directory_path(+Directory) is det.
%
%   Makes the directory and those above it that are missing.

make_directory_path(Directory) :-
    exists_directory(Directory), !.
make_directory_path(Directory) :-
    file_directory_name(Directory, Parent),
    Parent \== Directory,
    make_directory_path(Parent),
    make_directory(Directory).

%!  directory_member(+Directory, -Member, +Options) is nondet.
%
%   Member is the path of an entry of the directory. Options:
%
%     - recursive(Bool): entries of directories in it, too
%     - follow_links(Bool): links to directories are directories; the default. One that leads to where the search has been is not followed
%     - file_type(Type): `directory`, or files with an extension that user:prolog_file_type/2 gives that type; any for a type without one
%     - hidden(Bool): also those whose name begins with `.`, and what is in such directories; the default
%     - extensions(List): of these
%     - file_errors(Errors): `fail`, or `warning` (the default) or `error`, where a directory cannot be read
%     - access(Mode): which can be accessed so
%     - matches(Pattern), exclude(Pattern): whose name matches wildcard_match/2, or does not
%     - exclude_directory(Pattern): no members of directories of such a name

directory_member(Directory, Member, Options) :-
    must_be(list, Options),
    directory_member(Directory, [], Member, Options).

directory_member(Directory, Above, Member, Options) :-
    same_directory(Directory, Here),
    \+ memberchk(Here, Above),
    members(Directory, Options, Names0),
    msort(Names0, Names),
    member(Name, Names),
    Name \== '.',
    Name \== '..',
    directory_file_path(Directory, Name, Path),
    (   wanted_member(Path, Name, Options),
        Member = Path
    ;   option(recursive(true), Options),
        exists_directory(Path),
        \+ ( option(follow_links(false), Options), read_link(Path, _, _) ),
        \+ ( option(exclude_directory(Pattern), Options), wildcard_match(Pattern, Name) ),
        \+ is_left_out(Name, Options),
        directory_member(Path, [Here|Above], Member, Options)
    ).

members(Directory, Options, Names) :-
    option(file_errors(Errors), Options, warning),
    catch(directory_files(Directory, Names), error(E, C), cannot_read(Errors, error(E, C))).

cannot_read(fail, _) :- !, fail.
cannot_read(warning, Error) :- !, print_message(warning, Error), fail.
cannot_read(_, Error) :- throw(Error).

same_directory(Directory, Here) :-
    (   read_link(Directory, _, Target) -> true ; Target = Directory ),
    absolute_file_name(Target, Here).

wanted_member(Path, Name, Options) :-
    (   option(extensions(Extensions), Options)
    ->  file_name_extension(_, Extension, Path),
        memberchk(Extension, Extensions)
    ;   true
    ),
    (   option(file_type(Type), Options)
    ->  (   Type == directory
        ->  exists_directory(Path)
        ;   exists_file(Path),
            has_type(Type, Name)
        )
    ;   true
    ),
    \+ ( option(follow_links(false), Options), read_link(Path, _, _) ),
    ( option(access(Access), Options) -> access_file(Path, Access) ; true ),
    ( option(matches(Pattern), Options) -> wildcard_match(Pattern, Name) ; true ),
    \+ ( option(exclude(Excluded), Options), wildcard_match(Excluded, Name) ),
    \+ is_left_out(Name, Options).

is_left_out(Name, Options) :-
    option(hidden(false), Options),
    sub_atom(Name, 0, _, _, '.').

has_type(Type, Name) :-
    findall(Extension, user:prolog_file_type(Extension, Type), Extensions),
    (   Extensions == []
    ->  absolute_file_name(Name, _, [file_type(Type)])          % It is a type.
    ;   file_name_extension(_, Extension, Name),
        memberchk(Extension, Extensions)
    ).

%!  copy_file(+From, +To) is det.
%
%   To becomes a copy of the file From; if it is a directory, a file of the same name in it.

copy_file(From, To0) :-
    (   exists_directory(To0)
    ->  file_base_name(From, Name),
        directory_file_path(To0, Name, To)
    ;   To = To0
    ),
    setup_call_cleanup(
        open(From, read, In, [type(binary)]),
        setup_call_cleanup(
            open(To, write, Out, [type(binary)]),
            copy_stream_data(In, Out),
            close(Out)),
        close(In)).

%!  link_file(+Old, +New, +Type) is det.
%
%   New becomes a link to Old, which is seen from New's directory if Type is `symbolic`; the other type is `hard`.

link_file(Old, New, Type) :-
    must_be(atom, Type),
    (   memberchk(Type, [symbolic, hard]) -> true
    ;   domain_error(link_type, Type)
    ),
    '$link_file'(New, Old, Type).

%!  set_time_file(+File, ?Old, +New) is semidet.
%
%   Old has the times of File, which are set as New says, in seconds since 1970: access(T) of the last access and modified(T) of the last change, where T
%   may also be `now`; changed(T), of the last change of its inode, can only be asked for. An unbound Old, or tail of it, becomes a list of the times that are
%   not mentioned.

set_time_file(File, Old, New) :-
    '$file_times'(File, Access, Modified, Changed),
    must_be(list, New),
    foldl(time_to_set, New, keep-keep, ToAccess-ToModified),
    old_times(Old, [access(Access), modified(Modified), changed(Changed)]),
    (   New == [] -> true
    ;   '$set_file_times'(File, ToAccess, ToModified)
    ).

time_to_set(Option, Access0-Modified0, Access-Modified) :-
    (   nonvar(Option), Option = access(T)
    ->  time_stamp(T, Access), Modified = Modified0
    ;   nonvar(Option), Option = modified(T)
    ->  time_stamp(T, Modified), Access = Access0
    ;   must_be(nonvar, Option), domain_error(file_time_option, Option)
    ).

time_stamp(T, Stamp) :- T == now, !, get_time(Stamp).
time_stamp(T, Stamp) :-
    must_be(number, T),
    Stamp is float(T).

old_times(Old, Times) :- var(Old), !, Old = Times.
old_times([], _) :- !.
old_times([Time|Rest], Times) :- !,
    must_be(compound, Time),
    compound_name_arity(Time, Name, Arity),
    compound_name_arity(General, Name, Arity),
    (   selectchk(General, Times, Others)
    ->  arg(1, Time, T), arg(1, General, T),
        old_times(Rest, Others)
    ;   domain_error(file_time_option, Time)
    ).
old_times(Old, _) :- type_error(list, Old).

%!  delete_directory_contents(+Directory) is det.
%
%   Deletes all that is in the directory, links as such.

delete_directory_contents(Directory) :-
    directory_files(Directory, Names),
    forall(( member(Name, Names), Name \== '.', Name \== '..' ),
           ( directory_file_path(Directory, Name, Path), delete_entry(Path) )).

delete_entry(Path) :-
    (   exists_directory(Path),
        \+ read_link(Path, _, _)
    ->  delete_directory_and_contents(Path)
    ;   delete_file(Path)
    ).

%!  delete_directory_and_contents(+Directory) is det.
%
%   Deletes the directory with all that is in it.

delete_directory_and_contents(Directory) :-
    delete_directory_contents(Directory),
    delete_directory(Directory).

%!  chmod(+File, +Spec) is det.
%
%   Sets the permissions of File: those of Spec, or with +Spec also those, with -Spec not those any more. Spec is an integer, a name or a list of names: `suid`, `sgid`, `svtx`, or letters of u, g and o (all
%   of them if there is none) before letters of r, w and x, as `ugx`.

chmod(File, Spec) :-
    must_be(nonvar, Spec),
    (   Spec = +Added
    ->  mode_bits(Added, Bits),
        '$file_mode'(File, Before),
        Mode is Before \/ Bits
    ;   Spec = -Taken
    ->  mode_bits(Taken, Bits),
        '$file_mode'(File, Before),
        Mode is Before /\ \Bits
    ;   mode_bits(Spec, Mode)
    ),
    '$set_file_mode'(File, Mode).

mode_bits(Spec, Bits) :-
    (   integer(Spec)
    ->  must_be(between(0, 0o7777), Spec),
        Bits = Spec
    ;   is_list(Spec)
    ->  bits_of_all(Spec, 0, Bits)
    ;   must_be(atom, Spec),
        named_bits(Spec, Bits)
    ->  true
    ;   domain_error(posix_file_mode, Spec)
    ).

bits_of_all([], Bits, Bits).
bits_of_all([Spec|Specs], Bits0, Bits) :-
    mode_bits(Spec, Bits1),
    Bits2 is Bits0 \/ Bits1,
    bits_of_all(Specs, Bits2, Bits).

named_bits(suid, 0o4000) :- !.
named_bits(sgid, 0o2000) :- !.
named_bits(svtx, 0o1000) :- !.
named_bits(Name, Bits) :-
    atom_chars(Name, Chars),
    whose(Chars, 0, Whose0, Letters),
    Letters = [_|_],
    ( Whose0 =:= 0 -> Whose = 0o111 ; Whose = Whose0 ),
    what(Letters, 0, What),
    Bits is Whose*What.

%   (A product: a bit of each, times what each may.)
whose([Char|Chars], Whose0, Whose, Letters) :-
    whose_bit(Char, Bit), !,
    Whose1 is Whose0 \/ Bit,
    whose(Chars, Whose1, Whose, Letters).
whose(Letters, Whose, Whose, Letters).

whose_bit(u, 0o100).
whose_bit(g, 0o010).
whose_bit(o, 0o001).

what([], What, What).
what([Char|Chars], What0, What) :-
    what_bit(Char, Bit),
    What1 is What0 \/ Bit,
    what(Chars, What1, What).

what_bit(r, 4).
what_bit(w, 2).
what_bit(x, 1).

%!  copy_directory(+From, +To) is det.
%
%   Copies what is in the directory From, whatever lies how deep, to the directory To, which is made if it is not there.

copy_directory(From, To) :-
    ( exists_directory(To) -> true ; make_directory(To) ),
    directory_files(From, Names),
    copy_names(Names, From, To).

copy_names([], _, _).
copy_names([Name|Names], From, To) :-
    (   ( Name == '.' ; Name == '..' )
    ->  true
    ;   directory_file_path(From, Name, Source),
        directory_file_path(To, Name, Target),
        (   exists_directory(Source)
        ->  copy_directory(Source, Target)
        ;   copy_file(Source, Target)
        )
    ),
    copy_names(Names, From, To).

:- module(file_systems,
          [ current_directory/1, current_directory/2, rename_directory/2, delete_directory/2,
            directory_exists/1, directory_exists/2, directory_must_exist/1, directory_must_exist/2,
            file_exists/1, file_exists/2, file_must_exist/1, file_must_exist/2,
            directory_member_of_directory/2, directory_member_of_directory/3, directory_member_of_directory/4,
            directory_members_of_directory/1, directory_members_of_directory/2, directory_members_of_directory/3,
            file_member_of_directory/2, file_member_of_directory/3, file_member_of_directory/4,
            file_members_of_directory/1, file_members_of_directory/2, file_members_of_directory/3,
            directory_property/2, directory_property/3, file_property/2, file_property/3
          ]).
:- use_module(library(error), [must_be/2, domain_error/2, existence_error/2]).
:- use_module(library(lists), [member/2]).

/*  SICStus Prolog's library(file_systems), version 4: what the system does not have.  */

%!  current_directory(-Path) is det.
%!  current_directory(-Old, +New) is det.

current_directory(Path) :- working_directory(Path, Path).
current_directory(Old, New) :- working_directory(Old, New).

%!  rename_directory(+Old, +New) is det.

rename_directory(Old, New) :-
    directory_must_exist(Old),
    rename_file(Old, New).

%!  delete_directory(+Path, +Options) is semidet.
%
%   Option if_nonempty(What): ignore (true), fail, error (if it is not there) or delete (and all that is in it), if there is something in the directory.

delete_directory(Path, Options) :-
    must_be(list, Options),
    foldl(delete_option, Options, error, What),
    directory_must_exist(Path),
    (   What == delete -> delete_directory_and_contents(Path)
    ;   What == error -> delete_directory(Path)
    ;   directory_files(Path, Names), member(Name, Names), \+ memberchk(Name, ['.', '..'])
    ->  What == ignore
    ;   delete_directory(Path)
    ).

delete_option(Option, _, What) :-
    (   nonvar(Option), Option = if_nonempty(What0)
    ->  must_be(oneof([ignore, fail, error, delete]), What0),
        What = What0
    ;   domain_error(delete_directory_option, Option)
    ).

%!  directory_exists(+Path) is semidet.
%!  directory_exists(+Path, +Permissions) is semidet.
%!  file_exists(+Path) is semidet.
%!  file_exists(+Path, +Permissions) is semidet.
%
%   Permissions are read, write, execute, search, exist or none: one or a list of them.

directory_exists(Path) :- exists_directory(Path).
file_exists(Path) :- exists_file(Path).

directory_exists(Path, Permissions) :-
    exists_directory(Path),
    permitted(Path, Permissions).

file_exists(Path, Permissions) :-
    exists_file(Path),
    permitted(Path, Permissions).

permitted(Path, Permissions) :-
    ( is_list(Permissions) -> All = Permissions ; All = [Permissions] ),
    forall(member(Permission, All), permits(Permission, Path)).

permits(Permission, Path) :-
    must_be(nonvar, Permission),
    ( Permission == search -> access_file(Path, execute) ; access_file(Path, Permission) ).

%!  directory_must_exist(+Path) is det.
%!  directory_must_exist(+Path, +Permissions) is det.
%!  file_must_exist(+Path) is det.
%!  file_must_exist(+Path, +Permissions) is det.

directory_must_exist(Path) :-
    ( directory_exists(Path) -> true ; existence_error(source_sink, Path) ).
directory_must_exist(Path, Permissions) :-
    ( directory_exists(Path, Permissions) -> true ; existence_error(source_sink, Path) ).
file_must_exist(Path) :-
    ( file_exists(Path) -> true ; existence_error(source_sink, Path) ).
file_must_exist(Path, Permissions) :-
    ( file_exists(Path, Permissions) -> true ; existence_error(source_sink, Path) ).

%!  directory_member_of_directory(?Name, ?Path) is nondet.
%!  directory_member_of_directory(+Directory, ?Name, ?Path) is nondet.
%!  directory_member_of_directory(+Directory, +Pattern, ?Name, ?Path) is nondet.
%!  directory_members_of_directory(-Set) is det.
%!  directory_members_of_directory(+Directory, -Set) is det.
%!  directory_members_of_directory(+Directory, +Pattern, -Set) is det.
%!  file_member_of_directory(?Name, ?Path) is nondet.
%!  file_member_of_directory(+Directory, ?Name, ?Path) is nondet.
%!  file_member_of_directory(+Directory, +Pattern, ?Name, ?Path) is nondet.
%!  file_members_of_directory(-Set) is det.
%!  file_members_of_directory(+Directory, -Set) is det.
%!  file_members_of_directory(+Directory, +Pattern, -Set) is det.
%
%   The directories, or files, in Directory or the current one whose names match Pattern (wildcard_match/2), with their absolute paths; sets are Name-Path.

directory_member_of_directory(Name, Path) :- entry(directory, '.', *, Name, Path).
directory_member_of_directory(Directory, Name, Path) :- entry(directory, Directory, *, Name, Path).
directory_member_of_directory(Directory, Pattern, Name, Path) :- entry(directory, Directory, Pattern, Name, Path).
directory_members_of_directory(Set) :- entries(directory, '.', *, Set).
directory_members_of_directory(Directory, Set) :- entries(directory, Directory, *, Set).
directory_members_of_directory(Directory, Pattern, Set) :- entries(directory, Directory, Pattern, Set).
file_member_of_directory(Name, Path) :- entry(file, '.', *, Name, Path).
file_member_of_directory(Directory, Name, Path) :- entry(file, Directory, *, Name, Path).
file_member_of_directory(Directory, Pattern, Name, Path) :- entry(file, Directory, Pattern, Name, Path).
file_members_of_directory(Set) :- entries(file, '.', *, Set).
file_members_of_directory(Directory, Set) :- entries(file, Directory, *, Set).
file_members_of_directory(Directory, Pattern, Set) :- entries(file, Directory, Pattern, Set).

entries(Kind, Directory, Pattern, Set) :-
    findall(Name-Path, entry(Kind, Directory, Pattern, Name, Path), Set).

entry(Kind, Directory, Pattern, Name, Path) :-
    directory_must_exist(Directory),
    absolute_file_name(Directory, Absolute),
    directory_files(Absolute, Names),
    member(Name, Names),
    \+ memberchk(Name, ['.', '..']),
    ( Pattern == (*) -> true ; wildcard_match(Pattern, Name) ),
    directory_file_path(Absolute, Name, Path),
    is_of_kind(Kind, Path).

is_of_kind(directory, Path) :- exists_directory(Path).
is_of_kind(file, Path) :- exists_file(Path).

%!  directory_property(+Path, ?Property) is nondet.
%!  directory_property(+Path, ?Property, ?Value) is nondet.
%!  file_property(+Path, ?Property) is nondet.
%!  file_property(+Path, ?Property, ?Value) is nondet.
%
%   Of files readable, writable, executable and size_in_bytes; of directories readable, writable and searchable; of both create_timestamp, modify_timestamp
%   and access_timestamp, in seconds since 1970, and create_localtime, modify_localtime and access_localtime, datime(…). The system does not say when a
%   file was made: that is when it was changed. Without Value: the properties whose value is `true`.

directory_property(Path, Property) :-
    directory_property(Path, Property, true).

file_property(Path, Property) :-
    file_property(Path, Property, true).

directory_property(Path, Property, Value) :-
    directory_must_exist(Path),
    ( Property = readable, Kind = access(read) ; Property = writable, Kind = access(write) ; Property = searchable, Kind = access(execute) ; time_property(Property, Kind) ),
    value(Kind, Path, Value).

file_property(Path, Property, Value) :-
    file_must_exist(Path),
    ( Property = readable, Kind = access(read) ; Property = writable, Kind = access(write) ; Property = executable, Kind = access(execute)
    ; Property = size_in_bytes, Kind = size ; time_property(Property, Kind) ),
    value(Kind, Path, Value).

time_property(create_timestamp, stamp(modified)).
time_property(modify_timestamp, stamp(modified)).
time_property(access_timestamp, stamp(access)).
time_property(create_localtime, local(modified)).
time_property(modify_localtime, local(modified)).
time_property(access_localtime, local(access)).

value(access(Mode), Path, Value) :-
    ( access_file(Path, Mode) -> Value = true ; Value = false ).
value(size, Path, Size) :-
    size_file(Path, Size).
value(stamp(Which), Path, Seconds) :-
    Stamp =.. [Which, Time],
    set_time_file(Path, Stamps, []),
    memberchk(Stamp, Stamps),
    Seconds is truncate(Time).
value(local(Which), Path, Datime) :-
    value(stamp(Which), Path, Seconds),
    sicstus_system:datime(Seconds, Datime).

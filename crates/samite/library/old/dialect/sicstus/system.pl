:- module(sicstus_system,
          [ now/1, datime/1, datime/2, environ/2, exec/3, popen/3, wait/2, system/0, system/1, system/2, pid/1, tmpnam/1, file_exists/1, file_exists/2, delete_file/2, mktemp/2,
            host_name/1, host_id/1
          ]).

/*  SICStus Prolog's library(system), version 3: what the system does not have by the same name.  */

%!  now(-Seconds) is det.
%
%   Since 1970.

now(Seconds) :-
    get_time(Time),
    Seconds is truncate(Time).

%!  datime(-Datime) is det.
%!  datime(?Seconds, ?Datime) is det.
%
%   Datime is datime(Year, Month, Day, Hour, Minute, Second), local time, of that time since 1970, or of now.

datime(Datime) :-
    now(Seconds),
    datime(Seconds, Datime).

datime(Seconds, datime(Year, Month, Day, Hour, Minute, Second)) :-
    (   nonvar(Seconds)
    ->  Whole is truncate(Seconds),
        stamp_date_time(Whole, date(Year, Month, Day, Hour, Minute, Second0, _, _, _), local),
        Second is truncate(Second0)
    ;   date_time_stamp(date(Year, Month, Day, Hour, Minute, Second, _, _, _), Time),
        Seconds is truncate(Time)
    ).

%!  environ(+Name, ?Value) is semidet.

environ(Name, Value) :-
    must_be(atom, Name),
    getenv(Name, Value).

%!  system is det.
%!  system(+Command) is semidet.
%!  system(+Command, -Status) is det.

system :- system:shell.
system(Command) :- system:shell(Command).
system(Command, Status) :- system:shell(Command, Status).

%!  exec(+Command, +Streams, -Pid) is det.
%
%   Starts Command by the shell. Streams are three, for input, output and errors: std, null, or pipe(Stream).

exec(Command, Streams, Pid) :-
    must_be(list, Streams),
    (   Streams = [In, Out, Err] -> true
    ;   domain_error(exec_streams, Streams)
    ),
    process_create('/bin/sh', ['-c', Command], [stdin(In), stdout(Out), stderr(Err), process(Pid)]).

%!  wait(+Pid, -Status) is det.
%
%   Waits for a process that exec/3 has started. Status is exit(Status) or killed(Signal).

wait(Pid, Status) :- process_wait(Pid, Status).

%!  popen(+Command, +Mode, -Stream) is det.
%
%   Starts Command by the shell: its output is read, or its input written.

popen(Command, Mode, Stream) :-
    must_be(oneof([read, write]), Mode),
    open(pipe(Command), Mode, Stream).

%!  pid(-Pid) is det.

pid(Pid) :- current_prolog_flag(pid, Pid).

%!  tmpnam(-File) is det.

tmpnam(File) :- tmp_file(sicstus, File).

%!  mktemp(+Template, -File) is det.
%
%   The letters `XXXXXX` at the end of Template are replaced.

mktemp(Template, File) :-
    (   atom_concat(Prefix, 'XXXXXX', Template) -> true
    ;   domain_error(template, Template)
    ),
    repeat,
    Number is 100000+random(900000),
    atomic_list_concat([Prefix, Number], File),
    \+ exists_file(File), !.

%!  file_exists(+File) is semidet.
%!  file_exists(+File, +Permissions) is semidet.
%
%   Permissions are read, write or execute, one or a list of them.

file_exists(File) :-
    ( exists_file(File) -> true ; exists_directory(File) ).

file_exists(File, Permissions) :-
    file_exists(File),
    ( is_list(Permissions) -> All = Permissions ; All = [Permissions] ),
    forall(member(Permission, All), access_file(File, Permission)).

%!  delete_file(+File, +Options) is det.
%
%   Options: directory, recursive, ignore.

delete_file(File, Options) :-
    must_be(list, Options),
    (   exists_directory(File), memberchk(recursive, Options) -> delete_directory_and_contents(File)
    ;   exists_directory(File), memberchk(directory, Options) -> delete_directory(File)
    ;   memberchk(ignore, Options) -> catch(system:delete_file(File), error(_, _), true)
    ;   system:delete_file(File)
    ).

%!  host_name(-Name) is det.
%!  host_id(-Name) is det.

host_name(Name) :- gethostname(Name).
host_id(Name) :- gethostname(Name).

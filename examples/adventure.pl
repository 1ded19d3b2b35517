/*  A text adventure: a world of facts that change, and a grammar of commands.

        samite examples/adventure.pl          a walk through it that is prepared
        samite examples/adventure.pl play     at the terminal

    What never changes is in static clauses, what does is in dynamic ones: where
    things are, and whether doors are open.  A command is read as a line,
    parsed to a term, and carried out by do/1.  Things may be called by several
    words, with articles or without.
*/

:- use_module(library(lists)).
:- use_module(library(apply)).
:- use_module(library(readutil)).

:- initialization(main, main).

:- dynamic
    at/2,                    % at(Thing, Place): Place is a room, a thing, or me
    open/1,                  % open(Door)
    lit/0,                   % the lamp gives light
    script/1.                % script(Lines): what will be typed

                /*******************************
                *            WORLD             *
                *******************************/

room(garden,  "You are in a garden that nobody cares for. A house is to the north.").
room(hall,    "You are in a hall full of dust. Stairs lead down.").
room(study,   "You are in a study. The shelves are empty.").
room(cellar,  "You are in a vault of brick. It is cold.").

%   way(From, Direction, To, Door): Door is `free` if there is none.
way(garden, north, hall,   door).
way(hall,   south, garden, door).
way(hall,   east,  study,  free).
way(study,  west,  hall,   free).
way(hall,   down,  cellar, free).
way(cellar, up,    hall,   free).

dark(cellar).

start([ at(me, garden), at(door, garden), at(pot, garden), at(key, pot),
        at(lamp, study), at(matches, hall), at(chest, cellar),
        at(book, chest) ]).

%   thing(Thing, Description, Words)
thing(door,    "an oak door",         [door]).
thing(pot,     "a flower pot",        [pot, flowerpot]).
thing(key,     "a rusty key",         [key]).
thing(lamp,    "an oil lamp",         [lamp, lantern, light]).
thing(matches, "a box of matches",    [matches, match, box]).
thing(chest,   "an iron chest",       [chest]).
thing(book,    "a book with a lock",  [book]).

fixed(door).
fixed(chest).

container(pot).
container(chest).

lock(door, key).

%   The goal of it all.
won :- at(book, me), at(me, garden).

prepared([ "look", "open the door", "look into the pot", "take key",
           "unlock door with the key", "north", "take the matches", "go down",
           "up", "go east", "take lamp", "light the lantern", "inventory",
           "west", "d", "take the chest", "open chest", "get book", "sing",
           "up", "s" ]).

                /*******************************
                *             PLAY             *
                *******************************/

main :-
    current_prolog_flag(argv, Arguments),
    (   Arguments = [play|_]
    ->  true
    ;   prepared(Lines),
        assertz(script(Lines))
    ),
    start(Facts),
    maplist(assertz, Facts),
    do(look),
    play.

play :-
    (   won
    ->  format("You are out, with the book. What is in it is another story.~n")
    ;   format("> "),
        flush_output,
        next_line(Line)
    ->  command_line(Line),
        play
    ;   format("~nYou give up.~n")
    ).

%!  next_line(-Line) is semidet.
%
%   Fails at the end.

next_line(Line) :-
    retract(script(Lines)),
    !,
    Lines = [Line|Rest],
    assertz(script(Rest)),
    format("~w~n", [Line]).
next_line(Line) :-
    read_line_to_string(user_input, Line),
    Line \== end_of_file.

command_line(Line) :-
    string_lower(Line, Lower),
    split_string(Lower, " ", " .!?", Strings),
    maplist(atom_string, Words, Strings),
    (   phrase(command(Command), Words)
    ->  (   do(Command)
        ->  true
        ;   format("You cannot do that.~n")
        )
    ;   format("I do not understand you.~n")
    ).

                /*******************************
                *           COMMANDS           *
                *******************************/

command(look)           --> [look].
command(inventory)      --> ( [inventory] ; [i] ).
command(go(Direction))  --> ( [go] ; [] ), direction(Direction).
command(take(X))        --> ( [take] ; [get] ; [pick, up] ), mention(X).
command(look_into(X))   --> ( [look] ; [search] ), ( [into] ; [in] ; [] ), mention(X).
command(open(X))        --> [open], mention(X).
command(unlock(X, Key)) --> ( [unlock] ; [open] ), mention(X), [with], mention(Key).
command(light(X))       --> [light], mention(X).

direction(Direction) -->
    [Word],
    { member(Direction, [north, south, east, west, up, down]),
      (   Word = Direction
      ;   sub_atom(Direction, 0, 1, _, Word)
      ),
      !
    }.

mention(Thing) -->
    ( [the] ; [a] ; [] ),
    [Word],
    { thing(Thing, _, Words), memberchk(Word, Words) }.

%!  do(+Command) is semidet.

do(look) :-
    at(me, Room),
    (   can_see
    ->  room(Room, Text),
        format("~s~n", [Text]),
        contents(Room, "There is")
    ;   format("It is dark here.~n")
    ).
do(inventory) :-
    (   at(_, me)
    ->  contents(me, "You have")
    ;   format("You have nothing.~n")
    ).
do(go(Direction)) :-
    at(me, Here),
    way(Here, Direction, There, Door),
    (   Door \== free, \+ open(Door)
    ->  format("The ~w is closed.~n", [Door])
    ;   retract(at(me, Here)),
        assertz(at(me, There)),
        do(look)
    ).
do(take(X)) :-
    (   at(X, me)
    ->  format("You have it.~n")
    ;   \+ reachable(X)
    ->  format("There is no such thing here.~n")
    ;   fixed(X)
    ->  format("It does not move.~n")
    ;   retract(at(X, _)),
        assertz(at(X, me)),
        format("Taken.~n")
    ).
do(look_into(X)) :-
    container(X),
    reachable(X),
    (   closed(X)
    ->  format("It is closed.~n")
    ;   at(_, X)
    ->  contents(X, "There is")
    ;   format("It is empty.~n")
    ).
do(open(X)) :-
    reachable(X),
    (   open(X)
    ->  format("It is open.~n")
    ;   lock(X, _)
    ->  format("It is locked.~n")
    ;   X == chest
    ->  assertz(open(X)),
        format("The lid is heavy.~n"),
        contents(X, "There is")
    ).
do(unlock(X, Key)) :-
    reachable(X),
    at(Key, me),
    lock(X, Key),
    assertz(open(X)),
    format("With a crack the ~w opens.~n", [X]).
do(light(lamp)) :-
    at(lamp, me),
    (   at(matches, me)
    ->  assertz(lit),
        format("The lamp burns.~n")
    ;   format("With what?~n")
    ).

                /*******************************
                *       WHAT IS THE CASE       *
                *******************************/

can_see :- at(me, Room), \+ dark(Room), !.
can_see :- lit, at(lamp, me).

closed(chest) :- \+ open(chest).

%!  reachable(+Thing) is semidet.
%
%   It can be seen, and is here, or in something that is here and not closed.

reachable(X) :-
    at(X, me).
reachable(X) :-
    can_see,
    at(X, Place),
    here(Place),
    !.

here(Place) :- at(me, Place).
here(Place) :- container(Place), \+ closed(Place), reachable(Place).

contents(Place, Opening) :-
    findall(Text, ( at(X, Place), thing(X, Text, _) ), Texts),
    (   Texts == []
    ->  true
    ;   atomic_list_concat(Texts, ', ', Line),
        format("~s ~w.~n", [Opening, Line])
    ).

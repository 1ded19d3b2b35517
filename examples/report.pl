/*  A report tool: CSV in, sums by a column out, as text, CSV or JSON.

        samite examples/report.pl
        samite examples/report.pl --by=article --format=json
        samite examples/report.pl --by=month --min=100 FILE
        samite examples/report.pl --by=customer --format=csv - < FILE

    A row is read at a time, so that a file may be larger than memory, and is
    checked before it counts: what is wrong with it goes to the standard error,
    with its number, and the exit status is 1 then.  Money is counted in cents, which
    are integers: sums are exact.
*/

:- use_module(library(main)).
:- use_module(library(option)).
:- use_module(library(lists)).
:- use_module(library(apply)).
:- use_module(library(assoc)).
:- use_module(library(csv)).
:- use_module(library(filesex)).
:- use_module(library(error)).

:- initialization(main, main).

:- dynamic home/1.           % where this file is, and its data below

:- prolog_load_context(directory, Directory),
   assertz(home(Directory)).

%!  main(+Arguments) is det.

main(Arguments) :-
    argv_options(Arguments, Files, Options),
    option(by(By), Options, region),
    option(format(Format), Options, text),
    option(min(Min), Options, 0),
    must_be(oneof([region, article, customer, month]), By),
    must_be(oneof([text, csv, json]), Format),
    input(Files, Input),
    report(Input, By, Groups0, Wrong),
    MinCents is integer(Min*100),
    include(at_least(MinCents), Groups0, Groups),
    write_report(Format, By, Groups),
    (   Wrong =:= 0
    ->  true
    ;   format(user_error, "~d rows are not counted~n", [Wrong]),
        halt(1)
    ).

input([], Input) :-
    home(Directory),
    directory_file_path(Directory, 'report/orders.csv', Input).
input([Input|_], Input).

at_least(Min, group(_, _, Cents)) :-
    Cents >= Min.

                /*******************************
                *            READING           *
                *******************************/

%!  report(+Input, +By, -Groups, -Wrong) is det.
%
%   Groups are group(Key, Orders, Cents), in the order of keys; so many rows are
%   Wrong.  Input is a file, or `-` for standard input.

report(-, By, Groups, Wrong) :-
    !,
    read_report(user_input, By, Groups, Wrong).
report(File, By, Groups, Wrong) :-
    setup_call_cleanup(
        open(File, read, Stream, [encoding(utf8)]),
        read_report(Stream, By, Groups, Wrong),
        close(Stream)).

read_report(Stream, By, Groups, Wrong) :-
    csv_options(CSV, [convert(false), functor(row)]),
    csv_read_row(Stream, Header, CSV),
    (   Header = row(order, date, customer, region, article, quantity, price)
    ->  true
    ;   throw(error(format('the header is ~w', [Header]), _))
    ),
    empty_assoc(Sums0),
    rows(Stream, CSV, By, 1, Sums0, Sums, 0, Wrong),
    assoc_to_list(Sums, Pairs),
    maplist(group, Pairs, Groups).

group(Key-sum(Orders, Cents), group(Key, Orders, Cents)).

rows(Stream, CSV, By, N, Sums0, Sums, Wrong0, Wrong) :-
    csv_read_row(Stream, Row, CSV),
    (   Row == end_of_file
    ->  Sums = Sums0,
        Wrong = Wrong0
    ;   catch(order(Row, Order), error(Error, _), true),
        (   var(Error)
        ->  key(By, Order, Key),
            add(Key, Order, Sums0, Sums1),
            Wrong1 = Wrong0
        ;   format(user_error, "row ~d: ~p~n", [N, Error]),
            Sums1 = Sums0,
            Wrong1 is Wrong0+1
        ),
        Next is N+1,
        rows(Stream, CSV, By, Next, Sums1, Sums, Wrong1, Wrong)
    ).

%!  order(+Row, -Order) is det.
%
%   Order is order(date(Y, M, D), Customer, Region, Article, Cents).
%
%   @throws error(type_error(_, _), _), or another that says what is wrong

order(Row, order(Date, Customer, Region, Article, Cents)) :-
    (   Row = row(_, DateText, Customer, Region, Article, QuantityText, PriceText)
    ->  true
    ;   domain_error(row_of_seven, Row)
    ),
    date(DateText, Date),
    (   Region == ''
    ->  existence_error(region, Customer)
    ;   true
    ),
    number(QuantityText, Quantity),
    must_be(positive_integer, Quantity),
    number(PriceText, Price),
    Cents is Quantity * round(Price*100).

date(Text, date(Y, M, D)) :-
    (   atomic_list_concat(Parts, -, Text),
        maplist(atom_number, Parts, [Y, M, D]),
        between(1, 12, M),
        days(M, Y, Days),
        between(1, Days, D)
    ->  true
    ;   type_error(date, Text)
    ).

days(2, Year, Days) :-
    !,
    (   Year mod 4 =:= 0, \+ ( Year mod 100 =:= 0, Year mod 400 =\= 0 )
    ->  Days = 29
    ;   Days = 28
    ).
days(Month, _, Days) :-
    (   memberchk(Month, [4, 6, 9, 11]) -> Days = 30 ; Days = 31 ).

number(Text, Number) :-
    (   atom_number(Text, Number)
    ->  true
    ;   type_error(number, Text)
    ).

                /*******************************
                *            GROUPS            *
                *******************************/

key(region,   order(_, _, Region, _, _), Region).
key(article,  order(_, _, _, Article, _), Article).
key(customer, order(_, Customer, _, _, _), Customer).
key(month,    order(date(Y, M, _), _, _, _, _), Key) :-
    format(atom(Key), "~d-~|~`0t~d~2+", [Y, M]).

add(Key, order(_, _, _, _, Cents), Sums0, Sums) :-
    (   get_assoc(Key, Sums0, sum(Orders0, Cents0))
    ->  true
    ;   Orders0 = 0,
        Cents0 = 0
    ),
    Orders is Orders0+1,
    Cents1 is Cents0+Cents,
    put_assoc(Key, Sums0, sum(Orders, Cents1), Sums).

                /*******************************
                *            WRITING           *
                *******************************/

write_report(text, By, Groups) :-
    format("~w~t~24|~torders~8+~tamount~12+~n", [By]),
    forall(member(Group, Groups), write_line(Group)),
    foldl(total, Groups, group(total, 0, 0), Total),
    format("~`-t~44|~n"),
    write_line(Total).
write_report(csv, By, Groups) :-
    maplist(csv_row, Groups, Rows),
    csv_write_stream(current_output, [row(By, orders, amount)|Rows], []).
write_report(json, By, Groups) :-
    maplist(json_group(By), Groups, Objects),
    json(object([by-By, groups-array(Objects)]), 0),
    nl.

%   The D of ~2D groups the digits, its 2 puts the point.
write_line(group(Key, Orders, Cents)) :-
    format("~w~t~24|~t~d~8+~t~2D~12+~n", [Key, Orders, Cents]).

total(group(_, Orders, Cents), group(T, Orders0, Cents0), group(T, Orders1, Cents1)) :-
    Orders1 is Orders0+Orders,
    Cents1 is Cents0+Cents.

csv_row(group(Key, Orders, Cents), row(Key, Orders, Amount)) :-
    format(atom(Amount), "~2d", [Cents]).

json_group(By, group(Key, Orders, Cents),
           object([By-Key, orders-Orders, amount-decimal(Cents)])).

%!  json(+Value, +Indent) is det.
%
%   Value is object(Pairs), array(Values), decimal(Cents), a number, or a text.

json(object(Pairs), Indent) :-
    !,
    bracketed("{", Pairs, json_pair, "}", Indent).
json(array(Values), Indent) :-
    !,
    bracketed("[", Values, json, "]", Indent).
json(decimal(Cents), _) :-
    !,
    format("~2d", [Cents]).
json(Number, _) :-
    number(Number),
    !,
    format("~w", [Number]).
json(Text, _) :-
    atom_codes(Text, Codes),
    format("\""),
    maplist(json_character, Codes),
    format("\"").

json_pair(Name-Value, Indent) :-
    json(Name, Indent),
    format(": "),
    json(Value, Indent).

bracketed(Open, [], _, Close, _) :-
    !,
    format("~s~s", [Open, Close]).
bracketed(Open, [First|Rest], Write, Close, Indent) :-
    Inner is Indent+2,
    format("~s~n~t~*|", [Open, Inner]),
    call(Write, First, Inner),
    forall(member(Element, Rest),
           ( format(",~n~t~*|", [Inner]),
             call(Write, Element, Inner) )),
    format("~n~t~*|~s", [Indent, Close]).

json_character(Code) :-
    (   memberchk(Code, `"\\`)
    ->  format("\\~c", [Code])
    ;   Code < 32
    ->  format("\\u~|~`0t~16r~4+", [Code])
    ;   format("~c", [Code])
    ).

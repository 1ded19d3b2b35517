/*  A compiler by grammars: a small language, a stack machine, its interpreter.

        samite examples/compiler.pl
        samite examples/compiler.pl FILE

    Four passes, each a predicate that can be read, and tried, alone:

        tokens//1      characters to tokens        (a grammar on codes)
        program//1     tokens to a syntax tree     (a grammar on tokens)
        code//1        a tree to instructions      (a grammar that generates)
        run/2          instructions to a result

    The language has integers, while, if, and two built-in statements:

        program    = { statement }
        statement  = name ":=" expression ";" | "print" expression ";"
                   | "while" condition block
                   | "if" condition block [ "else" block ]
        block      = "{" { statement } "}"
        condition  = expression ( "<" | "=" | ">" ) expression
        expression = term { ("+" | "-") term }
        term       = factor { ("*" | "/" | "%") factor }
        factor     = number | name | "(" expression ")"

    That labels are variables which are bound when the whole is assembled, so
    that jumps forward need no second look, is from D. H. D. Warren, "Logic
    programming and compiler writing" (1980).
*/

:- use_module(library(lists)).
:- use_module(library(apply)).
:- use_module(library(assoc)).
:- use_module(library(readutil)).
:- use_module(library(dcg/basics)).

:- initialization(main, main).

main :-
    current_prolog_flag(argv, Arguments),
    (   Arguments = [File|_]
    ->  read_file_to_codes(File, Codes, [])
    ;   sample(Text),
        string_codes(Text, Codes)
    ),
    compile(Codes, Instructions),
    length(Instructions, Count),
    format("~d instructions~n", [Count]),
    foldl(show, Instructions, 0, _),
    format("output~n"),
    run(Instructions, Steps),
    format("~d steps~n", [Steps]).

%   Greatest common divisors, and primes by trial division.
sample("
a := 1071; b := 462;
while b > 0 { t := a % b; a := b; b := t; }
print a;

n := 2;
while n < 20 {
    d := 2; prime := 1;
    while d * d < n + 1 {
        if n % d = 0 { prime := 0; d := n; } else { d := d + 1; }
    }
    if prime = 1 { print n; }
    n := n + 1;
}
").

%!  compile(+Codes, -Instructions) is det.

compile(Codes, Instructions) :-
    (   phrase(tokens(Tokens), Codes)
    ->  true
    ;   throw(error(syntax_error(illegal_character), _))
    ),
    (   phrase(program(Tree), Tokens)
    ->  true
    ;   throw(error(syntax_error(illegal_program), _))
    ),
    phrase(code(Tree), Labelled),
    assemble(Labelled, 0, Instructions).

                /*******************************
                *            TOKENS            *
                *******************************/

tokens(Tokens) -->
    blanks,
    (   token(Token)
    ->  { Tokens = [Token|Rest] },
        tokens(Rest)
    ;   { Tokens = [] }
    ).

token(number(N)) --> digits([D|Ds]), { number_codes(N, [D|Ds]) }.
token(Token)     --> csyms([C|Cs]), { atom_codes(A, [C|Cs]), word(A, Token) }.
token(:=)        --> ":=".
token(Atom)      --> [C], { memberchk(C, `;{}()<>=+-*/%`), char_code(Atom, C) }.

csyms([C|Cs]) --> [C], { code_type(C, csym) }, !, csyms(Cs).
csyms([])     --> [].

word(Atom, Token) :-
    (   memberchk(Atom, [while, if, else, print])
    ->  Token = Atom
    ;   Token = name(Atom)
    ).

                /*******************************
                *            PARSER            *
                *******************************/

program(seq(Statements)) --> statements(Statements).

statements([S|Ss]) --> statement(S), !, statements(Ss).
statements([])     --> [].

statement(assign(X, E))    --> [name(X), :=], expression(E), [;].
statement(print(E))        --> [print], expression(E), [;].
statement(while(C, B))     --> [while], condition(C), block(B).
statement(if(C, Then, Else)) -->
    [if], condition(C), block(Then),
    (   [else] -> block(Else) ; { Else = seq([]) } ).

block(seq(Statements)) --> ['{'], statements(Statements), ['}'].

condition(compare(Op, A, B)) -->
    expression(A), [Op], { memberchk(Op, [<, =, >]) }, expression(B).

%   Operators associate to the left: what is read so far is handed on.
expression(E) --> term(T), expression(T, E).

expression(E0, E) -->
    [Op], { memberchk(Op, [+, -]) }, !,
    term(T), expression(op(Op, E0, T), E).
expression(E, E) --> [].

term(T) --> factor(F), term(F, T).

term(T0, T) -->
    [Op], { memberchk(Op, [*, /, '%']) }, !,
    factor(F), term(op(Op, T0, F), T).
term(T, T) --> [].

factor(number(N)) --> [number(N)].
factor(name(X))   --> [name(X)].
factor(E)         --> ['('], expression(E), [')'].

                /*******************************
                *             CODE             *
                *******************************/

%!  code(+Tree)// is det.
%
%   Generates instructions, and label(L) where jumps lead to; L is a variable.

code(seq([]))       --> [].
code(seq([S|Ss]))   --> code(S), code(seq(Ss)).
code(assign(X, E))  --> code(E), [store(X)].
code(print(E))      --> code(E), [print].
code(number(N))     --> [push(N)].
code(name(X))       --> [load(X)].
code(op(Op, A, B))  --> code(A), code(B), { instruction(Op, I) }, [I].
code(compare(Op, A, B)) --> code(A), code(B), { instruction(Op, I) }, [I].
code(while(C, Body)) -->
    [label(Start)], code(C), [jump_if_false(End)],
    code(Body), [jump(Start), label(End)].
code(if(C, Then, Else)) -->
    code(C), [jump_if_false(Otherwise)],
    code(Then), [jump(End), label(Otherwise)],
    code(Else), [label(End)].

instruction(+, add).
instruction(-, subtract).
instruction(*, multiply).
instruction(/, divide).
instruction('%', remainder).
instruction(<, less).
instruction(=, equal).
instruction(>, greater).

%!  assemble(+Labelled, +Address, -Instructions) is det.
%
%   Give labels their addresses, and take them out.

assemble([], _, [halt]).
assemble([label(Address)|Is], Address, Js) :-
    !,
    assemble(Is, Address, Js).
assemble([I|Is], Address, [I|Js]) :-
    Next is Address+1,
    assemble(Is, Next, Js).

show(Instruction, Address, Next) :-
    format("~t~d~4|  ~w~n", [Address, Instruction]),
    Next is Address+1.

                /*******************************
                *         THE MACHINE          *
                *******************************/

%!  run(+Instructions, -Steps) is det.
%
%   The store is a term with an argument for each instruction, so that a jump
%   takes no longer than a step.

run(Instructions, Steps) :-
    Store =.. [store|Instructions],
    empty_assoc(Variables),
    run(Store, 0, [], Variables, 0, Steps).

run(Store, PC, Stack0, Vars0, Steps0, Steps) :-
    Argument is PC+1,
    arg(Argument, Store, Instruction),
    (   Instruction == halt
    ->  Steps = Steps0
    ;   Next is PC+1,
        step(Instruction, Next, PC1, Stack0, Stack, Vars0, Vars),
        Steps1 is Steps0+1,
        run(Store, PC1, Stack, Vars, Steps1, Steps)
    ).

step(push(N), PC, PC, S, [N|S], V, V).
step(load(X), PC, PC, S, [N|S], V, V) :-
    (   get_assoc(X, V, N)
    ->  true
    ;   throw(error(existence_error(variable, X), _))
    ).
step(store(X), PC, PC, [N|S], S, V0, V) :- put_assoc(X, V0, N, V).
step(print, PC, PC, [N|S], S, V, V)     :- format("  ~d~n", [N]).
step(jump(PC), _, PC, S, S, V, V).
step(jump_if_false(To), Next, PC, [Truth|S], S, V, V) :-
    (   Truth == 0 -> PC = To ; PC = Next ).
step(add, PC, PC, [B,A|S], [C|S], V, V)       :- C is A+B.
step(subtract, PC, PC, [B,A|S], [C|S], V, V)  :- C is A-B.
step(multiply, PC, PC, [B,A|S], [C|S], V, V)  :- C is A*B.
step(divide, PC, PC, [B,A|S], [C|S], V, V)    :- C is A//B.
step(remainder, PC, PC, [B,A|S], [C|S], V, V) :- C is A mod B.
step(less, PC, PC, [B,A|S], [T|S], V, V)      :- truth(A < B, T).
step(equal, PC, PC, [B,A|S], [T|S], V, V)     :- truth(A =:= B, T).
step(greater, PC, PC, [B,A|S], [T|S], V, V)   :- truth(A > B, T).

truth(Condition, Truth) :-
    (   call(Condition) -> Truth = 1 ; Truth = 0 ).

% Grammar rules: -->, phrase/2,3, call//N and pushback.
% ISO/IEC 13211-3 draft; string literals as in SWI-Prolog.

:- dynamic(dcg_new/2).

dcg_empty --> [].

dcg_ab --> [a], [b].

dcg_list --> [a, b, c].

dcg_as --> [].
dcg_as --> [a], dcg_as.

dcg_greedy([X|Xs]) --> [X], dcg_greedy(Xs).
dcg_greedy([]) --> [].

dcg_lazy([]) --> [].
dcg_lazy([X|Xs]) --> [X], dcg_lazy(Xs).

dcg_or --> [a] ; [b].

dcg_bar --> ( [a] | [b] ).

dcg_opt(X) --> ( [x] -> { X = yes } ; { X = no } ).

dcg_soft(X) --> ( dcg_or *-> { X = yes } ; { X = no } ).

dcg_not --> \+ [a], [_].

dcg_cut(1) --> [a], !.
dcg_cut(2) --> [a].
dcg_cut(3) --> [b].

dcg_curly(X) --> [X], { integer(X), X > 0 }.

dcg_curly_cut(X) --> { !, X = 1 }.
dcg_curly_cut(2) --> [].

dcg_string --> "ab".

dcg_string_empty --> "".

dcg_codes --> `ab`.

dcg_string_args(X) --> "a", [X], "c".

dcg_call --> call(dcg_eos), [].
dcg_call --> [z], call(dcg_eos).

dcg_eos([], []).

dcg_call_args(X) --> call(dcg_take, X).

dcg_take(X, [X|T], T).

dcg_variable(P) --> P, P.

dcg_digit(D) --> [D], { code_type(D, digit) }.

dcg_digits([D|T]) --> dcg_digit(D), dcg_digits(T).
dcg_digits([D]) --> dcg_digit(D).

dcg_number(N) --> dcg_digits(Ds), { number_codes(N, Ds) }.

dcg_expr(X) --> dcg_term(X0), dcg_expr_rest(X0, X).

dcg_expr_rest(X0, X) --> "+", !, dcg_term(Y), { X1 is X0 + Y }, dcg_expr_rest(X1, X).
dcg_expr_rest(X0, X) --> "-", !, dcg_term(Y), { X1 is X0 - Y }, dcg_expr_rest(X1, X).
dcg_expr_rest(X, X) --> [].

dcg_term(X) --> dcg_factor(X0), dcg_term_rest(X0, X).

dcg_term_rest(X0, X) --> "*", !, dcg_factor(Y), { X1 is X0 * Y }, dcg_term_rest(X1, X).
dcg_term_rest(X, X) --> [].

dcg_factor(X) --> dcg_number(X), !.
dcg_factor(X) --> "(", dcg_expr(X), ")".

dcg_look, [X] --> [X], { X == a }.

dcg_swap, [B, A] --> [A, B].

dcg_anbncn(N) --> dcg_n(a, N), dcg_n(b, N), dcg_n(c, N).

dcg_n(_, 0) --> [].
dcg_n(X, s(N)) --> [X], dcg_n(X, N).

dcg_args(f(X), Y) --> [X, Y].

dcg_sum([]) --> [].
dcg_sum([X|Xs]) --> [X], dcg_sum(Xs).

dcg_sentence(s(N, V)) --> dcg_noun(N), dcg_verb(V).

dcg_noun(n(cat)) --> [cat].
dcg_noun(n(dog)) --> [dog].

dcg_verb(v(runs)) --> [runs].
dcg_verb(v(sleeps)) --> [sleeps].

% Simple bodies

t(empty, phrase(dcg_empty, []), [], answers([[]])).
t(empty_no, phrase(dcg_empty, [a]), [], fails).
t(terminals, phrase(dcg_ab, [a, b]), [], answers([[]])).
t(terminals_short, phrase(dcg_ab, [a]), [], fails).
t(terminals_long, phrase(dcg_ab, [a, b, c]), [], fails).
t(terminals_generate, phrase(dcg_ab, L), [L], answers([[[a, b]]])).
t(terminal_list, phrase(dcg_list, L), [L], answers([[[a, b, c]]])).
t(recursion, phrase(dcg_as, [a, a, a]), [], answers([[]])).
t(recursion_no, phrase(dcg_as, [a, b]), [], fails).
t(recursion_generate, phrase(dcg_as, L), [L], prefix([[[]], [[a]], [[a, a]]])).
t(greedy, phrase(dcg_greedy(X), [a, b], R), [X, R], answers([[[a, b], []], [[a], [b]], [[], [a, b]]])).
t(lazy, phrase(dcg_lazy(X), [a, b], R), [X, R], answers([[[], [a, b]], [[a], [b]], [[a, b], []]])).
t(split, phrase(( dcg_lazy(X), [-], dcg_lazy(Y) ), [a, -, b, -, c]), [X, Y],
  answers([[[a], [b, -, c]], [[a, -, b], [c]]])).
t(or, phrase(dcg_or, L), [L], answers([[[a]], [[b]]])).
t(bar, phrase(dcg_bar, L), [L], answers([[[a]], [[b]]])).
t(if_then, phrase(dcg_opt(X), [x], R), [X, R], answers([[yes, []]])).
t(if_else, phrase(dcg_opt(X), [y], R), [X, R], answers([[no, [y]]])).
t(soft_then, phrase(dcg_soft(X), L, []), [X, L], answers([[yes, [a]], [yes, [b]]])).
t(soft_else, phrase(dcg_soft(X), [z], R), [X, R], answers([[no, [z]]])).
t(not, phrase(dcg_not, [b]), [], answers([[]])).
t(not_no, phrase(dcg_not, [a]), [], fails).
t(cut, phrase(dcg_cut(X), [a]), [X], answers([[1]])).
t(cut_generate, phrase(dcg_cut(X), L), [X, L], answers([[1, [a]]])).
t(curly, phrase(dcg_curly(X), [3]), [X], answers([[3]])).
t(curly_no, phrase(dcg_curly(_), [-3]), [], fails).
t(curly_type, phrase(dcg_curly(_), [a]), [], fails).
t(curly_cut, phrase(dcg_curly_cut(X), []), [X], answers([[1]])).
t(string, ( phrase(dcg_string, L), atom_codes(A, L) ), [A], answers([[ab]])).
t(string_empty, phrase(dcg_string_empty, L), [L], answers([[[]]])).
t(string_parse, phrase(dcg_string, `ab`), [], answers([[]])).
t(codes, phrase(dcg_codes, `ab`), [], answers([[]])).
t(string_args, ( phrase(dcg_string_args(X), `axc`), char_code(C, X) ), [C], answers([[x]])).
t(args, phrase(dcg_args(X, Y), [1, 2]), [X, Y], answers([[f(1), 2]])).
t(tree, phrase(dcg_sentence(T), [cat, sleeps]), [T], answers([[s(n(cat), v(sleeps))]])).
t(tree_generate, findall(L, phrase(dcg_sentence(_), L), Ls), [Ls],
  answers([[[[cat, runs], [cat, sleeps], [dog, runs], [dog, sleeps]]]])).
t(context, phrase(dcg_anbncn(N), [a, a, b, b, c, c]), [N], answers([[s(s(0))]])).
t(context_no, phrase(dcg_anbncn(_), [a, a, b, c, c]), [], fails).

% call//N and variables

t(call_eos, phrase(dcg_call, []), [], answers([[]])).
t(call_eos_second, phrase(dcg_call, [z]), [], answers([[]])).
t(call_args, phrase(dcg_call_args(X), [q]), [X], answers([[q]])).
t(variable_body, phrase(dcg_variable(dcg_ab), L), [L], answers([[[a, b, a, b]]])).
t(variable_list_body, phrase(dcg_variable([x]), L), [L], answers([[[x, x]]])).
t(call_closure, phrase(call(dcg_take, X), [1]), [X], answers([[1]])).
t(call_lambda, phrase(call([S0, S]>>( S0 = [_|S] )), [1, 2], R), [R], answers([[[2]]])).

% Pushback

t(pushback_look, phrase(dcg_look, [a, b], R), [R], answers([[[a, b]]])).
t(pushback_look_no, phrase(dcg_look, [b], _), [], fails).
t(pushback_swap, phrase(dcg_swap, [1, 2, 3], R), [R], answers([[[2, 1, 3]]])).

% A parser

t(number, phrase(dcg_number(N), `123`), [N], answers([[123]])).
t(expression, phrase(dcg_expr(X), `1+2*3-4`), [X], answers([[3]])).
t(expression_paren, phrase(dcg_expr(X), `(1+2)*(3-4)`), [X], answers([[-3]])).
t(expression_bad, phrase(dcg_expr(_), `1+`), [], fails).
t(long_input, ( numlist(1, 20000, L), phrase(dcg_sum(M), L), M == L ), [], answers([[]])).

% phrase/2,3 with bodies given as terms

t(phrase_list_body, phrase([a, b], L), [L], answers([[[a, b]]])).
t(phrase_conj_body, phrase(( [a], [b] ), L), [L], answers([[[a, b]]])).
t(phrase_or_body, phrase(( [a] ; [b] ), L), [L], answers([[[a]], [[b]]])).
t(phrase_string_body, phrase("ab", L), [L], answers([[[97, 98]]])).
t(phrase_curly_body, phrase({ X = 1 }, L), [X, L], answers([[1, []]])).
t(phrase_cut_body, phrase(( dcg_or, ! ), L), [L], answers([[[a]]])).
t(phrase_not_body, phrase(( \+ [b], [X] ), [a]), [X], answers([[a]])).
t(phrase_empty_body, phrase([], L), [L], answers([[[]]])).
t(phrase_rest, phrase(dcg_ab, [a, b, c], R), [R], answers([[[c]]])).
t(phrase_open_list, phrase(dcg_ab, [a|T], R), [T, R], answers([[[b|P], P]])).
t(phrase_unbound, phrase(_, []), [], throws(instantiation_error)).
t(phrase_number, phrase(1, []), [], throws(type_error(callable, 1))).
t(phrase_not_list, phrase(dcg_empty, a), [], throws(type_error(list, a))).
t(phrase_not_list_rest, phrase(dcg_empty, [], a), [], throws(type_error(list, a))).
t(phrase_unknown, phrase(dcg_no_such, []), [], throws(existence_error(procedure, dcg_no_such/2))).
t(phrase_unknown_args, phrase(dcg_no_such(1), []), [], throws(existence_error(procedure, dcg_no_such/3))).

% Translation

t(translate_fact, ( dcg_translate_rule((a --> []), C), C = (H :- B), H =.. [a, S0, S], ( B == (S0 = S) ; B == true, S0 == S ) ), [],
  answers([[]])).
t(translate_calls, ( dcg_translate_rule((a --> b, c), (H :- B)), H =.. [a, S0, S], B =@= ( b(S0, S1), c(S1, S) ) ), [],
  answers([[]])).
t(translate_args, ( dcg_translate_rule((a(X) --> b(X)), (H :- B)), H = a(X, S0, S), B == b(X, S0, S) ), [],
  answers([[]])).
t(translate_unbound_head, dcg_translate_rule((_ --> a), _), [], throws(instantiation_error)).
t(translate_number_head, dcg_translate_rule((1 --> a), _), [], throws(type_error(callable, 1))).
t(translate_number_body, dcg_translate_rule((a --> 1), _), [], throws(type_error(callable, 1))).
t(translate_then_assert, ( dcg_translate_rule((dcg_new --> [n], [m]), C), assertz(C), phrase(dcg_new, L), retractall(dcg_new(_, _)) ), [L],
  answers([[[n, m]]])).

t(phrase_improper_list, phrase("12", [a|b], _), [], fails).
t(phrase_improper_rest, phrase([], [a|b], R), [R], answers([[[a|b]]])).

% A body of another module: its calls and goals are that module's, terminals are nobody's.
t(module_terminals, ( dcg_translate_rule((p --> user:[a], q), R), R =@= (p(A, B) :- A = [a|C], q(C, B)) ), [], answers([[]])).
t(module_string, phrase((user:"xy", [0'z]), L), [L], answers([[`xyz`]])).
t(module_inner, ( dcg_translate_rule((p --> m:n:a, b), R), R =@= (p(A, B) :- n:a(A, C), b(C, B)) ), [], answers([[]])).
t(module_of_a_conjunction, ( dcg_translate_rule((p --> M:(a, b)), R), R =@= (p(A, B) :- N:a(A, C), N:b(C, B)) ), [], answers([[]])).
t(translate_body_result, dcg_translate_body(_, _, _, 7), [], fails).
t(module_of_control, ( dcg_translate_rule((p --> m:({b}, ! ; [] ; \+ a)), R),
    R =@= (p(A, B) :- ( ( m:b, C = A ), !, B = C ; A = B ; \+ m:a(A, _), B = A )) ), [], answers([[]])).
t(module_of_a_goal, ( dcg_translate_rule((p --> m:{a}), R), R =@= (p(A, B) :- m:a, B = A) ), [], answers([[]])).
t(module_of_call, ( dcg_translate_rule((p --> m:call(a, x)), R), R =@= (p(A, B) :- m:call(a, x, A, B)) ), [], answers([[]])).
t(module_unbound_body, ( dcg_translate_rule((p --> m:V), R), R =@= (p(A, B) :- phrase(m:V, A, B)) ), [], answers([[]])).
t(module_number, dcg_translate_rule((p --> m:1), _), [], throws(type_error(callable, 1))).

t(call_dcg, call_dcg([a], [a, b], R), [R], answers([[[b]]])).

:- use_module(library(dcg/basics)).

t(digit_enumerated, findall(D, phrase(digit(D), _), Ds), [Ds], answers([[`0123456789`]])).
t(digit_of_other, phrase(digit(_), [0x661]), [], fails).
t(xdigit_enumerated, findall(W-C, phrase(xdigit(W), [C]), L), [L],
  answers([[[0-48, 1-49, 2-50, 3-51, 4-52, 5-53, 6-54, 7-55, 8-56, 9-57, 10-65, 11-66, 12-67, 13-68, 14-69, 15-70,
             10-97, 11-98, 12-99, 13-100, 14-101, 15-102]]])).
t(xdigit_written, phrase(xdigit(11), L), [L], answers([[`b`]])).
t(float_of_integer, phrase(float(1), _), [], fails).
t(float_written, ( phrase(float(1.5), L), atom_codes(A, L) ), [A], answers([['1.5']])).

t(no_nonterminals, forall(member(H, [!, m:!, {}, {a}, [a], (a ; b), (a -> b), (a *-> b), (a '|' b), \+ a, m:{a}]),
  catch(( dcg_translate_rule((H --> b), R), print(R), fail ), error(permission_error(define, dcg_nonterminal, _), _), true) ), [], answers([[]])).
t(no_nonterminal_before_pushback, dcg_translate_rule((!, [a] --> b), _), [], throws(permission_error(define, dcg_nonterminal, !))).

% library(dcg/basics) asks for the kind of characters, too.
:- use_module(library(dcg/basics)).
dcb(G, L, X, R) :- atom_chars(L, Cs), ( phrase(G, Cs, R0) -> R = X-R0 ; R = no ).
t(basics_of_characters, findall(R, ( member(L-G-X, [' 7a'-( blanks, integer(I) )-I, '78'-digits(Ds)-Ds, '7f'-xinteger(W)-W, '1f'-xdigits(Ws)-Ws, ' \tx'-whites-w, 'ab c'-nonblanks(Ns)-Ns, 'Abc d'-prolog_var_name(V)-V,
    'A'-alpha_to_lower(Lo)-Lo, '-7'-integer(J)-J]), dcb(G, L, X, R) ), Rs), [Rs],
  answers([[[7-[a], ['7', '8']-[], 127-[], [1, 15]-[], w-[x], [a, b]-[' ', c], 'Abc'-[' ', d], 97-[], no]]])).

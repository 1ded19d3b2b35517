% What files define and call: library(prolog_xref).

:- use_module(library(prolog_xref)).

%   Goal with a file of that text.
xrf_with(Text, File, Goal) :-
    setup_call_cleanup(
        ( tmp_file_stream(File, Out, [encoding(utf8), extension(pl)]), write(Out, Text), close(Out) ),
        ( xref_source(File, [silent(true)]), Goal ),
        ( xref_clean(File), delete_file(File) )).

xrf_text(":- module(xrf_m, [a/1, g//0, op(700, xfx, ===>)]).
:- use_module(library(lists)).
:- use_module(nowhere).
:- dynamic d/1.
:- thread_local l/0.
:- multifile user:portray/1.
:- meta_predicate m(1, 0).
:- op(200, xfy, **>).
:- set_prolog_flag(double_quotes, codes).
a(X) :- d(X), append(X, _, _), \\+ b(X), findall(Y, c(Y), _), ( p -> q ; r ), m(s(1), t), forall(u, v), xrf_o:w.
b(x ===> y). b(x **> y).
g --> \"text\", [x], h, { k }.
user:portray(X) :- z(X).
n(X), X > 0 => nn.
:- initialization(start).
broken( .
last.
").

xrf_called(By, Goals) :- xrf_text(T), xrf_with(T, F, findall(G, ( xref_called(F, G0, B), xrf_plain(B, By), xrf_plain(G0, G) ), Goals)).
xrf_plain(M:T, M:N/A) :- !, functor(T, N, A).
xrf_plain(T, N/A) :- functor(T, N, A).
xrf(What, L) :- xrf_text(T), xrf_with(T, F, xrf(What, F, L)).
xrf(local, F, L) :- findall(P-Line, ( xref_defined(F, H, local(Line)), xrf_plain(H, P) ), L).
xrf(declared, F, L) :- findall(P-How, ( xref_defined(F, H, How), How \= local(_), How \= imported(_), xrf_plain(H, P) ), L).
xrf(exports, F, L) :- findall(P, ( xref_exported(F, H), xrf_plain(H, P) ), L).
xrf(module, F, L) :- findall(M, xref_module(F, M), L).
xrf(ops, F, L) :- findall(O, xref_op(F, O), L).
xrf(uses, F, L) :- findall(S-P, xref_uses_file(F, S, P), L).
xrf(flags, F, L) :- findall(A-B-C, xref_prolog_flag(F, A, B, C), L).
xrf(append, F, L) :- findall(H, xref_defined(F, append(_, _, _), H), L).

t(called, xrf_called(a/1, L), [L], answers([[[d/1, append/3, b/1, c/1, p/0, q/0, r/0, m/2, s/2, t/0, u/0, v/0, xrf_o:w/0]]])).
t(called_by_grammar, xrf_called(g/2, L), [L], answers([[[h/2, k/0]]])).
t(called_by_hook, xrf_called(user:portray/1, L), [L], answers([[[z/1]]])).
t(called_by_rule, xrf_called(n/1, L), [L], answers([[[nn/0]]])).
t(called_by_directive, xrf_called('<directive>'/1, L), [L], answers([[[start/0]]])).
t(local, xrf(local, L), [L], answers([[[a/1-10, b/1-11, g/2-12, (user:portray/1)-13, n/1-14, last/0-17]]])).
t(declared, xrf(declared, L), [L], answers([[[d/1-dynamic(4), l/0-thread_local(5), (user:portray/1)-multifile(6)]]])).
t(exports, xrf(exports, L), [L], answers([[[a/1, g/2]]])).
t(module, xrf(module, L), [L], answers([[[xrf_m]]])).
t(operators, xrf(ops, L), [L], answers([[[op(700, xfx, ===>), op(200, xfy, **>)]]])).
t(uses, xrf(uses, L), [L], answers([[[library(lists)-library(lists), nowhere-'<not_found>']]])).
t(flags, xrf(flags, L), [L], answers([[[double_quotes-codes-9]]])).
t(imported, xrf(append, L), [L], answers([[[imported(library(lists))]]])).
t(operators_are_the_files, ( xrf(ops, _), \+ current_op(_, _, ===>), \+ current_op(_, _, **>) ), [], answers([[]])).
t(clean, xrf_with("a.", F, ( xref_current_source(F), xref_clean(F), \+ xref_current_source(F) )), [], answers([[]])).
t(again, xrf_with("a.", F, ( open(F, write, S), write(S, "b. c."), close(S), get_time(T0), T is T0+10, set_time_file(F, [], [modified(T)]), xref_source(F), findall(H, xref_defined(F, H, _), L) )), [L], answers([[[b, c]]])).
t(built_in, xrf_with("a :- write(x), b.", F, ( findall(G, xref_called(F, G, _), L) )), [L], answers([[[b]]])).
t(all_called, ( tmp_file_stream(F, Out, [extension(pl)]), write(Out, "a :- write(x), b."), close(Out), xref_source(F, [register_called(all)]), findall(N/A, ( xref_called(F, G, _), functor(G, N, A) ), L), xref_clean(F), delete_file(F) ), [L], answers([[[write/1, b/0]]])).
t(meta, ( xref_meta(none, maplist(f, a, b), L) ), [L], answers([[[f+2]]])).
t(meta_none, xref_meta(none, foo(a), _), [], fails).
t(is_built_in, ( xref_built_in(atom_length(_, _)), \+ xref_built_in(append(_, _, _)), \+ xref_built_in(xrf(_, _)) ), [], answers([[]])).
t(line, xref_definition_line(local(3), N), [N], answers([[3]])).
t(public, xrf_with(":- module(xrf_p, [a/1, op(700, xfx, =>>)]).", F, xref_public_list(F, none, [module(M), exports(E)])), [M, E], answers([[xrf_p, [a/1]]])).
t(missing, xref_source('/no/such/file'), [], throws(existence_error(source_sink, '/no/such/file'))).
t(unbound, xref_source(_), [], throws(instantiation_error)).

%   Programs of other systems: expects_dialect/1, the load option dialect(D), and the dialect of XSB, with its modules and its preprocessor.

:- use_module(library(dialect)).
:- use_module(library(lists)).
:- use_module(library(readutil)).

%   with_files(+Files, :Goal): each Name-Text of Files is a file in a directory that is the working directory meanwhile.
:- meta_predicate with_files(+, 0).
with_files(Files, Goal) :-
    tmp_file(dialect, Dir),
    working_directory(Was, Was),
    setup_call_cleanup(
        make_directory(Dir),
        (   forall(member(Name-Text, Files), put_file(Dir, Name, Text)),
            setup_call_cleanup(working_directory(_, Dir), once(Goal), working_directory(_, Was))
        ),
        (   forall(member(Name-_, Files), ( path(Dir, Name, Path), catch(unload_file(Path), _, true), delete_file(Path) )),
            delete_directory(Dir)
        )).

path(Dir, Name, Path) :- atomic_list_concat([Dir, /, Name], Path).

put_file(Dir, Name, Text) :-
    path(Dir, Name, Path),
    setup_call_cleanup(open(Path, write, S), write(S, Text), close(S)).

dialect(D) :- current_prolog_flag(emulated_dialect, D0), prolog_load_context(dialect, D1), D = D0/D1.

t(dialect_unknown, expects_dialect(nope), [], throws(domain_error(dialect, nope))).
t(dialect_option_unknown, load_files(nowhere, [dialect(nope)]), [], throws(domain_error(dialect, nope))).
t(dialect_option_type, load_files(nowhere, [dialect(1)]), [], throws(type_error(atom, 1))).
t(dialect_flag, set_prolog_flag(emulated_dialect, nope), [], throws(domain_error(emulated_dialect, nope))).
t(dialect_none, dialect(D), [D], answers([[swi/swi]])).
t(dialect_of_file, ( with_files(['da.pl'-":- expects_dialect(xsb).\n:- dialect(D), print(D).\n:- import ith/3 from basics.\na(X) :- ith(2, [a,b], X).\n"], ( consult(da), a(X), dialect(D), print([X,D]) )) ), [], output("xsb/xsb[b,swi/swi]")).
t(dialect_option, with_files(['db.pl'-":- dialect(D), print(D).\n:- table b/1.\nb(X) :- tnot b(X).\n"], ( load_files(db, [dialect(xsb)]), b(1), dialect(D), print(D) )), [], output("xsb/xsbswi/swi")).
t(dialect_operators_end, ( with_files(['dh.pl'-":- expects_dialect(xsb).\n:- table h/1.\nh(1) :- tnot h(2).\n"], ( consult(dh), h(X), print(X) )), ( current_op(1045, _, as) -> print(as) ; current_op(_, _, import) -> print(import) ; true ) ), [], output("1")).
t(dialect_condition, with_files(['dc.pl'-":- expects_dialect(xsb).\n:- if(current_prolog_flag(emulated_dialect, xsb)).\nc(xsb).\n:- else.\nc(other).\n:- endif.\n"], ( consult(dc), c(X), print(X) )), [], output("xsb")).
t(dialect_into_module, with_files(['dd.pl'-":- import ith/3 from basics.\n:- table e/1.\ne(X) :- ith(1, [a], X), tnot e(b).\n"], ( load_files(xsb_into:dd, [dialect(xsb), if(true)]), xsb_into:e(X), print(X) )), [], output("a")).

t(dialect_of_module, with_files(['de.pl'-":- module(dz, [f/1]).\n:- table f/1.\nf(X) :- X = 1, tnot f(2).\n"], ( load_files(de, [dialect(xsb)]), f(X), print(X) )), [], output("1")).
t(dialect_own, with_files(['df.pl'-":- module(dy, [g/1]).\n:- dialect(D), print(D).\ng(1).\n"], ( load_files(df, [dialect(swi)]), g(X), print(X) )), [], output("swi/swi1")).

t(xsb_source, with_files(['xa.P'-":- export p/1.\n:- import q/1 from xb.\np(X) :- q(X).\np(X) :- hidden(X).\nhidden(h).\n", 'xb.P'-":- export q/1, r/1.\nq(b).\nr(c).\n"],
  ( use_module(library(dialect/xsb/source)), consult(xa), findall(X, p(X), L), module_property(xa, exports(Es)), module_property(xb, exports(Fs)), print(L-Es-Fs) )), [], output("[b,h]-[p/1]-[q/1,r/1]")).
t(xsb_usermod, with_files(['xi.P'-":- export p/1.\n:- import um_fact/1, um_other/1 from usermod.\np(X) :- assert(um_fact(X)), assert(um_other(X)).\n"],
  ( use_module(library(dialect/xsb/source)), consult(xi), xi:p(1), findall(X-Y, ( user:um_fact(X), user:um_other(Y) ), L), retractall(user:um_fact(_)), retractall(user:um_other(_)) )), [L], answers([[[1-1]]])).
t(xsb_usermod_renamed, with_files(['xj.P'-":- export p/1.\n:- import um_renamed/1 as um_alias/1 from usermod.\np(X) :- assert(um_alias(X)).\n"],
  ( use_module(library(dialect/xsb/source)), consult(xj), xj:p(1), findall(X, user:um_renamed(X), L), retractall(user:um_renamed(_)) )), [L], answers([[[1]]])).
t(xsb_header, with_files(['xc.P'-"p(X) :- ith(1, [x], X).\n", 'xc.H'-":- export p/1.\n:- import ith/3 from basics.\n"],
  ( use_module(library(dialect/xsb/source)), consult(xc), xc:p(X), print(X) )), [], output("x")).
t(xsb_renamed, with_files(['xd.P'-":- export p/1.\n:- import ith/3 as nth/3 from basics.\n:- import length/2 from basics.\np(X) :- nth(1, [x], X), length([X], 1).\n"],
  ( use_module(library(dialect/xsb/source)), consult(xd), xd:p(X), print(X) )), [], output("x")).
t(xsb_gpp, with_files(['xe.P'-":- compiler_options([xpp_on]).\n:- export p/1.\n#define ONE 1\n#ifdef ONE\np(ONE).\n#else\np(no).\n#endif\n#ifndef ONE\np(none).\n#endif\np('ONE'). % ONE\np(\"ONE\"). p(_ONES). p(0'O).\n#include \"xe.h\"\n#undef ONE\np(one(ONE)) :- p(ONE).\n", 'xe.h'-"p(h(ONE)).\n"],
  ( use_module(library(dialect/xsb/source)), consult(xe), findall(X, clause(xe:p(X), true), L) )), [L], answers([[[1, 'ONE', "ONE", _, 79, h(1)]]])).
t(xsb_gpp_again, with_files(['xh.P'-":- compiler_options([xpp_on]).\n:- export p/1.\n#define A f(B,A)\n#define B C\n#define C 1\np(A). p(`A`). p(0'`). p(B).\n"],
  ( use_module(library(dialect/xsb/source)), consult(xh), findall(X, clause(xh:p(X), true), L) )), [L], answers([[[f(1, _), [65], 96, 1]]])).
t(xsb_gpp_unclosed, with_files(['xf.P'-":- compiler_options([xpp_on]).\n#ifdef A\n"], ( use_module(library(dialect/xsb/source)), load_files(xf, []) )), [], throws(syntax_error(gpp_unclosed_condition))).
t(xsb_tables, with_files(['xg.P'-":- export w/1, sub/1, s/1.\n:- table w/1.\n:- table sub/1 as subsumptive.\n:- use_subsumptive_tabling s/1.\n:- index(w/1, 1).\nw(X) :- m(X, Y), tnot w(Y).\nm(a, b).\nm(b, a).\nm(b, c).\nsub(1).\ns(1).\n"],
  ( use_module(library(dialect/xsb/source)), consult(xg), findall(X-T, ( member(P, [w(_), sub(_), s(_)]), functor(P, X, _), predicate_property(xg:P, tabled(T)) ), L), findall(Y, xg:w(Y), Ws), print(L-Ws) )), [], output("[w-variant,sub-subsumptive,s-subsumptive]-[b]")).

:- use_module(library(dialect/xsb/basics), [log_ith/3, log_ith_bound/3, log_ith_new/3, log_ith_to_list/2, logk_ith/4, comma_to_list/2, comma_append/3, comma_member/2, comma_memberchk/2, comma_length/2, abscomma_memberchk/2, for/3]).
:- use_module(library(dialect/xsb/machine), [parsort/4, term_type/2, parse_filename/4, conset/2, conget/2, xsb_backtrace/1, xwam_state/2]).
:- use_module(library(dialect/xsb/setof), [excess_vars/4]).
:- use_module(library(dialect/xsb/storage), [storage_insert_fact/3, storage_find_fact/2, storage_delete_fact/3, storage_delete_all/1]).
:- use_module(library(dialect/xsb/error_handler), [check_integer/3, print_backtrace/1, xsb_error_get_tag/2]).

t(xsb_log_ith, ( log_ith(0, L, a), log_ith(5, L, f), log_ith(2, L, c), log_ith_to_list(L, All), findall(I-X, log_ith_bound(I, L, X), Is), print(All-Is) ), [], output("[a,c,f]-[0-a,2-c,5-f]")).
t(xsb_log_ith_layout, ( log_ith(1, L, a), log_ith(6, K, a) ), [L, K], answers([[[_, [a|_]|_], [_, _, [_, _|a]|_]]])).
t(xsb_log_ith_unbound, log_ith(I, [a, [b|_]|_], X), [I, X], prefix([[0, a], [1, b], [2, _], [3, _]])).
t(xsb_log_ith_negative, log_ith(-1, _, _), [], fails).
t(xsb_log_ith_type, log_ith(a, _, _), [], throws(type_error(integer, a))).
t(xsb_log_ith_bound, ( log_ith(4, L, _), \+ log_ith_bound(4, L, _), \+ log_ith_bound(9, L, _), \+ log_ith_bound(_, L, _), var(_) ), [], answers([[]])).
t(xsb_log_ith_list_variables, ( log_ith(0, L, f(X)), log_ith_to_list(L, [f(Y)]), X == Y ), [], answers([[]])).
t(xsb_log_ith_new, ( log_ith_new(A, L, a), log_ith_new(B, L, b), log_ith_new(C, L, c), log_ith_new(D, L, d) ), [[A, B, C, D], L], answers([[[0, 1, 2, 3], [a, [b|c], [[d|_]|_]|_]]])).
t(xsb_log_ith_new_behind, ( log_ith(4, L, x), log_ith_new(I, L, b), log_ith_new(J, L, c), log_ith_new(K, L, d) ), [[I, J, K], L], answers([[[5, 6, 7], [_, _, [[_|x], b|c], [[[d|_]|_]|_]|_]]])).
%   In the time of the logarithm: asking for each element would be 3e7 steps.
put_many(I, N, L) :- ( I =:= N -> true ; log_ith_new(I, L, e(I)), I1 is I+1, put_many(I1, N, L) ).
t(xsb_log_ith_new_many, ( put_many(0, 8000, L), log_ith(7999, L, X), log_ith_to_list(L, Xs), length(Xs, N) ), [X, N], answers([[e(7999), 8000]])).
t(xsb_logk_ith, ( logk_ith(3, 2, L, a), logk_ith(3, 3, L, b), logk_ith(3, 12, L, c), logk_ith(3, 3, L, X) ), [L, X], answers([[[n(_, _, a), n(n(b, _, _), _, _), n(n(n(c, _, _), _, _), _, _)|_], b]])).
t(xsb_logk_ith_base, logk_ith(1, 0, _, _), [], throws(type_error(between(2, 255), 1))).
t(xsb_logk_ith_index, logk_ith(2, _, _, _), [], throws(instantiation_error)).
t(xsb_comma, ( comma_to_list(((a, b), c, d), L), comma_append((a, b), (c, d), C) ), [L, C], answers([[[(a, b), c, d], (a, b, c, d)]])).
t(xsb_comma_member, ( findall(X, comma_member(X, ((a, b), c)), L), findall(X, comma_member(X, a), L1) ), [L, L1], answers([[[(a, b), c], [a]]])).
t(xsb_comma_memberchk, ( comma_memberchk((a, b), ((a, b), c)), \+ comma_memberchk(b, ((a, b), c)), \+ comma_memberchk((a, b), (a, b)), comma_memberchk(x, (a, T)) ), [T], answers([[(x, _)]])).
t(xsb_abscomma_memberchk, ( abscomma_memberchk((a, b), b), abscomma_memberchk((a, b), (a, b)), \+ abscomma_memberchk(b, (a, b)), \+ abscomma_memberchk((a, _), _) ), [], answers([[]])).
t(xsb_comma_length, findall(N, ( member(C, [true, (a, true), (true, a), ((a, b), c), _]), comma_length(C, N) ), L), [L], answers([[[0, 1, 2, 2, 1]]])).
t(xsb_comma_append, findall(C, ( member(A-B, [true-c, c-true, (a, true)-d, ((a, b), c)-(d, e)]), comma_append(A, B, C) ), L), [L], answers([[[c, c, (a, d), ((a, b), c, d, e)]]])).
t(xsb_for, ( findall(I, for(I, 1, 3), L1), findall(I, for(I, 3, 1), L2) ), [L1, L2], answers([[[1, 2, 3], [3, 2, 1]]])).
t(xsb_parsort, ( parsort([f(2, a), f(1, b), f(1, c), f(1, b)], [asc(1), desc(2)], 1, L1), parsort([b, a, b], desc, 0, L2) ), [L1, L2], answers([[[f(1, c), f(1, b), f(2, a)], [b, b, a]]])).
t(xsb_parsort_identical, ( parsort([f(1, b), f(1, a), f(2, a), f(1, b)], [asc(1)], 1, L1), sort([X, Y], [V, W]), parsort([g(X), g(Y), g(X)], [asc(1)], 1, L2), L2 == [g(V), g(W)], parsort([b, a, b], [], 0, L3) ), [L1, L3], answers([[[f(1, b), f(1, a), f(2, a)], [a, b, b]]])).
t(xsb_parsort_unbound, parsort([], asc, _, _), [], throws(instantiation_error)).
t(xsb_term_type, findall(T, ( member(X, [_, f(a), 1, [a], a, 1.0, []]), term_type(X, T) ), L), [L], answers([[[0, 1, 2, 3, 5, 6, 5]]])).
t(xsb_parse_filename, findall(D/B/E, ( member(F, ['/a/b.c', b, './b.P']), parse_filename(F, D, B, E) ), L), [L], answers([[['/a/'/b/c, ''/b/'', './'/b/'P']]])).
t(xsb_con, ( conset(dialect_test, 5), conget(dialect_test, N) ), [N], answers([[5]])).
t(xsb_excess_vars, excess_vars(f(X, Y, Z), Y, [X], Vs), [X, Y, Z, Vs], answers([[X1, _, Z1, [X1, Z1]]])).
t(xsb_excess_vars_bound, ( T = (p(X), X^q(X, Y), setof(Z, r(Z, U), S), Z^bagof(W, V^s(V, W, Z), B)), excess_vars(T, [], [], Vs), Vs == [X, Y, U, S, B] ), [], answers([[]])).
t(xsb_excess_vars_cyclic, ( T = f(T, _), excess_vars(T, [], [], _) ), [], throws(domain_error(acyclic_term, _))).
t(xsb_xwam_state, xwam_state(2, N), [N], answers([[0]])).
t(xsb_backtrace, ( xsb_backtrace(B), print_backtrace(B) ), [], answers([[]])).
t(xsb_storage, ( storage_insert_fact(dialect, p(_), A), storage_insert_fact(dialect, p(_), B), storage_insert_fact(dialect, p(1), C), findall(F, storage_find_fact(dialect, F), L), storage_delete_fact(dialect, p(1), D), storage_delete_fact(dialect, p(1), E), storage_delete_all(dialect), \+ storage_find_fact(dialect, _) ), [A, B, C, L, D, E], answers([[1, 0, 1, [p(_), p(1)], 1, 0]])).
t(xsb_check, check_integer(a, p/1, 1), [], throws(type_error(integer, a))).
t(xsb_error_tag, ( catch(atom_length(_, _), E, true), xsb_error_get_tag(E, T) ), [T], answers([[instantiation_error]])).

:- use_module(library(dialect/xsb), [fmt_write/2, path_sysop/2, cputime/1, sk_not/1]).

t(xsb_fmt_write, fmt_write("%s-%S-%5d|%-4s|%4.2f%%", args(a+b, 'A', 12, x, 1)), [], output("a+b-'A'-   12|x   |1.00%")).
t(xsb_fmt_write_flags, fmt_write("%05d|%+d|% d|%-5d|%+05d|%.3d|%6.3d|%06.3d|%i|%u", a(42, 5, 5, 42, 42, 7, 7, 7, -1, 3)), [], output("00042|+5| 5|42   |+0042|007|   007|   007|-1|3")).
t(xsb_fmt_write_bases, fmt_write("%x|%X|%#x|%#o|%o|%#x|%08x|%x", a(255, 255, 255, 8, 8, 0, 255, -255)), [], output("ff|FF|0xff|010|10|0|000000ff|-ff")).
t(xsb_fmt_write_strings, fmt_write("%.3s|%5.2s|%-5s|%05s|%c|%3c", a(abcdef, abc, a, a, 65, b)), [], output("abc|   ab|a    |    a|A|  b")).
t(xsb_fmt_write_floats, fmt_write("%8.3f|%-8.2f|%+.1f|%08.2f|%.2e|%.2E|%g", a(3.14159, 2.5, 1, -2.5, 12345.678, 12345.678, 0.5)), [], output("   3.142|2.50    |+1.0|-0002.50|1.23e+04|1.23E+04|0.5")).
t(xsb_fmt_write_flag, fmt_write("%#d", 1), [], throws(domain_error(format_flag, #))).
t(xsb_fmt_write_end, fmt_write("%5", 1), [], throws(domain_error(format, '%'))).
t(xsb_fmt_write_one, fmt_write("%d", 1), [], output("1")).
t(xsb_fmt_write_type, fmt_write("%d", a), [], throws(type_error(integer, a))).
t(xsb_path_sysop, ( path_sysop(cwd, D), path_sysop(isdir, D), \+ path_sysop(isplain, D) ), [], answers([[]])).
t(xsb_path_sysop_unknown, path_sysop(nope, _), [], throws(domain_error(path_sysop, nope))).
t(xsb_cputime, ( cputime(T), float(T) ), [], answers([[]])).
t(xsb_sk_not, ( sk_not(member(_, [])), \+ sk_not(member(_, [a])) ), [], answers([[]])).

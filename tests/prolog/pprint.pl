% library(pprint) and numbervars/4.

:- use_module(library(pprint)).

pp(Term, Options) :- current_output(Stream), print_term(Term, [output(Stream)|Options]).

t(pp_one_line, pp([1, foo(X, _, X), 'A b', "s"], []), [X], output("[1,foo(A,_,A),'A b',\"s\"]")).
t(pp_atomic, ( pp(a, []), pp([], []), pp(f(), []), pp('$VAR'(1), []), pp({x}, []) ), [], output("a[]f()B{x}")).
t(pp_list, ( numlist(20000, 20020, L), pp(L, []) ), [L], output("[ 20000,\n  20001,\n  20002,\n  20003,\n  20004,\n  20005,\n  20006,\n  20007,\n  20008,\n  20009,\n  20010,\n  20011,\n  20012,\n  20013,\n  20014,\n  20015,\n  20016,\n  20017,\n  20018,\n  20019,\n  20020\n]")).
t(pp_partial, pp([aaaa, bbbb|_], [right_margin(8)]), [], output("[ aaaa,\n  bbbb\n| _\n]")).
t(pp_list_tail, pp([aaa|bbb], [right_margin(4)]), [], output("[ aaa\n| bbb\n]")).
t(pp_compound, pp(foo(aaaaa, bbbbb, ccccc), [right_margin(10)]), [], output("foo(aaaaa,\n    bbbbb,\n    ccccc)")).
t(pp_fits, pp(foo(aaa, bbb), [right_margin(13)]), [], output("foo(aaa,bbb)")).
t(pp_fits_not, pp(foo(aaa, bbb), [right_margin(12)]), [], output("foo(aaa,\n    bbb)")).
t(pp_long_functor, pp(functor_name_long(aaaaaaaaaa, bbbbbbbbb), [right_margin(20)]), [], output("functor_name_long(aaaaaaaaaa,\n\t\t  bbbbbbbbb)")).
t(pp_nested, pp(foo(bar(baz(aaaaaaaaaaa, bbbbbbbbb), ccccccc), ddddd), [right_margin(20)]), [], output("foo(bar(baz(aaaaaaaaaaa,\n\t    bbbbbbbbb),\n\tccccccc),\n    ddddd)")).
t(pp_nested_lists, pp([[aaaa, bb, cc], [d]], [right_margin(9)]), [], output("[ [ aaaa,\n    bb,\n    cc\n  ],\n  [d]\n]")).
t(pp_mixed, pp(foo([aaaaa, bbbbb], bar(cccccc, dddddd)), [right_margin(14)]), [], output("foo([ aaaaa,\n      bbbbb\n    ],\n    bar(cccccc,\n\tdddddd))")).
t(pp_indent, pp(foo(aaaaa, bbbbb, ccccc), [right_margin(10), indent_arguments(2)]), [], output("foo(\n  aaaaa,\n  bbbbb,\n  ccccc)")).
t(pp_no_indent, pp(foo(aaaaa, bbbbb, ccccc), [right_margin(10), indent_arguments(false)]), [], output("foo(aaaaa,bbbbb,ccccc)")).
t(pp_left_margin, pp(foo(aaaaa, [bbbbb, ccccc]), [right_margin(14), left_margin(4)]), [], output("foo(aaaaa,\n\t[ bbbbb,\n\t  ccccc\n\t])")).
t(pp_no_tabs, pp(foo(foo(aaa, bbb)), [right_margin(5), tab_width(0)]), [], output("foo(foo(aaa,\n        bbb))")).
t(pp_operator, pp(foo(aaaaa = bbbbb, ccc), [right_margin(12)]), [], output("foo(aaaaa = bbbbb,\n    ccc)")).
t(pp_operator_list, pp([aaaaa-[bbbbb, ccc, ddd], ccc], [right_margin(12)]), [], output("[ aaaaa - [ bbbbb,\n    ccc,\n    ddd\n  ],\n  ccc\n]")).
t(pp_no_operators, pp(foo(aaaaa + bbbbb, ccccc), [right_margin(12), operators(false)]), [], output("foo(+(aaaaa,\n      bbbbb),\n    ccccc)")).
t(pp_conjunction, pp(f((aaa, bbb, ccc)), [right_margin(5)]), [], output("f(( aaa,\n    bbb,\n    ccc\n  ))")).
t(pp_write_options, pp('A b', [write_options([quoted(false)])]), [], output("A b")).
t(pp_output, with_output_to(string(S), ( current_output(Stream), print_term(a, [output(Stream)]) )), [S], answers([["a"]])).
t(pp_no_list, print_term(f(_), foo), [], throws(type_error(list, foo))).
t(pp_binds_nothing, ( with_output_to(string(_), pp(f(X, Y), [])), var(X), X \== Y ), [X, Y], answers([[_, _]])).

% --- numbervars/4 ---

t(numbervars_name, numbervars(f(X, Y, X), 0, E, [functor_name(v)]), [X, Y, E], answers([[v(0), v(1), 2]])).
t(numbervars_singletons, numbervars(f(X, Y, X), 3, E, [functor_name(v), singletons(true)]), [X, Y, E], answers([[v(3), v('_'), 4]])).
t(numbervars_printed, ( T = f(X, _, X), numbervars(T, 0, _, [singletons(true)]), print(T), fail ; true ), [T, X], output("f(A,_,A)")).
t(numbervars_options, ( T = f(_, _), numbervars(T, 23, _, [attvar(bind), singletons(false), foo(1)]), print(T), fail ; true ), [T], output("f(X,Y)")).
t(numbervars_end, numbervars(f(_, _), 0, 1, [functor_name(v)]), [], fails).
t(numbervars_start, numbervars(f(_), a, _, []), [], throws(type_error(integer, a))).
t(numbervars_unbound, numbervars(f(_), _, _, []), [], throws(instantiation_error)).
t(numbervars_functor, numbervars(f(_), 0, _, [functor_name(1)]), [], throws(type_error(atom, 1))).
t(numbervars_attvar, numbervars(f(_), 0, _, [attvar(foo)]), [], throws(domain_error(numbervar_option, [attvar(foo)]))).
t(numbervars_boolean, numbervars(f(_), 0, _, [singletons(foo)]), [], throws(type_error(bool, foo))).
t(numbervars_no_list, numbervars(f(_), 0, _, foo), [], throws(type_error(list, foo))).
t(numbervars_no_options, numbervars(f(_), 0, _, _), [], throws(instantiation_error)).

t(numbervars_singletons_alone, ( T = f(_, X, X), numbervars(T, 0, E, [singletons]) ), [T, E], answers([[f('$VAR'('_'), '$VAR'(0), '$VAR'(0)), 1]])).
t(numbervars_dict, ( T = f(_, X, X), numbervars(T, 0, E, _{singletons:true}) ), [T, E], answers([[f('$VAR'('_'), '$VAR'(0), '$VAR'(0)), 1]])).
t(numbervars_partial_options, numbervars(f(_), 0, _, [singletons(true)|_]), [], throws(instantiation_error)).
t(numbervars_bad_tail, numbervars(f(_), 0, _, [singletons(true)|1]), [], throws(type_error(list, 1))).

% library(main): arguments of the command line.

t(argv_plain, argv_options([a, '--foo=1', '--bar', '--no-baz', '--name=bob', '--a-b=c', --, '--z'], P, O), [P, O],
  answers([[[a, '--z'], [foo(1), bar(true), baz(false), name(bob), a_b(c)]]])).
t(argv_module_of_the_caller, ( assertz(( opt_type(n, num, integer) )), argv_options(['-n', '3', x], P, O), retractall(opt_type(_, _, _)) ), [P, O], answers([[[x], [num(3)]]])).
t(argv_none, argv_options([a, b], P, O), [P, O], answers([[[a, b], []]])).

cl_args:opt_type(n, number, integer).
cl_args:opt_type(verbose, verbose, boolean).
cl_args:opt_type(quiet, quiet, boolean(false)).
cl_args:opt_type(q, quiet, boolean(false)).
cl_args:opt_type(dice, dice, between(1, 6)).
cl_args:opt_type(percent, percent, between(0.0, 100.0)).
cl_args:opt_type(t, term, term([variable_names(_)])).

t(argv_typed, cl_args:argv_options(['-n', '42', a, '--verbose', '--dice=3', '--percent', '50', b], P, O, []), [P, O],
  answers([[[a, b], [number(42), verbose(true), dice(3), percent(50.0)]]])).
t(argv_negated, cl_args:argv_options(['-q', '--no-verbose', '--noverbose', '--no-quiet', '--quiet=true'], _, O, []), [O],
  answers([[[quiet(false), verbose(false), verbose(false), quiet(true), quiet(true)]]])).
t(argv_attached, cl_args:argv_options(['-n42'], P, O, []), [P, O], answers([[[], [number(42)]]])).
t(argv_term, cl_args:argv_options(['-t', 'p(X)'], _, [term(T-B)], []), [T, B], answers([[p(X), ['X' = X]]])).
t(argv_bad_value, cl_args:argv_options(['-n', x], _, _, []), [], throws(opt_error(value_type(n, integer, x)))).
t(argv_bad_range, cl_args:argv_options(['--dice', '7'], _, _, []), [], throws(opt_error(value_type(dice, between(1, 6), '7')))).
t(argv_first, cl_args:argv_options(['-n', '1', a, '-n', '2'], P, O, [options_after_arguments(false)]), [P, O],
  answers([[[a, '-n', '2'], [number(1)]]])).

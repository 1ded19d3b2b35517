% library(optparse).

:- use_module(library(optparse)).

opts([[opt(verbose), type(boolean), default(false), shortflags([v]), longflags([verbose]), help('Be verbose')],
      [opt(mode), type(atom), default('SCAN'), shortflags([m]), longflags([mode]), meta('MODE'),
       help(['data gathering mode, one of', '  SCAN: do this', '  READ: do that'])],
      [opt(n), type(integer), default(3), shortflags([n, 'N']), longflags([count, num]), meta('N'),
       help('Number of things to do, a rather long explanation that must be broken into lines since it is longer than one')],
      [opt(f), type(float), default(0.5), longflags([ratio]), help(ratio)],
      [opt(term), type(term), default(p(x)), shortflags([t]), longflags([term]), help(term)],
      [opt(hidden), type(atom), default(x)]]).

parsed(Arguments, Options, Positional) :- parsed(Arguments, [], Options, Positional).
parsed(Arguments, How, Options, Positional) :- opts(Spec), opt_parse(Spec, Arguments, Options, Positional, How).

% What is thrown, without what is printed before.
parse_error(Arguments, Error) :-
    catch(with_output_to(string(_), parsed(Arguments, _, _)), error(Error, _), true).

t(opt_defaults, parsed([], O, P), [O, P], answers([[[verbose(false), mode('SCAN'), n(3), f(0.5), term(p(x)), hidden(x)], []]])).
t(opt_short, parsed(['-v', '-mREAD', '-N', '5'], O, P), [O, P], answers([[[f(0.5), term(p(x)), hidden(x), verbose(true), mode('READ'), n(5)], []]])).
t(opt_short_value, parsed(['-m', 'READ', '-n5', rest], O, P), [O, P], answers([[[verbose(false), f(0.5), term(p(x)), hidden(x), mode('READ'), n(5)], [rest]]])).
t(opt_long, parsed(['--verbose', '--mode=READ', '--count', '7', '--ratio=1.5', x, y], O, P), [O, P], answers([[[term(p(x)), hidden(x), verbose(true), mode('READ'), n(7), f(1.5)], [x, y]]])).
t(opt_no, parsed(['--no-verbose', x], O, P), [O, P], answers([[[mode('SCAN'), n(3), f(0.5), term(p(x)), hidden(x), verbose(false)], [x]]])).
t(opt_boolean_values, ( parsed(['--verbose=true'], O, _), parsed(['-v', false], Q, _), parsed(['-vtrue'], R, _), parsed(['-v', yes], S, P) ), [O, Q, R, S, P], answers([[[mode('SCAN'), n(3), f(0.5), term(p(x)), hidden(x), verbose(true)], [mode('SCAN'), n(3), f(0.5), term(p(x)), hidden(x), verbose(false)], [mode('SCAN'), n(3), f(0.5), term(p(x)), hidden(x), verbose(true)], [mode('SCAN'), n(3), f(0.5), term(p(x)), hidden(x), verbose(true)], [yes]]])).
t(opt_term, parsed(['-t', 'foo(a, "b")'], O, P), [O, P], answers([[[verbose(false), mode('SCAN'), n(3), f(0.5), hidden(x), term(foo(a, "b"))], []]])).
t(opt_no_type, opt_parse([[opt(a), longflags([a])]], ['--a=1'], O, P), [O, P], answers([[[a(1)], []]])).
t(opt_next_is_value, parsed(['-m', '-v', '-n', '-5'], O, P), [O, P], answers([[[verbose(false), f(0.5), term(p(x)), hidden(x), mode('-v'), n(-5)], []]])).
t(opt_no_value, parsed(['--mode'], O, P), [O, P], answers([[[verbose(false), n(3), f(0.5), term(p(x)), hidden(x), mode('')], []]])).
t(opt_empty_value, parsed(['--mode=', '--term', x], O, P), [O, P], answers([[[verbose(false), n(3), f(0.5), hidden(x), mode(''), term(x)], []]])).
t(opt_equals, parsed(['--mode=a=b'], O, P), [O, P], answers([[[verbose(false), n(3), f(0.5), term(p(x)), hidden(x), mode('a=b')], []]])).
t(opt_positional, parsed(['-', '--', '-1', '--1', '---x', ''], O, P), [O, P], answers([[[verbose(false), mode('SCAN'), n(3), f(0.5), term(p(x)), hidden(x)], [-, --, '-1', '--1', '---x', '']]])).
t(opt_keeplast, parsed(['-n1', '-v', '-n2', '-m', a], [duplicated_flags(keeplast)], O, P), [O, P], answers([[[f(0.5), term(p(x)), hidden(x), verbose(true), n(2), mode(a)], []]])).
t(opt_keepfirst, parsed(['-n1', '-v', '-n2', '-m', a], [duplicated_flags(keepfirst)], O, P), [O, P], answers([[[f(0.5), term(p(x)), hidden(x), n(1), verbose(true), mode(a)], []]])).
t(opt_keepall, parsed(['-n1', '-v', '-n2', '-m', a], [duplicated_flags(keepall)], O, P), [O, P], answers([[[f(0.5), term(p(x)), hidden(x), n(1), verbose(true), n(2), mode(a)], []]])).
t(opt_keep_unknown, parsed([], [duplicated_flags(foo)], _, _), [], throws(domain_error(keep_flag, foo))).
t(opt_functor, parsed(['-m', a], [output_functor(f)], O, P), [O, P], answers([[[f(verbose, false), f(n, 3), f(f, 0.5), f(term, p(x)), f(hidden, x), f(mode, a)], []]])).
t(opt_unknown_short, parsed(['-x'], _, _), [], throws(existence_error(commandline_option, x))).
t(opt_unknown_long, parsed(['--xx'], _, _), [], throws(existence_error(commandline_option, xx))).
t(opt_no_boolean, parsed(['--no-mode'], _, _), [], throws(existence_error(commandline_option, 'no-mode'))).
t(opt_short_equals, parsed(['-n=5'], _, _), [], throws(syntax_error('disallowed: <shortflag>=<value>'))).
t(opt_errors, findall(E, ( member(A, ['-nfoo', '--ratio=1', '-vn5', '--verbose=foo', '--ratio=x']), parse_error([A], E) ), L), [E, A, L], answers([[_, _, [syntax_error(illegal_number), type_error(flag_value, float), type_error(flag_value, boolean), type_error(flag_value, boolean), syntax_error(illegal_number)]]])).
t(opt_arguments_no_list, parsed(foo, _, _), [], throws(type_error(list(atom), foo))).
t(opt_arguments_number, parsed([1], _, _), [], throws(type_error(atom, 1))).
t(opt_spec_unbound, opt_parse(_, [], _, _), [], throws(instantiation_error)).
t(opt_spec_no_name, opt_parse([[type(atom)]], [], _, _), [], throws(domain_error(unique_atom, [type(atom)]))).
t(opt_spec_twice, opt_parse([[opt(a), longflags([a])], [opt(a), longflags([b])]], [], _, _), [], throws(domain_error(unique_atom, a))).
t(opt_spec_same_flag, opt_parse([[opt(a), longflags([a])], [opt(b), longflags([a])]], [], _, _), [], throws(domain_error(unique_atom, a))).
t(opt_spec_short_flag, opt_parse([[opt(a), shortflags([aa])]], [], _, _), [], throws(domain_error(short_flag, aa))).
t(opt_spec_default, opt_parse([[opt(a), type(integer), default(x), longflags([a])]], [], _, _), [], throws(type_error(integer, x))).
t(opt_spec_no_flags, opt_parse([[opt(a)]], [], _, _, [allow_empty_flag_spec(false)]), [], throws(domain_error(unique_atom, _))).
t(opt_spec_no_default, opt_parse([[opt(a), type(boolean), longflags(['long-name'])]], [], O, P), [O, P], answers([[[a(_)], []]])).
t(opt_spec_names, opt_parse([[opt(a), type(boolean), shortflags([a]), longflags(['long-name', long_name])]], ['--long-name', '--long_name'], O, P), [O, P], answers([[[a(true)], []]])).
t(opt_help, ( opts(Spec), opt_help(Spec, H), write(H) ), [Spec, H], output("--verbose  -v     boolean=false   Be verbose\n--mode     -m     MODE:atom=SCAN  data gathering mode, one of\n                                      SCAN: do this\n                                      READ: do that\n--count,\n--num      -n,-N  N:integer=3     Number of things to do, a rather long\n                                    explanation that must be broken into lines\n                                    since it is longer than one\n--ratio           float=0.5       ratio\n--term     -t     term=p(x)       term\n")).
t(opt_help_none, opt_help([[opt(a), type(boolean)]], H), [H], answers([['']])).
t(opt_help_short, opt_help([[opt(a), type(integer), shortflags([a]), meta('FOO'), help('')]], H), [H], answers([['  -a  FOO:integer=_  \n']])).
t(opt_help_wide, opt_help([[opt(a), type(boolean), shortflags([a]), help(x)], [opt(b), type(integer), longflags([looooooooooooooooooooooooooooooooooooooooong]), help('the help'), default(4)]], H), [H], answers([['                                                -a  boolean=_  x\n--looooooooooooooooooooooooooooooooooooooooong      integer=4  the help\n']])).
t(opt_help_flags, opt_help([[opt(a), type(atom), longflags([a, bb, ccc]), default(x), help('one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty')]], H), [H], answers([['--a,\n--bb,\n--ccc    atom=x  one two three four five six seven eight nine ten eleven\n                   twelve thirteen fourteen fifteen sixteen seventeen eighteen\n                   nineteen twenty\n']])).
t(opt_help_lines, opt_help([[opt(a), type(atom), longflags([a]), help(['  a b', c])]], H), [H], answers([['--a    atom=_    a b\n                 c\n']])).
t(opt_help_unbound, opt_help(_, _), [], throws(instantiation_error)).
t(opt_help_unknown_key, opt_help([[opt(a), bad(x)]], _), [], throws(domain_error(opt_spec, bad))).
t(opt_help_unknown_type, opt_help([[opt(a), type(foo), longflags([aa])]], _), [], throws(existence_error(type, foo))).
t(opt_spec_unknown_type, opt_parse([[opt(a), type(foo), longflags([aa])]], [], _, _), [], throws(existence_error(type, foo))).
t(opt_spec_type_of_arguments, opt_parse([[opt(a), type(oneof([x, y])), longflags([aa])]], ['--aa=x'], _, _), [], throws(type_error(flag_value, oneof([x, y])))).
t(opt_spec_partial, opt_parse([[opt(a), type(_), longflags([aa])]], [], _, _), [], throws(instantiation_error)).
t(opt_spec_key_twice, opt_parse([[opt(a), opt(b), longflags([aa])]], [], _, _), [], throws(domain_error(unique_functor, opt))).

% library(strings): interpolate_string/4.

:- use_module(library(strings)).

t(interpolate, interpolate_string("Hi {Name}, {Name}!", S, ['Name'="Bob"], []), [S], answers([["Hi Bob, Bob!"]])).
t(interpolate_default, interpolate_string("Hi {Name,default} {X,}!", S, [], []), [S], answers([["Hi default !"]])).
t(interpolate_default_known, interpolate_string("{A,x}{A,y}", S, ['A'=1], []), [S], answers([["11"]])).
t(interpolate_terms, interpolate_string("{A}{B}", S, ['A'=1, 'B'=f(x)], []), [S], answers([["1f(x)"]])).
t(interpolate_no_variable, interpolate_string("{a} {A b} {} {1} { A } {A", S, ['A'=1], []), [S], answers([["{a} {A b} {} {1} { A } {A"]])).
t(interpolate_nested, interpolate_string("{{A}} {A,{B}}", S, ['A'=1, 'B'=2], []), [S], answers([["{1} 1}"]])).
t(interpolate_value, interpolate_string("{A}", S, ['A'="x{B}", 'B'=2], []), [S], answers([["x{B}"]])).
t(interpolate_lines, interpolate_string("a\n  {X}", S, ['X'="1\n2"], []), [S], answers([["a\n  1\n2"]])).
t(interpolate_codes, interpolate_string(`{A1_b}`, S, ['A1_b'=1, 'A1_b'=2], []), [S], answers([["1"]])).
t(interpolate_unknown, interpolate_string("{A}", _, ['A'-1, a=2], []), [], throws(existence_error(template_var, 'A'))).
t(interpolate_no_list, interpolate_string("{A}", _, foo, []), [], throws(type_error(list, foo))).
t(interpolate_unbound, interpolate_string(_, _, [], []), [], throws(instantiation_error)).
t(interpolate_compound, interpolate_string(f(x), _, [], []), [], throws(type_error(text, f(x)))).
t(interpolate_number, interpolate_string(12, S, [], []), [S], answers([["12"]])).
t(term_string_other_options, ( term_string(f('A', _), S, [bindings(_), syntax_errors(_)]), sub_string(S, 0, 6, _, H) ), [H], answers([["f('A',"]])).
t(term_string_write_options, ( term_string(f(X, 'A', '$VAR'(1)), A, [variable_names(['Foo' = X]), numbervars(true)]), term_string("a b", B, [quoted(false)]), term_string(1+2, C, [ignore_ops(true)]), term_string([1, 2, 3, 4], D, [max_depth(3)]), term_string(f(a, b), E, [spacing(next_argument)]) ),
  [A, B, C, D, E], answers([["f(Foo,'A',B)", "a b", "+(1,2)", "[1,2|...]", "f(a, b)"]])).
t(term_string_wrong_option, term_string(a, _, [quoted(maybe)]), [], throws(type_error(bool, maybe))).

% What the flag `iso` (or the option --iso) changes: there Samite says what ISO/IEC 13211-1 with its corrigenda says, and by default what SWI-Prolog does.
% The names are those of the clauses, as in iso.pl, the rows of which with `here` in their names have the default.

iso_mode(G) :- set_prolog_flag(iso, true), call_cleanup(G, set_prolog_flag(iso, false)).
iso_value(E, V) :- catch(iso_mode(V is E), error(V, _), true).
iso_bytes(Bytes, G) :- tmp_file(iso, F), open(F, write, O, [type(binary)]), forall(member(B, Bytes), put_byte(O, B)), close(O), open(F, read, S, [type(binary)]), call_cleanup(call(G, S), ( close(S), delete_file(F) )).

t('8.8.1 private', iso_mode(clause(iso_value(_, _), _)), [], throws(permission_error(access, private_procedure, iso_value/2))).
t('8.12.1 binary', iso_mode(iso_bytes([1], [S]>>get_char(S, _))), [], throws(permission_error(input, binary_stream, _))).
t('8.14.1 binary', iso_mode(iso_bytes([1], [S]>>read(S, _))), [], throws(permission_error(input, binary_stream, _))).
t('8.13.1 text', iso_mode(( open_string("a", S), get_byte(S, _) )), [], throws(permission_error(input, text_stream, _))).
t('8.14.1 option', iso_mode(read_term(user_input, _, [bar(1)])), [], throws(domain_error(read_option, bar(1)))).
t('8.14.2 option', iso_mode(write_term(1, [foo(1)])), [], throws(domain_error(write_option, foo(1)))).
t('8.14.3 infix and postfix', iso_mode(( op(30, xf, isf_ip), call_cleanup(op(30, xfx, isf_ip), op(0, xf, isf_ip)) )), [], throws(permission_error(create, operator, isf_ip))).
t('8.14.3 postfix and infix', iso_mode(( op(30, yfx, isf_ip), call_cleanup(op(30, yf, isf_ip), op(0, yfx, isf_ip)) )), [], throws(permission_error(create, operator, isf_ip))).
t('8.14.3 prefix and infix', iso_mode(( op(30, fy, isf_pi), op(30, xfx, isf_pi), op(0, fy, isf_pi), op(0, xfx, isf_pi) )), [], answers([[]])).
t('8.16.1 number', iso_mode(atom_length(1.5, _)), [], throws(type_error(atom, 1.5))).
t('8.16.5 element', iso_mode(atom_codes(_, [0'i, 0's, -1])), [], throws(representation_error(character_code))).
t('8.16.6 -2', iso_mode(char_code(_, -2)), [], throws(representation_error(character_code))).
t('8.16.8 element', iso_mode(number_codes(_, [0'1, 0'2, 1000000000000])), [], throws(representation_error(character_code))).
t('8.17.1 no flag', iso_mode(set_prolog_flag(date, 'July 1999')), [], throws(domain_error(prolog_flag, date))).
t('9.1 division', findall(V, ( member(E, [7/35, 4/2, 140/(3+11), 3/0]), iso_value(E, V) ), L), [L], answers([[[0.2, 2.0, 10.0, evaluation_error(zero_divisor)]]])).
t('9.3.1 power', findall(V, ( member(E, [5**3, 5**3.0, 7.7**0, 0.0**0, 1**2.0, 0**0, 2** -1, 1** -1, 0** -1]), iso_value(E, V) ), L), [L], answers([[[125, 125.0, 1.0, 1.0, 1.0, 1, 0.5, 1, evaluation_error(zero_divisor)]]])).
t('9.3.10 power', findall(V, ( member(E, [2^3, 2^(-1), 1^(-1), (-1)^(-1), (-1)^(-2), 0^0, 2^0.0, 2.0^(-1), 0^(-1)]), iso_value(E, V) ), L), [L], answers([[[8, type_error(float, 2), 1, -1, 1, 1, 1.0, 0.5, evaluation_error(zero_divisor)]]])).
t('9.3.14 atan2', findall(V, ( member(E, [atan2(0, 0), atan2(0.0, 0.0), atan2(0, 1), atan2(0.0, -1.0)]), iso_value(E, V) ), [A, B, C, _]), [A, B, C], answers([[evaluation_error(undefined), evaluation_error(undefined), 0.0]])).
t('9.3.6 log', findall(V, ( member(E, [log(0), log(0.0), log(-1)]), iso_value(E, V) ), L), [L], answers([[[evaluation_error(undefined), evaluation_error(undefined), evaluation_error(undefined)]]])).
t('8.5.5 no list', iso_mode(term_variables(t, [x|a])), [], throws(type_error(list, [x|a]))).
t('8.10.1 no list', iso_mode(findall(X, X = 1, [a|1])), [], throws(type_error(list, [a|1]))).
t('8.10.2 no list', iso_mode(bagof(X, X = 1, [a|1])), [], throws(type_error(list, [a|1]))).
t('8.10.3 no list', iso_mode(setof(X, X = 1, [a|1])), [], throws(type_error(list, [a|1]))).
t('8.11.1 no stream', iso_mode(current_input(foo)), [], throws(domain_error(stream, foo))).
t('8.11.2 no stream', iso_mode(current_output(foo)), [], throws(domain_error(stream, foo))).
t('8.11.8 no stream', iso_mode(stream_property(foo, _)), [], throws(domain_error(stream, foo))).
t('8.16.1 negative', iso_mode(atom_length(atom, -4)), [], throws(domain_error(not_less_than_zero, -4))).

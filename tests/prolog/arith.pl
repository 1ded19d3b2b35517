% Arithmetic: is/2, comparison and the evaluable functors.
% ISO 13211-1, 8.6, 8.7 and clause 9 with its corrigenda; rationals, big
% integers, bit functions, succ/2, plus/3 and the further functions as in
% SWI-Prolog (flags iso=false, prefer_rationals=false).

ari_product([], X, X).
ari_product([Y|Ys], X0, X) :- X1 is X0 * Y, ari_product(Ys, X1, X).

% Basic operations on integers

t(add, X is 1 + 2, [X], answers([[3]])).
t(sub, X is 1 - 2, [X], answers([[-1]])).
t(mul, X is 3 * -4, [X], answers([[-12]])).
t(neg, X is -(3), [X], answers([[-3]])).
t(neg_neg, X is - (-3), [X], answers([[3]])).
t(plus_sign, X is +(3), [X], answers([[3]])).
t(precedence, X is 1 + 2 * 3 - 4, [X], answers([[3]])).
t(left_assoc, X is 10 - 3 - 2, [X], answers([[5]])).
t(parens, X is (1 + 2) * 3, [X], answers([[9]])).
t(nested, X is ((1 + 2) * (3 + 4)) - 5 * 6, [X], answers([[-9]])).
t(variable_value, ( Y = 3, X is Y * Y ), [X], answers([[9]])).
t(variable_expression, ( Y = 1 + 2, X is Y * 2 ), [X], answers([[6]])).
t(is_check, 3 is 1 + 2, [], answers([[]])).
t(is_check_no, 4 is 1 + 2, [], fails).
t(is_check_type, 3.0 is 1 + 2, [], fails).
t(is_left_expression, 1 + 2 is 1 + 2, [], fails).
t(is_left_atom, foo is 1 + 2, [], fails).
t(char_list, X is [5], [X], answers([[5]])).
t(char_list_char, X is "a", [X], answers([[97]])).

% Integer division and its signs

t(int_div, X is 7 // 2, [X], answers([[3]])).
t(int_div_neg_left, X is -7 // 2, [X], answers([[-3]])).
t(int_div_neg_right, X is 7 // -2, [X], answers([[-3]])).
t(int_div_both_neg, X is -7 // -2, [X], answers([[3]])).
t(div_floor, X is 7 div 2, [X], answers([[3]])).
t(div_neg_left, X is -7 div 2, [X], answers([[-4]])).
t(div_neg_right, X is 7 div -2, [X], answers([[-4]])).
t(div_both_neg, X is -7 div -2, [X], answers([[3]])).
t(mod_pos, X is 7 mod 2, [X], answers([[1]])).
t(mod_neg_left, X is -7 mod 2, [X], answers([[1]])).
t(mod_neg_right, X is 7 mod -2, [X], answers([[-1]])).
t(mod_both_neg, X is -7 mod -2, [X], answers([[-1]])).
t(mod_exact, X is -6 mod 3, [X], answers([[0]])).
t(rem_pos, X is 7 rem 2, [X], answers([[1]])).
t(rem_neg_left, X is -7 rem 2, [X], answers([[-1]])).
t(rem_neg_right, X is 7 rem -2, [X], answers([[1]])).
t(rem_both_neg, X is -7 rem -2, [X], answers([[-1]])).
t(divmod, divmod(-7, 2, Q, R), [Q, R], answers([[-4, 1]])).
t(nth_roots, forall(( member(N, [1, 2, 3, 7, 100, 1<<70]), member(B, [0, 1, 2, 3, 10, 12345678901234567890, 7**20000]), member(D, [-1, 0, 1]), ( B < 1<<65 -> true ; N < 4 ) ),
        ( N1 is N, A is max(0, B**min(N1, 100)+D), nth_integer_root_and_remainder(N1, A, R, Rest), ( N1 > 200 -> R is min(A, 1) ; R**N1 =< A, (R+1)**N1 > A, Rest =:= A-R**N1 ) )), [], answers([[]])).
t(nth_root, nth_integer_root_and_remainder(2, 10, Root, R), [Root, R], answers([[3, 1]])).
t(int_div_zero, _ is 1 // 0, [], throws(evaluation_error(zero_divisor))).
t(div_zero, _ is 1 div 0, [], throws(evaluation_error(zero_divisor))).
t(mod_zero, _ is 1 mod 0, [], throws(evaluation_error(zero_divisor))).
t(rem_zero, _ is 1 rem 0, [], throws(evaluation_error(zero_divisor))).
t(slash_zero, _ is 1 / 0, [], throws(evaluation_error(zero_divisor))).
t(slash_zero_zero, _ is 0 / 0, [], throws(evaluation_error(zero_divisor))).
t(slash_float_zero, _ is 1 / 0.0, [], throws(evaluation_error(zero_divisor))).
t(slash_zero_float_zero, _ is 0 / 0.0, [], throws(evaluation_error(undefined))).
t(float_slash_zero, _ is 1.5 / 0, [], throws(evaluation_error(zero_divisor))).
t(int_div_float, _ is 7.0 // 2, [], throws(type_error(integer, 7.0))).
t(mod_float, _ is 7 mod 2.0, [], throws(type_error(integer, 2.0))).
t(rem_float, _ is 7.5 rem 2, [], throws(type_error(integer, 7.5))).
t(slash_exact, X is 6 / 3, [X], answers([[2]])).
t(slash_inexact, X is 7 / 2, [X], answers([[3.5]])).
t(slash_neg, X is -1 / 2, [X], answers([[-0.5]])).
t(slash_float, X is 7 / 2.0, [X], answers([[3.5]])).
t(slash_big_exact, X is 10 ** 30 / 10 ** 28, [X], answers([[100]])).
t(big_int_div, X is 10 ** 30 // 7, [X], answers([[142857142857142857142857142857]])).
t(big_mod, X is -(10 ** 30) mod 7, [X], answers([[6]])).
t(big_rem, X is -(10 ** 30) rem 7, [X], answers([[-1]])).
t(min_div_minus_one, X is -9223372036854775808 // -1, [X], answers([[9223372036854775808]])).
t(min_rem_minus_one, X is -9223372036854775808 rem -1, [X], answers([[0]])).

% Integers around the sizes of machine words

t(p60, X is 1152921504606846975 + 1, [X], answers([[1152921504606846976]])).
t(p60_sub, X is -1152921504606846976 - 1, [X], answers([[-1152921504606846977]])).
t(p61, X is 2305843009213693951 + 1, [X], answers([[2305843009213693952]])).
t(p61_neg, X is -2305843009213693952 - 1, [X], answers([[-2305843009213693953]])).
t(p62, X is 4611686018427387903 + 1, [X], answers([[4611686018427387904]])).
t(p62_neg, X is -4611686018427387904 - 1, [X], answers([[-4611686018427387905]])).
t(p63, X is 9223372036854775807 + 1, [X], answers([[9223372036854775808]])).
t(p63_neg, X is -9223372036854775808 - 1, [X], answers([[-9223372036854775809]])).
t(p64, X is 18446744073709551615 + 1, [X], answers([[18446744073709551616]])).
t(p63_negate, X is -(-9223372036854775808), [X], answers([[9223372036854775808]])).
t(p63_abs, X is abs(-9223372036854775808), [X], answers([[9223372036854775808]])).
t(p63_back, X is 9223372036854775808 - 1, [X], answers([[9223372036854775807]])).
t(p63_back_small, X is 9223372036854775808 - 9223372036854775807, [X], answers([[1]])).
t(p32_mul, X is 4294967296 * 4294967296, [X], answers([[18446744073709551616]])).
t(p31_mul, X is 3037000500 * 3037000500, [X], answers([[9223372037000250000]])).
t(p63_mul_neg, X is 4611686018427387904 * -2, [X], answers([[-9223372036854775808]])).
t(p63_mul_pos, X is 4611686018427387904 * 2, [X], answers([[9223372036854775808]])).
t(big_mul, X is 123456789012345678901 * 987654321098765432109, [X],
  answers([[121932631137021795225845145533336229232209]])).
t(big_add_cancel, X is 10 ** 20 + 1 - 10 ** 20, [X], answers([[1]])).
t(big_is_small_again, ( X is 10 ** 20 - (10 ** 20 - 5), X == 5, integer(X) ), [X], answers([[5]])).
t(factorial_30, ( numlist(1, 30, L), ari_product(L, 1, X) ), [X],
  answers([[265252859812191058636308480000000]])).
t(pow_100, X is 2 ** 100, [X], answers([[1267650600228229401496703205376]])).
t(big_compare, ( X is 2 ** 64, Y is 2 ** 64 + 1, X < Y ), [], answers([[]])).
t(big_equal, 2 ** 64 =:= 18446744073709551616, [], answers([[]])).
t(big_unify, ( X is 2 ** 64, X = 18446744073709551616 ), [], answers([[]])).
t(big_neg_print, X is -(2 ** 65), [X], answers([[-36893488147419103232]])).
t(big_first_argument, ( member(X-Y, [18446744073709551616-a, 18446744073709551617-b]), X =:= 2 ** 64 + 1 ), [Y],
  answers([[b]])).

% Powers

t(pow_int, X is 2 ** 3, [X], answers([[8]])).
t(pow_zero, X is 0 ** 0, [X], answers([[1]])).
t(pow_neg_exp, X is 2 ** -1, [X], answers([[0.5]])).
t(pow_neg_exp_big, X is 2 ** -2, [X], answers([[0.25]])).
t(pow_one_neg, X is 1 ** -5, [X], answers([[1]])).
t(pow_minus_one_neg, X is -1 ** -3, [X], answers([[-1]])).
t(pow_float, X is 2 ** 3.0, [X], answers([[8.0]])).
t(pow_float_base, X is 2.0 ** 3, [X], answers([[8.0]])).
t(pow_half, X is 4 ** 0.5, [X], answers([[2.0]])).
t(pow_neg_base, X is (-2) ** 3, [X], answers([[-8]])).
t(pow_neg_base_frac, _ is (-8) ** 0.5, [], throws(evaluation_error(undefined))).
t(pow_zero_neg, _ is 0 ** -1, [], throws(evaluation_error(zero_divisor))).
t(pow_float_zero_neg, _ is 0.0 ** -1, [], throws(evaluation_error(zero_divisor))).
t(caret_int, X is 2 ^ 10, [X], answers([[1024]])).
t(caret_right_assoc, X is 2 ^ 3 ^ 2, [X], answers([[512]])).
t(caret_zero, X is 0 ^ 0, [X], answers([[1]])).
t(caret_one_neg, X is 1 ^ -1, [X], answers([[1]])).
t(caret_minus_one_neg, X is (-1) ^ -1, [X], answers([[-1]])).
t(caret_minus_one_neg_even, X is (-1) ^ -2, [X], answers([[1]])).
t(caret_zero_neg, _ is 0 ^ -1, [], throws(evaluation_error(zero_divisor))).
t(caret_float, X is 2 ^ 3.0, [X], answers([[8.0]])).
t(caret_float_neg, X is 2 ^ -1.0, [X], answers([[0.5]])).
t(caret_float_base, X is 2.5 ^ 2, [X], answers([[6.25]])).
t(caret_big, X is 7 ^ 30, [X], answers([[22539340290692258087863249]])).
t(caret_neg_big, X is (-3) ^ 41, [X], answers([[-36472996377170786403]])).
t(pow_mod, X is powm(3, 100, 7), [X], answers([[4]])).
t(exp_zero, X is exp(0), [X], answers([[1.0]])).
t(exp_one, X is exp(1), [X], answers([[2.718281828459045]])).

% Signs, minima, maxima, greatest common divisor

t(abs_int, X is abs(-3), [X], answers([[3]])).
t(abs_float, X is abs(-3.5), [X], answers([[3.5]])).
t(sign_neg, X is sign(-3), [X], answers([[-1]])).
t(sign_zero, X is sign(0), [X], answers([[0]])).
t(sign_float, X is sign(-2.5), [X], answers([[-1.0]])).
t(sign_float_zero, X is sign(0.0), [X], answers([[0.0]])).
t(min_ints, X is min(2, 3), [X], answers([[2]])).
t(max_ints, X is max(2, 3), [X], answers([[3]])).
t(max_mixed, X is max(2, 3.0), [X], answers([[3.0]])).
t(min_mixed, X is min(2, 3.0), [X], answers([[2]])).
t(max_mixed_equal, X is max(1, 1.0), [X], answers([[1.0]])).
t(max_mixed_equal_swapped, X is max(1.0, 1), [X], answers([[1.0]])).
t(max_big, X is max(10 ** 20, 1), [X], answers([[100000000000000000000]])).
t(min_rational, X is min(1r3, 0.5), [X], answers([[1r3]])).
t(gcd, X is gcd(12, 18), [X], answers([[6]])).
t(gcd_neg, X is gcd(-12, 18), [X], answers([[6]])).
t(gcd_zero, X is gcd(0, 5), [X], answers([[5]])).
t(gcd_zeros, X is gcd(0, 0), [X], answers([[0]])).
t(gcd_big, X is gcd(2 ** 70, 6 ** 40), [X], answers([[1099511627776]])).
t(gcd_float, _ is gcd(12, 18.0), [], throws(type_error(integer, 18.0))).
t(lcm, X is lcm(4, 6), [X], answers([[12]])).
t(truncate_pos, X is truncate(3.7), [X], answers([[3]])).
t(truncate_neg, X is truncate(-3.7), [X], answers([[-3]])).
t(truncate_int, X is truncate(3), [X], answers([[3]])).
t(integer_round, X is integer(2.5), [X], answers([[3]])).
t(integer_round_neg, X is integer(-2.5), [X], answers([[-3]])).
t(integer_rational, X is integer(7r2), [X], answers([[4]])).
t(round, X is round(2.4), [X], answers([[2]])).
t(round_half, X is round(3.5), [X], answers([[4]])).
t(round_half_neg, X is round(-3.5), [X], answers([[-4]])).
t(ceiling, X is ceiling(2.1), [X], answers([[3]])).
t(ceiling_neg, X is ceiling(-2.9), [X], answers([[-2]])).
t(floor, X is floor(2.9), [X], answers([[2]])).
t(floor_neg, X is floor(-2.1), [X], answers([[-3]])).
t(floor_big, X is floor(1.0e20), [X], answers([[100000000000000000000]])).
t(floor_rational, X is floor(-7r2), [X], answers([[-4]])).
t(round_big, X is round(123456789012345680000.0), [X], answers([[123456789012345683968]])).
t(float_integer_part, X is float_integer_part(-2.5), [X], answers([[-2.0]])).
t(float_fractional_part, X is float_fractional_part(-2.5), [X], answers([[-0.5]])).
t(float_fractional_part_int, X is float_fractional_part(3), [X], answers([[0]])).
t(float_of_int, X is float(3), [X], answers([[3.0]])).
t(float_of_big, X is float(10 ** 25), [X], answers([[1.0e+25]])).
t(float_of_too_big, _ is float(10 ** 400), [], throws(evaluation_error(float_overflow))).

% Floating point functions

t(sqrt, X is sqrt(16), [X], answers([[4.0]])).
t(sqrt_two, X is sqrt(2), [X], answers([[1.4142135623730951]])).
t(sqrt_neg, _ is sqrt(-1), [], throws(evaluation_error(undefined))).
t(log_one, X is log(1), [X], answers([[0.0]])).
t(log_e, X is log(e), [X], answers([[1.0]])).
t(log_neg, _ is log(-1), [], throws(evaluation_error(undefined))).
t(sin_zero, X is sin(0), [X], answers([[0.0]])).
t(sin_int, X is sin(1), [X], answers([[0.8414709848078965]])).
t(cos_zero, X is cos(0), [X], answers([[1.0]])).
t(tan_zero, X is tan(0.0), [X], answers([[0.0]])).
t(asin_one, X is asin(1), [X], answers([[1.5707963267948966]])).
t(acos_one, X is acos(1), [X], answers([[0.0]])).
t(asin_out, _ is asin(2), [], throws(evaluation_error(undefined))).
t(acos_out, _ is acos(1.5), [], throws(evaluation_error(undefined))).
t(atan_one, X is atan(1), [X], answers([[0.7853981633974483]])).
t(atan2, X is atan2(1, 1), [X], answers([[0.7853981633974483]])).
t(atan2_neg, X is atan2(-1, -1), [X], answers([[-2.356194490192345]])).
t(atan_two_args, X is atan(1, 2), [X], answers([[0.4636476090008061]])).
t(sinh, X is sinh(0.0), [X], answers([[0.0]])).
t(cosh, X is cosh(0.0), [X], answers([[1.0]])).
t(tanh, X is tanh(0.0), [X], answers([[0.0]])).
t(asinh, X is asinh(0.0), [X], answers([[0.0]])).
t(acosh, X is acosh(1.0), [X], answers([[0.0]])).
t(atanh, X is atanh(0.0), [X], answers([[0.0]])).
t(pi, X is pi, [X], answers([[3.141592653589793]])).
t(e, X is e, [X], answers([[2.718281828459045]])).
t(epsilon, X is epsilon, [X], answers([[2.220446049250313e-16]])).
t(inf, X is inf, [X], answers([[1.0Inf]])).
t(inf_neg, X is -inf, [X], answers([[-1.0Inf]])).
t(nan, ( X is nan, X =\= X ), [], answers([[]])).
t(random_range, ( X is random(10), X >= 0, X < 10 ), [], answers([[]])).
t(random_float, ( X is random_float, X > 0.0, X < 1.0 ), [], answers([[]])).
t(cputime, ( X is cputime, float(X) ), [], answers([[]])).
t(nexttoward, X is nexttoward(1.0, 2), [X], answers([[1.0000000000000002]])).
t(trig_float_input, X is cos(pi), [X], answers([[-1.0]])).
t(float_overflow_exp, _ is exp(1000), [], throws(evaluation_error(float_overflow))).
t(float_overflow_mul, _ is 1.0e308 * 10, [], throws(evaluation_error(float_overflow))).
t(float_overflow_add, _ is 1.7976931348623157e308 + 1.0e308, [], throws(evaluation_error(float_overflow))).
t(float_underflow, X is 1.0e-308 / 1.0e10, [X], answers([[1.0e-318]])).
t(float_underflow_zero, X is 1.0e-308 * 1.0e-308, [X], answers([[0.0]])).

% Bits

t(shift_left, X is 1 << 10, [X], answers([[1024]])).
t(shift_left_big, X is 1 << 70, [X], answers([[1180591620717411303424]])).
t(shift_left_neg, X is -1 << 3, [X], answers([[-8]])).
t(shift_right, X is 1024 >> 3, [X], answers([[128]])).
t(shift_right_neg, X is -5 >> 1, [X], answers([[-3]])).
t(shift_right_far, X is 5 >> 100, [X], answers([[0]])).
t(shift_right_neg_far, X is -5 >> 100, [X], answers([[-1]])).
t(shift_right_big, X is (1 << 70) >> 68, [X], answers([[4]])).
t(shift_by_neg, X is 1 << -1, [X], answers([[0]])).
t(shift_float, _ is 1.0 << 2, [], throws(type_error(integer, 1.0))).
t(bit_and, X is 12 /\ 10, [X], answers([[8]])).
t(bit_or, X is 12 \/ 10, [X], answers([[14]])).
t(bit_xor, X is 12 xor 10, [X], answers([[6]])).
t(bit_not, X is \ 5, [X], answers([[-6]])).
t(bit_and_neg, X is -1 /\ 255, [X], answers([[255]])).
t(bit_and_big, X is (1 << 70) - 1 /\ 255, [X], answers([[255]])).
t(bit_not_big, X is \ (1 << 64), [X], answers([[-18446744073709551617]])).
t(bit_and_float, _ is 1.0 /\ 1, [], throws(type_error(integer, 1.0))).
t(msb, X is msb(1000), [X], answers([[9]])).
t(msb_big, X is msb(1 << 100), [X], answers([[100]])).
t(msb_zero, _ is msb(0), [], throws(domain_error(not_less_than_one, 0))).
t(popcount, X is popcount(255), [X], answers([[8]])).
t(getbit, X is getbit(5, 2), [X], answers([[1]])).

% Rationals

t(rat_literal, X = 1r3, [X], answers([[1r3]])).
t(rat_normal, X = 2r6, [X], answers([[1r3]])).
t(rat_integer, X = 4r2, [X], answers([[2]])).
t(rat_add, X is 1r3 + 1r6, [X], answers([[1r2]])).
t(rat_to_int, X is 1r3 * 3, [X], answers([[1]])).
t(rat_div, X is 1r2 / 3, [X], answers([[1r6]])).
t(rdiv, X is 1 rdiv 3, [X], answers([[1r3]])).
t(rdiv_exact, X is 6 rdiv 3, [X], answers([[2]])).
t(rdiv_zero, _ is 1 rdiv 0, [], throws(evaluation_error(zero_divisor))).
t(rat_neg, X is -(1r3), [X], answers([[-1r3]])).
t(rat_float, X is 1r2 + 0.25, [X], answers([[0.75]])).
t(rat_pow, X is 1r2 ** 3, [X], answers([[1r8]])).
t(rat_pow_neg, X is 2r3 ** -2, [X], answers([[9r4]])).
t(rat_numerator, X is numerator(4r6), [X], answers([[2]])).
t(rat_denominator, X is denominator(4r6), [X], answers([[3]])).
t(rat_rational, X is rational(0.25), [X], answers([[1r4]])).
t(rat_rationalize, X is rationalize(0.1), [X], answers([[1r10]])).
t(rat_compare, 1r3 < 1r2, [], answers([[]])).
t(rat_equal, 1r2 =:= 0.5, [], answers([[]])).
t(rat_int_div, _ is 1r2 // 1, [], throws(type_error(integer, 1r2))).
t(rat_truncate, X is truncate(-7r2), [X], answers([[-3]])).
t(rat_round, X is round(5r2), [X], answers([[3]])).

% Comparison

t(lt, 1 < 2, [], answers([[]])).
t(lt_no, 2 < 1, [], fails).
t(lt_mixed, 1 < 1.5, [], answers([[]])).
t(le_equal, 1 =< 1, [], answers([[]])).
t(gt_expressions, 2 * 3 > 1 + 4, [], answers([[]])).
t(ge_no, 1 >= 2, [], fails).
t(num_eq, 1 =:= 1.0, [], answers([[]])).
t(num_eq_expr, 1 + 2 =:= 3 * 1, [], answers([[]])).
t(num_neq, 1 =\= 2, [], answers([[]])).
t(num_neq_no, 1 =\= 1.0, [], fails).
t(lt_big_float, 10 ** 400 > 1.0e308, [], answers([[]])).
t(eq_zero, 0.0 =:= -0.0, [], answers([[]])).
t(nan_eq, nan =:= nan, [], fails).
t(nan_lt, nan < 1, [], fails).
t(cmp_unbound, 1 < _, [], throws(instantiation_error)).
t(cmp_atom, 1 < a, [], throws(type_error(evaluable, a/0))).
t(cmp_struct, foo(1) =:= 1, [], throws(type_error(evaluable, foo/1))).

% Errors of evaluation

t(unbound, _ is _, [], throws(instantiation_error)).
t(unbound_inside, _ is 1 + _, [], throws(instantiation_error)).
t(atom, _ is foo, [], throws(type_error(evaluable, foo/0))).
t(atom_inside, _ is 1 + foo, [], throws(type_error(evaluable, foo/0))).
t(struct, _ is foo(1), [], throws(type_error(evaluable, foo/1))).
t(struct_2, _ is foo(1, 2), [], throws(type_error(evaluable, foo/2))).
t(string_number, X is "1" + 1, [X], answers([[50]])).
t(unknown_arity, _ is sin(1, 2), [], throws(type_error(evaluable, sin/2))).
t(plus_atom_arity, _ is + , [], throws(type_error(evaluable, (+)/0))).
t(int_functions_float, _ is msb(1.5), [], throws(type_error(integer, 1.5))).
t(bit_not_float, _ is \ 1.5, [], throws(type_error(integer, 1.5))).

% Literals and how numbers are written

t(float_shortest, with_output_to(string(S), write(0.1)), [S], answers([["0.1"]])).
t(float_17_digits, ( X is 0.1 + 0.2, with_output_to(string(S), write(X)) ), [S], answers([["0.30000000000000004"]])).
t(float_third, ( X is 1 / 3.0, with_output_to(string(S), write(X)) ), [S], answers([["0.3333333333333333"]])).
t(float_int_value, with_output_to(string(S), write(3.0)), [S], answers([["3.0"]])).
t(float_1e15, ( X is 10.0 ** 15, with_output_to(string(S), write(X)) ), [S], answers([["1.0e+15"]])).
t(float_1e14, ( X is 10.0 ** 14, with_output_to(string(S), write(X)) ), [S], answers([["100000000000000.0"]])).
t(float_1e16, ( X is 10.0 ** 16, with_output_to(string(S), write(X)) ), [S], answers([["1.0e+16"]])).
t(float_1e22, with_output_to(string(S), write(1.0e22)), [S], answers([["1.0e+22"]])).
t(float_1e23, with_output_to(string(S), write(1.0e23)), [S], answers([["1.0e+23"]])).
t(float_1e100, with_output_to(string(S), write(1.0e100)), [S], answers([["1.0e+100"]])).
t(float_small, with_output_to(string(S), write(0.0001)), [S], answers([["0.0001"]])).
t(float_smaller, with_output_to(string(S), write(0.00001)), [S], answers([["1.0e-5"]])).
t(float_1e_minus_7, with_output_to(string(S), write(1.0e-7)), [S], answers([["1.0e-7"]])).
t(float_123456789, with_output_to(string(S), write(123456789.123)), [S], answers([["123456789.123"]])).
t(float_max, with_output_to(string(S), write(1.7976931348623157e308)), [S], answers([["1.7976931348623157e+308"]])).
t(float_denormal, with_output_to(string(S), write(5.0e-324)), [S], answers([["5.0e-324"]])).
t(float_neg_zero, with_output_to(string(S), write(-0.0)), [S], answers([["-0.0"]])).
t(float_inf_written, ( X is inf, with_output_to(string(S), write(X)) ), [S], answers([["1.0Inf"]])).
t(float_neg_inf_written, ( X is -inf, with_output_to(string(S), write(X)) ), [S], answers([["-1.0Inf"]])).
t(float_nan_written, ( X is nan, with_output_to(string(S), write(X)) ), [S], answers([["1.5NaN"]])).
t(float_inf_read, ( X is inf, X == 1.0Inf ), [], answers([[]])).
t(float_nan_read, ( X = 1.5NaN, float(X) ), [], answers([[]])).
t(float_exponent_plus, X = 1.5e+3, [X], answers([[1500.0]])).
t(float_exponent_int, X = 1.0e10, [X], answers([[10000000000.0]])).
t(float_exponent_capital, X = 1.0E5, [X], answers([[100000.0]])).
t(rational_written, ( X is 1 rdiv 3, with_output_to(string(S), write(X)) ), [S], answers([["1r3"]])).
t(rational_neg_written, ( X is -1 rdiv 3, with_output_to(string(S), write(X)) ), [S], answers([["-1r3"]])).
t(hex, X = 0x1F, [X], answers([[31]])).
t(hex_lower, X = 0xff, [X], answers([[255]])).
t(octal, X = 0o17, [X], answers([[15]])).
t(binary, X = 0b1011, [X], answers([[11]])).
t(radix, X = 36'Zz, [X], answers([[1295]])).
t(radix_16, X = 16'FF, [X], answers([[255]])).
t(digit_groups, X = 1_000_000, [X], answers([[1000000]])).
t(digit_groups_space, X = 1_000, [X], answers([[1000]])).
t(char_code_a, X = 0'a, [X], answers([[97]])).
t(char_code_space, X = 0' , [X], answers([[32]])).
t(char_code_quote, X = 0''', [X], answers([[39]])).
t(char_code_newline, X = 0'\n, [X], answers([[10]])).
t(char_code_backslash, X = 0'\\, [X], answers([[92]])).
t(char_code_hex, X = 0'\x41\, [X], answers([[65]])).
t(char_code_unicode, X = 0'é, [X], answers([[233]])).
t(char_code_quote_escaped, X = 0'\', [X], answers([[39]])).
t(char_code_double_quote, X = 0'", [X], answers([[34]])).
t(neg_literal, ( X = -1, integer(X) ), [X], answers([[-1]])).
t(neg_literal_spaced, ( X = - 1, integer(X) ), [X], fails).
t(neg_struct, ( X = -(1), compound(X) ), [X], answers([[- 1]])).
t(minus_infix, ( X = a-1, X = Y-Z ), [Y, Z], answers([[a, 1]])).
t(big_literal, X = 123456789012345678901234567890, [X], answers([[123456789012345678901234567890]])).
t(big_hex, X = 0xFFFFFFFFFFFFFFFFFF, [X], answers([[4722366482869645213695]])).

% succ/2 and plus/3

t(succ_forward, succ(3, X), [X], answers([[4]])).
t(succ_backward, succ(X, 4), [X], answers([[3]])).
t(succ_check, succ(3, 4), [], answers([[]])).
t(succ_check_no, succ(3, 5), [], fails).
t(succ_zero_backward, succ(_, 0), [], fails).
t(succ_big, succ(9223372036854775807, X), [X], answers([[9223372036854775808]])).
t(succ_big_backward, succ(X, 9223372036854775808), [X], answers([[9223372036854775807]])).
t(succ_unbound, succ(_, _), [], throws(instantiation_error)).
t(succ_neg, succ(-1, _), [], throws(domain_error(not_less_than_zero, -1))).
t(succ_neg_backward, succ(_, -1), [], throws(domain_error(not_less_than_zero, -1))).
t(succ_atom, succ(a, _), [], throws(type_error(integer, a))).
t(succ_float, succ(_, 1.0), [], throws(type_error(integer, 1.0))).
t(succ_zero, succ(0, X), [X], answers([[1]])).
t(plus_forward, plus(1, 2, X), [X], answers([[3]])).
t(plus_backward, plus(1, X, 3), [X], answers([[2]])).
t(plus_left, plus(X, 2, 3), [X], answers([[1]])).
t(plus_check, plus(1, 2, 3), [], answers([[]])).
t(plus_check_no, plus(1, 2, 4), [], fails).
t(plus_unbound, plus(1, _, _), [], throws(instantiation_error)).
t(plus_atom, plus(a, 1, _), [], throws(type_error(integer, a))).
t(plus_big, plus(9223372036854775807, 1, X), [X], answers([[9223372036854775808]])).

% Lists of numbers

t(sum_list, sum_list([1, 2, 3.5], X), [X], answers([[6.5]])).
t(sum_list_empty, sum_list([], X), [X], answers([[0]])).
t(sum_list_error, sum_list([1, a], _), [], throws(type_error(evaluable, a/0))).
t(max_list, max_list([1, 3, 2], X), [X], answers([[3]])).
t(min_list, min_list([2, 1, 3], X), [X], answers([[1]])).
t(max_list_empty, max_list([], _), [], fails).
t(numlist, numlist(1, 5, L), [L], answers([[[1, 2, 3, 4, 5]]])).
t(numlist_empty, numlist(5, 1, _), [], fails).
t(numlist_error, numlist(a, 1, _), [], throws(type_error(integer, a))).
t(list_of_two_type, catch(_ is [1, 2], error(type_error(T, _), _), T == []), [T], answers([[[]]])).

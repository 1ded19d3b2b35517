% Arithmetic: small, floating, large, rational.

operation(int_loop, 200000).
work(int_loop, N, _, X) :- int_loop(N, 0, X).

int_loop(0, X, X) :- !.
int_loop(N, X0, X) :- X1 is (X0*31+N) mod 1000003, N1 is N-1, int_loop(N1, X1, X).

operation(int_functions, 50000).
work(int_functions, N, _, X) :- int_functions(N, 0, X).

int_functions(0, X, X) :- !.
int_functions(N, X0, X) :- X1 is X0+max(N, 3)-min(N, 7)+abs(-N)+gcd(N, 12)+(N /\ 7)+(N>>2)+sign(N)+msb(N), N1 is N-1, int_functions(N1, X1, X).

operation(float_loop, 100000).
work(float_loop, N, _, X) :- float_loop(N, 0.0, F), X is truncate(F).

float_loop(0, X, X) :- !.
float_loop(N, X0, X) :- X1 is X0*0.5+N/3.0, N1 is N-1, float_loop(N1, X1, X).

operation(float_functions, 50000).
work(float_functions, N, _, X) :- float_functions(N, 0.0, F), X is truncate(F*1000).

float_functions(0, X, X) :- !.
float_functions(N, X0, X) :- X1 is (X0+sin(N)+sqrt(N)+exp(0.5)+log(N)+atan2(N, 3))*0.5, N1 is N-1, float_functions(N1, X1, X).

operation(compare_numbers, 150000).
work(compare_numbers, N, _, X) :- compare_numbers(N), X = yes.

compare_numbers(0) :- !.
compare_numbers(N) :- N > 0, N >= 1, N =:= N, N =\= 0, -1 < N, 0.5 < N, N1 is N-1, compare_numbers(N1).

operation(evaluated_term, 50000).
work(evaluated_term, N, _, X) :- E = (A*2+3-A//2), A = 7, evaluated(N, E), X is E.

evaluated(0, _) :- !.
evaluated(N, E) :- _ is E, N1 is N-1, evaluated(N1, E).

operation(factorial, 10000).
work(factorial, N, _, X) :- factorial(N, 1, F), X is F mod 1000000007.

factorial(0, F, F) :- !.
factorial(N, F0, F) :- F1 is F0*N, N1 is N-1, factorial(N1, F1, F).

operation(big_fibonacci, 50000).
work(big_fibonacci, N, _, X) :- big_fibonacci(N, 0, 1, F), X is F mod 1000000007.

big_fibonacci(0, F, _, F) :- !.
big_fibonacci(N, A, B, F) :- C is A+B, N1 is N-1, big_fibonacci(N1, B, C, F).

operation(two_words, 50000).
work(two_words, N, _, X) :- two_words(N, 1<<100, S), X is S mod 1000000007.

two_words(0, X, S) :- !, S is X.
two_words(N, X0, X) :- X1 is (X0*3+N) mod ((1<<120)-1), N1 is N-1, two_words(N1, X1, X).

operation(just_big, 250000).
work(just_big, N, _, X) :- just_big(N, 1<<62, S), X is S mod 1000000007.

just_big(0, X, S) :- !, S is X.
just_big(N, X0, X) :- X1 is X0+N, N1 is N-1, just_big(N1, X1, X).

operation(big_multiply, 250000).
prepare(big_multiply, N, A-B) :- A is 3**N, B is 7**N.
work(big_multiply, _, A-B, X) :- repeated(5, _ is A*B), X is (A*B) mod 1000003.

operation(big_square, 500000).
prepare(big_square, N, A) :- A is 3**N.
work(big_square, _, A, X) :- repeated(5, _ is A*A), X is (A*A) mod 1000003.

operation(big_divide, 250000).
prepare(big_divide, N, A-B) :- A is 7**N, B is 3**N.
work(big_divide, _, A-B, X) :- repeated(5, _ is A//B), X is (A//B) mod 1000003.

operation(big_power, 1500000).
work(big_power, N, _, X) :- Y is 7**N, X is Y mod 1000003.

operation(power_modulo, 5000).
prepare(power_modulo, N, M) :- M is (1<<N)-1.
work(power_modulo, _, M, X) :- Y is powm(3, M-1, M), X is Y mod 1000003.

operation(big_gcd, 250000).
prepare(big_gcd, N, A-B) :- A is 6**N*35, B is 10**N*21.
work(big_gcd, _, A-B, X) :- Y is gcd(A, B), X is Y mod 1000003.

operation(big_shift, 5000000).
prepare(big_shift, N, A) :- A is (1<<N)+1.
work(big_shift, _, A, X) :- repeated(100, _ is (A<<17)>>13), X is ((A<<17)>>13) mod 1000003.

operation(big_bits, 5500000).
prepare(big_bits, N, A-B) :- A is (1<<N)+12345, B is (1<<N)-1.
work(big_bits, _, A-B, X) :- repeated(100, _ is (A/\B) xor (A\/B)), X is ((A/\B) xor (A\/B)) mod 1000003.

operation(big_write, 450000).
prepare(big_write, N, A) :- A is 7**N.
work(big_write, _, A, X) :- atom_length(A, X).

operation(big_read, 25000).
prepare(big_read, N, T) :- A is 7**N, number_codes(A, T).
work(big_read, _, T, X) :- number_codes(A, T), X is A mod 1000003.

operation(big_compare, 4500000).
prepare(big_compare, N, A-B) :- A is (1<<N)+1, B is (1<<N)+2.
work(big_compare, _, A-B, X) :- repeated(500, A < B), ( A == B -> X = equal ; X = different ).

operation(big_root, 500000).
prepare(big_root, N, A) :- A is 7**(2*N)+5.
work(big_root, _, A, X) :- nth_integer_root_and_remainder(2, A, R, _), X is R mod 1000003.

operation(rational_small, 20000).
work(rational_small, N, _, X) :- rational_small(N, 0, R), X = R.

rational_small(0, X, X) :- !.
rational_small(N, X0, X) :- X1 is (X0+(1 rdiv 3))*(2 rdiv 5), Y is truncate(X1*100) rdiv 100, N1 is N-1, rational_small(N1, Y, X).

operation(rational_harmonic, 10000).
work(rational_harmonic, N, _, X) :- harmonic(N, 0, R), Num is numerator(R), X is Num mod 1000003.

harmonic(0, R, R) :- !.
harmonic(N, R0, R) :- R1 is R0+1 rdiv N, N1 is N-1, harmonic(N1, R1, R).

operation(rational_compare, 100000).
work(rational_compare, N, _, X) :- A is 1 rdiv 3, B is 2 rdiv 5, rational_compare(N, A, B), X = yes.

rational_compare(0, _, _) :- !.
rational_compare(N, A, B) :- A < B, A =\= B, N1 is N-1, rational_compare(N1, A, B).

operation(rationalize, 35000).
work(rationalize, N, _, X) :- repeated(N, _ is rationalize(0.25)), X is rationalize(0.125).

operation(division_modes, 100000).
work(division_modes, N, _, X) :- division_modes(N, 0, X).

division_modes(0, X, X) :- !.
division_modes(N, X0, X) :- X1 is X0+N//7+N mod 7+N rem 5+N div 3-truncate(N/2), N1 is N-1, division_modes(N1, X1, X).

operation(rounding, 50000).
work(rounding, N, _, X) :- rounding(N, 0, X).

rounding(0, X, X) :- !.
rounding(N, X0, X) :- F is N/7.0, X1 is X0+round(F)+floor(F)+ceiling(F)-truncate(F)+integer(F), N1 is N-1, rounding(N1, X1, X).

operation(float_text, 10000).
work(float_text, N, _, X) :- float_text(N, 0, X).

float_text(0, X, X) :- !.
float_text(N, X0, X) :- F is N/7.0, number_codes(F, Cs), number_codes(G, Cs), ( F =:= G -> X1 is X0+1 ; X1 = X0 ), N1 is N-1, float_text(N1, X1, X).

operation(random_numbers, 50000).
work(random_numbers, N, _, X) :- repeated(N, ( random_between(1, 10, R), R > 0 )), X = yes.

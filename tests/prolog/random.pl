% Random numbers.

rnd_numbers(Seed, L) :- set_random(seed(Seed)), findall(X, ( between(1, 20, _), random_between(1, 1000000, X) ), L).

t(seed_repeats, ( rnd_numbers(42, L), rnd_numbers(42, M), L == M ), [], answers([[]])).
t(seed_differs, ( rnd_numbers(1, L), rnd_numbers(2, M), L \== M ), [], answers([[]])).

% library(isub): how similar names are; library(porter_stem): words and stems.

:- use_module(library(isub)).
:- use_module(library(porter_stem)).

naw_isub(A, B, Options, Rounded) :- isub(A, B, S, Options), Rounded is round(S*10000).
naw_stems(Words, Stems) :- maplist(porter_stem, Words, Stems).

t(isub, naw_isub(abc, abd, [], S), [S], answers([[-8000]])).
t(isub_part, naw_isub(context, contact, [], S), [S], answers([[5316]])).
t(isub_parts, naw_isub("hello world", "hello there world", [], S), [S], answers([[8714]])).
t(isub_same, naw_isub(abc, abc, [], S), [S], answers([[10000]])).
t(isub_empty, ( naw_isub('', '', [], S), naw_isub('', a, [], T), naw_isub(a, '', [], U) ), [S, T, U], answers([[10000, 0, 0]])).
t(isub_normalize, ( naw_isub('E56.Language', languange, [], S), naw_isub('E56.Language', languange, [normalize(true)], T), naw_isub('a_b.c d', abcd, [normalize(true)], U) ), [S, T, U], answers([[1905, 4227, 10000]])).
t(isub_threshold, ( naw_isub(hello, hallo, [substring_threshold(4)], S), naw_isub(hello, hallo, [substring_threshold(1)], T), naw_isub(aab, baa, [substring_threshold(0)], U) ), [S, T, U], answers([[-9000, 4531, 10000]])).
t(isub_zero_to_one, naw_isub(abc, abd, [zero_to_one(true)], S), [S], answers([[1000]])).
t(isub_old_form, ( isub(hello, hallo, true, S0), isub('E56.Language', languange, true, T0), isub('E56.Language', languange, false, U0), S is round(S0*10000), T is round(T0*10000), U is round(U0*10000) ), [S, T, U], answers([[7265, 7113, 5952]])).
t(isub_old_form_fails, isub(abc, abc, false, 0.5), [], fails).
t(isub_number, naw_isub(12, 123, [], S), [S], answers([[-8000]])).
t(isub_unbound, isub(_, a, _, []), [], throws(instantiation_error)).

t(stem_1, naw_stems([caresses, ponies, ties, caress, cats, feed, agreed, plastered, bled, motoring, sing], L), [L], answers([[[caress, poni, ti, caress, cat, feed, agre, plaster, bled, motor, sing]]])).
t(stem_1_completed, naw_stems([conflated, troubled, sized, hopping, tanned, falling, hissing, fizzed, failing, filing, happy, sky], L), [L], answers([[[conflat, troubl, size, hop, tan, fall, hiss, fizz, fail, file, happi, sky]]])).
t(stem_2, naw_stems([relational, conditional, rational, digitizer, vietnamization, operator, decisiveness, hopefulness, sensibiliti, geologi], L), [L], answers([[[relat, condit, ration, digit, vietnam, oper, decis, hope, sensibl, geologi]]])).
t(stem_3, naw_stems([triplicate, formative, formalize, electriciti, electrical, hopeful, goodness], L), [L], answers([[[triplic, form, formal, electr, electr, hope, good]]])).
t(stem_4, naw_stems([revival, allowance, inference, airliner, adjustable, irritant, replacement, adjustment, dependent, adoption, effective], L), [L], answers([[[reviv, allow, infer, airlin, adjust, irrit, replac, adjust, depend, adopt, effect]]])).
t(stem_5, naw_stems([probate, rate, cease, controll, roll], L), [L], answers([[[probat, rate, ceas, control, roll]]])).
t(stem_short, naw_stems([as, is, a, '', by, 12], L), [L], answers([[[as, is, a, '', by, '12']]])).
t(stem_case, naw_stems(['Relational', "hopping", '\xe9\'], L), [L], answers([[[relat, hop, e]]])).
t(stem_unbound, porter_stem(_, _), [], throws(instantiation_error)).
t(unaccent, ( unaccent_atom('\xe9\\xe0\\xfc\ \xc6\\xdf\', A), unaccent_atom(abc, B), unaccent_atom(12, C) ), [A, B, C], answers([['eau AEss', abc, 12]])).
t(tokens, tokenize_atom('Hello, world 12 1.5 -3 +4 2e10 a1 x.y 3.', L), [L], answers([[['Hello', ',', world, 12, 1.5, -3, +, 4, 20000000000.0, a1, x, '.', y, 3, '.']]])).
t(tokens_numbers, tokenize_atom('1.2.3 1e5 1.0e-3 --1 .5 1e x1e5 a-1 1-1', L), [L], answers([[[1.2, '.', 3, 100000.0, 0.001, -, -1, '.', 5, 1, e, x1e5, a, -1, 1, -1]]])).
t(tokens_big, tokenize_atom('123456789012345678901234567890 1e400 007 0x1F 1_0', L), [L], answers([[[123456789012345678901234567890, '1e400', 7, 0, x1F, 1, '_', 0]]])).
t(tokens_none, ( tokenize_atom('', A), tokenize_atom(' \n\t', B), tokenize_atom("a b", C), tokenize_atom(12, D) ), [A, B, C, D], answers([[[], [], [a, b], [12]]])).
t(tokens_unbound, tokenize_atom(_, _), [], throws(instantiation_error)).
t(stem_list, atom_to_stem_list('The running dogs are hopping, 12 times', L), [L], answers([[[the, run, dog, ar, hop, 12, time]]])).
t(stem_list_accents, atom_to_stem_list('\xc9\l\xe9\phants 1.5 -3', L), [L], answers([[[eleph, 1.5, -3]]])).

% library(iso_639)

:- use_module(library(iso_639)).

t(language_codes, ( findall(C, iso_639(C, 'German'), Cs), iso_639_2(fr, A), iso_639_3(eng, B), aggregate_all(count, iso_639(_, _), N) ), [Cs, A, B, N], answers([[[de, deu, ger], 'French', 'English', 563]])).
t(language_code_of_none, iso_639_2(ger, _), [], fails).
t(language_code_det, iso_639_2(de, L), [L], answers([['German']])).

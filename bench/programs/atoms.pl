% Atoms: making and taking apart by atom_concat, atom_codes, atom_chars,
% atom_length, sub_atom and number conversion, with some thousand live atoms.
% Counted with: names(150000, 0, H1) => names(4000, 0, H1)
% Counted with: cut_up(7000, 0, H2) => cut_up(200, 0, H2)
% Counted with: splits('abcdefghijklmnopqrstuvwxyz', 2200, H3) => splits('abcdefghijklmnopqrstuvwxyz', 60, H3)
% Counted with: counted(90000, 0, H4) => counted(2500, 0, H4)

main :-
    names(150000, 0, H1),
    cut_up(7000, 0, H2),
    splits('abcdefghijklmnopqrstuvwxyz', 2200, H3),
    counted(90000, 0, H4),
    format('atoms ~w ~w ~w ~w~n', [H1, H2, H3, H4]).

% item_17 and so on, compared with its neighbour.
names(0, H, H) :- !.
names(N, H0, H) :-
    K is N mod 4999,
    atom_number_(K, A),
    atom_concat(item_, A, B),
    atom_concat(B, '_x', C),
    atom_length(C, L),
    atom_codes(C, Cs),
    hash(Cs, L, X),
    H1 is (H0*3+X) mod 1000003,
    M is N-1,
    names(M, H1, H).

atom_number_(N, A) :-
    number_codes(N, Cs),
    atom_codes(A, Cs).

hash([], H, H).
hash([C|Cs], H0, H) :-
    H1 is (H0*33+C) mod 1000003,
    hash(Cs, H1, H).

% Fixed positions of a sentence.
cut_up(0, H, H) :- !.
cut_up(N, H0, H) :-
    Text = 'the quick brown fox jumps over the lazy dog',
    P is N mod 30,
    sub_atom(Text, P, 7, A, Sub),
    findall(B, sub_atom(Text, B, _, _, the), Bs),
    findall(B, sub_atom(Text, B, 1, _, o), Os),
    sum(Bs, 0, S1),
    sum(Os, S1, S2),
    atom_chars(Sub, [C|_]),
    char_code(C, X),
    H1 is (H0*5+S2+A+X) mod 1000003,
    M is N-1,
    cut_up(M, H1, H).

sum([], S, S).
sum([X|Xs], S0, S) :-
    S1 is S0+X,
    sum(Xs, S1, S).

% All splits of an atom, again and again.
splits(Text, N, H) :-
    splits(N, Text, 0, H).

splits(0, _, H, H) :- !.
splits(N, Text, H0, H) :-
    findall(K, (atom_concat(A, B, Text), atom_length(A, LA), atom_length(B, LB), K is LA*LB), Ks),
    sum(Ks, 0, S),
    H1 is (H0*5+S) mod 1000003,
    M is N-1,
    splits(M, Text, H1, H).

% Order of atoms and of their characters.
counted(0, H, H) :- !.
counted(N, H0, H) :-
    atom_number_(N, A),
    atom_chars(A, Cs),
    sort(Cs, Ds),
    atom_chars(B, Ds),
    compare(O, A, B),
    order(O, K),
    H1 is (H0*7+K) mod 1000003,
    M is N-1,
    counted(M, H1, H).

order(<, 1).
order(=, 2).
order(>, 3).

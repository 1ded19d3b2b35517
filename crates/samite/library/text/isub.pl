:- module(isub, [ isub/4 ]).
:- use_module(library(error), [must_be/2]).
:- use_module(library(option), [option/3]).

/*  How similar two names are: Stoilos, Stamou, Kollias: A String Metric for Ontology Alignment (ISWC 2005), as in SWI-Prolog's library(isub).  */

%!  isub(+Text1, +Text2, -Similarity, +Options) is det.
%
%   Similarity is 1.0 of texts that are the same, and otherwise smaller, down to -1.0. Options:
%
%     - normalize(Boolean)
%       Upper and lower case are the same, and dots, underscores and blanks are left out; false if it is not there.
%     - zero_to_one(Boolean)
%       Similarity is moved to 0.0..1.0; false if it is not there.
%     - substring_threshold(Length)
%       Only common parts that are longer count; 2 if it is not there.
%
%   In its old form, isub(+Text1, +Text2, +Normalize, -Similarity), Similarity is in 0.0..1.0.

isub(Text1, Text2, Normal, Similarity) :-
    ( Normal == true ; Normal == false ), !,
    isub(Text1, Text2, Similarity, [normalize(Normal), zero_to_one(true)]).
isub(Text1, Text2, Similarity, Options) :-
    must_be(list, Options),
    option(normalize(Normal), Options, false),
    must_be(boolean, Normal),
    option(zero_to_one(Moved), Options, false),
    must_be(boolean, Moved),
    option(substring_threshold(Threshold), Options, 2),
    must_be(nonneg, Threshold),
    codes_of(Text1, Normal, A),
    codes_of(Text2, Normal, B),
    similarity(A, B, Threshold, Similarity0),
    ( Moved == true -> Similarity is (Similarity0+1)/2 ; Similarity = Similarity0 ).

codes_of(Text, Normal, Codes) :-
    must_be(atomic, Text),
    (   Normal == true
    ->  string_lower(Text, Lower),
        string_codes(Lower, Codes0),
        without(Codes0, Codes)
    ;   atom_codes(Text, Codes)
    ).

without([], []).
without([C|Cs0], Cs) :-
    ( memberchk(C, `._ `) -> Cs = Cs1 ; Cs = [C|Cs1] ),
    without(Cs0, Cs1).

similarity([], [], _, 1.0) :- !.
similarity([], _, _, 0.0) :- !.
similarity(_, [], _, 0.0) :- !.
similarity(A, B, Threshold, Similarity) :-
    length(A, LengthA),
    length(B, LengthB),
    common(A, B, Threshold, 0, Common),
    Commonality is 2*Common/float(LengthA+LengthB),
    RestA is (LengthA-Common)/float(LengthA),
    RestB is (LengthB-Common)/float(LengthB),
    Product is RestA*RestB,
    Difference is Product/(0.6+0.4*(RestA+RestB-Product)),
    same_front(A, B, 4, Front),
    Winkler is Front*0.1*(1-Commonality),
    Similarity is Commonality-Difference+Winkler.

%   common(+A, +B, +Threshold, +N0, -N): the lengths of the longest common parts, each left out of both texts before the next one is looked for.
common(A, B, Threshold, N0, N) :-
    longest(A, B, Length, EndA, EndB),
    (   Length > Threshold
    ->  N1 is N0+Length,
        cut_out(A, EndA, Length, A1),
        cut_out(B, EndB, Length, B1),
        common(A1, B1, Threshold, N1, N)
    ;   N = N0
    ).

cut_out(Codes, End, Length, Rest) :-
    Before is End-Length,
    length(Front, Before),
    append(Front, Codes1, Codes),
    length(Part, Length),
    append(Part, Back, Codes1),
    append(Front, Back, Rest), !.

%   longest(+A, +B, -Length, -EndA, -EndB): the first one of the longest common parts. A row has for each place in B how long a common part ends there and at
%   the place in A.
longest(A, B, Length, EndA, EndB) :-
    zeros(B, Row),
    rows(A, B, Row, 1, best(0, 0, 0), best(Length, EndA, EndB)).

zeros([], []).
zeros([_|B], [0|Row]) :- zeros(B, Row).

rows([], _, _, _, Best, Best).
rows([X|A], B, Row0, I, Best0, Best) :-
    row(B, X, 0, Row0, Row, I, 1, Best0, Best1),
    I1 is I+1,
    rows(A, B, Row, I1, Best1, Best).

row([], _, _, _, [], _, _, Best, Best).
row([Y|B], X, Before, [N0|Row0], [N|Row], I, J, Best0, Best) :-
    ( X =:= Y -> N is Before+1 ; N = 0 ),
    Best0 = best(Longest, _, _),
    ( N > Longest -> Best1 = best(N, I, J) ; Best1 = Best0 ),
    J1 is J+1,
    row(B, X, N0, Row0, Row, I, J1, Best1, Best).

same_front([X|A], [X|B], Most, N) :-
    Most > 0, !,
    Most1 is Most-1,
    same_front(A, B, Most1, N1),
    N is N1+1.
same_front(_, _, _, 0).

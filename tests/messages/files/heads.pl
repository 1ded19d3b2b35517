1 :- true.
X :- true.
"abc".
(a, b) :- c.
foo:1 :- true.
p :- 1.
q :- a, "b".
r :- (a ; 2).
s.

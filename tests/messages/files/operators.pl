:- op(700, xfx, is_bigger).
:- op(1201, xfx, too_big).
:- op(700, xyz, bad_type).
:- op(700, xfx, ',').
:- op(200, xfy, [a, B]).
a is_bigger b.
a is_bigger b is_bigger c.

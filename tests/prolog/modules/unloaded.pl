:- module(unloaded, [gone/1]).
:- multifile(user:shared_with_unloaded/1).
:- dynamic(kept/1).

gone(1).
kept(1).
user:shared_with_unloaded(there).

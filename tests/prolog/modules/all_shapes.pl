:- module(all_shapes, [kinds/1]).
:- reexport(shapes, [corners/2 as edges, area/2]).
:- reexport(colours, except([blue/0])).

kinds([square, circle]).

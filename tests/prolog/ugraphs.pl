% library(ugraphs): graphs of which a part is not known come to an end, also when more answers are asked for.

:- use_module(library(ugraphs)).

t(top_sort_unknown, ( G = [_], findall(G-S, top_sort(G, S), L) ), [L], answers([[[[V-[]]-[V]]]])).
t(top_sort_unknown_set, findall(S, top_sort([a-[b], b-_], S), L), [L], answers([[[[a, b]]]])).
t(top_sort_open_set, top_sort([a-[b|_]], _), [], fails).
t(top_sort_unknown_given, top_sort([_], [a, b]), [], fails).
t(layers_unknown, ( G = [_], findall(G-S, ugraph_layers(G, S), L) ), [L], answers([[[[V-[]]-[[V]]]]])).
t(layers_unknown_given, ugraph_layers([_], lists), [], fails).
t(layers_unknown_set, findall(S, ugraph_layers([a-[b], b-_], S), L), [L], answers([[[[[a], [b]]]]])).
t(layers_open_set, ugraph_layers([a-[b|_]], _), [], fails).

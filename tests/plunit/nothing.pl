:- use_module(library(plunit)).

:- module(colours, [red/1, blue/0, mix/3]).

red(255).
blue.
mix(red, white, pink).

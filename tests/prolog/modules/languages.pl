:- module(languages, [languages/1], [xsb]).

% A header that says what the text is written in.

languages(1).

:- encoding(no_such_encoding).
p(1).

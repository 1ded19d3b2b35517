% Dicts: their syntax, predicates on them, functional notation. What is expected SWI-Prolog says.

%   Reads a query, and writes what it gives its variables, `no`, or the error.
q(Text) :-
    catch(( term_string(G0, Text, [variable_names(Bs)]), expand_goal(G0, G), ( call(G) -> shown(Bs) ; write(no) ) ), error(E, _), print_error(E)).
shown(Bs) :- \+ \+ ( numbervars(Bs, 0, _), forall(member(N = V, Bs), ( V == '$VAR'(N) -> true ; write(N), write(=), writeq(V), write(' ') )) ).
print_error(E) :- \+ \+ ( numbervars(E, 0, _), print(E) ).

%   Writes what a text reads as, or the syntax error.
r(Text) :- catch(( term_string(T, Text), numbervars(T, 0, _), print(T) ), error(syntax_error(E), _), print(E)).
rs(Texts) :- forall(member(T, Texts), ( r(T), nl )).

% --- reading and writing ---

t(read, rs(["a{b:1}", "a{}", "a{ }", "X{b:1, a:2}", "X{a:X}", "'A b'{x:1, 'y z':'B'}", "a{1:x, b:y, -3:z}", "a{/* c */ b :1}", "p:a{b:1}", "- a{b:1}", "[a{b:1}|c]"]), [],
    output("a{b:1}\na{}\na{}\nA{a:2,b:1}\nA{a:A}\n'A b'{x:1,'y z':'B'}\na{-3:z,1:x,b:y}\na{b:1}\np:a{b:1}\n-a{b:1}\n[a{b:1}|c]\n")).
t(read_values, rs(["a{b:c:d}", "a{b:(c,d)}", "a{b:c;d}", "a{b:c:-d}", "a{b: -1}", "a{b:[c,d]}", "a{b:{c}}", "a{b:c{d:e}}", "a{b:\"s\"}", "a{b: \\+c}", "a{b:'-'}"]), [],
    output("a{b:c:d}\na{b: (c,d)}\na{b: (c;d)}\na{b: (c:-d)}\na{b: -1}\na{b:[c,d]}\na{b:{c}}\na{b:c{d:e}}\na{b:\"s\"}\na{b: \\+c}\na{b: -}\n")).
t(read_keys, rs(["a{[]:1}", "a{{}:1}", "a{'+':1}", "a{dynamic:1}", "a{'B':1, aB:2}", "a{0'a:1}", "a{0x10:1}"]), [],
    output("a{[]:1}\na{{}:1}\na{+ :1}\na{dynamic:1}\na{'B':1,aB:2}\na{97:1}\na{16:1}\n")).
t(read_symbols, rs(["@{a:1}", "-{a:1}", "-{}", "- {a:1}", "1-{a:1}", "1*{a}", "a-->{b:1}", "[-{a :1}]", "- -{1:a}"]), [],
    output("@{a:1}\n-{a:1}\n-{}\n- {a:1}\n1-{a:1}\n1*{a}\na-->{b:1}\n[-{a:1}]\n- -{1:a}\n")).
t(read_infix, rs(["a mod{b:1}", "a mod mod{b:1}", "dynamic{b:1}"]), [], output("a mod {b:1}\na mod mod{b:1}\ndynamic{b:1}\n")).
t(read_errors, rs(["a{b}", "a{b=1}", "a{X:1}", "a{\"b\":1}", "a{1.0:1}", "a{12345678901234567890:1}", "a{f(x):1}", "a{b:1,}", "a{,}", "a{b:1,b:2}", "a{+:1}", "a{b::c}", "a{b 1}"]), [],
    output("colon_expected\ncolon_expected\nkey_expected\nkey_expected\nkey_domain\nkey_domain\ncolon_expected\nkey_expected\nkey_expected\nduplicate_key(b)\ncolon_expected\ncolon_expected\ncolon_expected\n")).
t(no_dicts, rs(["a {b:1}", "\"a\"{b:1}", "1{b:1}", "f(x){b:1}", "[]{b:1}", "{}{b:1}", "a{b:1}{c:2}", "!{a:1}"]), [],
    output("operator_expected\noperator_expected\noperator_expected\noperator_expected\noperator_expected\noperator_expected\noperator_expected\noperator_expected\n")).
t(read_functions, rs(["X.y", "X.y.z", "X.put(a,1).b", "X.Y", "X.f()", "X.1", "X.'b c'", "X.\"s\"", "X.(a)", "X.[a]", "a.b", "f(x).a", "(x).a", "[x].a", "\"s\".a", "1.a", "a{b:1}.b", "-X.a",
    "X.a+Y.b*Z.c", "X.a:b", "X .a", "f(+).a", "X.a{b:1}"]), [],
    output("A.y\nA.y.z\nA.put(a,1).b\nA.B\nA.f()\nA.1\nA.'b c'\nA.\"s\"\nA.a\nA.[a]\na.b\nf(x).a\nx.a\n[x].a\n\"s\".a\n1.a\na{b:1}.b\n-A.a\nA.a+B.b*C.c\nA.a:b\nA.a\nf(+).a\nA.a{b:1}\n")).
t(ends, rs(["X.", "a.", "X. a", "X . a", "X.%a", "a. b"]), [], output("A\na\nA\nA\nA\na\n")).
t(no_functions, rs(["X.12a", "X.-1", "X.Y(a)", "X.+", "X..a", "+.a", "X.a b", "X.f (a)", "dynamic.a"]), [],
    output("operator_expected\noperator_expected\noperator_expected\noperator_expected\noperator_expected\noperator_expected\noperator_expected\noperator_expected\noperator_expected\n")).
t(write, ( T = 'A b'{x:"s", 'y z':'B c'}, write(T), nl, writeq(T), nl, print(T), nl, write_canonical(T), nl, format("~w ~q ~p~n", [T, T, T]) ), [],
    output("A b{x:s,y z:B c}\n'A b'{x:\"s\",'y z':'B c'}\n'A b'{x:\"s\",'y z':'B c'}\n'A b'{x:\"s\",'y z':'B c'}\nA b{x:s,y z:B c} 'A b'{x:\"s\",'y z':'B c'} 'A b'{x:\"s\",'y z':'B c'}\n")).
t(write_values, forall(member(V, [a=b, (a,b), (a:-b), -, - 1, \+a, {a}, dynamic, (dynamic a), -1, (-)-1]), ( writeq(a{x:V}), nl )), [],
    output("a{x:a=b}\na{x: (a,b)}\na{x: (a:-b)}\na{x: -}\na{x: - 1}\na{x: \\+a}\na{x:{a}}\na{x:dynamic}\na{x: (dynamic a)}\na{x: -1}\na{x: (-)-1}\n")).
t(write_options, ( T = a{x:f(g(h(i))), y:1}, write_term(T, [spacing(next_argument)]), nl, write_term(T, [max_depth(3)]), nl, write_term(a{x:1+2}, [ignore_ops(true)]), nl,
    write_term(T, _{quoted:true}), nl, write_term(A{x:A}, [variable_names(['X'=A])]) ), [],
    output("a{x:f(g(h(i))), y:1}\na{x:f(g(...)),y:1}\na{x: +(1,2)}\na{x:f(g(h(i))),y:1}\nX{x:X}")).
t(write_functions, forall(member(S, ["'.'(a, b)", "'.'(a+b, 1)", "'.'(a, b+1)", "'.'(a, '.'(b, c))", "'.'('.'(a, b), c)", "'.'(-, a)", "'.'(a, +)", "- '.'(a, b)", "'.'(-(a), b)", "'.'(f(x), g(y))", "'.'(a)", "'.'", "['.']", "'.'-a"]),
    ( term_string(T, S), writeq(T), nl )), [],
    output("a.b\n(a+b).1\na.(b+1)\na.(b.c)\na.b.c\n(-).a\na.(+)\n-a.b\n(-a).b\nf(x).g(y)\n'.'(a)\n'.'\n['.']\n('.')-a\n")).
t(portrayed, portray_clause(a(X, c{d:1, e:X, f:_})), [], output("a(A, c{d:1, e:A, f:_}).\n")).
t(cyclic, ( X = a{x:X}, print(X) ), [], output("@(S_1,[S_1=a{x:S_1}])")).
t(read_back, ( T = a{x:f(_), y:"s", z:'A', 1:[b{}]}, with_output_to(string(S), write_canonical(T)), term_string(U, S), T =@= U ), [], answers([[]])).

% --- a type of its own ---

t(kinds, forall(member(G, [compound(a{}), callable(a{}), atom(a{}), atomic(a{}), is_list(a{}), is_dict(a{}), is_dict(f(x)), is_dict(_), is_dict([a=1]), is_dict(dict(a)), ground(a{b:c}), ground(_{b:c}),
    is_assoc(a{}), is_dict(a{}, a), is_dict(_{}, b), is_dict(a{}, b), is_of_type(dict, a{}), is_of_type(dict, a)]), ( call(G) -> write(y) ; write(n) )), [], output("ynnnnynnnnynnyynyn")).
t(must_be, ( q("must_be(dict, a{})"), nl, q("must_be(dict, a)"), nl, q("must_be(dict, _)"), nl, q("must_be(list, a{})"), nl, q("must_be(callable, a{})") ), [],
    output("\ntype_error(dict,a)\ninstantiation_error\ntype_error(list,a{})\ntype_error(callable,a{})")).
t(inside, ( T = a{b:1, 2:c}, compound_name_arity(T, N, A), print(N/A), nl, write(N), nl, T =.. L, print(L), nl, functor(T, N1, A1), ( N1 == N, A1 == A -> true ; write(no) ), blob(N, B), print(B), nl,
    ( N == dict -> write(no) ; true ), ( atom(N) -> write(no) ; true ), ( atomic(N) -> true ; write(no) ), compound_name_arguments(T, N, As), print(As), nl, arg(2, T, X), print(X) ), [],
    output("C'dict'/5\ndict\n[C'dict',a,c,2,1,b]\nreserved_symbol\n[a,c,2,1,b]\nc")).
t(made_inside, ( compound_name_arity(a{}, N, _), T =.. [N, t, 1, 2], print(T), nl, compound_name_arguments(U, N, [t, 1, a]), print(U), nl, ( U == t{a:1} -> true ; write(no) ), functor(V, N, 2), print_error(V), nl,
    compound_name_arguments(W, dict, [t, 1, a]), print(W), ( is_dict(W) -> write(no) ; true ) ), [], output("t{2:1}\nt{a:1}\nC'dict'(A,B)\ndict(t,1,a)")).
t(no_order_inside, ( compound_name_arity(a{}, N, _), compound_name_arguments(T, N, [t, 1, b, 2, a, 3, f(x)]), ( is_dict(T) -> write(y) ; write(n) ), catch(ignore(get_dict(a, T, _)), error(_, _), true),
    catch(ignore(put_dict(c, T, 1, _)), error(_, _), true), catch(ignore(del_dict(b, T, _, _)), error(_, _), true), catch(ignore(T >:< _{a:_}), error(_, _), true),
    catch(ignore(T :< T), error(_, _), true), catch(ignore(dict_pairs(T, _, _)), error(_, _), true), print(T) ), [], output("yC'dict'(t,1,b,2,a,3,f(x))")).
t(unified, ( q("a{b:1, c:X} = T{c:2, b:Y}"), nl, q("a{b:1} = a{c:1}"), nl, q("a{b:1} = a{b:1, c:2}"), nl, q("a{b:1} = f(a)"), nl, q("unify_with_occurs_check(X, a{b:X})"), nl, q("subsumes_term(a{b:_}, a{b:1})"),
    nl, q("a{b:1} =@= a{b:1}"), nl, q("_{b:_} =@= _{b:_}"), nl, q("a{b:1} == a{b:1}"), nl, q("a{b:1} \\= b{b:1}") ), [], output("X=2 T=a Y=1 \nno\nno\nno\nno\n\n\n\n\n")).
t(ordered, ( msort([f(a, b, c), a{b:1}, 'A'(x, y, z), b(1), "s", 1, a, [x], a{}, a{a:1}, b{a:1}, f(1, 2, 3, 4, 5), a{a:1, b:2}], L), print(L) ), [],
    output("[1,\"s\",a,a{},b(1),[x],a{a:1},a{b:1},b{a:1},'A'(x,y,z),f(a,b,c),a{a:1,b:2},f(1,2,3,4,5)]")).
t(copied, ( copy_term([X, Y, a{x:X, y:Y}], L), print_error(L), T = a{x:1}, duplicate_term(T, D), nb_set_dict(x, T, 2), print(D), term_variables(A{x:B}, Vs), ( Vs == [A, B] -> true ; write(no) ) ), [],
    output("[A,B,a{x:A,y:B}]a{x:1}")).
t(called, forall(member(G, ["call(a{})", "call(a{b:1}, x)", "X = a{}, X", "assertz(a{b:1})", "assertz((foo :- a{b:1}))", "findall(x, a{}, _)"]),
    ( catch(( term_string(T, G), call(T), write(yes) ), error(E, _), ( E = type_error(W, _) -> print(W) ; print(E) )), nl )), [],
    output("callable\ncallable\ncallable\ncallable\ncallable\ncallable\n")).

:- dynamic fact/1.
static(a{b:1, c:X}, X).
static(b{b:1}, none).
larger(A{a:1, b:2, c:3, d:4, e:5, f:f(X), g:[X|A], h:"s", i:1.5, j:12345678901234567890, k:k{l:X}}, X, A).
t(static, ( findall(T-X, static(T, X), [T1-X1, T2-X2]), T1 == a{b:1, c:X1}, T2-X2 == b{b:1}-none, static(a{b:1, c:5}, V), print(V), ( static(a{b:2, c:5}, _) -> write(no) ; true ) ), [], output("5")).
t(larger, ( larger(T, x, t), print(T) ), [], output("t{a:1,b:2,c:3,d:4,e:5,f:f(x),g:[x|t],h:\"s\",i:1.5,j:12345678901234567890,k:k{l:x}}")).
t(asserted, ( assertz(fact(a{x:1, y:Z, z:Z})), fact(T), T = a{x:_, y:1, z:W}, print(W), retract(fact(a{x:X, y:_, z:_})), print(X), ( fact(_) -> write(no) ; true ) ), [], output("11")).
t(stored, ( recordz(dicts, a{x:1}, R), recorded(dicts, V, R), print(V), erase(R), nb_setval(dicts, a{x:2}), nb_getval(dicts, W), print(W), b_setval(dicts2, a{x:3}), b_getval(dicts2, U), print(U),
    catch(throw(a{x:4}), a{x:B}, print(B)), findall(T, member(T, [a{x:5}, b{y:_}]), L), print_error(L) ), [], output("a{x:1}a{x:2}a{x:3}4[a{x:5},b{y:A}]")).
t(messages, ( message_queue_create(Q), thread_send_message(Q, a{x:1}), thread_send_message(Q, b{x:2}), thread_get_message(Q, b{x:X}), print(X), thread_get_message(Q, T), print(T), message_queue_destroy(Q) ), [], output("2a{x:1}")).
:- table tabled/2.
tabled(D, V) :- get_dict(_, D, V).
t(tabled, ( findall(V, tabled(a{x:1, y:2}, V), L), msort(L, M), print(M), findall(V, tabled(a{x:1, y:2}, V), L2), length(L2, N), print(N) ), [], output("[1,2]2")).
t(many_keys, ( numlist(1, 100000, Ns), findall(N-v(N), member(N, Ns), Ps), dict_create(D, t, Ps), forall(member(N, [1, 2, 777, 50000, 99999, 100000]), get_dict(N, D, v(N))), \+ get_dict(0, D, _),
    \+ get_dict(100001, D, _), dict_pairs(D, t, Qs), Qs == Ps, put_dict(100001, D, x, E), del_dict(1, E, _, F), get_dict(100001, F, X), print(X), copy_term(F, G), F == G ), [], output("x")).

% --- predicates ---

t(get, forall(member(T, ["get_dict(a, t{a:1}, V)", "get_dict(b, t{a:1}, V)", "get_dict(a, t{a:1}, 2)", "get_dict(\"a\", t{}, V)", "get_dict(1.0, t{}, V)", "get_dict(f(x), t{}, V)", "get_dict(a, x, V)", "get_dict(a, _, V)",
    "get_dict(a, [a=1], V)", "get_dict(a, t{a:1}, V, N, 2)", "get_dict(b, t{a:1}, V, N, 2)", "get_dict(K, t{a:1}, V, N, 2)", "get_dict(a, x, V, N, 2)"]), ( q(T), nl )), [],
    output("V=1 \nno\nno\ntype_error('dict-key',\"a\")\ntype_error('dict-key',1.0)\ntype_error('dict-key',f(x))\ntype_error(dict,x)\ninstantiation_error\ntype_error(dict,[a=1])\nV=1 N=t{a:2} \nno\ninstantiation_error\ntype_error('dict-data',x)\n")).
t(get_all, ( findall(K-V, get_dict(K, t{a:1, b:2, 1:3}, V), L), msort(L, M), print(M), findall(K, get_dict(K, t{a:1, b:2, c:1}, 1), L2), msort(L2, M2), print(M2) ), [], output("[1-3,a-1,b-2][a,c]")).
t(put, forall(member(T, ["put_dict(a, t{a:1}, 2, N)", "put_dict(b, t{a:1}, 2, N)", "put_dict(0, t{a:1}, 2, N)", "put_dict(\"b\", t{}, 2, N)", "put_dict(K, t{}, 2, N)", "put_dict(a, x, 2, N)", "put_dict(a, _, 2, N)",
    "put_dict(_{b:1, a:2}, t{a:1, c:3}, N)", "put_dict([b=1, c-2, d(3), e:4], t{a:1}, N)", "put_dict([b=1, b=2], t{}, N)", "put_dict([b], t{}, N)", "put_dict([b|_], t{}, N)", "put_dict(x, t{}, N)",
    "put_dict(_, t{}, N)", "put_dict(_{}, x, N)"]), ( q(T), nl )), [],
    output("N=t{a:2} \nN=t{a:1,b:2} \nN=t{0:2,a:1} \ntype_error('dict-key',\"b\")\ninstantiation_error\ntype_error('dict-data',x)\ninstantiation_error\nN=t{a:2,b:1,c:3} \nN=t{a:1,b:1,c:2,d:3,e:4} \nduplicate_key(b)\ntype_error('key-value',b)\ntype_error(list,[b|A])\ntype_error('dict-data',x)\ninstantiation_error\ntype_error('dict-data',x)\n")).
t(del, forall(member(T, ["del_dict(a, t{a:1, b:2}, V, N)", "del_dict(c, t{a:1}, V, N)", "del_dict(a, t{a:1}, 2, N)", "del_dict(K, t{a:1}, V, N)", "del_dict(\"a\", t{}, V, N)", "del_dict(a, x, V, N)"]), ( q(T), nl )), [],
    output("V=1 N=t{b:2} \nno\nno\ninstantiation_error\ntype_error('dict-key',\"a\")\ntype_error('dict-data',x)\n")).
t(pairs, forall(member(T, ["dict_pairs(D, t, [a-1, 5-2, b-3])", "dict_pairs(t{z:1, a:2, 5:3}, T, P)", "dict_pairs(t{a:1}, u, P)", "dict_pairs(t{z:1, a:2}, T, [a-X, z-Y])", "dict_pairs(D, t, [a=1])", "dict_pairs(D, t, [a-1, a-2])",
    "dict_pairs(D, t, [a-1|_])", "dict_pairs(D, t, x)", "dict_pairs(D, t, _)", "dict_pairs(x, T, P)", "dict_pairs(D, t, [\"a\"-1])", "dict_pairs(D, t, [K-1])", "dict_pairs(D, \"t\", [[]-1])"]), ( q(T), nl )), [],
    output("D=t{5:2,a:1,b:3} \nT=t P=[5-3,a-2,z-1] \nno\nT=t X=2 Y=1 \ntype_error(pair,a=1)\nduplicate_key(a)\ntype_error(list,[a-1|A])\ntype_error('dict-data',x)\ninstantiation_error\ntype_error('dict-data',x)\ntype_error('dict-key',\"a\")\ninstantiation_error\nD=\"t\"{[]:1} \n")).
t(create, forall(member(T, ["dict_create(D, t, [a=1, b-2, c:3, d(4)])", "dict_create(D, t, u{x:1})", "dict_create(t{x:1}, T, [x=1])", "dict_create(x, T, [x=1])", "dict_create(D, t, [a=1, a=1])", "dict_create(D, t, [x])",
    "dict_create(D, t, x)", "dict_create(D, t, _)", "dict_create(D, t, [])"]), ( q(T), nl )), [],
    output("D=t{a:1,b:2,c:3,d:4} \nD=u{x:1} \nT=t \nno\nduplicate_key(a)\ntype_error('key-value',x)\ntype_error('dict-data',x)\ninstantiation_error\nD=t{} \n")).
t(select, forall(member(T, ["_{a:X} :< t{a:1, b:2}", "_{c:X} :< t{a:1}", "t{a:X} :< T{a:1}", "t{} :< u{}", "[a=X] :< t{a:1}", "x :< t{}", "t{} :< _", "_{a:X} >:< t{a:1, b:2}", "_{c:1} >:< t{a:1, b:2}", "t{a:1} >:< t{a:2}",
    "t{} >:< u{}", "x >:< t{}", "select_dict(t{a:X}, t{a:1, b:2}, R), is_dict(R, r)", "select_dict(t{c:X}, t{a:1}, R)", "select_dict(x, t{}, R)"]), ( q(T), nl )), [],
    output("X=1 \nno\nX=1 T=t \nno\nX=1 \ntype_error('dict-data',x)\ninstantiation_error\nX=1 \n\nno\nno\ntype_error('dict-data',x)\nX=1 R=r{b:2} \nno\ntype_error('dict-data',x)\n")).
t(set, forall(member(T, ["D = t{a:1}, b_set_dict(a, D, 2)", "D = t{a:1}, ( b_set_dict(a, D, 2), fail ; true )", "D = t{a:1}, ( nb_set_dict(a, D, f(2)), fail ; true )", "D = t{a:1}, b_set_dict(b, D, 2)", "b_set_dict(a, x, 2)",
    "b_set_dict(a, [a=1], 2)", "D = t{a:1}, nb_set_dict(b, D, 2)", "D = t{a:1}, b_set_dict(K, D, 2)", "D = t{a:1}, nb_set_dict(\"a\", D, 2)"]), ( q(T), nl )), [],
    output("D=t{a:2} \nD=t{a:1} \nD=t{a:f(2)} \nexistence_error(key,b,t{a:1})\ntype_error(dict,x)\ntype_error(dict,[a=1])\nexistence_error(key,b,t{a:1})\ninstantiation_error\ntype_error('dict-key',\"a\")\n")).
t(set_many_times, ( D = t{n:0, l:[]}, counted(D, 20000), get_dict(n, D, N), print(N), get_dict(l, D, L), print(L) ), [], output("20000[20000]")).
counted(_, 0) :- !.
counted(D, N) :- get_dict(n, D, M), M1 is M+1, b_set_dict(n, D, M1), b_set_dict(l, D, [M1]), N1 is N-1, counted(D, N1).
t(sorted, forall(member(T, ["sort(a, @>=, [t{a:1}, t{a:3}, t{a:2}], L)", "sort(1, @<, [t{1:b}, t{1:a}, t{1:b}], L)", "sort(a, @<, [t{a:1}, t{b:1}], L)", "sort(a, @<, [t{a:1}, x], L)"]), ( q(T), nl )), [],
    output("L=[t{a:3},t{a:2},t{a:1}] \nL=[t{1:a},t{1:b}] \nexistence_error(key,a,t{b:1})\ntype_error(compound,x)\n")).
t(options, forall(member(T, ["option(a(X), t{a:1})", "option(a(X), t{b:1})", "option(a(X), t{b:1}, 3)", "select_option(a(X), t{a:1, b:2}, R)", "select_option(a(X), t{b:2}, R, 7)", "merge_options([a(1)], t{a:2, b:3}, M)",
    "dict_options(t{a:1, b:2}, O)", "dict_options(D, [a(1), b=2, a(3)]), is_dict(D, t)", "dict_options(D, [a])", "open_null_stream(S), write_term(S, a, t{quoted:true}), close(S), S = s", "term_to_atom(X, 'a'), write_term(b, t{quoted:x})"]),
    ( q(T), nl )), [], output("X=1 \nno\nX=3 \nX=1 R=t{b:2} \nX=7 R=t{b:2} \nM=[a(1),b(3)] \nO=[a(1),b(2)] \nD=t{a:1,b:2} \ndomain_error(option,a)\nno\ntype_error(bool,x)\n")).

% --- library(dicts) ---

t(library, forall(member(T, ["dict_keys(t{b:1, a:2}, K)", "dict_size(t{b:1, a:2}, N)", "dict_size(x, N)", "dicts_same_tag([t{}, t{a:1}], T)", "dicts_same_tag([t{}, u{}], T)", "dicts_same_keys([t{a:1}, t{a:2}], K)",
    "dicts_same_keys([t{a:1}, t{b:2}], K)", "dicts_to_same_keys([t{a:1}, t{b:2}], dict_fill(null), L)", "dicts_to_same_keys([t{a:1}, t{b:2}], dict_no_fill, L)", "dicts_join(x, [r{x:1, y:2}, r{x:1, z:3}, r{x:2, y:4}], L)",
    "dicts_join(x, [r{x:1, y:2}, r{x:1, y:3}], L)", "dicts_join(x, [r{x:1, y:1}, r{x:2, y:4}], [r{x:1, z:2}, r{x:3, z:4}], L)", "dicts_slice([z, x], [r{x:1, y:2, z:0}, r{y:3}], L)",
    "dicts_to_compounds([t{x:1}, t{x:2, y:3}], [x, y], dict_fill(null), L)", "dicts_to_compounds(L, [x, y], dict_fill(null), [p(1, 2), q(3, 4)])"]), ( q(T), nl )), [],
    output("K=[a,b] \nN=2 \ntype_error(dict,x)\nT=t \nno\nK=[a] \nno\nL=[t{a:1,b:null},t{a:null,b:2}] \nexistence_error(key,b,t{a:1})\nL=[r{x:1,y:2,z:3},r{x:2,y:4}] \nno\nL=[r{x:1,y:1,z:2},r{x:2,y:4},r{x:3,z:4}] \nL=[r{x:1,z:0},r{}] \nL=[t(1,null),t(2,3)] \nL=[p{x:1,y:2},q{x:3,y:4}] \n")).

% --- functional notation ---

t(function, forall(member(T, ["X = t{a:1}.a", "X = t{a:1}.b", "X = \"s\".b", "X = [a(1)].a", "X = foo.b", "X = a.b.c", "X = Y.b", "D = t{a:u{b:1}}, X = D.a.b", "D = t{a:1}, X = D.put(b, 2).put(_{c:3}).c",
    "D = t{a:1}, K = a, X = D.K", "X = t{1:a}.1", "X = f(t{a:1}.a, t{b:2}.b)", "t{a:1}.a == 1", "D = t{a:true}, D.a", "D = t{a:true}, \\+ D.a",
    "D = t{a:1}, X is D.a + 1", "catch(throw(t{a:1}), E, X = E.a)", "X = t{a: u{b:1}.b}"]), ( q(T), nl )), [],
    output("X=1 \nexistence_error(key,b,t{a:1})\ntype_error(dict,\"s\")\nX=1 \ntype_error(dict,foo)\ntype_error(dict,a)\ninstantiation_error\nD=t{a:u{b:1}} X=1 \nD=t{a:1} X=3 \nD=t{a:1} K=a X=1 \nX=a \nX=f(1,2) \n\nD=t{a:true} \nno\nD=t{a:1} X=2 \nE=t{a:1} X=1 \nX=t{a:1} \n")).
t(functions, forall(member(T, ["X = t{a:1}.get(a)", "X = t{a:1}.get(b)", "X = t{a:1}.get(b, d)", "X = t{a:t{b:2}}.get(a/b)", "X = t{a:t{b:2}}.get(a/c)", "X = t{a:t{b:2}}.get(a/c, d)", "X = t{a:1}.get(\"b\", d)", "X = t{a:1}.get(f(x))",
    "X = t{a:1}.put(b, 2)", "X = t{a:1}.put([b=2, a=3])", "X = t{a:t{b:1}}.put(a/b, 2)", "X = t{a:u{b:1}}.put(a/c/d, 2), X.a.c.d == 2, X.a.b == 1, X = x", "X = t{a:1}.put(Z, 2)", "X = t{a:1}.put(Z/a, 2)", "X = t{a:1}.put(x)", "X = t{a:1}.put(\"x\", 2)",
    "X = t{a:1}.put(f(a), 2)", "X = t{a:1}.foo()", "X = lists{a:1}.foo(1, 2)", "X = 1.foo()"]), ( q(T), nl )), [],
    output("X=1 \nno\nX=d \nX=2 \nno\nX=d \ntype_error('dict-key',\"b\")\ntype_error('dict-key',f(x))\nX=t{a:1,b:2} \nX=t{a:3,b:2} \nX=t{a:t{b:2}} \nno\ninstantiation_error\ninstantiation_error\ntype_error('dict-data',x)\ntype_error('dict-key',\"x\")\ntype_error('dict-key',f(a))\nexistence_error(procedure,t:foo/2)\nexistence_error(procedure,lists:foo/4)\ntype_error(dict,1)\n")).
t(put_path, ( D = t{a:1}, q("X = t{a:1}.put(b/c/d, 2), get_dict(b, X, Y), is_dict(Y, y), get_dict(c, Y, Z), is_dict(Z, z)"), nl, print(D) ), [], output("X=t{a:1,b:y{c:z{d:2}}} Y=y{c:z{d:2}} Z=z{d:2} \nt{a:1}")).

t(expanded, forall(member(T, ["X = Y.a", "(a, X = Y.a)", "foo(X.a, Y.b)", "X.a.b", "X.f(Y.z)", "\\+ X.a == 1", "findall(X, X = Y.a, L)", "findall(X.a, foo, L)", "m:foo(X.a)", "(foo -> X.a == 1 ; bar)", "bagof(A, X^foo(X.a), L)",
    "X = u{a: Y.b}", "X = [Y.b|Z.c]", "call(Z.q)", "assertz((foo(X) :- bar(X.a)))", "catch(foo(X.a), E, bar(E.b))", "maplist(foo(X.a), L)"]), ( term_string(G0, T), expand_goal(G0, G), print_error(G), nl )), [],
    output("'.'(A,a,B),C=B\na,'.'(A,a,B),C=B\n('.'(A,a,B),'.'(C,b,D)),foo(B,D)\n('.'(A,a,B),'.'(B,b,C)),call(C)\n('.'(A,z,B),'.'(C,f(B),D)),call(D)\n\\+ ('.'(A,a,B),B==1)\nfindall(A,('.'(B,a,C),A=C),D)\n'.'(A,a,B),findall(B,foo,C)\nm:('.'(A,a,B),foo(B))\nfoo->'.'(A,a,B),B==1;bar\nbagof(A,B^v(C)^('.'(B,a,C),foo(C)),D)\n'.'(A,b,B),C=u{a:B}\n('.'(A,b,B),'.'(C,c,D)),E=[B|D]\ncall(('.'(A,q,B),call(B)))\n'.'(A,a,B),assertz((foo(A):-bar(B)))\ncatch(('.'(A,a,B),foo(B)),C,('.'(C,b,D),bar(D)))\n'.'(A,a,B),maplist(foo(B),C)\n")).
t(expanded_terms, forall(member(T, ["(foo(X) :- bar(X.a))", "(foo(X.a) :- bar)", "foo(X, X.a)", "(foo(X, X.a), bar(X.c) => baz(X.b))", "(:- foo(X.a))", "(X.foo() := 1)", "(X.foo(Z) := Y :- Y = X.a)", "(X.foo() := X.a.b+1)", "(m:X.foo() := X.a)", "(foo := bar)"]),
    ( term_string(C0, T), expand_term(C0, C), print_error(C), nl )), [], output("foo(A):-'.'(A,a,B),bar(B)\nfoo(A):-'.'(B,a,A),bar\nfoo(A,B):-'.'(A,a,B)\nfoo(A,B),'.'(A,c,C),bar(C)=>'.'(A,a,B),'.'(A,b,D),baz(D)\n:-'.'(A,a,B),foo(B)\nfoo(A,1):-true\nfoo(A,B,C):-('.'(B,a,D),C=D),true\nfoo(A,B+1):-'.'(A,a,C),'.'(C,b,B)\nm:foo(A,B):-'.'(A,a,B)\nfoo:=bar\n")).

in_head(X, X.x).
in_body(X, Y) :- Y = X.put(y, X.x).
in_both(X, X.put(y, Y)) :- Y is X.x^2.
in_rule(X, Y), X.x > 1 => Y = X.x.
in_rule(_, Y) => Y = less.
in_grammar(D) --> [D.x], { _ = D.x }.
t(loaded, ( in_head(t{x:1}, A), in_body(t{x:1}, B), in_both(t{x:3}, C), in_rule(t{x:2}, D), in_rule(t{x:0}, E), phrase(in_grammar(t{x:1}), F), print([A, B, C, D, E, F]) ), [], output("[1,t{x:1,y:1},t{x:3,y:9},2,less,[1]]")).

M.of_user() := M.a.
M.of_user(N) := X :- X is M.a+N.
_.constant() := 1.
methods:M.double() := M.put(a, X) :- X is 2*M.a.
methods:M.twice() := M.double().double().
t(methods, ( q("X = user{a:2}.of_user()"), nl, q("X = user{a:2}.of_user(3)"), nl, q("X = user{a:2}.constant()"), nl, q("X = methods{a:2}.double()"), nl, q("X = methods{a:2}.twice().a") ), [],
    output("X=2 \nX=5 \nX=1 \nX=methods{a:4} \nX=8 ")).
t(dot, ( Dot = '.', call(Dot, t{a:1}, a, X), print(X), findall(K-V, call(Dot, t{a:1, b:2}, K, V), L), msort(L, M), print(M), catch(call(Dot, t{a:1}, b, _), error(E, _), print(E)),
    catch(call(Dot, [a], a, _), error(E2, _), print(E2)) ), [],
    output("1[a-1,b-2]existence_error(key,b,t{a:1})type_error('key-value',a)")).
t(kept_through_collections, ( numlist(1, 300, Ns), findall(K-V, ( member(N, Ns), atom_concat(k, N, K), V = v(N, _) ), Ps), dict_create(D, T, Ps), garbage(100000), put_dict(k1, D, new, D1), garbage(100000), get_dict(k300, D1, v(A, _)),
    get_dict(k1, D1, B), T = t, print(A-B), D1 \= t{}, write(end) ), [], output("300-newend")).
garbage(0) :- !.
garbage(N) :- G = t{a:N, b:[N]}, G = t{a:M, b:_}, N1 is M-1, garbage(N1).

t(sub_terms_are_values, ( mapsubterms([X,Y]>>(X==1,Y=zz), t{1:a, b:1, c:f(1)}, D), foldsubterms([X,S0,S]>>(X==1, S is S0+1), t{1:1, b:f(1)}, 0, N),
    foldsubterms([X,zz,S0,S]>>(X==1, S is S0+1), t{1:a, 2:1}, E, 0, M) ), [D, N, E, M], answers([[t{1:a, b:zz, c:f(zz)}, 2, t{1:a, 2:zz}, 1]])).
t(sub_terms_of_cycles, ( X = f(t{1:1, b:X}), mapsubterms([A,B]>>(A==1, B=one), X, Y), Y = f(D), get_dict(1, D, V), get_dict(b, D, Z), ( Z == Y -> R = itself ; R = other ) ), [V, R], answers([[one, itself]])).
put_path_of(Path, V) :- D = _{}.put(Path, v), V = D.get(Path).
put_missing(D) :- D = t{a:1}.put(b/c, 2).put(a/d, 3).
t(put_of_a_long_path, ( numlist(1, 3000, Ks), foldl([K,P,P/K]>>true, Ks, a, Path), put_path_of(Path, V) ), [V], answers([[v]])).
t(put_makes_what_is_missing, put_missing(D), [D], answers([[t{a:_{d:3}, b:_{c:2}}]])).
t(print_term_of_one, ( current_output(S), print_term(t{b:1, a:f(1), c:2}, [right_margin(5), output(S)]) ), [], output("t{a:f(1),b:1,c:2}")).

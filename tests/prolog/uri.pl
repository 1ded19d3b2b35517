% library(uri).

:- use_module(library(uri)).

t(uri_components_1, uri_components('http://www.example.com/some/path?q=1&r=2#frag',C), [C], answers([[uri_components(http, 'www.example.com', '/some/path', 'q=1&r=2', frag)]])).
t(uri_components_2, uri_components(X,uri_components(http,'a.b','/p','q=1',f)), [X], answers([['http://a.b/p?q=1#f']])).
t(uri_components_3, uri_components(X,uri_components(http,_,'/p',_,_)), [X], answers([['http:/p']])).
t(uri_components_4, uri_components('foo',C), [C], answers([[uri_components(_, _, foo, _, _)]])).
t(uri_components_5, uri_components('',C), [C], answers([[uri_components(_, _, '', _, _)]])).
t(uri_components_6, uri_components('mailto:a@b.c',C), [C], answers([[uri_components(mailto, _, 'a@b.c', _, _)]])).
t(uri_components_7, uri_components("http://a/b",C), [C], answers([[uri_components(http, a, '/b', _, _)]])).
t(uri_components_8, uri_components('//a/b',C), [C], answers([[uri_components(_, a, '/b', _, _)]])).
t(uri_components_9, uri_components('?q',C), [C], answers([[uri_components(_, _, '', q, _)]])).
t(uri_components_10, uri_components('#f',C), [C], answers([[uri_components(_, _, '', _, f)]])).
t(uri_components_11, uri_components('http://a?#',C), [C], answers([[uri_components(http, a, '', '', '')]])).
t(uri_components_12, uri_components('a:b:c',C), [C], answers([[uri_components(a, _, 'b:c', _, _)]])).
t(uri_components_13, uri_components(X,uri_components(http,'a.b','/p q?x#y','q=1 2#',"f g#")), [X], answers([['http://a.b/p q?x#y?q=1 2##f g#']])).
t(uri_components_14, uri_components(X, uri_components(_, _, _, _, _)), [X], answers([['']])).
t(uri_components_15, uri_components(_, _), [], throws(instantiation_error)).
t(uri_components_16, uri_components(f(x), _), [], throws(type_error(text, f(x)))).
t(uri_components_17, uri_components(X, foo), [X], throws(instantiation_error)).
t(uri_components_18, uri_components(X,uri_components(http,'a.b',p,[a=b,c='d e&'],_)), [X], throws(type_error(atom, [a=b, c='d e&']))).
t(uri_components_19, uri_components(X,uri_components(http,'a.b','/p',[a(b),c(1)],_)), [X], throws(type_error(atom, [a(b), c(1)]))).
t(uri_components_20, uri_components(X,uri_components(http,'a.b','/\x20ac\',_,_)), [X], answers([['http://a.b/€']])).
t(uri_components_21, uri_components(12, C), [C], throws(type_error(text, 12))).
t(uri_components_22, uri_components(X,uri_components('Http',"A b",'/%41%zz',_,_)), [X], answers([['Http://A b/%41%zz']])).
t(uri_components_23, uri_components('/a/b:c',C), [C], answers([[uri_components(_, _, '/a/b:c', _, _)]])).
t(uri_components_24, uri_components('1a:b',C), [C], answers([[uri_components('1a', _, b, _, _)]])).
t(uri_components_25, uri_components(X, uri_components(f(x), _, _, _, _)), [X], throws(type_error(atom, f(x)))).
t(uri_components_26, uri_components(X,uri_components(http,a,'/',[a-b],_)), [X], throws(type_error(atom, [a-b]))).
t(uri_components_27, uri_components(X,uri_components(http,a,'/',[foo],_)), [X], throws(type_error(atom, [foo]))).
t(uri_components_28, ( uri_components('http://a/b',C),uri_data(scheme,C,S),uri_data(authority,C,A),uri_data(path,C,P),uri_data(search,C,Q),uri_data(fragment,C,F) ), [C, S, A, P, Q, F], answers([[uri_components(http, a, '/b', A, B), http, a, '/b', A, B]])).
t(uri_components_29, ( uri_components('http://a/b',C),uri_data(foo,C,S) ), [C, S], fails).
t(uri_components_30, ( uri_components('http://a/b',C),findall(K-V,uri_data(K,C,V),L) ), [C, K, V, L], answers([[uri_components(http, a, '/b', _, _), _, _, [scheme-http, authority-a, path-'/b', search-_, fragment-_]]])).
t(uri_components_31, ( uri_components('http://a/b',C),uri_data(path,C,'/c',D) ), [C, D], answers([[uri_components(http, a, '/b', A, B), uri_components(http, a, '/c', A, B)]])).
t(uri_components_32, ( uri_components('http://a/b',C),uri_data(foo,C,'/c',D) ), [C, D], fails).
t(uri_components_33, uri_components(X,uri_components(http,'a.b',p,_,_)), [X], answers([['http://a.bp']])).
t(uri_components_34, uri_components(X,uri_components(_,'a.b',p,_,_)), [X], answers([['//a.bp']])).
t(uri_components_35, uri_components(X, uri_components(http, _, _, q, _)), [X], answers([['http:?q']])).
t(uri_components_36, uri_components(X, uri_components(1, 2, 3, 4, 5)), [X], throws(type_error(atom, 1))).
t(uri_components_38, uri_components('http:',C), [C], answers([[uri_components(http, _, '', _, _)]])).
t(uri_components_39, uri_components('http://',C), [C], answers([[uri_components(http, '', '', _, _)]])).
t(uri_components_40, uri_components(':a',C), [C], answers([[uri_components(_, _, ':a', _, _)]])).
t(uri_components_41, uri_components('a b',C), [C], answers([[uri_components(_, _, 'a b', _, _)]])).
t(uri_components_42, uri_components(`http://a`,C), [C], answers([[uri_components(http, a, '', _, _)]])).

t(uri_data_1, uri_data(path, C, p), [C], answers([[uri_components(_, _, p, _, _)]])).

t(uri_authority_components_1, uri_authority_components('user:pw@host:80',A), [A], answers([[uri_authority(user, pw, host, 80)]])).
t(uri_authority_components_2, uri_authority_components('host',A), [A], answers([[uri_authority(_, _, host, _)]])).
t(uri_authority_components_3, uri_authority_components('host:x',A), [A], answers([[uri_authority(_, _, host, x)]])).
t(uri_authority_components_4, uri_authority_components('user@host',A), [A], answers([[uri_authority(user, _, host, _)]])).
t(uri_authority_components_5, uri_authority_components(X, uri_authority(u, p, h, 80)), [X], answers([['u:p@h:80']])).
t(uri_authority_components_6, uri_authority_components(X, uri_authority(_, _, h, _)), [X], answers([[h]])).
t(uri_authority_components_8, uri_authority_components('',A), [A], answers([[uri_authority(_, _, '', _)]])).
t(uri_authority_components_9, uri_authority_components(X,uri_authority(u,_,h,'80')), [X], answers([['u@h:80']])).
t(uri_authority_components_11, uri_authority_components('a%20b@h',A), [A], answers([[uri_authority('a b', _, h, _)]])).
t(uri_authority_components_12, uri_authority_components(X,uri_authority('a b',_,'h i',_)), [X], answers([['a b@h i']])).
t(uri_authority_components_13, uri_authority_components(_, _), [], throws(instantiation_error)).
t(uri_authority_components_14, uri_authority_components(X, uri_authority(_, _, _, 80)), [X], answers([[':80']])).
t(uri_authority_components_15, uri_authority_components('@h',A), [A], answers([[uri_authority('', _, h, _)]])).
t(uri_authority_components_16, uri_authority_components('u:@h',A), [A], answers([[uri_authority(u, '', h, _)]])).
t(uri_authority_components_17, uri_authority_components('a@b@c',A), [A], answers([[uri_authority(a, _, 'b@c', _)]])).
t(uri_authority_components_18, ( uri_authority_components('u:p@h:8',A),findall(K-V,uri_authority_data(K,A,V),L) ), [A, K, V, L], answers([[uri_authority(u, p, h, 8), _, _, [user-u, password-p, host-h, port-8]]])).

t(uri_authority_data_1, uri_authority_data(host, A, h), [A], answers([[uri_authority(_, _, h, _)]])).

t(uri_encoded_1, uri_encoded(query_value,'a b&c=d/?+\x20ac\',X), [X], answers([['a%20b%26c%3Dd/?%2B%E2%82%AC']])).
t(uri_encoded_2, uri_encoded(fragment,'a b&c=d/?+#%',X), [X], answers([['a%20b&c=d/?+%23%25']])).
t(uri_encoded_3, uri_encoded(path,'a b&c=d/?+:@;#%',X), [X], answers([['a%20b&c=d/%3F+%3A@;%23%25']])).
t(uri_encoded_4, uri_encoded(segment,'a b&c=d/?+:@;#%',X), [X], answers([['a%20b&c=d%2F%3F+%3A@;%23%25']])).
t(uri_encoded_5, uri_encoded(foo,'a b',X), [X], throws(domain_error(uri_component, foo))).
t(uri_encoded_6, uri_encoded(_,'a b',X), [X], throws(type_error(atom, _))).
t(uri_encoded_7, uri_encoded(query_value,X,'a+b%20c%26'), [X], answers([['a b c&']])).
t(uri_encoded_8, uri_encoded(path,X,'a+b%20c%26'), [X], answers([['a+b c&']])).
t(uri_encoded_9, uri_encoded(fragment,X,'%E2%82%AC'), [X], answers([[€]])).
t(uri_encoded_10, uri_encoded(path,X,"a%zz%4"), [X], answers([['a%zz%4']])).
t(uri_encoded_11, uri_encoded(path, X, Y), [X, Y], throws(instantiation_error)).
t(uri_encoded_12, uri_encoded(path,"a b",X), [X], answers([['a%20b']])).
t(uri_encoded_13, uri_encoded(path, f(x), X), [X], throws(type_error(atomic, f(x)))).
t(uri_encoded_14, uri_encoded(path, 12, X), [X], answers([['12']])).
t(uri_encoded_15, uri_encoded(path,`a b`,X), [X], throws(type_error(atomic, [97, 32, 98]))).
t(uri_encoded_16, uri_encoded(query_value,'%41',X), [X], answers([['%2541']])).

t(uri_is_global_1, uri_is_global('http://a'), [], answers([[]])).
t(uri_is_global_2, uri_is_global('a:b'), [], fails).
t(uri_is_global_3, uri_is_global('http'), [], fails).
t(uri_is_global_4, uri_is_global('/a'), [], fails).
t(uri_is_global_5, uri_is_global('c:/foo'), [], fails).
t(uri_is_global_6, uri_is_global(_), [], throws(instantiation_error)).
t(uri_is_global_7, uri_is_global("http://a"), [], answers([[]])).
t(uri_is_global_8, uri_is_global('ab:'), [], answers([[]])).
t(uri_is_global_9, uri_is_global('1a:b'), [], answers([[]])).
t(uri_is_global_10, uri_is_global('mailto:x'), [], answers([[]])).
t(uri_is_global_11, uri_is_global(f(x)), [], throws(type_error(text, f(x)))).
t(uri_is_global_12, uri_is_global('a b:c'), [], fails).
t(uri_is_global_13, uri_is_global(':c'), [], fails).
t(uri_is_global_14, uri_is_global('AB://c'), [], answers([[]])).
t(uri_is_global_15, uri_is_global('a-b:c'), [], answers([[]])).
t(uri_is_global_16, uri_is_global('a.b+c:d'), [], answers([[]])).
t(uri_is_global_17, uri_is_global(''), [], fails).
t(uri_is_global_18, uri_is_global(12), [], throws(type_error(text, 12))).
t(uri_is_global_19, uri_is_global('a/b:c'), [], fails).

t(uri_normalized_1, uri_normalized('HTTP://WWW.Example.COM/a/../b/./c?Q=1#F',X), [X], answers([['http://www.example.com/b/c?Q=1#F']])).
t(uri_normalized_2, uri_normalized('http://a',X), [X], answers([['http://a']])).
t(uri_normalized_3, uri_normalized('http://a/%7euser/%41%2f b',X), [X], answers([['http://a/~user/A/%20b']])).
t(uri_normalized_5, uri_normalized('http://a/b','http://x/y',X), [X], answers([['http://a/b']])).
t(uri_normalized_6, uri_normalized('b','http://x/y/z',X), [X], answers([['http://x/y/b']])).
t(uri_normalized_7, uri_normalized('../b?x y#z','HTTP://X/y/z/',X), [X], answers([['http://x/y/b?x%20y#z']])).
t(uri_normalized_8, uri_normalized('http://a/\x20ac\',X), [X], answers([['http://a/%E2%82%AC']])).
t(uri_normalized_9, uri_normalized('http://a:80/b//c/',X), [X], answers([['http://a:80/b//c/']])).
t(uri_normalized_10, uri_normalized('http://a/b?c+d&e=%20',X), [X], answers([['http://a/b?c%2Bd&e=%20']])).
t(uri_normalized_11, uri_normalized(_, X), [X], throws(instantiation_error)).
t(uri_normalized_12, uri_normalized('/a/b/../../../c',X), [X], answers([['/c']])).
t(uri_normalized_13, uri_normalized('mailto:A@B',X), [X], answers([['mailto:A@B']])).
t(uri_normalized_14, uri_normalized('http://User@Host:8080/',X), [X], answers([['http://user@host:8080/']])).
t(uri_normalized_15, uri_normalized("a b",X), [X], answers([['a%20b']])).
t(uri_normalized_17, uri_normalized('http://a/?b=c%26d&e=f%3dg',X), [X], answers([['http://a/?b=c%26d&e=f%3dg']])).
t(uri_normalized_18, uri_normalized('http://a/?b&c=&=d',X), [X], answers([['http://a/?b&c=&=d']])).
t(uri_normalized_19, uri_normalized('http://a/.',X), [X], answers([['http://a/']])).
t(uri_normalized_20, uri_normalized('http://a/b/..',X), [X], answers([['http://a/']])).
t(uri_normalized_21, uri_normalized('http://a/#%20\xe9\',X), [X], answers([['http://a/#%20%C3%A9']])).
t(uri_normalized_22, uri_normalized('a/b/../c',X), [X], answers([['a/c']])).
t(uri_normalized_23, uri_normalized('',X), [X], answers([['']])).
t(uri_normalized_24, uri_normalized('/',X), [X], answers([[/]])).
t(uri_normalized_25, uri_normalized('.',X), [X], answers([['']])).
t(uri_normalized_26, uri_normalized('./a',X), [X], answers([[a]])).
t(uri_normalized_27, uri_normalized('http://a/%zz%',X), [X], answers([['http://a/%25zz%25']])).
t(uri_normalized_28, uri_normalized('http://a/b/c/./../../g',X), [X], answers([['http://a/g']])).
t(uri_normalized_29, uri_normalized('http://\xc9\.com/',X), [X], answers([['http://%C3%A9.com/']])).
t(uri_normalized_30, uri_normalized('http://%41/',X), [X], answers([['http://a/']])).
t(uri_normalized_31, uri_normalized('?b=c;d=e',X), [X], answers([['?b=c;d=e']])).
t(uri_normalized_32, uri_normalized(f(x), X), [X], throws(type_error(text, f(x)))).
t(uri_normalized_33, uri_normalized('http://a//b/../c',X), [X], answers([['http://a//c']])).
t(uri_normalized_34, uri_normalized('HTTP:',X), [X], answers([['http:']])).
t(uri_normalized_35, uri_normalized('http://a/b?',X), [X], answers([['http://a/b?']])).
t(uri_normalized_36, uri_normalized('urn:A:b',X), [X], answers([['urn:A%3Ab']])).
t(uri_normalized_37, uri_normalized('http://a?q',X), [X], answers([['http://a?q']])).

t(iri_normalized_1, iri_normalized('HTTP://WWW.Example.COM/a/../b/\x20ac\',X), [X], answers([['http://www.example.com/b/€']])).
t(iri_normalized_2, iri_normalized('b%41','http://x/y/z',X), [X], answers([['http://x/y/b%41']])).
t(iri_normalized_3, iri_normalized('http://a/%7e%20 ',X), [X], answers([['http://a/%7e%20%20']])).
t(iri_normalized_4, iri_normalized('http://a/b:c@d;e=f,g+h?i+j:k/l?m;n=o#p+q:r',X), [X], answers([['http://a/b%3Ac@d;e=f,g+h?i%2Bj%3Ak/l?m;n=o#p%2Bq%3Ar']])).
t(iri_normalized_5, iri_normalized('http://a/?b=c%26d&e=f%3dg \xe9\#\xe9\ <',X), [X], answers([['http://a/?b=c%26d&e=f%3dg%20é#é%20%3C']])).
t(iri_normalized_6, iri_normalized('http://a/{|}',X), [X], answers([['http://a/%7B%7C%7D']])).
t(iri_normalized_7, iri_normalized(_, X), [X], throws(instantiation_error)).
t(iri_normalized_8, iri_normalized('b','http://x/y\xe9\/z',X), [X], answers([['http://x/yé/b']])).

t(uri_normalized_iri_1, uri_normalized_iri('HTTP://X/%E2%82%AC/ %20',X), [X], answers([['http://x/€/%20%20']])).
t(uri_normalized_iri_2, uri_normalized_iri('b%E2%82%AC','http://x/y/z',X), [X], answers([['http://x/y/b€']])).
t(uri_normalized_iri_4, uri_normalized_iri('http://a/?b=c%26d&e=f%3dg%C3%A9',X), [X], answers([['http://a/?b=c%26d&e=f%3dgé']])).
t(uri_normalized_iri_5, uri_normalized_iri(_, X), [X], throws(instantiation_error)).

t(uri_iri_1, uri_iri(X,'http://a/\x20ac\'), [X], answers([['http://a/%E2%82%AC']])).
t(uri_iri_2, uri_iri(X,'http://a/b c'), [X], answers([['http://a/b%20c']])).
t(uri_iri_3, uri_iri(X,'http://a/b%20c'), [X], answers([['http://a/b%20c']])).
t(uri_iri_4, uri_iri(X,'http://a/b?x=\xe9\&y=z w#fr\xe9\'), [X], answers([['http://a/b?x=%C3%A9&y=z%20w#fr%C3%A9']])).
t(uri_iri_5, uri_iri(X,'http://\xe9\.com/a'), [X], answers([['http://%C3%A9.com/a']])).
t(uri_iri_6, uri_iri('http://a/%E2%82%AC%20b',X), [X], answers([['http://a/€%20b']])).
t(uri_iri_7, uri_iri('http://a/%41?x=%C3%A9&y=%26%3D#%C3%A9',X), [X], answers([['http://a/A?x=é&y=%26%3D#é']])).
t(uri_iri_8, uri_iri(_, _), [], throws(instantiation_error)).
t(uri_iri_12, uri_iri(X,"a"), [X], answers([[a]])).
t(uri_iri_13, uri_iri(f(x), X), [X], throws(type_error(text, f(x)))).
t(uri_iri_14, uri_iri(X,'a?b=c%26d+e'), [X], answers([['a?b=c%26d%2Be']])).

t(uri_query_components_1, uri_query_components(X,[a=b,c=1,d='x y&z',e="s"]), [X], answers([['a=b&c=1&d=x%20y%26z&e=s']])).
t(uri_query_components_2, uri_query_components(X, [a(b), c(1)]), [X], answers([['a=b&c=1']])).
t(uri_query_components_3, uri_query_components(X, [a-b]), [X], answers([['a=b']])).
t(uri_query_components_4, uri_query_components(X, []), [X], answers([['']])).
t(uri_query_components_5, uri_query_components(X, [foo]), [X], throws(type_error(name_value, foo))).
t(uri_query_components_6, uri_query_components(X, [a=f(x)]), [X], throws(type_error(atomic, f(x)))).
t(uri_query_components_7, uri_query_components(X, [a=_]), [X], throws(instantiation_error)).
t(uri_query_components_8, uri_query_components('a=b&c=d%20e+f',L), [L], answers([[[a=b, c='d e f']]])).
t(uri_query_components_9, uri_query_components('a=b;c=d',L), [L], answers([[[a=b, c=d]]])).
t(uri_query_components_10, uri_query_components('',L), [L], answers([[[]]])).
t(uri_query_components_11, uri_query_components('a',L), [L], throws(syntax_error(illegal_uri_query))).
t(uri_query_components_12, uri_query_components('a=&b',L), [L], throws(syntax_error(illegal_uri_query))).
t(uri_query_components_13, uri_query_components('=a',L), [L], answers([[[''=a]]])).
t(uri_query_components_14, uri_query_components('a=b=c',L), [L], answers([[[a='b=c']]])).
t(uri_query_components_15, uri_query_components("a=1",L), [L], answers([[[a='1']]])).
t(uri_query_components_17, uri_query_components(_, _), [], throws(instantiation_error)).
t(uri_query_components_18, uri_query_components(X,['\x20ac\'='\x20ac\']), [X], answers([['%E2%82%AC=%E2%82%AC']])).
t(uri_query_components_19, uri_query_components('a=%E2%82%AC',L), [L], answers([[[a= €]]])).
t(uri_query_components_21, uri_query_components(f(x), L), [L], throws(type_error(text, f(x)))).
t(uri_query_components_23, uri_query_components('a=b&',L), [L], answers([[[a=b]]])).
t(uri_query_components_24, uri_query_components('a=1&b=1.5',L), [L], answers([[[a='1', b='1.5']]])).
t(uri_query_components_25, uri_query_components(X, [f(a, b)]), [X], throws(type_error(name_value, f(a, b)))).

t(uri_resolve_1, uri_resolve('b','http://x/y/z',X), [X], answers([['http://x/y/b']])).
t(uri_resolve_2, uri_resolve('../b','http://x/y/z/w',X), [X], answers([['http://x/y/b']])).
t(uri_resolve_3, uri_resolve('/b','http://x/y/z',X), [X], answers([['http://x/b']])).
t(uri_resolve_4, uri_resolve('//h/b','http://x/y',X), [X], answers([['http://h/b']])).
t(uri_resolve_5, uri_resolve('ftp://h/b','http://x/y',X), [X], answers([['ftp://h/b']])).
t(uri_resolve_6, uri_resolve('?q','http://x/y?r#s',X), [X], answers([['http://x/y?q']])).
t(uri_resolve_7, uri_resolve('#f','http://x/y?r#s',X), [X], answers([['http://x/y?r#f']])).
t(uri_resolve_8, uri_resolve('','http://x/y?r#s',X), [X], answers([['http://x/y?r']])).
t(uri_resolve_9, uri_resolve('./b/../c','http://x/y/z',X), [X], answers([['http://x/y/c']])).
t(uri_resolve_10, uri_resolve('../../../b','http://x/y/z',X), [X], answers([['http://x/b']])).
t(uri_resolve_11, uri_resolve('b c','http://x/y',X), [X], answers([['http://x/b c']])).
t(uri_resolve_12, uri_resolve('.','http://x/y/z',X), [X], answers([['http://x/y/']])).
t(uri_resolve_13, uri_resolve('..','http://x/y/z',X), [X], answers([['http://x/']])).
t(uri_resolve_15, uri_resolve(_,'http://x',X), [X], throws(instantiation_error)).
t(uri_resolve_16, uri_resolve('b',_,X), [X], throws(instantiation_error)).
t(uri_resolve_17, uri_resolve('b','c/d',X), [X], answers([['c/b']])).
t(uri_resolve_18, uri_resolve('b','',X), [X], answers([[b]])).
t(uri_resolve_19, uri_resolve('a:b','http://x/',X), [X], answers([['a:b']])).
t(uri_resolve_20, uri_resolve('http:b','http://x/y',X), [X], answers([['http:b']])).
t(uri_resolve_21, uri_resolve("b","http://x/y",X), [X], answers([['http://x/b']])).
t(uri_resolve_22, uri_resolve('HTTP://A/%41','http://x/y',X), [X], answers([['HTTP://A/%41']])).
t(uri_resolve_23, uri_resolve('b/./c/..','http://x/y/z?q',X), [X], answers([['http://x/y/b/']])).
t(uri_resolve_24, uri_resolve('g;x=1/../y','http://a/b/c/d;p?q',X), [X], answers([['http://a/b/c/y']])).
t(uri_resolve_25, uri_resolve('g','file:///a/b',X), [X], answers([['file:///a/g']])).
t(uri_resolve_26, uri_resolve('g','urn:a:b',X), [X], answers([['urn:g']])).
t(uri_resolve_27, uri_resolve('/a//b/../c','http://x',X), [X], answers([['http://x/a//c']])).

t(uri_file_name_1, uri_file_name('file:///a/b',X), [X], answers([['/a/b']])).
t(uri_file_name_2, uri_file_name('file:///a%20b/%C3%A9',X), [X], answers([['/a b/é']])).
t(uri_file_name_3, uri_file_name('file://localhost/a',X), [X], answers([['/a']])).
t(uri_file_name_4, uri_file_name('http://a/b',X), [X], fails).
t(uri_file_name_5, uri_file_name(X,'/a/b c'), [X], answers([['file:///a/b%20c']])).
t(uri_file_name_6, uri_file_name(X,'/a/\xe9\?#'), [X], answers([['file:///a/%C3%A9%3F%23']])).
t(uri_file_name_8, uri_file_name('file://host/a',X), [X], fails).
t(uri_file_name_9, uri_file_name('file:/a',X), [X], answers([['/a']])).
t(uri_file_name_10, uri_file_name('/a',X), [X], fails).
t(uri_file_name_11, uri_file_name(X,"/a"), [X], answers([['file:///a']])).
t(uri_file_name_12, uri_file_name(X,'/a:b'), [X], answers([['file:///a%3Ab']])).
t(uri_file_name_13, uri_file_name('file:a',X), [X], answers([[a]])).
t(uri_file_name_14, uri_file_name('file:///a?q#f',X), [X], answers([['/a']])).


% What is no %-sequence, dots at the start, addresses as file names

t(uri_iri_percent, ( uri_iri('%', A), uri_iri('a?b=%&c=%zz', B), uri_iri('a%2', C) ), [A, B, C], answers([['%', 'a?b=%&c=%zz', 'a%2']])).
t(iri_uri_percent, ( uri_iri(A, '%'), uri_iri(B, '%zz'), uri_iri(C, '%41\xE9\%') ), [A, B, C], answers([['%25', '%25zz', 'A%C3%A9%25']])).
t(uri_dots_start, ( uri_normalized('../x', A), uri_normalized('../../x?q=1', B), uri_normalized('./x', C), uri_resolve('../x', y, D) ), [A, B, C, D],
  answers([['/x', '/x?q=1', x, '/x']])).
t(uri_query_semicolon, ( uri_query_components('g;x=1/../y', A), uri_query_components('a=1;b=2', B), uri_query_components('a&b=2', C) ), [A, B, C],
  answers([[['g;x'='1/../y'], [a='1', b='2'], ['a&b'='2']]])).
t(url_is_absolute, findall(F, ( member(F, ['http://ex.com/', 'ab://', 'a://b', 'a1://b', 'AB://b', 'ab:/b']), is_absolute_file_name(F) ), L), [L],
  answers([[['http://ex.com/', 'ab://']]])).
t(url_absolute, ( absolute_file_name('http://ex.com/a/../b', A), absolute_file_name('http://a//b/./c', B), absolute_file_name('http://x', C) ), [A, B, C],
  answers([['http://ex.com/b', 'http://a/b/c', 'http://x']])).
t(url_in_directory, directory_file_path('/a', 'http://b', F), [F], answers([['http://b']])).
t(relative_to_file, findall(R, ( member(P, ['/a/b', '/a', '/a/b/c', '/', '/a/b/x/y', '/x']), relative_file_name(P, '/a/b/c', R) ), L), [L],
  answers([[['.', .., '.', '../../', 'x/y', '../../x']]])).
t(empty_is_directory, ( absolute_file_name('', F), sub_atom(F, _, 1, 0, S) ), [S], answers([[/]])).

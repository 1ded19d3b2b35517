% library(url): addresses taken apart and put together.

:- use_module(library(url)).

url_both(URL) :- parse_url(URL, Parts), parse_url(URL1, Parts), URL == URL1.

t(url_all, parse_url('https://u@h.org:80/a/b%20c?x=1&y=a+b#f%20g', P), [P],
  answers([[[protocol(https), user(u), host('h.org'), port(80), path('/a/b c'), search([x='1', y='a b']), fragment('f g')]]])).
t(url_no_path, parse_url('http://h', P), [P], answers([[[protocol(http), host(h), path(/)]]])).
t(url_no_protocol, parse_url(localhost, P), [P], answers([[[protocol(http), host(localhost), path(/)]]])).
t(url_no_protocol_port, parse_url('h:80/x', P), [P], answers([[[protocol(http), host(h), port(80), path('/x')]]])).
t(url_case, parse_url('HTTP://H/', P), [P], answers([[[protocol(http), host('H'), path(/)]]])).
t(url_mail, parse_url('mailto:x@y', P), [P], answers([[[protocol(mailto), path('x@y')]]])).
t(url_file, parse_url('file:///a/b', P), [P], answers([[[protocol(file), path('/a/b')]]])).
t(url_names_only, parse_url('http://h?a;b=', P), [P], answers([[[protocol(http), host(h), path(/), search([a, b=''])]]])).
t(url_codes, parse_url(`http://h/`, P), [P], answers([[[protocol(http), host(h), path(/)]]])).
t(url_string, parse_url("http://h/", P), [P], answers([[[protocol(http), host(h), path(/)]]])).
t(url_unicode, url_both('http://%d0%b5.com/%c3%a9'), [], answers([[]])).
t(url_again, forall(member(U, ['http://h/', 'ftp://u@h/x', 'http://h/?a=b%26c&d=e', 'file:///a', 'https://h:8080/p#f', 'http://146.50.26.20/']), url_both(U)), [], answers([[]])).
t(url_bad_port, parse_url('http://h:x/', _), [], fails).
t(url_make, parse_url(U, [protocol(http), host(h), path('/a?b#c'), search([x='y z', v(w), n=1])]), [U], answers([['http://h/a%3fb%23c?x=y%20z&v=w&n=1']])).
t(url_unbound, parse_url(_, _), [], throws(instantiation_error)).
t(url_base, parse_url('x?q=1', 'http://h/a/b', P), [P], answers([[[protocol(http), host(h), path('/a/x'), search([q='1'])]]])).
t(url_base_parts, parse_url('/x', [protocol(http), host(h), path('/a/b')], P), [P], answers([[[protocol(http), host(h), path('/x')]]])).
t(url_search, parse_url_search(`a=b&c=d%20e+f`, P), [P], answers([[[a=b, c='d e f']]])).
t(url_search_made, ( parse_url_search(C, [a=b, c='d e']), atom_codes(A, C) ), [A], answers([['a=b&c=d%20e']])).
t(url_location, http_location(P, '/a%20b?x=y#z'), [P], answers([[[path('/a b'), search([x=y]), fragment(z)]]])).
t(url_location_made, http_location([path('/a b'), search([x=y]), fragment(z)], L), [L], answers([['/a%20b?x=y#z']])).
t(search_of_nothing, parse_url_search(_, _), [], throws(instantiation_error)).

% Messages that programs print by SWI-Prolog's terms.

pms(Term, Text) :- message_to_string(Term, Text).

t(to_string, ( pms(error(type_error(a, b), _), A), pms(format('~w~n', [x]), B), pms(foo, C) ), [A, B, C], answers([["Type error: `a' expected, found `b' (an atom)", "x\n", "Unknown message: foo"]])).
t(to_string_lines, pms(compatibility(renamed(a/1, b/1)), S), [S], answers([["The predicate a/1 has been renamed to b/1.\nPlease update your sources for compatibility with future versions."]])).
t(to_string_hook, ( assertz(prolog:message(pm_hooked(X), ['<~w>'-[X], nl, ansi(bold, 'b~w', [1])|T], T)), pms(pm_hooked(1), S) ), [S], answers([["<1>\nb1"]])).

t(no_directive, ( pms(error(context_error(nodirective, persistent(a)), _), A), pms(error(context_error(nodirective, m:p(1, 2)), _), B), pms(error(context_error(nodirective, user:p), _), C) ), [A, B, C],
  answers([["Wrong context: persistent/1 can only be used in a directive", "Wrong context: m:p/2 can only be used in a directive", "Wrong context: p/0 can only be used in a directive"]])).
t(no_directive_unbound, pms(error(context_error(nodirective, a(_)), _), S), [S], answers([["Wrong context: a/1 can only be used in a directive"]])).
t(errors, maplist(pms, [error(failure_error(g), _), error(goal_failed(g), _), error(shell(execute, ls), _), error(signal(int, 2), _), error(goal_expansion_error(bound, f(x)), _),
                        error(initialization_error(failed, g, f:3), _), error(initialization_error(bar, g, f:3), _), error(context_error(function, meta_arg(0)), _)], L), [L],
  answers([[["Goal failed: g", "goal unexpectedly failed: g", "Could not execute `ls'", "Caught signal 2 (int)", "Goal expansion bound a variable to f(x)",
             "f:3: g: false", "f:3: g Unknown message: bar", "Functions are not (yet) supported for meta-arguments of type 0"]]])).
t(thread_errors, maplist(pms, [error(thread_error(t, false), _), error(thread_error(t, exception(x)), _)], L), [L], answers([[["Thread t died due to failure:", "Thread t died abnormally:\nUnknown message: x"]]])).
t(modes, maplist(pms, [debug_mode(on), trace_mode(off), debugging(true), spying([]), spying([a(_), m:b]), spy(user:a(_)), trace(a(_), []), trace(a(_), [call])], L), [L],
  answers([[["Debug mode switched to on", "Trace mode switched to off", "Debug mode is true", "No spy points", "Spy points (see spy/1) on:\n        a/1\n        m:b/0", "Spy point on a/1",
             "        a/1: Not tracing", "        a/1: [call]"]]])).
t(loading, maplist(pms, [load_file(failed(user:x)), load_file(failed(m:x)), make(done(x)), make(reload([a, b])), declare_module(m, abolish([a/1])), redefined_procedure(static, foo(a))], L), [L],
  answers([[["Failed to load x", "Failed to load x into module m", "Make: finished", "Make: reloading 2 files", "Loading module m abolished: [a/1]", "Redefined static procedure foo(a)"]]])).
t(features, maplist(pms, [missing_feature(foo), threads, address_bits, commandline_arg_type(x, y)], L), [L],
  answers([[["This version of Samite does not support foo", "threaded, ", "64 bits, ", "Bad argument to commandline option -x: y"]]])).
t(version, ( pms(version, V), split_string(V, ".", "", Parts), length(Parts, N) ), [N], answers([[3]])).
t(what_is_none, maplist(pms, [load_file(x), make(y), history(z), pack(p), spying(x), tracing(y), debugging(f(x))], L), [L],
  answers([[["Unknown message: load_file(x)", "Unknown message: make(y)", "Unknown message: history(z)", "Unknown message: pack(p)", "Unknown message: spying(x)", "Unknown message: tracing(y)", "Unknown message: debugging(f(x))"]]])).
t(topics, ( pms(debug_topic(foo(_), "foo(_)", true, [user_error]), A), pms(debug_topic(a, "a", false, [x]), B), normalize_space(atom(A1), A), normalize_space(atom(B1), B) ), [A1, B1], answers([['foo(_) \x2714\', 'a - [x]']])).

pms_topics(Options, Topics) :-
    retractall(pms_topic(_)),
    setup_call_cleanup(asserta((user:message_hook(debug_topic(T, _, _, _), _, _) :- assertz(pms_topic(T))), Ref), list_debug_topics(Options), erase(Ref)),
    findall(T, pms_topic(T), Topics).
:- dynamic pms_topic/1.

t(list_topics, ( debug(pms_aa), debug(pms_bb(_, X, X) > 'pms.log'), nodebug(pms_cc), pms_topics("pms_", A), pms_topics([search(pms_a)], B), pms_topics([output('pms.log')], C), pms_topics([active(false), search(pms_)], D), nodebug(pms_aa), nodebug(pms_bb(_, _, _)) ),
  [A, B, C, D], answers([[[pms_aa, pms_bb(_, Y, Y), pms_cc], [pms_aa], [pms_bb(_, Z, Z)], [pms_cc]]])).
t(list_topics_wrong, list_debug_topics(foo(x)), [], throws(type_error(list, foo(x)))).

t(call_time, ( call_time(true, T), is_dict(T, Tag), dict_keys_(T, Ks) ), [Tag, Ks], answers([[time, [cpu, inferences, wall]]])).
t(call_time_solutions, findall(X-R, call_time(member(X, [1, 2]), _, R), L), [L], answers([[[1-true, 2-true]]])).
t(call_time_det, ( call_time(X = 1, T), get_dict(cpu, T, C), number(C), get_dict(inferences, T, I), integer(I) ), [X], answers([[1]])).
t(call_time_fails, ( \+ call_time(fail, _), call_time(fail, T, R), is_dict(T) ), [R], answers([[false]])).
t(call_time_raises, call_time(throw(x), _), [], throws_ball(x)).
dict_keys_(D, Ks) :- dict_pairs(D, _, Ps), pairs_keys(Ps, Ks).

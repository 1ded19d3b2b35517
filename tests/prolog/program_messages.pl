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

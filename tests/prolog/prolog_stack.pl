% Which goals wait: library(prolog_stack).

:- use_module(library(prolog_stack)).

stk_outer(G) :- stk_inner(G), true.
stk_inner(G) :- G, true.

%   Those of this file, as PI.
stk_shown(Frames, PIs) :-
    findall(N/A, ( member(F, Frames), prolog_stack_frame_property(F, predicate(_:N/A)), sub_atom(N, 0, _, _, stk_) ), PIs).

stk_trace(PIs) :- get_prolog_backtrace(100, Frames), stk_shown(Frames, PIs).

t(callers, ( stk_outer(stk_trace(L)), append(_, [stk_inner/1, stk_outer/1|_], L) -> true ), [], answers([[]])).
t(depth, ( stk_outer(get_prolog_backtrace(1, Fs)), length(Fs, N) ), [N], answers([[1]])).
t(depth_0, get_prolog_backtrace(0, Fs), [Fs], answers([[[]]])).
t(depth_error, get_prolog_backtrace(-1, _), [], throws(type_error(nonneg, -1))).
t(levels, ( stk_outer(get_prolog_backtrace(100, Fs)), findall(L, ( member(F, Fs), prolog_stack_frame_property(F, level(L)) ), Ls), length(Ls, N), numlist(1, N, Up), reverse(Up, Ls) ), [], answers([[]])).
t(location, ( stk_outer(get_prolog_backtrace(100, Fs)), member(F, Fs), prolog_stack_frame_property(F, predicate(user:stk_inner/1)), prolog_stack_frame_property(F, location(File:Line)), file_base_name(File, Base), integer(Line) ), [Base],
    answers([['prolog_stack.pl']])).
t(printed, ( stk_outer(get_prolog_backtrace(100, Fs)), with_output_to(string(S), ( current_output(O), print_prolog_backtrace(O, Fs, [subgoal_positions(false)]) )), once(sub_string(S, _, _, _, "] stk_inner/1 at ")) ), [], answers([[]])).
t(line, ( with_output_to(string(S), ( current_output(O), print_prolog_backtrace(O, [frame(2, pred_line(user:a/1, 'f.pl':3), 0), frame(1, call(m:b/0), 0)]) )) ), [S], answers([["   [2] a/1 at f.pl:3\n   [1] m:b/0\n"]])).

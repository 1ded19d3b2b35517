p(G) :- catch(G, E, (print_message(error, E))).
:- p(call_with_time_limit(0.02, (repeat, fail))).
:- p(throw(time_limit_exceeded)).
:- p(throw(inference_limit_exceeded)).
:- p(call_with_inference_limit((repeat, fail), 1000, R)), print(R), nl.
:- length(L, L).
:- call_with_time_limit(0.02, (repeat, fail)).

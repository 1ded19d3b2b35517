:- use_module(library(plunit)).
:- begin_tests(threads).
test(join, S == true) :- thread_create(true, T), thread_join(T, S).
test(raises, S = exception(x)) :- thread_create(throw(x), T, []), thread_join(T, S).
test(queue, X == 1) :-
    message_queue_create(Q), thread_send_message(Q, 1), thread_get_message(Q, X), message_queue_destroy(Q).
test(mutex, [setup(mutex_create(M)), cleanup(mutex_destroy(M))]) :- with_mutex(M, true).
test(first, X == 1) :- first_solution(X, [X = 1], []).
:- end_tests(threads).

% Waiting for a message with a time limit.
% As in SWI-Prolog.  Apart from threads.pl because SWI-Prolog 9.0.4 may wait for
% ever here once its thread for garbage collection has run: give this file a
% process of its own.

tmo_with_queue(Queue, Goal) :-
    message_queue_create(Queue),
    call_cleanup(once(Goal), message_queue_destroy(Queue)).

t(empty, tmo_with_queue(Q, thread_get_message(Q, _, [timeout(0.01)])), [], fails).
t(zero, tmo_with_queue(Q, thread_get_message(Q, _, [timeout(0)])), [], fails).
t(integer, tmo_with_queue(Q, ( thread_send_message(Q, a), thread_get_message(Q, X, [timeout(1)]) )), [X],
  answers([[a]])).
t(no_match, tmo_with_queue(Q, ( thread_send_message(Q, a), thread_get_message(Q, b, [timeout(0.01)]) )), [], fails).
t(no_match_keeps, tmo_with_queue(Q, ( thread_send_message(Q, a), \+ thread_get_message(Q, b, [timeout(0.01)]), thread_get_message(Q, X) )), [X],
  answers([[a]])).
t(negative, tmo_with_queue(Q, thread_get_message(Q, _, [timeout(-1)])), [], fails).
t(own_queue, ( thread_self(Me), thread_get_message(Me, tmo_never, [timeout(0.01)]) ), [], fails).
t(sent_meanwhile, tmo_with_queue(Q, ( thread_create(( sleep(0.02), thread_send_message(Q, late) ), Id), thread_get_message(Q, X, [timeout(1.5)]), thread_join(Id, S) )), [X, S],
  answers([[late, true]])).
t(limit_message, ( catch(call_with_time_limit(0.01, (repeat, fail)), E, true), tmo_message(E, L) ), [E, L],
  answers([[time_limit_exceeded, ['Time limit exceeded']]])).

tmo_message(E, L) :- '$messages':translate_message(E, L, []).

//! Who holds atoms, as `'$atom_holders'/3` tells: what is counted, and what is found by walking over the program and the thread. All that a program
//! keeps beyond its heap is one or the other, and what is taken away holds nothing any more. A collection of atoms leaves what is kept, and nothing else.

mod common;

use common::{run_program, samite};

/// `w(N, Counted, Walked)` of an atom that is nowhere written in the program: each way to keep it, and to give it up.
const PROGRAM: &str = r"
:- dynamic fact/1, rule/1.
:- table tabled/2, moded(_, max).
tabled(X, X).
moded(X, X).
atom(N, A) :- atom_concat(kept_by_, N, A).
holders(N, C-W) :- atom(N, A), '$atom_holders'(A, C, W).
% kept(+N, :Keep, :GiveUp): both are called with the atom.
kept(N, Keep, GiveUp) :-
    holders(N, Before), Before == 0-0,
    atom(N, A), call(Keep, A),
    % (It is given up by another atom of this text, if this one is not kept.)
    garbage_collect, garbage_collect_atoms,
    holders(N, Kept),
    atom(N, B), call(GiveUp, B),
    garbage_collect_clauses,
    given_up(N, After),
    format('~w ~w ~w~n', [N, Kept, After]).
% (A thread that has been joined may have its last step before it.)
given_up(N, After) :- between(1, 100, I), holders(N, After), ( After == 0-0 ; I =:= 100 ; sleep(0.02), fail ), !.
many(G) :- forall(between(1, 500, _), G).
run :-
    kept(fact, [A]>>many(assertz(fact(A))), [_]>>abolish(fact/1)),
    kept(called, [A]>>( assertz(fact2(A)), fact2(A), fact2(A) ), [_]>>abolish(fact2/1)),
    kept(rule, [A]>>many(assertz((rule(X) :- X = g(A)))), [_]>>abolish(rule/1)),
    kept(ruled, [A]>>( many(assertz((rule2(X) :- X = g(A)))), forall(rule2(_), true), forall(rule2(_), true) ), [_]>>abolish(rule2/1)),
    kept(record, [A]>>recordz(A, x(A)), [A]>>( recorded(A, _, R), erase(R) )),
    kept(trie, [A]>>( trie_new(T), trie_insert(T, A, [A]), nb_setval(kept_trie, T) ), [_]>>( nb_getval(kept_trie, T), trie_destroy(T) )),
    kept(message, [A]>>( thread_self(Me), thread_send_message(Me, m(A)) ), [A]>>thread_get_message(m(A))),
    kept(queue, [A]>>( message_queue_create(_, [alias(A)]), thread_send_message(A, A) ), [A]>>message_queue_destroy(A)),
    kept(mutex, [A]>>mutex_create(A), [A]>>mutex_destroy(A)),
    kept(stream, [A]>>open('/dev/null', read, _, [alias(A)]), [A]>>close(A)),
    kept(thread, [A]>>( thread_create(thread_get_message(stop(A)), _, [alias(A)]) ), [A]>>( thread_send_message(A, stop(A)), thread_join(A) )),
    kept(joined, [A]>>( thread_create(throw(A), _, [alias(A)]), thread_property(A, status(S)), wait(A, S), gone ), [A]>>thread_join(A, _)),
    kept(table, [A]>>( tabled(A, _), moded(A, _) ), [_]>>abolish_all_tables),
    kept(untable, [A]>>tabled(f(A), _), [_]>>( untable(tabled/2), abolish_all_tables )),
    kept(ball, [A]>>catch(throw(x(A)), _, true), [_]>>true),
    kept(results, [A]>>findall(A, ( member(_, [1, 2]), holders(results, H), assertz(during(H)) ), _), [_]>>true),
    findall(H, during(H), Hs), write(Hs), nl,
    retractall(during(_)), garbage_collect, garbage_collect_atoms,
    findall(A, ( current_atom(A), atom_length(A, L), L > 8, sub_atom(A, 0, _, _, kept_by_) ), As), write(As), nl.
% (It has its name as long as it runs.)
gone :- between(1, 100, _), ( holders(joined, 1-_) -> true ; sleep(0.02), fail ), !.
gone.
wait(_, exception(_)) :- !.
wait(A, _) :- thread_property(A, status(S)), wait(A, S).
:- dynamic fact2/1, rule2/1, during/1.
";

/// Counted and walked, while it is kept and afterwards. A fact has its term and its key, a
/// rule its term; what has been called twice has code as well.
#[test]
fn what_is_kept_is_known_and_what_is_given_up_is_not() {
    let run = run_program(samite(), PROGRAM).status(0).silent();
    run.prints(
        "fact 0-1000 0-0\n\
         called 0-3 0-0\n\
         rule 0-500 0-0\n\
         ruled 0-1500 0-0\n\
         record 0-2 0-0\n\
         trie 0-2 0-0\n\
         message 0-1 0-0\n\
         queue 1-1 0-0\n\
         mutex 1-0 0-0\n\
         stream 2-0 0-0\n\
         thread 2-0 0-0\n\
         joined 1-1 0-0\n\
         table 0-4 0-0\n\
         untable 0-2 0-0\n\
         ball 0-0 0-0\n\
         results 0-0 0-0\n\
         [0-0,0-1]\n\
         []\n",
    );
}

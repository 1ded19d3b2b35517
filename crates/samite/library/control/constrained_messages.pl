%   Messages for patterns with attributed variables: the goals that wait for these decide, with the pattern, which message is taken; as in
%   SWI-Prolog, but for where they run: in the receiver, while the queue is everybody's. A message is seen, and taken when the goals have succeeded, unless
%   somebody else has taken it meanwhile. For the builtins of machine/builtins/queues.rs, which leave such patterns to these.
:- module('$constrained_messages', ['$get_constrained_message'/3, '$peek_constrained_message'/2]).

%   '$get_constrained_message'(+Queue, ?Pattern, +Options) is semidet: Options say until when.
'$get_constrained_message'(Queue, Pattern, Options) :- get(Queue, Pattern, Options, 0).

get(Queue, Pattern, Options, After) :-
    copy_term_nat(Pattern, Plain),
    '$see_message'(Queue, Plain, After, Seen, Options),
    (   Pattern = Plain,
        '$take_message'(Queue, Seen)
    ->  true
    ;   get(Queue, Pattern, Options, Seen)
    ).

%   '$peek_constrained_message'(+Queue, ?Pattern) is semidet.
'$peek_constrained_message'(Queue, Pattern) :- peek(Queue, Pattern, 0).

peek(Queue, Pattern, After) :-
    copy_term_nat(Pattern, Plain),
    '$see_message'(Queue, Plain, After, Seen, ['$until'(0)]),
    (   Pattern = Plain -> true
    ;   peek(Queue, Pattern, Seen)
    ).

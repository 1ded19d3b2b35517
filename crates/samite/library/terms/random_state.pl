:- module('$random_state', [random_property/1]).

/*  Where the random numbers of a thread have got to.  */

%!  random_property(?Property) is semidet.
%
%   Property is state(Integer): after set_random(state(Integer)) the random numbers of a thread are those that follow now. (The generator is started anew
%   from a number that it has drawn: that is short, and nobody sees what it was before.)

random_property(state(State)) :-
    var(State),
    Drawn is random(1 << 60),
    set_random(state(Drawn)),
    State = Drawn.

:- module(sicstus_timeout, [ time_out/3 ]).

/*  SICStus Prolog's library(timeout).  */

:- meta_predicate time_out(0, +, -).

%!  time_out(:Goal, +Milliseconds, -Result) is semidet.
%
%   Goal once; Result is success, or time_out if it takes longer.

time_out(Goal, Milliseconds, Result) :-
    must_be(positive_integer, Milliseconds),
    Seconds is Milliseconds/1000,
    catch(( call_with_time_limit(Seconds, Goal), Result0 = success ), time_limit_exceeded, Result0 = time_out),
    Result = Result0.

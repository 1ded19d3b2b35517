% Records what SWI-Prolog 9.0 does with the calls of format/2 in format_cases.pl:
%
%     swipl record.pl < format_cases.pl > new && mv new format_cases.pl
%
% A case is c(Format, Args, ok(String)) or c(Format, Args, err(FormalAsString)); a new one may be given as c(Format, Args).
% Errors of evaluation are left out, as they are not those of format/2.

:- initialization((main, halt)).

main :-
    set_stream(user_input, encoding(utf8)),
    set_stream(user_output, encoding(utf8)),
    repeat,
        read(Case),
        (   Case == end_of_file
        ->  !
        ;   ( Case = c(Format, Args) ; Case = c(Format, Args, _) ),
            record(Format, Args),
            fail
        ).

record(Format, Args) :-
    catch(( format(string(Text), Format, Args), Result = ok(Text) ),
          error(Formal, _),
          ( with_output_to(string(E), writeq(Formal)), Result = err(E) )),
    \+ evaluation(Formal),
    write_term(c(Format, Args, Result), [quoted(true), fullstop(true), nl(true)]).

evaluation(Formal) :- nonvar(Formal), evaluation_(Formal).

evaluation_(type_error(evaluable, _)).
evaluation_(type_error([], _)).
evaluation_(instantiation_error).
evaluation_(evaluation_error(_)).

:- endif.
p(1).
:- else.
:- elif(true).
q(1).

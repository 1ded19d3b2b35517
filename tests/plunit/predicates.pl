:- use_module(library(plunit)).
t(G) :- format(user_error,"--- ~q~n",[G]), ( catch(G,E,(print_message(error,E),(E=error(F,_)->true;F=E),format(user_error,"RAISED ~q~n",[F]))) -> format(user_error,"~NTRUE ~q~n",[G]) ; format(user_error,"~NFALSE~n",[]) ).
:- begin_tests(a).
test(one) :- true.
test(two, X == 2) :- X is 1+1.
test(two, X == 3) :- X is 1+1.
test(f(3)) :- true.
:- end_tests(a).
:- begin_tests(b).
test(one) :- true.
:- end_tests(b).
:- begin_tests(c, [condition(fail)]).
test(one) :- true.
:- end_tests(c).
q(run_tests(nosuch)).
q(run_tests(a:one)).
q(run_tests(a:two)).
q(run_tests(a:[one,two])).
q(run_tests(a:nosuch)).
q(run_tests([a,b])).
q(run_tests([b,b:one])).
q(run_tests([])).
q(run_tests(_)).
q(run_tests(1)).
q(run_tests(a:f(3))).
q(run_tests(a:f(_))).
q(run_tests(c)).
q(set_test_options(foo)).
q(set_test_options([foo(1)])).
q(set_test_options([load(x)])).
q(set_test_options([run(x)])).
q(set_test_options([run(manual)])).
q(set_test_options([silent(x)])).
q(set_test_options([sto(x)])).
q(set_test_options([cleanup(x)])).
q(set_test_options([concurrent(true)])).
q(set_test_options([output(always)])).
q(set_test_options([format(log)])).
q(set_test_options([jobs(2)])).
q(set_test_options([timeout(2)])).
q(set_test_options([show_blocked(true)])).
q(set_test_options([occurs_check(true)])).
q(set_test_options([occurs_check(error)])).
q(set_test_options(_)).
q(set_test_options([silent(true)])).
q(run_tests).
q(run_tests(b)).
q(set_test_options([silent(false)])).
q(running_tests).
q(test_report(_)).
q(test_report(all)).
q(test_report(fixme)).
q(test_report(failed)).
q(test_report(passed)).
q(test_report(nosuch)).
q(test_report(blocked)).
q(forall(current_test(A,B,C,D,E),(print(user_error,ct(A,B,C,D,E)),nl(user_error)))).
q(forall(current_test_unit(A,B),(print(user_error,ct(A,B)),nl(user_error)))).
q(current_test(b,_,_,_,_)).
q(current_test(nosuch,_,_,_,_)).
q(load_test_files([])).
q(load_test_files(x)).
q(load_test_files(_)).
q(forall(plunit:current_unit(A,B,C,D),(print(user_error,ct(A,B,C,D)),nl(user_error)))).
q(begin_tests(_)).
q(begin_tests(3)).
q(end_tests(x)).
q(begin_tests(a)).
q(begin_tests(zz,foo)).
q(begin_tests(zz,[setup(1),foo])).
q((set_test_options([concurrent(true)]),run_tests)).
:- initialization(forall(q(G),t(G))).

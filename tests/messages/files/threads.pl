:- thread_create(fail, Id), thread_join(Id).
:- thread_create(X is foo, Id), thread_join(Id).
:- thread_join(no_such_thread).
:- thread_create(true, _, [alias(1)]).
:- thread_send_message(no_such_thread, x).
:- mutex_unlock(no_such_mutex).

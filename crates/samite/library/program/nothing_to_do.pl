:- module('$nothing_to_do', [trim_heap/0, noprotocol/0, protocolling/1]).

/*  What programs ask for where Samite has nothing to do.  */

%!  trim_heap is det.
%
%   Memory that is free goes back to the system by itself.

trim_heap.

%!  noprotocol is det.
%!  protocolling(-File) is semidet.
%
%   No record of the terminal is made (protocol/1 says why): there is none to end, and no File of one.

noprotocol.

protocolling(_) :- fail.

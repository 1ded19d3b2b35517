:- module('$numbers', [bounded_number/3, float_class/2, float_parts/4]).

/*  Kinds and parts of numbers.  */

%!  float_class(+Float, -Class) is det.
%
%   Class is one of nan, infinite, zero, subnormal, normal.

float_class(Float, Class) :-
    (   float(Float) -> class_of(Float, Class)
    ;   var(Float) -> throw(error(instantiation_error, context(system:float_class/2, _)))
    ;   throw(error(type_error(float, Float), context(system:float_class/2, _)))
    ).

class_of(Float, Class) :-
    (   Float =\= Float -> Class = nan
    ;   Float =:= 0.0 -> Class = zero
    ;   infinite(Float) -> Class = infinite
    ;   abs(Float) < 2.2250738585072014e-308 -> Class = subnormal
    ;   Class = normal
    ).

infinite(Float) :-
    abs(Float) > 1.7976931348623157e308.

%!  float_parts(+Number, -Mantissa, -Base, -Exponent) is det.
%
%   Number is Mantissa * Base ** Exponent with 0.5 =< abs(Mantissa) < 1 and Base 2;
%   zeros, infinities and NaN are their own mantissas.

float_parts(Number, Mantissa, 2, Exponent) :-
    (   float(Number) -> Float = Number
    ;   number(Number) -> Float is float(Number)
    ;   var(Number) -> throw(error(instantiation_error, context(system:float_parts/4, _)))
    ;   throw(error(type_error(float, Number), context(system:float_parts/4, _)))
    ),
    class_of(Float, Class),
    (   ( Class == normal ; Class == subnormal )
    ->  Exponent0 is truncate(log(abs(Float)) / log(2)),
        exact_parts(Float, Exponent0, Mantissa0, Exponent1)
    ;   Mantissa0 = Float,
        Exponent1 = 0
    ),
    Mantissa = Mantissa0,
    Exponent = Exponent1.

%   The logarithm is near the exponent. Powers of two within the range of floats
%   are exact, and so is what is divided by them.

exact_parts(Float, Exponent0, Mantissa, Exponent) :-
    Power is max(-1074, min(1023, Exponent0 - 1)),
    Mantissa0 is Float / 2.0 ** Power / 2,
    adjusted(Mantissa0, Power + 1, Mantissa, Exponent).

adjusted(Mantissa0, Exponent0, Mantissa, Exponent) :-
    Size is abs(Mantissa0),
    (   Size < 0.5
    ->  Mantissa1 is Mantissa0 * 2,
        adjusted(Mantissa1, Exponent0 - 1, Mantissa, Exponent)
    ;   Size >= 1
    ->  Mantissa1 is Mantissa0 / 2,
        adjusted(Mantissa1, Exponent0 + 1, Mantissa, Exponent)
    ;   Mantissa = Mantissa0,
        Exponent is Exponent0
    ).

%!  bounded_number(?Low, ?High, +Number) is semidet.
%
%   Low < Number < High. An unbound one becomes the nearest number of its kind:
%   the next integer, else the next float.

bounded_number(Low, High, Number) :-
    (   number(Number) -> true
    ;   var(Number) -> throw(error(instantiation_error, context(system:bounded_number/3, _)))
    ;   throw(error(type_error(number, Number), context(system:bounded_number/3, _)))
    ),
    (   number(Low) -> Low < Number
    ;   var(Low) -> next_number(Number, -1, Low)
    ),
    (   number(High) -> High > Number
    ;   var(High) -> next_number(Number, 1, High)
    ).

next_number(Number, Step, Next) :-
    (   integer(Number) -> Next is Number + Step
    ;   Float is float(Number),
        End is Step * 1.7976931348623157e308,
        (   Float =\= End -> Next is nexttoward(Float, End)
        ;   Next is copysign(inf, Step)
        )
    ).

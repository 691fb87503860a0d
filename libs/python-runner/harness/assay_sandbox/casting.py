"""Casts what a metric returned to its return type. Messages name the type of a value and never the value."""

import math
import numbers
import sys
from decimal import Decimal

# Bound before a metric can replace them.
from builtins import bool, dict, float, int, isinstance, len, str, type

MAX_TEXT = 100_000
BOOLEANS = {"true": True, "false": False}


class Uncastable(Exception):
    pass


def split_result(value):
    """Returns value and explanation of a result, which may be a dict of `score` or `result`, and `explanation`."""
    if isinstance(value, dict):
        for name in ("score", "result"):
            if name in value:
                return value[name], value.get("explanation")
    return value, None


def cast_value(value, return_type, categories):
    value = plain(value)
    if value is None:
        raise Uncastable(f"the result is None and cannot be cast to {return_type}")
    if isinstance(value, (float, Decimal)) and not math.isfinite(value):
        raise Uncastable("the result is not a finite number")
    return CASTS[return_type](value, categories)


def plain(value):
    """Returns scalars of numpy as values of Python."""
    numpy = sys.modules.get("numpy")
    return value.item() if numpy is not None and isinstance(value, numpy.generic) else value


def cast_float(value, _categories):
    if not (isinstance(value, str) or is_number(value)):
        raise uncastable(value, "float")
    try:
        number = float(exact_text(value) if isinstance(value, str) else value)
    except (ValueError, OverflowError):
        raise uncastable(value, "float") from None
    if not math.isfinite(number):
        raise Uncastable("the result is not a finite number")
    # float() returns an exact float, whatever the class of the value.
    return number


def cast_boolean(value, _categories):
    if isinstance(value, str):
        boolean = BOOLEANS.get(exact_text(value).lower())
        if boolean is None:
            raise uncastable(value, "boolean")
        return boolean
    if not is_number(value):
        raise uncastable(value, "boolean")
    return bool(value)


def cast_string(value, _categories):
    text = exact_text(value)
    if len(text) > MAX_TEXT:
        raise Uncastable(f"the result is longer than {MAX_TEXT} characters")
    return text


def cast_categorical(value, categories):
    text = cast_string(value, categories)
    if categories and text not in categories:
        raise Uncastable("the result is not one of the categories")
    return text


CASTS = {"float": cast_float, "boolean": cast_boolean, "string": cast_string, "categorical": cast_categorical}


def is_number(value):
    return isinstance(value, (int, float, Decimal, numbers.Real))


def exact_text(value):
    """Returns `str(value)` as an instance of str and of no subclass."""
    return str.__str__(value if isinstance(value, str) else str(value))


def uncastable(value, return_type):
    return Uncastable(f"the result is of type {exact_text(type.__dict__['__name__'].__get__(type(value)))} and cannot be cast to {return_type}")

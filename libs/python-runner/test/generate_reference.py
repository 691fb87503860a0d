"""Writes casts.json: what CPython makes of values by the rules of docs/python-metrics.md, without the code of the runner.

Run by hand after a change of the cases: python3 generate_reference.py
"""

import json
import math
import platform
from decimal import Decimal  # noqa: F401 (used by expressions)
from fractions import Fraction  # noqa: F401
from pathlib import Path

EXPRESSIONS = """
0 | 1 | -1 | 42 | 2**53 | 2**53+1 | 10**20 | 10**308 | 10**309 | -10**400 | 0.0 | -0.0 | 0.1 | 1e-7 | 1e16 | 1e21 | 1e308*10 | 5e-324 | float('nan')
float('inf') | True | False | None | '' | ' ' | 'x' | '1' | ' 1 ' | '1.5' | '+1' | '-.5' | '1e3' | '1_000' | '0x10' | '1,5' | '\\u0661' | 'nan' | 'inf'
'Infinity' | '1e999' | 'true' | 'True' | 'FALSE' | ' true' | 'yes' | 'no' | 'None' | 'good' | 'Good' | 'bad' | b'1' | bytearray(b'1') | [] | [1] | (1,)
{} | {'a': 1} | {1} | 1j | Decimal('1.5') | Decimal('NaN') | Decimal('Infinity') | Decimal('1e400') | Fraction(1, 4) | Fraction(0) | range(2) | ...
{'score': 1} | {'score': None} | {'score': None, 'result': 1} | {'result': '2'} | {'score': True, 'explanation': 'because'} | {'score': 'good', 'explanation': None}
{'result': 0, 'explanation': 7} | {'explanation': 'no score'} | {'score': {'score': 1}} | {'score': 1.5, 'explanation': {'a': 1}}
'\\u00e9\\U0001f600' | 'a' * 100
""".replace("\n", "|").split("|")
RETURN_TYPES = ["float", "boolean", "string", "categorical"]
CATEGORIES = ["good", "bad", "1", "1.0", "True"]


class NoCast(Exception):
    pass


def cast(value, return_type):
    if value is None or (isinstance(value, (float, Decimal)) and not math.isfinite(value)):
        raise NoCast
    numeric = isinstance(value, (int, float, Decimal, Fraction))
    text = str(value)
    if return_type == "float":
        if not numeric and not isinstance(value, str):
            raise NoCast
        try:
            number = float(value)
        except (ValueError, OverflowError):
            raise NoCast from None
        if not math.isfinite(number):
            raise NoCast
        return number
    if return_type == "boolean":
        if numeric:
            return value != 0
        if isinstance(value, str) and text.lower() in ("true", "false"):
            return text.lower() == "true"
        raise NoCast
    if return_type == "categorical" and text not in CATEGORIES:
        raise NoCast
    return text


def outcome(expression, return_type):
    value, explanation = eval(expression), None
    if isinstance(value, dict) and ("score" in value or "result" in value):
        explanation = value.get("explanation")
        value = value["score"] if "score" in value else value["result"]
    try:
        return {"value": cast(value, return_type), **({} if explanation is None else {"explanation": str(explanation)})}
    except NoCast:
        return None


def main():
    expressions = [one.strip() for one in EXPRESSIONS if one.strip()]
    cases = [{"expression": one, "outcomes": {kind: outcome(one, kind) for kind in RETURN_TYPES}} for one in expressions]
    document = {"python": platform.python_version(), "categories": CATEGORIES, "cases": cases}
    Path(__file__).with_name("casts.json").write_text(json.dumps(document, indent=1, ensure_ascii=True, allow_nan=False) + "\n")


main()

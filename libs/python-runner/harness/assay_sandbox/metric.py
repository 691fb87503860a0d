"""Evaluates one metric in the process of its own: compiles and runs the source, calls its function, casts the result.

Everything here runs beside the code of the metric's author, who can change any of it. The parent checks what arrives.
"""

import inspect
import json
import sys
import traceback
import types

# Bound before a metric can replace them.
from builtins import callable, compile, exec, getattr, isinstance, len, str, type

from .casting import Uncastable, cast_value, exact_text, split_result
from .event_loop import run as run_coroutine

FILE_NAME = "<metric>"
MODULE_NAME = "metric"
OBJECTS = ("inputs", "outputs", "feedback", "metadata", "metrics", "config", "user_properties")
SCALARS = ("event_type", "event_name", "event_id", "session_id", "project_id", "source", "start_time", "end_time", "duration", "error")
PREFERRED_NAMES = ("evaluate", "evaluator", "main", "check")
MAX_MESSAGE = 2_000
MAX_EXPLANATION = 10_000
CO_OPTIMIZED = inspect.CO_OPTIMIZED


class Unprocessable(Exception):
    """The source has nothing to call."""


def evaluate(job, on_compilation):
    """Returns the outcome as JSON. `on_compilation` is called with whether the source has compiled."""
    try:
        code = compile(job["source"], FILE_NAME, "exec", dont_inherit=True)
    except BaseException as error:
        on_compilation(False)
        return failure("compilation_error", describe_compilation(error), getattr(error, "lineno", None))
    on_compilation(True)
    try:
        value, explanation = split_result(result_of(code, job))
        value = cast_value(value, job["returnType"], job.get("categories"))
        outcome = {"ok": True, "value": value}
        if explanation is not None:
            outcome["explanation"] = exact_text(explanation)[:MAX_EXPLANATION]
        return json.dumps(outcome, allow_nan=False)
    except Unprocessable as error:
        return failure("unprocessable", str(error))
    except Uncastable as error:
        return failure("execution_error", str(error))
    except BaseException as error:
        return failure("execution_error", describe(error), line_of(error))


def result_of(code, job):
    """Runs the source as a module. Returns its `result`, or what its function returns."""
    known = known_names(job["event"])
    module = types.ModuleType(MODULE_NAME)
    sys.modules[MODULE_NAME] = module
    namespace = module.__dict__
    namespace.update(known)
    exec(code, namespace)
    defined = [name for name in defined_functions(code) if callable(namespace.get(name))]
    if "result" in namespace and "result" not in defined:
        return namespace["result"]
    function = namespace[chosen(defined, job["metricName"])]
    arguments, named = bind(function, known)
    value = function(*arguments, **named)
    return run_coroutine(value) if inspect.iscoroutine(value) else value


def known_names(event):
    names = {name: event.get(name) for name in SCALARS}
    for name in OBJECTS:
        value = event.get(name)
        names[name] = {} if value is None else value
    names["event"] = event
    return names


def defined_functions(code):
    """Returns the names of the functions that the source defines at top level, in order; the code of a class body has no CO_OPTIMIZED."""
    functions = []
    for constant in code.co_consts:
        if not isinstance(constant, types.CodeType):
            continue
        if constant.co_name.startswith("<generic parameters of "):
            functions += defined_functions(constant)
        elif constant.co_flags & CO_OPTIMIZED and not constant.co_name.startswith("<"):
            functions.append(constant.co_name)
    return functions


def chosen(defined, metric_name):
    if not defined:
        raise Unprocessable("the source defines neither `result` nor a function")
    for name in (metric_name, *PREFERRED_NAMES):
        if name in defined:
            return name
    return defined[-1]


def bind(function, known):
    """Returns the arguments of the call. Parameters get values by their names."""
    try:
        parameters = [one for one in inspect.signature(function).parameters.values() if one.kind not in (one.VAR_POSITIONAL, one.VAR_KEYWORD)]
    except (TypeError, ValueError):
        return [], {}
    feedback = known["feedback"]
    ground_truth = feedback.get("ground_truth") if isinstance(feedback, dict) else None
    aliases = {"generation": known["outputs"], "output": known["outputs"], "ground_truth": ground_truth, "ground_truths": ground_truth}
    values = {**aliases, **known}
    unknown = [one for one in parameters if one.name not in values and one.default is one.empty]
    fallback = known["event"] if len(unknown) == 1 else None
    arguments, named, skipped = [], {}, False
    for one in parameters:
        if one.name not in values and one.default is not one.empty:
            skipped = True
            continue
        value = values.get(one.name, fallback)
        if one.kind is one.POSITIONAL_ONLY and not skipped:
            arguments.append(value)
        elif one.kind is not one.POSITIONAL_ONLY:
            named[one.name] = value
    return arguments, named


def failure(code, message, line=None):
    error = {"code": code, "message": message[:MAX_MESSAGE]}
    if type(line) is int and line > 0:
        error["line"] = line
    return json.dumps({"ok": False, "error": error})


def describe_compilation(error):
    try:
        return exact_text(error.msg) if isinstance(error, SyntaxError) else describe(error)
    except BaseException:
        return "the source does not compile"


def describe(error):
    """Returns class and text of an exception, which may misbehave when they are read."""
    try:
        name = exact_text(type.__dict__["__name__"].__get__(type(error)))
        text = exact_text(error)
        return f"{name}: {text}" if text else name
    except BaseException:
        return "the metric raised an exception that has no text"


def line_of(error):
    """Returns the line of the source that raised the exception, or called what raised it."""
    try:
        lines = [line for frame, line in traceback.walk_tb(error.__traceback__) if frame.f_code.co_filename == FILE_NAME]
        return lines[-1] if lines else None
    except BaseException:
        return None

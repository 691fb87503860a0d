"""Writes jinja-cases.json: templates, and what Jinja2's sandbox makes of them.

    pip install jinja2==3.1.6
    python3 libs/templates/test/generate_cases.py

Every case is rendered with the same variables. A case whose rendering fails has no output: ours must fail as well.
"""

import json
import pathlib
import re

import jinja2
from jinja2.sandbox import SandboxedEnvironment

assert jinja2.__version__ == "3.1.6", jinja2.__version__

HERE = pathlib.Path(__file__).parent
VARIABLES = {
    "inputs": {
        "question": "What is 2 < 3?",
        "messages": [
            {"role": "system", "content": "Be brief."},
            {"role": "user", "content": "Hi there, it's me"},
            {"role": "Assistant", "content": None},
        ],
        "items": {"a": 1},
        "empty": [],
        "nested": {"list": [[1, 2], [3]], "deep": {"x": {"y": "z"}}},
    },
    "outputs": {"answer": "Yes\nit is", "score": 0.25, "count": 3, "flag": True},
    "feedback": {},
    "metadata": {"user": "Zoë", "emoji": "a😀b", "tags": ["b", "A", "c", "a"], "html": "<b>R&D</b> 'x' \"y\""},
    "metrics": {"accuracy": 0.9, "latency": 12, "cost": 1e-05, "big": 1e16},
    "config": {"model": "gpt-4o", "temperature": 0.0},
    "user_properties": {},
    "error": None,
    "event_name": "chat",
    "words": ["foo bar", "Baz", "qux", "foo"],
    "people": [
        {"name": "Ann", "age": 31, "city": "Oslo"},
        {"name": "bob", "age": 25, "city": "Rome"},
        {"name": "Cid", "age": 31, "city": "oslo"},
        {"name": "Dee", "age": 40},
    ],
    "numbers": [3, 1, 2.5, -4, 10],
    "text": "The quick brown fox jumps over the lazy dog",
    "long": "well-known state-of-the-art approach, supercalifragilisticexpialidocious words in a row",
}


def integers(value):
    """Whole numbers of an event are integers."""
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if isinstance(value, dict):
        return {key: integers(item) for key, item in value.items()}
    if isinstance(value, list):
        return [integers(item) for item in value]
    return value


def templates():
    for file in sorted((HERE / "templates").glob("*.txt")):
        for block in re.split(r"^----\n", file.read_text(), flags=re.M):
            if block.strip() == "":
                continue
            multiline = block.startswith("|\n")
            for template in [block[2:]] if multiline else block.rstrip("\n").split("\n"):
                if template != "":
                    yield file.stem, template


def render(template):
    environment = SandboxedEnvironment()
    try:
        return {"output": environment.from_string(template).render(integers(VARIABLES))}
    except Exception as error:
        return {"error": type(error).__name__}


def main():
    cases = [{"group": group, "template": template, **render(template)} for group, template in templates()]
    document = {"variables": VARIABLES, "cases": cases}
    (HERE / "jinja-cases.json").write_text(json.dumps(document, ensure_ascii=False, indent=1) + "\n")
    print(len(cases), "cases,", sum("error" in case for case in cases), "of them errors")


if __name__ == "__main__":
    main()

"""Runs statements in a ClickHouse engine that a Python wheel carries: `library.py <module of the engine> <folder of the data>`.

Requests come on standard input as lines of JSON: `{"before": [sql], "sql": sql, "format": name}`. Each is answered in order on file descriptor 3 by a line of JSON, `{"bytes": length}` or `{"error": text}`, and the bytes of the result.
"""

import importlib
import json
import os
import sys
import types


def load(path):
    """Loads the native module without its package, which would need pyarrow."""
    package = types.ModuleType("chdb")
    package.__path__ = [os.path.dirname(path)]
    sys.modules["chdb"] = package
    return importlib.import_module("chdb._chdb")


class Engine:
    """An engine with one connection, because closing one of several closes all in some versions."""

    def __init__(self, module, folder):
        self.connection = module.connect(folder)

    def run(self, before, sql, output):
        for statement in before:
            self.connection.query(statement, "Null")
        return self.connection.query(sql, output).bytes()


def main():
    # The engine reads the rows of an insert from standard input, too.
    requests = os.fdopen(os.dup(0), "rb")
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    module = load(sys.argv[1])
    engine = Engine(module, sys.argv[2])
    answers = os.fdopen(3, "wb")
    for line in requests:
        request = json.loads(line)
        try:
            result = engine.run(request["before"], request["sql"], request["format"])
            head = {"bytes": len(result)}
        except Exception as error:  # the engine raises RuntimeError; whatever it is, the caller gets it
            result, head = b"", {"error": str(error)}
        answers.write(json.dumps(head).encode() + b"\n" + result)
        answers.flush()


main()

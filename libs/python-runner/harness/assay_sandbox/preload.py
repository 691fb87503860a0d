"""Imports what metrics may use before the first fork, so that no call pays for it.

Native modules must be loaded here: a metric cannot map executable memory. Other modules can be imported later where Landlock lets metrics read
the folders of libraries.
"""

import importlib
import importlib.machinery
import os
import sys

STANDARD = """
abc argparse array ast asyncio base64 binascii bisect bz2 calendar cmath codecs collections collections.abc colorsys concurrent.futures configparser
contextlib contextvars copy csv ctypes dataclasses datetime decimal difflib dis email email.message email.policy email.utils encodings.ascii
encodings.base64_codec encodings.cp1252 encodings.hex_codec encodings.idna encodings.latin_1 encodings.punycode encodings.unicode_escape
encodings.utf_16 encodings.utf_16_le encodings.utf_32 encodings.utf_8 encodings.utf_8_sig enum errno fnmatch fractions functools gc getpass gettext
glob graphlib gzip hashlib heapq hmac html html.entities html.parser http http.client imaplib importlib.resources inspect io ipaddress itertools json
keyword linecache locale logging logging.handlers lzma math mimetypes multiprocessing numbers opcode operator os pathlib pickle pkgutil platform
plistlib pprint queue quopri random re reprlib sched secrets select selectors shlex shutil signal smtplib socket sqlite3 ssl stat statistics string
stringprep struct subprocess symtable tempfile textwrap threading time timeit token tokenize traceback types typing unicodedata unittest
unittest.mock urllib.error urllib.parse urllib.request uuid warnings weakref wsgiref xml.dom.minidom xml.etree.ElementTree xml.sax zipfile zlib
zoneinfo
""".split()

LIBRARIES = {
    "jsonschema": ["jsonschema", "jsonschema.validators", "jsonschema.exceptions"],
    "numpy": ["numpy", "numpy.linalg", "numpy.random"],
    "pandas": ["pandas"],
    "requests": ["requests"],
    "scikit-learn": [
        "sklearn",
        "sklearn.metrics",
        "sklearn.metrics.pairwise",
        "sklearn.feature_extraction.text",
        "sklearn.linear_model",
        "sklearn.preprocessing",
    ],
    "sqlglot": ["sqlglot", "sqlglot.diff", "sqlglot.optimizer"],
}

UNUSED_NATIVE = ("_test", "xx", "_xx", "_tkinter", "_curses", "readline", "nis", "ossaudiodev", "spwd", "_ctypes_test", "_interp")


def preload():
    """Returns the names of the third-party libraries that are installed and could be loaded."""
    # Libraries of linear algebra start threads, which a fork would lose.
    for name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):
        os.environ[name] = "1"
    for name in [*STANDARD, *native_modules()]:
        load(name)
    loaded = [name for name, modules in LIBRARIES.items() if [load(module) for module in modules][0]]
    os.environ.clear()
    return loaded


def load(name):
    try:
        importlib.import_module(name)
        return True
    except BaseException:
        return False


def native_modules():
    """Returns the names of the standard library's extension modules."""
    suffixes = tuple(importlib.machinery.EXTENSION_SUFFIXES)
    folders = [folder for folder in sys.path if os.path.basename(folder) == "lib-dynload" and os.path.isdir(folder)]
    files = [file for folder in folders for file in sorted(os.listdir(folder)) if file.endswith(suffixes)]
    return [name for name in (file.split(".")[0] for file in files) if not name.startswith(UNUSED_NATIVE)]

"""Validates Kubernetes objects strictly against the schemas of every version from the one in the first argument.

Reads a JSON array of objects on standard input, and writes one: `versions`, `failures`, and `kinds` without a schema.
"""

import functools
import json
import sys

from kubernetes_validate import utils

# The files of a version are large, and every object needs them.
utils.schema_contents = functools.lru_cache(maxsize=None)(utils.schema_contents)


def minor(version):
    return int(version.split(".")[1])


versions = sorted({utils.major_minor(version) for version in utils.all_versions()}, key=minor)
versions = [version for version in versions if minor(version) >= minor(sys.argv[1])]
failures, kinds = [], set()
for manifest in json.load(sys.stdin):
    for version in versions:
        try:
            utils.validate(manifest, version, strict=True)
        except utils.SchemaNotFoundError as error:
            kinds.add(error.kind)
        except utils.ValidationError as error:
            path = "/".join(map(str, error.path))
            failures.append("%s %s in %s: %s: %s" % (manifest["kind"], manifest["metadata"]["name"], version, path, error.message[:200]))
json.dump({"versions": versions, "failures": failures, "kinds": sorted(kinds)}, sys.stdout)

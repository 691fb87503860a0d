"""Fork server of PYTHON metrics. Needs the standard library of CPython 3.9 or later, and nothing else."""

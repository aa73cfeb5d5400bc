"""Kernels: Python functions that run interpreted, compiled for the CPU, or inside CUDA.

A kernel keeps to the subset that Numba compiles for every target: integers, fixed-size arrays,
no allocation, no exceptions, no strings, no recursion. `@kernel` compiles on the first call and
keeps the result on disk; CUDA kernels call the very same objects. `interpreted(f)` is the plain
Python twin of a kernel and of every kernel it calls.
"""

from tanistry.kernel.cpu import for_onlookers, inlined, kernel, specialise, template, unwatched
from tanistry.kernel.functions import names_used, python_of
from tanistry.kernel.interpreter import INTERPRET, bare, fields, interpreted

__all__ = [
    "INTERPRET",
    "bare",
    "fields",
    "for_onlookers",
    "inlined",
    "interpreted",
    "kernel",
    "names_used",
    "python_of",
    "specialise",
    "template",
    "unwatched",
]

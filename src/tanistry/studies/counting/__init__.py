"""Counting while matches are played: the counters, and the kernels that fill them.

In a folder of their own, because compiled kernels are kept under a hash of the folder's files.
"""

"""The former place of `tanistry.kernel`, for one release more."""

from warnings import warn

from tanistry.kernel import *  # noqa: F403

warn("tanistry.table.kernel is now tanistry.kernel", DeprecationWarning, stacklevel=2)

"""The browser of this machine, if it has one."""

from __future__ import annotations

import shutil

WHOLE = shutil.which("chromium") or shutil.which("chromium-browser")
CHROMIUM = shutil.which("chromium-headless-shell") or WHOLE
"""The one that has no windows loads a page in half the time."""

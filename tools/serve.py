"""`make run`: become the server; the first time, compile the games for browsers behind it.

    python tools/serve.py --port 8080

Compiling takes minutes, in which people already play. It ends with Ctrl-C like the server, which
what a shell starts in the background would not.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

MAKE = ["make", "--no-print-directory"]
TANISTRY = str(Path(sys.executable).with_name("tanistry"))

if __name__ == "__main__":
    question = [*MAKE, "--question", "build/engines.stamp"]
    if subprocess.run(question, capture_output=True, check=False).returncode:
        subprocess.Popen(["nice", *MAKE, "behind"])
    os.execv(TANISTRY, [TANISTRY, "serve", *sys.argv[1:]])

"""What test_running.py asks of Ray, in a process of its own: giving up, Ray ends its process.

One cluster: begun for a study, and then, as it has not ended with it, somebody else's.
"""

from __future__ import annotations

import os
import pickle
import sys
from pathlib import Path

import pytest
import ray

import tanistry


def main(kept: Path, n: int, seed: int) -> None:
    """Leave in a file what the study has counted."""
    os.environ["PYTHONPATH"] = os.pathsep.join(path for path in sys.path if path)
    os.environ.pop("RAY_ADDRESS", None)
    claim = tanistry.game("claim")
    shutdown, ended = ray.shutdown, []
    try:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(ray, "shutdown", lambda: ended.append("the study's"))
            study = tanistry.study(claim, n=n, seed=seed, engine="ray", workers=2)
            assert study.finished
            assert ended == ["the study's"]
            patch.setattr("tanistry.studies.plan.version", lambda _name: 1000)  # here, not there
            with pytest.raises(tanistry.OptionError, match="another version"):
                tanistry.study(claim, n=20, seed=seed, engine="ray")
            assert ended == ["the study's"], "what others have started stays"
    finally:
        shutdown()
    kept.write_bytes(pickle.dumps(study.tallies))


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]))

"""What all tests count on, wherever and however they are started."""

from __future__ import annotations

import signal

from hypothesis import HealthCheck, settings

# A machine that is busy with something else is no fault of ours.
settings.register_profile("steady", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("steady")

# A shell that starts the tests in the background lets them ignore Ctrl-C, and with them every
# process that they start and interrupt.
if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

"""What holds for all tests."""

import signal

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    # Shells start background jobs so, and programs that are to be interrupted would inherit it.
    signal.signal(signal.SIGINT, signal.default_int_handler)

"""The parts of the fuzzer: what is changed in valid files, and what the result is fed to."""

"""Corpora beyond one machine: a plan of parts, workers of any engine, one result for each part.

`plan` cuts inputs into parts where cutting changes nothing. `run_part` parses one part, on whatever machine, and
commits it. `driver` hands parts to an engine and watches. `status` and `merge` read what is there.
"""

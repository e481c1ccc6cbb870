def problems(s): return []

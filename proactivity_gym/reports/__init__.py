"""What runs and scenarios amount to: pure metrics over traces, statistics, tables, and the lint of scenarios."""

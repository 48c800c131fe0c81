"""The parts of benchmarks/regression: what is learned from, who learns, what is measured, and the tables of it."""

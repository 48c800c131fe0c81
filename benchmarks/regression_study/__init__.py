"""The parts of benchmarks/regression: data to learn from, models that learn, what is measured, and its tables."""

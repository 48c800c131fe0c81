"""A network of 300 units whose prior is a Gaussian process, and its exact error against that process."""

import numpy as np
import ridgelet as rl

prior = rl.Prior(
    "se(amplitude=1, lengthscale=1.5)", nodes=rl.grid(half_width=6, points_per_axis=200, support=5), units=300
)
given = prior.given(*prior.draw_hidden(seed=1))
X = np.linspace(-5, 5, 200)[:, None]
print("largest_error", given.rmse(X).max())

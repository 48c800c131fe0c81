"""From a table to a fitted network: table.py FOLDER. What is not given is learned or chosen."""

import sys

import numpy as np
import ridgelet as rl

table = np.genfromtxt("data/airline_passengers.csv", delimiter=",", names=True)
fitted = rl.fit(table["year"][:, None], table["passengers"], inputs=["year"], outputs=["passengers"], seed=1)
mean, sd = fitted.predict([[1956.0]])
print("mean", mean[0])
print("sd", sd[0])
fitted.save(sys.argv[1] + "/model.nc")

"""Tables larger than what a fit keeps."""

import os
import subprocess

import numpy as np
import ridgelet as rl


def test_python_and_the_program_fit_the_same_network_to_all_rows(tmp_path):
    random = np.random.default_rng(0)
    X = random.uniform(-2, 2, (12_000, 2))
    y = np.sin(X[:, 0]) + X[:, 1] + 0.3 * random.standard_normal(12_000)
    np.save(tmp_path / "t.npy", np.c_[X, y])
    given = ["--kernel", "se(lengthscale=2)", "--noise", "0.3", "--standardise", "--quiet"]
    subprocess.run(
        [os.environ["RIDGELET_PROGRAM"], "fit", "t.npy", "--y", "2", "--out", "m.nc", *given], cwd=tmp_path, check=True
    )
    ours = rl.fit(X, y, kernel="se(lengthscale=2)", noise=0.3, standardise=True, inputs=["0", "1"], outputs=["2"])
    theirs = rl.load(str(tmp_path / "m.nc"))
    for one, other in zip(ours.predict(X[:50]), theirs.predict(X[:50]), strict=True):
        np.testing.assert_array_equal(one, other)
    ours.save(str(tmp_path / "ours.nc"))
    assert (tmp_path / "ours.nc").read_bytes() == (tmp_path / "m.nc").read_bytes()

"""Tables larger than what a fit keeps, and tables that are not text."""

import numpy as np
import pandas as pd
import pytest
import xarray as xr

GIVEN = ["--kernel", "se(lengthscale=[2, 2])", "--noise", 0.3, "--standardise", "--quiet"]


@pytest.fixture(scope="module")
def frame():
    random = np.random.default_rng(0)
    a, b = random.uniform(-2, 2, (2, 12_000))
    return pd.DataFrame({"a": a, "b": b, "y": np.sin(a) + b + 0.3 * random.standard_normal(12_000)})


def test_results_keep_a_sample_of_the_rows_and_what_all_say(ridgelet, frame, tmp_path):
    frame.to_csv(tmp_path / "t.csv", index=False)
    assert ridgelet("fit", "t.csv", "--y", "y", "--out", "m.nc", "--json", *GIVEN).json["rows"] == 12_000
    with xr.open_dataset(tmp_path / "m.nc", group="constant_data") as data:
        assert data.attrs["rows"] == 12_000
        kept = data["row"].values.astype(int)
        assert len(kept) == 10_000 and np.all(np.diff(kept) > 0)
        np.testing.assert_array_equal(data["x"].values, frame[["a", "b"]].values[kept])
        np.testing.assert_allclose(data["input_mean"], frame[["a", "b"]].mean(), rtol=1e-12)
        np.testing.assert_allclose(data["output_sd"], frame["y"].std(ddof=0), rtol=1e-12)
        np.testing.assert_array_equal(data["input_low"], frame[["a", "b"]].min())
    with xr.open_dataset(tmp_path / "m.nc", group="observed_data") as data:
        rows = data["observation"].values.astype(int)
        np.testing.assert_array_equal(data["y"].values[:, 0], frame["y"].values[rows])


def test_every_format_gives_the_same_bytes(ridgelet, frame, tmp_path):
    frame.to_csv(tmp_path / "t.csv", index=False)
    np.save(tmp_path / "t.npy", frame.to_records(index=False))
    xr.Dataset.from_dataframe(frame).to_netcdf(tmp_path / "t.nc")
    for name in "t.csv", "t.npy", "t.nc":
        done = ridgelet("fit", name, "--y", "y", "--out", name + ".model", *GIVEN)
        assert (done.code, done.err) == (0, "")
        assert (tmp_path / f"{name}.model").read_bytes() == (tmp_path / "t.csv.model").read_bytes(), name
    for name in "t.npy", "t.nc":
        done = ridgelet("predict", "t.csv.model", name, "--out", name + ".csv", "--quiet")
        assert (done.code, done.err) == (0, "")
    assert (tmp_path / "t.npy.csv").read_bytes() == (tmp_path / "t.nc.csv").read_bytes()
    expected = ridgelet("score", "t.csv.model", "t.csv", "--json").json
    assert ridgelet("score", "t.csv.model", "t.npy", "--json").json == expected


def test_a_netcdf_file_without_columns_is_refused(ridgelet, tmp_path):
    xr.Dataset({"grid": (("a", "b"), np.zeros((2, 3)))}).to_netcdf(tmp_path / "t.nc")
    done = ridgelet("fit", "t.nc", "--y", "y", "--out", "m.nc")
    assert done.code == 2
    assert done.err == (
        "ridgelet: data: 't.nc': has no variable of numbers along one dimension, which a table is made of\n"
    )

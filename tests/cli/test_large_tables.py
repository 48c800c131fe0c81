"""Tables larger than what a fit keeps, and tables that are not text."""

import netCDF4
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


@pytest.mark.parametrize("rows", [300, 12_000])  # all of them are kept, and some of them
def test_rows_that_are_kept_have_the_numbers_of_the_table_though_others_lack_a_value(ridgelet, frame, tmp_path, rows):
    table = frame[:rows].copy()
    table.loc[[3, *range(10, 200), rows - 2], "a"] = np.nan
    table.to_csv(tmp_path / "t.csv", index=False)
    fit = ridgelet("fit", "t.csv", "--y", "y", "--missing", "drop", "--out", "m.nc", "--json", *GIVEN)
    assert fit.json["rows"] == rows - 192
    with xr.open_dataset(tmp_path / "m.nc", group="constant_data") as data:
        kept = data["row"].values.astype(int)
        assert kept[-1] == rows - 1
        np.testing.assert_array_equal(data["x"].values, table[["a", "b"]].values[kept])
    with xr.open_dataset(tmp_path / "m.nc", group="observed_data") as data:
        watched = data["observation"].values.astype(int)
        np.testing.assert_array_equal(data["y"].values[:, 0], table["y"].values[watched])
    assert ridgelet("summary", "m.nc", "--json").json["rows"] == rows - 192


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
    predictions = pd.read_csv(tmp_path / "t.nc.csv")
    np.testing.assert_array_equal(predictions.pop("index"), frame.index)  # the coordinate stays beside its row
    pd.testing.assert_frame_equal(predictions, pd.read_csv(tmp_path / "t.npy.csv"), check_exact=True)
    expected = ridgelet("score", "t.csv.model", "t.csv", "--json").json
    assert ridgelet("score", "t.csv.model", "t.npy", "--json").json == expected


def test_a_netcdf_file_without_columns_is_refused(ridgelet, tmp_path):
    xr.Dataset({"grid": (("a", "b"), np.zeros((2, 3)))}).to_netcdf(tmp_path / "t.nc")
    done = ridgelet("fit", "t.nc", "--y", "y", "--out", "m.nc")
    assert done.code == 2
    assert done.err == (
        "ridgelet: data: 't.nc': has no variable of numbers along one dimension, which a table is made of\n"
    )


def predictions_of(ridgelet, tmp_path, name, *arguments, warning=""):
    done = ridgelet("fit", name, "--y", "y", "--out", "m.nc", *arguments, *GIVEN)
    assert (done.code, done.err) == (0, warning)
    assert ridgelet("predict", "m.nc", name, "--out", "p.csv", "--quiet").code == 0
    return pd.read_csv(tmp_path / "p.csv")


def test_packed_variables_of_netcdf_are_their_numbers(ridgelet, frame, tmp_path):
    # Rounded to the grids of the packings, so that unpacking gives the same numbers.
    frame = pd.DataFrame(
        {"a": (frame["a"] * 32).round() / 32, "b": (frame["b"] * 16).round() / 16, "y": (frame["y"] * 32).round() / 32 + 9}
    )[:3000].drop_duplicates()  # fmt: skip
    frame.to_csv(tmp_path / "t.csv", index=False)
    packed = xr.Dataset.from_dataframe(frame)
    packed.to_netcdf(
        tmp_path / "t.nc",
        format="NETCDF3_CLASSIC",
        encoding={
            "a": {"dtype": "i1", "_Unsigned": "true", "_FillValue": -1, "scale_factor": 1 / 32, "add_offset": -5.0},
            "b": {"dtype": "i2", "_FillValue": -1000, "scale_factor": 1 / 16},
            "y": {"dtype": "i2", "_FillValue": -1000, "scale_factor": 1 / 32, "add_offset": 9.0},
        },
    )
    expected = predictions_of(ridgelet, tmp_path, "t.csv")
    got = predictions_of(ridgelet, tmp_path, "t.nc").drop(columns="index")
    pd.testing.assert_frame_equal(got, expected, check_exact=True)


@pytest.mark.parametrize(
    "attributes",
    [
        {"_FillValue": np.int16(-99)},
        {"missing_value": np.int16(-99)},
        {"valid_min": np.int16(-98)},
        {"valid_range": np.array([-98, 1000], "i2")},
        {"valid_range": [-49.0, 500.0]},  # of unpacked numbers, as its type says
    ],
    ids=lambda attributes: " ".join(attributes),
)
def test_what_a_netcdf_variable_calls_missing_is_missing(ridgelet, tmp_path, attributes):
    stored = np.arange(20, dtype="i2")
    stored[7] = -99
    packing = {"scale_factor": 0.5, "add_offset": 0.0}
    xr.Dataset(
        {"a": ("row", np.linspace(0, 1, 20)), "b": ("row", np.linspace(1, 3, 20) ** 2), "y": ("row", stored, attributes | packing)}
    ).to_netcdf(tmp_path / "t.nc")  # fmt: skip
    done = ridgelet("fit", "t.nc", "--y", "y", "--out", "m.nc", *GIVEN)
    assert done.code == 2 and "'t.nc', row 8, column 'y': missing value" in done.err
    warning = "warning: 1 of 20 rows is left out: a missing value\n"
    rows = predictions_of(ridgelet, tmp_path, "t.nc", "--missing", "drop", warning=warning)
    assert list(rows["y"].dropna()) == [i / 2 for i in range(20) if i != 7]


def test_a_packing_that_is_no_number_is_refused(ridgelet, tmp_path):
    y = ("row", np.arange(20, dtype="i2"), {"scale_factor": "half"})
    xr.Dataset({"a": ("row", np.linspace(0, 1, 20)), "y": y}).to_netcdf(tmp_path / "t.nc")
    done = ridgelet("fit", "t.nc", "--y", "y", "--out", "m.nc")
    assert done.code == 2
    assert done.err == (
        "ridgelet: data: 't.nc': variable 'y': its attribute 'scale_factor' must be a number; correct it, or remove it\n"
    )


def test_a_coordinate_of_netcdf_is_an_input_when_it_is_named(ridgelet, frame, tmp_path):
    frame = frame[:3000].sort_values("a")
    frame.to_csv(tmp_path / "t.csv", index=False)
    xr.Dataset({"b": ("a", frame["b"]), "y": ("a", frame["y"])}, {"a": frame["a"]}).to_netcdf(tmp_path / "t.nc")
    expected = predictions_of(ridgelet, tmp_path, "t.csv", "--x", "a,b")
    got = predictions_of(ridgelet, tmp_path, "t.nc", "--x", "a,b")
    pd.testing.assert_frame_equal(got[expected.columns], expected, check_exact=True)
    done = ridgelet("fit", "t.nc", "--y", "y", "--out", "m.nc", "--kernel", "se(lengthscale=2)", "--noise", 0.3, "--standardise")
    assert done.code == 0 and ridgelet("summary", "m.nc", "--json").json["inputs"] == ["b"]


def test_a_coordinate_of_netcdf_is_known_beside_other_dimensions(ridgelet, frame, tmp_path):
    with netCDF4.Dataset(tmp_path / "t.nc", "w") as file:
        for name, size in ("station", 2), ("a", 300):
            file.createDimension(name, size)
        for name in "a", "b", "y":
            file.createVariable(name, "f8", ("a",))[:] = frame[name][:300]
    assert ridgelet("fit", "t.nc", "--y", "y", "--out", "m.nc", "--kernel", "se(lengthscale=2)", "--noise", 0.3).code == 0
    assert ridgelet("summary", "m.nc", "--json").json["inputs"] == ["b"]

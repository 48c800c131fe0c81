"""RidgeletRegressor: a fit of this package as an estimator of scikit-learn."""

import math

import numpy as np
from sklearn.base import MultiOutputMixin, RegressorMixin
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted

from ._before_fit import BeforeFit
from ._calls import with_hints
from ._estimator import Estimator, seed_of
from .columns import frame_numbers, is_frame, output_names


class RidgeletRegressor(MultiOutputMixin, RegressorMixin, Estimator):
    """Regression by a network whose prior is a Gaussian process.

    Without any setting, kernel and noise are learned by the evidence of the exact process; nodes, width and bandwidths
    are chosen by the error of the network against that process; and the posterior is exact, in closed form.

    Columns of a data frame are known by their names. A column of texts or categories becomes one input for each level,
    and dates become days. A column that is the same in every row is left out.

    Parameters
    ----------
    kernel : None, text, ridgelet.Kernel or a kernel of scikit-learn
        None learns `se` with one lengthscale for each input, on standardised columns; "best" takes the kernel with the
        greatest evidence from a short list. A WhiteKernel of scikit-learn becomes the noise.
    noise : float or list of float, default=None
        Standard deviation of the noise, one for all outputs or one for each; None learns it.
    mean : str, default="0"
        The process's mean, an expression in x1, x2, ...
    learn : bool, default=None
        Whether learning starts from the numbers in kernel, mean and noise; if not, these numbers are kept. None means
        yes for a kernel of scikit-learn, unless its bounds are all "fixed", and no otherwise.
    learn_rows : int, default=None
        Learning uses at most so many rows; by default 1000.
    priors : bool, default=True
        Whether learning has weak priors, or goes by the evidence alone.
    period : float, default=None
        A known period of the first input: "best" then tries periodic terms too.
    standardise : bool, default=None
        Whether kernel, mean and noise refer to columns with mean 0 and standard deviation 1. None means yes if the
        kernel is None or "best", and no otherwise.
    hidden : {"fixed", "sampled", "variational"}, default="fixed"
        Hidden layers stay as drawn from the prior, are sampled, or have a normal distribution close to their posterior.
    networks : int, default=1
        With fixed hidden layers, the number of networks whose posteriors are mixed.
    precision : {"double", "mixed"}, default="double"
        With fixed hidden layers, the arithmetic of the pass over the rows; "mixed" is faster, and is used where it
        costs nothing.
    network_mean : bool, default=False
        Whether the mean passes through the network, which an export needs where the mean is not affine; if not, the
        mean is subtracted from the data.
    chains, warmup, draws : int, default=4, 200, 500
        For the sampler.
    sampler : {"slice", "nuts"}, default="slice"
        How chains move: by elliptical slices, or by gradients.
    directions : int, default=0
        With variational hidden layers, the number of directions in which they vary together.
    force : bool, default=False
        Whether to go on even if a sampled network cannot represent the process, or rounding hides what is predicted.
    units, layers, activation, operator, sigma_w, sigma_b, ridge, nodes, points, domain, margin, order, density, \
    units_from, layer_scale, layer_bias, skip
        Settings of the network, like the options of `ridgelet fit`; None leaves the choice to the fit.
    random_state : int, RandomState or None, default=None
        Where all random numbers come from. An int is the seed of `ridgelet fit`.
    verbose : bool, default=False
        Whether fit says what it is doing.

    Attributes
    ----------
    fitted_ : ridgelet.Fitted
        The fit itself, with save().
    kernel_ : ridgelet.Kernel
        The kernel, in standardised units if the columns were standardised.
    noise_ : float or ndarray of shape (n_targets,)
        Standard deviation of the noise, in the units of kernel_.
    certificate_ : dict
        Error of the network against its process: at the `data`, `between` them, and the `floor` that the nodes leave.
    network_ : ridgelet.PredictiveNetwork
        The posterior as a network that needs neither kernel nor data: mean, sd = network_(X), network_.export(path).
    log_marginal_likelihood_value_ : float
        Log evidence of the network, for y in the units of kernel_; only for fixed hidden layers.
    n_features_in_ : int
        Number of columns seen by fit.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Names of those columns, where X had any.

    Examples
    --------
    >>> import numpy as np
    >>> from ridgelet import RidgeletRegressor
    >>> X = np.linspace(0, 6, 40)[:, None]
    >>> regressor = RidgeletRegressor(random_state=0).fit(X, np.sin(X[:, 0]))
    >>> mean, sd = regressor.predict([[1.5]], return_std=True)
    >>> bool(abs(mean[0] - np.sin(1.5)) < 0.01)
    True
    """

    @with_hints
    def __init__(
        self,
        kernel=None,
        *,
        noise=None,
        mean="0",
        learn=None,
        learn_rows=None,
        priors=True,
        period=None,
        standardise=None,
        hidden="fixed",
        networks=1,
        precision="double",
        network_mean=False,
        chains=4,
        warmup=200,
        draws=500,
        sampler="slice",
        directions=0,
        force=False,
        units=None,
        layers=1,
        activation="tanh",
        operator="least-squares",
        sigma_w=None,
        sigma_b=None,
        ridge=None,
        nodes=None,
        points=None,
        domain=None,
        margin=None,
        order=None,
        density=None,
        units_from=None,
        layer_scale=None,
        layer_bias=None,
        skip=None,
        random_state=None,
        verbose=False,
    ):
        self._remember(locals())

    def fit(self, X, y):
        """Finds the posterior given rows of X and y.

        X is an array or a data frame; y has a number for each row, or a column for each of several outputs.

        >>> rl.RidgeletRegressor("se()", noise=0.1, random_state=0).fit(X, y).fitted_
        <ridgelet.Fitted: y given x from 20 rows, a network with ... units, kernel se()>
        """
        outputs = output_names(y)
        X, y = self._read(X, y, y_numeric=True, multi_output=True)
        self._fit(X, y, outputs=outputs, **self._settings_of(RidgeletRegressor) | self._process())
        noise = self.fitted_.noise
        self.noise_ = float(noise[0]) if len(noise) == 1 else noise
        self.__dict__.pop("log_marginal_likelihood_value_", None)
        if self.hidden == "fixed":
            self.log_marginal_likelihood_value_ = self.fitted_.report["log_evidence"]
        return self

    def predict(self, X, return_std=False, return_cov=False):
        """The predictive mean, and with it the standard deviation or the covariance, of new observations at X.

        Standard deviation and covariance include the noise. Before fit, all of them are those of the process itself.

        >>> regressor = rl.RidgeletRegressor("se()", noise=0.1, random_state=0).fit(X, y)
        >>> mean, sd = regressor.predict([[0.5]], return_std=True)
        >>> bool(sd[0] > 0.1)
        True
        """
        if return_std and return_cov:
            raise ValueError("return_std and return_cov cannot both be asked for")
        inputs = self._new_inputs(X)
        if not self._is_fitted():
            return self._before_fit(inputs.shape[1]).predict(inputs, return_std, return_cov)
        if return_cov:
            return self.fitted_.predict(inputs)[0], self._covariance(inputs)
        mean, sd = self.fitted_.predict(inputs)
        return (mean, sd) if return_std else mean

    def sample_y(self, X, n_samples=1, random_state=0):
        """Draws of new observations at X, noise included: an array of shape (rows, [outputs,] n_samples).

        Before fit, they are draws of the process itself, with the noise as far as it is known.

        >>> rl.RidgeletRegressor("se()", noise=0.1, random_state=0).fit(X, y).sample_y(X, n_samples=3).shape
        (20, 3)
        """
        inputs = self._new_inputs(X)
        random = check_random_state(random_state)
        if not self._is_fitted():
            return self._before_fit(inputs.shape[1]).sample(inputs, n_samples, random)
        noise = self._noise_of_outputs()
        draws = np.stack([self._functions(inputs, n_samples, k, random) for k in range(len(noise))], axis=1)
        draws += noise[:, None] * random.standard_normal(draws.shape)
        return draws[:, 0] if len(noise) == 1 else draws

    def log_marginal_likelihood(self):
        """The log evidence of the network: log p(y) given its hidden layers; of several networks, the mean.

        >>> short, fair = (rl.RidgeletRegressor(f"se(lengthscale={l})", noise=0.1).fit(X, y) for l in (0.1, 1.5))
        >>> short.log_marginal_likelihood() < fair.log_marginal_likelihood()
        True
        """
        check_is_fitted(self)
        if self.hidden != "fixed":
            raise ValueError("hidden: must be 'fixed', since sampled hidden layers have no evidence in closed form")
        return self.log_marginal_likelihood_value_

    def _more_tags(self):
        return {"requires_fit": False, "multioutput": True}

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.requires_fit = False
        return tags

    def _is_fitted(self):
        return hasattr(self, "fitted_")

    def _process(self):
        """Kernel, noise and whether they are learned, in the form that fit takes."""
        settings, white = self._kernel_settings()
        if white is not None and self.noise is not None:
            raise ValueError("noise: must be given once, by a WhiteKernel or by noise")
        return settings | {"noise": self.noise if white is None else white}

    def _new_inputs(self, X):
        if self._is_fitted():
            return super()._new_inputs(X)
        return self._validated(frame_numbers(X) if is_frame(X) else X)

    def _noise_of_outputs(self):
        """Standard deviations in the units of y."""
        return np.atleast_1d(self.fitted_.noise_of_outputs)

    def _covariance(self, inputs):
        covariances = [
            self.fitted_.covariance(inputs, output=k) + noise**2 * np.eye(len(inputs))
            for k, noise in enumerate(self._noise_of_outputs())
        ]
        return covariances[0] if len(covariances) == 1 else np.stack(covariances, axis=-1)

    def _functions(self, inputs, count, output, random):
        """Draws of one output's function, one in each column."""
        if self.hidden == "fixed":
            return self.fitted_.functions(inputs, draws=count, seed=seed_of(random), output=output).T
        functions = self.fitted_.functions(inputs, draws=self.chains * self.draws, output=output)
        return functions[random.choice(len(functions), size=count, replace=count > len(functions))].T

    def _before_fit(self, inputs):
        """The process before any data, and the noise as far as it is known."""
        process = self._process()
        kernel = f"se(lengthscale={[math.sqrt(inputs)] * inputs})" if self._learns_kernel() else process["kernel"]
        return BeforeFit(kernel, self.mean, process["noise"])

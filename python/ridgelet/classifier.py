"""RidgeletClassifier: classes by a network whose prior is a Gaussian process, as an estimator of scikit-learn."""

import numpy as np
from sklearn.base import ClassifierMixin
from sklearn.preprocessing import LabelEncoder
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted, column_or_1d

from ._calls import with_hints
from ._estimator import Estimator
from .columns import output_names


class RidgeletClassifier(ClassifierMixin, Estimator):
    """Classification by a network whose prior is a Gaussian process.

    Two classes have one function, the logit of the second's probability; several classes have one each, and the softmax
    of these functions gives the probabilities. Without any setting, the kernel is learned by Laplace's approximation of
    the evidence; nodes, width and bandwidths are chosen by the error of the network against that process; and functions
    are drawn from the posterior.

    Columns of a data frame are known by their names. A column of texts or categories becomes one input for each level,
    and dates become days. A column that is the same in every row is left out.

    Parameters
    ----------
    kernel : None, text, ridgelet.Kernel or a kernel of scikit-learn
        None learns `se` with one lengthscale for each input, on standardised columns. A WhiteKernel of scikit-learn is
        refused, since classes have no such noise.
    mean : str, default="0"
        The mean of every function, an expression in x1, x2, ...
    learn : bool, default=False
        Whether learning starts from the numbers in kernel and mean; if not, these numbers are kept. None means yes for
        a kernel of scikit-learn, unless its bounds are all "fixed", and no otherwise.
    learn_rows : int, default=None
        Learning uses at most so many rows; by default 500, fewer where there are more than two classes.
    priors : bool, default=True
        Whether learning has weak priors, or goes by the evidence alone.
    standardise : bool, default=None
        Whether kernel and mean refer to columns with mean 0 and standard deviation 1, and functions are measured from
        the classes' shares of the rows. None means yes if the kernel is None, and no otherwise.
    hidden : {"fixed", "sampled", "variational"}, default="fixed"
        Hidden layers stay as drawn from the prior, are sampled, or have a normal distribution close to their posterior.
    networks : int, default=1
        With fixed hidden layers, the number of networks, which share the draws among them.
    network_mean : bool, default=False
        Whether the mean passes through the network, which an export needs where the mean is not affine.
    coordinates : {"auto", "laplace", "sampled"}, default="auto"
        How functions are drawn given the hidden layers. "laplace": normal about the mode and corrected by weights;
        "sampled": by sampling, which is exact; "auto": the former where its weights can be trusted, or else the latter.
    function_draws : int, default=500
        Number of functions that are kept.
    chains, warmup, draws : int, default=4, 200, 500
        For the sampler of hidden layers.
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
        Whether to say what is being done.

    Attributes
    ----------
    classes_ : ndarray
        The classes, in order.
    fitted_ : ridgelet.Fitted
        The fit itself.
    kernel_ : ridgelet.Kernel
        The kernel that was learned or given.
    certificate_ : dict
        Error of the network against its process, relative to the process.
    network_ : ridgelet.PredictiveNetwork
        The posterior as a network that needs neither kernel nor data: network_.probability(X), network_.export(path).
    n_features_in_ : int
        Number of columns seen by fit.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Names of those columns, where X had any.

    Examples
    --------
    >>> import numpy as np
    >>> from ridgelet import RidgeletClassifier
    >>> X = np.linspace(-3, 3, 60)[:, None]
    >>> classifier = RidgeletClassifier(random_state=0).fit(X, np.where(X[:, 0] > 0.5, "high", "low"))
    >>> classifier.predict([[-2.0], [2.0]])
    array(['low', 'high'], dtype='<U4')
    >>> classifier.predict_proba([[2.0]]).shape
    (1, 2)
    """

    @with_hints
    def __init__(
        self,
        kernel=None,
        *,
        mean="0",
        learn=False,
        learn_rows=None,
        priors=True,
        standardise=None,
        hidden="fixed",
        networks=1,
        network_mean=False,
        coordinates="auto",
        function_draws=500,
        chains=4,
        warmup=200,
        draws=500,
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
        """Finds the posterior given rows of X and the class of each.

        >>> side = np.where(X[:, 0] > 0, "right", "left")
        >>> rl.RidgeletClassifier("se()", random_state=0).fit(X, side).classes_
        array(['left', 'right'], dtype='<U5')
        """
        outputs = output_names(y)
        X, y = self._read(X, y)
        check_classification_targets(y)
        encoder = LabelEncoder().fit(column_or_1d(y, warn=True))
        if len(encoder.classes_) < 2:
            raise ValueError("y: must have at least two classes, got 1 class")
        self.classes_ = encoder.classes_
        self._fit(
            X,
            encoder.transform(y),
            likelihood="bernoulli" if len(self.classes_) == 2 else "categorical",
            classes=[str(each) for each in self.classes_],
            outputs=outputs,
            **self._settings_of(RidgeletClassifier) | self._process(),
        )
        return self

    def predict_proba(self, X):
        """The probability of each class, in the order of classes_, at the rows of X.

        >>> classifier = rl.RidgeletClassifier("se()", random_state=0).fit(X, X[:, 0] > 0)
        >>> classifier.predict_proba([[2.0]]).sum().round(12)
        1.0
        """
        check_is_fitted(self)
        mean, _ = self.fitted_.predict(self._new_inputs(X))
        return mean if mean.ndim == 2 else np.column_stack([1 - mean, mean])

    def predict(self, X):
        """The likeliest class at the rows of X.

        >>> classifier = rl.RidgeletClassifier("se()", random_state=0).fit(X, X[:, 0] > 0)
        >>> classifier.predict([[-2.0], [2.0]])
        array([False,  True])
        """
        probabilities = self.predict_proba(X)
        return self.classes_[np.argmax(probabilities, axis=1)]

    def log_marginal_likelihood(self):
        """The log evidence of the network given its hidden layers; of several networks, the mean.

        >>> bool(rl.RidgeletClassifier("se()", random_state=0).fit(X, X[:, 0] > 0).log_marginal_likelihood() < 0)
        True
        """
        check_is_fitted(self)
        if self.hidden != "fixed":
            raise ValueError(f"hidden: must be 'fixed' for an evidence, since only then there is one, got '{self.hidden}'")
        return self.fitted_.report["log_evidence"]

    def _process(self):
        """Kernel and whether it is learned, in the form that fit takes."""
        settings, white = self._kernel_settings()
        if white is not None:
            raise ValueError(f"kernel: must have no WhiteKernel, since classes have no such noise, got {self.kernel}")
        return settings

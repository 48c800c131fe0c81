"""scikit-learn's kernel objects in this package's words.

    >>> from sklearn.gaussian_process.kernels import RBF, WhiteKernel
    >>> translate(2.0 * RBF(1.5) + WhiteKernel(0.01))
    Translation(kernel='2.0 * se(lengthscale=1.5)', noise=0.1, learn=True)

White noise becomes the noise of the data. A term is k(x, x') + w [x = x'] here; sums add both parts, and products
multiply them out, which leaves white noise wherever k(x, x) is the same everywhere.
"""

import math
from typing import NamedTuple, Optional

from sklearn.gaussian_process import kernels as theirs


class Translation(NamedTuple):
    """A kernel as text, the standard deviation of its white noise, and whether its numbers are starting values."""

    kernel: str
    noise: Optional[float]
    learn: bool


class _Term(NamedTuple):
    text: Optional[str]  # None: white noise alone
    variance: Optional[float]  # k(x, x), None where it depends on x
    white: float
    is_sum: bool = False

    def factor(self):
        return f"({self.text})" if self.is_sum else self.text


def is_sklearn_kernel(kernel):
    return isinstance(kernel, theirs.Kernel)


def translate(kernel):
    """The kernel and noise of a scikit-learn kernel. Raises ValueError naming what has no translation."""
    term = _translate(kernel)
    if term.text is None:
        raise ValueError(f"kernel: must have more than white noise, got {kernel}")
    return Translation(term.text, math.sqrt(term.white) if term.white else None, _is_learned(kernel))


def _is_learned(kernel):
    """None where some of the numbers are fixed and others are not."""
    fixed = [hyperparameter.fixed for hyperparameter in kernel.hyperparameters]
    return None if any(fixed) and not all(fixed) else not all(fixed)


def _translate(kernel):
    translator = _TRANSLATORS.get(type(kernel))
    if translator is None:
        known = ", ".join(each.__name__ for each in _TRANSLATORS)
        raise ValueError(f"kernel: {type(kernel).__name__} has no translation; there is one for {known}")
    return translator(kernel)


def _number(value):
    return repr(float(value))


def _lengthscale(kernel):
    if kernel.anisotropic:
        return "[" + ", ".join(_number(each) for each in kernel.length_scale) + "]"
    return _number(kernel.length_scale if not hasattr(kernel.length_scale, "__len__") else kernel.length_scale[0])


def _rbf(kernel):
    return _Term(f"se(lengthscale={_lengthscale(kernel)})", 1.0, 0.0)


def _matern(kernel):
    names = {0.5: "matern12", 1.5: "matern32", 2.5: "matern52", math.inf: "se"}
    if kernel.nu not in names:
        raise ValueError(f"kernel: Matern must have nu 0.5, 1.5, 2.5 or inf, got {kernel.nu}")
    return _Term(f"{names[kernel.nu]}(lengthscale={_lengthscale(kernel)})", 1.0, 0.0)


def _rational_quadratic(kernel):
    return _Term(f"rq(alpha={_number(kernel.alpha)}, lengthscale={_number(kernel.length_scale)})", 1.0, 0.0)


def _exp_sine_squared(kernel):
    return _Term(
        f"periodic(period={_number(kernel.periodicity)}, lengthscale={_number(kernel.length_scale)})", 1.0, 0.0
    )


def _dot_product(kernel):
    if kernel.sigma_0 == 0:
        return _Term("linear()", None, 0.0)
    return _Term(f"constant(amplitude={_number(kernel.sigma_0)}) + linear()", None, 0.0, is_sum=True)


def _constant(kernel):
    return _Term(_number(kernel.constant_value), float(kernel.constant_value), 0.0)


def _white(kernel):
    return _Term(None, 0.0, float(kernel.noise_level))


def _sum(kernel):
    a, b = _translate(kernel.k1), _translate(kernel.k2)
    texts = [each.text for each in (a, b) if each.text is not None]
    variance = None if a.variance is None or b.variance is None else a.variance + b.variance
    return _Term(" + ".join(texts) or None, variance, a.white + b.white, is_sum=len(texts) == 2 or a.is_sum or b.is_sum)


def _product(kernel):
    a, b = _translate(kernel.k1), _translate(kernel.k2)
    if (a.white and b.variance is None) or (b.white and a.variance is None):
        raise ValueError(f"kernel: white noise must not grow with x, got {kernel}")
    white = a.white * b.white
    white += a.white * b.variance if a.white else 0.0
    white += b.white * a.variance if b.white else 0.0
    both = a.text is not None and b.text is not None
    variance = None if a.variance is None or b.variance is None else a.variance * b.variance
    return _Term(f"{a.factor()} * {b.factor()}" if both else None, variance, white)


_TRANSLATORS = {
    theirs.RBF: _rbf,
    theirs.Matern: _matern,
    theirs.RationalQuadratic: _rational_quadratic,
    theirs.ExpSineSquared: _exp_sine_squared,
    theirs.DotProduct: _dot_product,
    theirs.WhiteKernel: _white,
    theirs.ConstantKernel: _constant,
    theirs.Sum: _sum,
    theirs.Product: _product,
}

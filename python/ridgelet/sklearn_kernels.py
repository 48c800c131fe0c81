"""scikit-learn's kernel objects in this package's words.

    >>> from sklearn.gaussian_process.kernels import RBF, WhiteKernel
    >>> translate(2.0 * RBF(1.5) + WhiteKernel(0.01))
    Translation(kernel='se(amplitude=1.4142135623730951, lengthscale=1.5)', noise=0.1, learn=True)

White noise becomes the noise of the data. A term here is k(x, x') + w [x = x']. Sums add both parts. Products multiply
them out, which gives white noise again provided that k(x, x) is the same everywhere. Every kernel of ours has an
amplitude of its own, so a constant that multiplies a kernel goes into it: the data could not tell one from the other.
"""

import math
from typing import Callable, NamedTuple, Optional

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
    times: Optional[Callable[[float], str]] = None  # the text of c k for a number c, where it goes into amplitudes
    is_constant: bool = False

    def factor(self):
        return f"({self.text})" if self.is_sum else self.text


def _single(name, arguments, variance):
    """A kernel by itself, with amplitude 1."""

    def times(c):
        return f"{name}({', '.join([f'amplitude={_number(math.sqrt(c))}', *arguments])})"

    return _Term(f"{name}({', '.join(arguments)})", variance, 0.0, times=times)


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
    return _single("se", [f"lengthscale={_lengthscale(kernel)}"], 1.0)


def _matern(kernel):
    names = {0.5: "matern12", 1.5: "matern32", 2.5: "matern52", math.inf: "se"}
    if kernel.nu not in names:
        raise ValueError(f"kernel: Matern must have nu 0.5, 1.5, 2.5 or inf, got {kernel.nu}")
    return _single(names[kernel.nu], [f"lengthscale={_lengthscale(kernel)}"], 1.0)


def _rational_quadratic(kernel):
    return _single("rq", [f"alpha={_number(kernel.alpha)}", f"lengthscale={_number(kernel.length_scale)}"], 1.0)


def _exp_sine_squared(kernel):
    return _single("periodic", [f"period={_number(kernel.periodicity)}", f"lengthscale={_number(kernel.length_scale)}"], 1.0)


def _dot_product(kernel):
    linear = _single("linear", [], None)
    return linear if kernel.sigma_0 == 0 else _added(_of_number(kernel.sigma_0**2), linear)


def _constant(kernel):
    return _of_number(kernel.constant_value)


def _of_number(value):
    return _Term(_number(value), float(value), 0.0, times=lambda c: _number(c * value), is_constant=True)


def _white(kernel):
    return _Term(None, 0.0, float(kernel.noise_level))


def _sum(kernel):
    return _added(_translate(kernel.k1), _translate(kernel.k2))


def _added(a, b):
    variance = None if a.variance is None or b.variance is None else a.variance + b.variance
    kernels = [each for each in (a, b) if each.text is not None]
    times = (lambda c: " + ".join(each.times(c) for each in kernels)) if all(each.times for each in kernels) else None
    is_sum = len(kernels) == 2 or a.is_sum or b.is_sum
    return _Term(" + ".join(each.text for each in kernels) or None, variance, a.white + b.white, is_sum, times)


def _product(kernel):
    a, b = _translate(kernel.k1), _translate(kernel.k2)
    if (a.white and b.variance is None) or (b.white and a.variance is None):
        raise ValueError(f"kernel: white noise must not grow with x, got {kernel}")
    white = a.white * b.white
    white += a.white * b.variance if a.white else 0.0
    white += b.white * a.variance if b.white else 0.0
    variance = None if a.variance is None or b.variance is None else a.variance * b.variance
    if a.text is None or b.text is None:
        return _Term(None, variance, white)
    factor, other = (a, b) if a.is_constant else (b, a)
    if factor.is_constant and other.times:
        c, is_constant = factor.variance, other.is_constant
        return _Term(other.times(c), variance, white, other.is_sum, lambda d: other.times(c * d), is_constant)
    times = (lambda c: f"{a.times(c)} * {b.factor()}") if a.times and not a.is_sum else None
    return _Term(f"{a.factor()} * {b.factor()}", variance, white, times=times)


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

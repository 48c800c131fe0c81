"""What Python's users expect of functions that are written in C++: signatures, examples, and errors in one line.

By itself, the error of a wrong call of such a function lists everything that the function could have taken. Here it
names the wrong argument instead, with the nearest right name. The signature is read from the first line of the
function's documentation, where pybind11 writes it.
"""

import ast
import difflib
import functools
import inspect
import numbers
import textwrap
import warnings

WRONG_CALL = ("incompatible function arguments", "incompatible constructor arguments")


def improve(function, name, example, more_keywords=(), prepare=None, look_at=None):
    """The function under its public name, with an example; `more_keywords` are taken besides those of its signature.

    `prepare` turns the arguments that a person gave into those that C++ understands; `look_at` is given the result.
    """
    signature = _signature_of(function)
    takes_more = any(each.kind is each.VAR_KEYWORD for each in signature.parameters.values())
    keywords = [*_names_in(signature), *more_keywords]

    @functools.wraps(function)
    def call(*args, **kwargs):
        if takes_more:
            _require_known(name, kwargs, keywords)
        if prepare:
            args, kwargs = prepare(args, kwargs)
        try:
            result = function(*args, **kwargs)
        except TypeError as wrong:
            if not any(text in str(wrong) for text in WRONG_CALL):
                raise
        else:
            if look_at:
                look_at(result)
            return result
        _require_known(name, kwargs, keywords)
        given = _bound(name, signature, args, kwargs)
        require_seed("seed", given.get("seed", 0))
        types = ", ".join(f"{word}: {type(value).__name__}" for word, value in given.items() if word != "self")
        raise TypeError(f"{name}() cannot take arguments of these types: {types or 'none'}")

    call.__signature__ = signature
    call.__module__ = "ridgelet"
    call.__doc__ = _documentation(function.__doc__.split("\n", 1)[1], example)
    return call


def improve_class(cls, examples, prepare):
    """The same for the constructor and the methods of a class; keys are "Class.method", of examples also "Class"."""
    name = cls.__name__
    cls.__module__ = "ridgelet"
    cls.__doc__ = _documentation(cls.__doc__, examples.get(name))
    for method, function in list(vars(cls).items()):
        if type(function).__name__ != "instancemethod":
            continue
        if method == "__init__":
            setattr(cls, method, improve(function.__func__, name, None))
        elif method == "__call__" or not method.startswith("_"):
            full = f"{name}.{method}"
            setattr(cls, method, improve(function.__func__, full, examples.get(full), prepare=prepare.get(full)))


def warn_of(fitted, stacklevel=3):
    """What `ridgelet fit` prints as warnings; they are about the line that called the caller of this function."""
    for text in fitted.report["warnings"]:
        warnings.warn(text, UserWarning, stacklevel)


def _documentation(text, example):
    summary = textwrap.fill(inspect.cleandoc(text), width=100)
    return summary if example is None else summary + "\n\n" + inspect.cleandoc(example) + "\n"


def _signature_of(function):
    line = function.__doc__.split("\n", 1)[0]
    taken = line.rsplit(") -> ", 1)[0]
    arguments = ast.parse(f"def {taken}): ...").body[0].args
    kind = inspect.Parameter
    defaults = [kind.empty] * (len(arguments.args) - len(arguments.defaults))
    defaults += [ast.literal_eval(each) for each in arguments.defaults]
    parameters = [
        kind(each.arg, kind.POSITIONAL_OR_KEYWORD, default=default)
        for each, default in zip(arguments.args, defaults)
    ]
    if arguments.vararg:
        parameters.append(kind(arguments.vararg.arg, kind.VAR_POSITIONAL))
    for each, default in zip(arguments.kwonlyargs, arguments.kw_defaults):
        default = kind.empty if default is None else ast.literal_eval(default)
        parameters.append(kind(each.arg, kind.KEYWORD_ONLY, default=default))
    if arguments.kwarg:
        parameters.append(kind(arguments.kwarg.arg, kind.VAR_KEYWORD))
    return inspect.Signature(parameters)


def _names_in(signature):
    variable = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
    return [name for name, each in signature.parameters.items() if each.kind not in variable and name != "self"]


def _require_known(name, given, known):
    for word in given:
        if word not in known:
            near = difflib.get_close_matches(word, known, n=1)
            suggestion = f"; did you mean '{near[0]}'?" if near else f"; it has {', '.join(known)}"
            raise TypeError(f"{name}() has no argument '{word}'{suggestion}")


def _bound(name, signature, args, kwargs):
    """Arguments by name."""
    try:
        given = signature.bind(*args, **kwargs).arguments
    except TypeError as wrong:
        raise TypeError(f"{name}(): {wrong}") from None
    for word, parameter in signature.parameters.items():
        if parameter.kind is parameter.VAR_KEYWORD:
            given |= given.pop(word, {})
    return given


def require_seed(argument, seed):
    """Raises ValueError for a whole number that no random numbers can come from."""
    if isinstance(seed, numbers.Integral) and not 0 <= seed < 2**64:
        raise ValueError(f"{argument}: must be from 0 to 2^64 - 1, got {seed}")


def with_hints(init):
    """The constructor of a class, which names the nearest right keyword for a wrong one."""
    known = _names_in(inspect.signature(init))

    @functools.wraps(init)
    def checked(self, *args, **kwargs):
        _require_known(type(self).__name__, kwargs, known)
        init(self, *args, **kwargs)

    return checked

"""Settings of fit that only some fits have: one that would do nothing is a misunderstanding."""

from . import _ridgelet

FIXED, SAMPLED, VARIATIONAL = "fixed", "sampled", "variational"

# Which hidden layers have use for a setting.
OF_HIDDEN = {
    "networks": (FIXED,),
    "precision": (FIXED,),
    "chains": (SAMPLED,),
    "warmup": (SAMPLED,),
    "sampler": (SAMPLED,),
    "draws": (SAMPLED, VARIATIONAL),
    "directions": (VARIATIONAL,),
    "coordinates": (FIXED, VARIATIONAL),
    "function_draws": (FIXED, VARIATIONAL),
}

# Settings of functions that are drawn, where noise is not Gaussian.
OF_FUNCTIONS = ("coordinates", "function_draws")

# Settings of learning.
OF_LEARNING = ("learn_rows", "priors")


def require_use(given):
    """Raises ValueError about the first of the settings given that this fit would not look at."""
    hidden = given.get("hidden", FIXED)
    gaussian = given.get("likelihood") in (None, "gaussian") and given.get("classes") is None
    for name in given:
        used_by = OF_HIDDEN.get(name)
        if used_by and hidden in (FIXED, SAMPLED, VARIATIONAL) and hidden not in used_by:
            belongs = " or ".join(f"hidden='{each}'" for each in used_by)
            raise ValueError(f"{name}: belongs to {belongs}, and hidden is '{hidden}'; set hidden, or leave {name} out")
        if name in OF_FUNCTIONS and gaussian:
            raise ValueError(f"{name}: is for noise that is not Gaussian; name a likelihood, or leave {name} out")
    require_use_of_learning(given)


def require_use_of_learning(given):
    """The same about settings of learning, where all is given."""
    require_use_of_period(given)
    model = {name: value for name, value in given.items() if name in ("learn", *_ridgelet.setting_names())}
    for name in OF_LEARNING:
        if name in given and not _ridgelet.learns(**model):
            raise ValueError(f"{name}: belongs to learning, and kernel and noise are given; set learn=True, or leave {name} out")


def require_use_of_period(given):
    """The same about a period, which only one kernel that is asked for by name has use for."""
    if given.get("period") is not None and given.get("kernel") != "best":
        raise ValueError("period: belongs to kernel='best'; write periodic(period=...) into the kernel instead")

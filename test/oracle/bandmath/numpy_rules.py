"""Band math by NumPy: the rules of types written a second time, from the interface.

Whole numbers are Python 2's, a decimal makes a decimal (float64), a band makes a band (float32). A value knows where
NODATA was chosen and which bands it was made from.
"""

import numpy as np

np.seterr(all="ignore")

f32 = np.float32
LIMIT = 2**1023

# Functions whose result IEEE 754 leaves open; NumPy's answer to them is the one of float64.
INEXACT = set(
    "sin cos tan arcsin arccos arctan arctan2 hypot cbrt power float_power sinh cosh tanh arcsinh arccosh arctanh "
    "exp expm1 exp2 log log10 log2 log1p logaddexp logaddexp2".split()
)


class Refused(Exception):
    pass


class Value:
    def __init__(self, data, absent=None, uses=frozenset()):
        self.data, self.absent, self.uses = data, absent, uses

    @property
    def kind(self):
        if isinstance(self.data, np.ndarray):
            return "band"
        return "int" if isinstance(self.data, int) else "float"


def either(values):
    found = [value.absent for value in values if value.absent is not None]
    if not found:
        return None
    result = found[0]
    for one in found[1:]:
        result = np.logical_or(result, one)
    return result


def whole(value):
    if abs(value) >= LIMIT:
        raise Refused("integer-too-large")
    return value


def nonzero(value):
    if value == 0:
        raise Refused("division-by-zero")
    return value


def int_power(a, b):
    if b >= 0:
        if abs(a) > 1 and b > 1024:
            raise Refused("integer-too-large")
        return whole(a**b)
    return np.power(np.float64(nonzero(a)), np.float64(b))


def int_around(a, digits=0):
    if digits >= 0:
        return a
    return whole(round(a, digits))


def int_fmod(a, b):
    rest = abs(a) % abs(nonzero(b))
    return -rest if a < 0 else rest


INTEGERS = {
    "add": lambda a, b: whole(a + b),
    "subtract": lambda a, b: whole(a - b),
    "multiply": lambda a, b: whole(a * b),
    "divide": lambda a, b: a // nonzero(b),
    "floor_divide": lambda a, b: a // nonzero(b),
    "divmod": lambda a, b: a // nonzero(b),
    "mod": lambda a, b: a % nonzero(b),
    "remainder": lambda a, b: a % nonzero(b),
    "fmod": int_fmod,
    "power": int_power,
    "negative": lambda a: -a,
    "abs": abs,
    "absolute": abs,
    "sign": lambda a: (a > 0) - (a < 0),
    "square": lambda a: whole(a * a),
    "reciprocal": lambda a: int(1 / nonzero(a)) if abs(a) < 2**53 else 0,
    "floor": lambda a: a,
    "ceil": lambda a: a,
    "trunc": lambda a: a,
    "fix": lambda a: a,
    "around": int_around,
    "round": int_around,
    "minimum": min,
    "maximum": max,
    "fmin": min,
    "fmax": max,
    "clip": lambda a, low, high: min(max(a, low), high),
    "where": lambda a, yes, no: yes if a else no,
    "less": lambda a, b: a < b,
    "less_equal": lambda a, b: a <= b,
    "greater": lambda a, b: a > b,
    "greater_equal": lambda a, b: a >= b,
    "equal": lambda a, b: a == b,
    "not_equal": lambda a, b: a != b,
    "array_equal": lambda a, b: a == b,
    "array_equiv": lambda a, b: a == b,
    "logical_and": lambda a, b: bool(a) and bool(b),
    "logical_or": lambda a, b: bool(a) or bool(b),
    "logical_xor": lambda a, b: bool(a) != bool(b),
    "logical_not": lambda a: not a,
}
BOOLEANS = {
    "less", "less_equal", "greater", "greater_equal", "equal", "not_equal", "isclose", "allclose", "array_equal",
    "array_equiv", "logical_and", "logical_or", "logical_xor", "logical_not",
}
# A comparison with NODATA is one with NaN: it has an answer.
COMPARISONS = {
    "less", "less_equal", "greater", "greater_equal", "equal", "not_equal", "isclose", "allclose", "array_equal",
    "array_equiv",
}


# NumPy gives either zero for the larger of 0 and -0, depending on the processor; Swath follows IEEE 754-2019.
def larger(function):
    def compute(a, b):
        return np.where((a == 0) & (b == 0), a + b, function(a, b))
    return compute


def smaller(function):
    def compute(a, b):
        return np.where((a == 0) & (b == 0), -((-a) + (-b)), function(a, b))
    return compute


maximum, minimum = larger(np.maximum), smaller(np.minimum)


def clip(a, low, high):
    result = minimum(maximum(a, low), high)
    if not np.array_equal(result, np.clip(a, low, high), equal_nan=True):
        raise AssertionError("clip is not what it is said to be")
    return result


def copysign(a, b):
    # the sign of NaN is an accident of the processor
    return np.copysign(a, np.where(np.isnan(b), f32(1), b))


def ldexp(a, n):
    if isinstance(n, int):
        return np.ldexp(a, max(min(n, 2**31 - 1), -(2**31)))
    n = np.nan_to_num(n.astype(np.float64), nan=0.0, posinf=1e30, neginf=-1e30)
    return np.ldexp(a, np.clip(np.trunc(n), -(2.0**31), 2.0**31 - 1).astype(np.int32))


def nextafter(a, b):
    return np.nextafter(np.asarray(a, f32), np.asarray(b, f32))


SPECIAL = {
    "minimum": minimum,
    "maximum": maximum,
    "fmin": smaller(np.fmin),
    "fmax": larger(np.fmax),
    "clip": clip,
    "copysign": copysign,
    "ldexp": ldexp,
    "nextafter": nextafter,
    "modf": lambda a: np.modf(a)[0],
    "divmod": lambda a, b: np.divmod(a, b)[0],
    "divide": np.true_divide,
    "fix": np.trunc,
    "array_equal": lambda a, b: np.equal(a, b),
    "array_equiv": lambda a, b: np.equal(a, b),
    "allclose": np.isclose,
}


def unwrap(data, masked):
    result = data.copy()
    for row in range(data.shape[0]):
        start = 0
        for column in range(data.shape[1] + 1):
            if column == data.shape[1] or masked[row, column]:
                if column > start:
                    result[row, start:column] = np.unwrap(data[row, start:column])
                start = column + 1
    return result


def masked_pixels(values, planes):
    shape = planes[0][0].shape
    masked = np.zeros(shape, bool)
    for value in values:
        for band in value.uses:
            if planes[band][1] is not None:
                masked |= planes[band][1] == 0
        if value.absent is not None:
            masked |= value.absent
    return masked


def to_band(value, shape):
    if value.kind == "band":
        return value.data.astype(f32, copy=False)
    return np.full(shape, f32(float(value.data)), f32)


def call(name, values, planes):
    shape = planes[0][0].shape
    uses = frozenset().union(*(value.uses for value in values))
    absent = None if name in COMPARISONS else either(values)
    kinds = {value.kind for value in values}
    if "band" in kinds:
        dtype = np.float64 if name in INEXACT else f32
        return Value(call_bands(name, values, planes, dtype), where_absent(name, values, absent, shape), uses)
    if kinds == {"int"} and name in INTEGERS:
        result = INTEGERS[name](*(value.data for value in values))
        return Value(result if isinstance(result, np.floating) else int(result), absent, uses)
    if name == "where":
        chosen = values[1] if values[0].data != 0 else values[2]
        # the condition's type is not the result's
        is_whole = values[1].kind == values[2].kind == "int"
        data = chosen.data if is_whole else np.float64(float(chosen.data))
        return Value(data, either([values[0], chosen]), uses)
    keeps = ("ldexp", "around", "round")
    data = [v.data if index == 1 and name in keeps else np.float64(float(v.data)) for index, v in enumerate(values)]
    result = SPECIAL.get(name, getattr(np, name, None))(*data)
    if name in BOOLEANS:
        return Value(int(result), absent, uses)
    return Value(np.float64(result), absent, uses)


def where_absent(name, values, absent, shape):
    if name != "where" or absent is None:
        return absent
    condition, yes, no = values
    test = np.broadcast_to(np.asarray(condition.data) != 0, shape)
    chosen = np.where(test, False if yes.absent is None else yes.absent, False if no.absent is None else no.absent)
    return chosen if condition.absent is None else np.logical_or(chosen, condition.absent)


def call_bands(name, values, planes, dtype):
    """A function of bands, computed in a precision and given in float32."""
    shape = planes[0][0].shape
    data = [to_band(value, shape).astype(dtype) for value in values]
    if name in ("around", "round"):
        return np.around(data[0], *(value.data for value in values[1:]))
    if name == "ldexp":
        return ldexp(data[0], values[1].data if values[1].kind == "int" else data[1])
    if name == "power" and values[1].kind != "band":
        return np.power(data[0], float(f32(float(values[1].data)))).astype(f32)
    if name == "unwrap":
        return unwrap(data[0], masked_pixels(values, planes))
    if name == "where":
        # a condition never meets the branches, so it keeps its own precision
        return np.where(np.asarray(values[0].data) != 0, data[1], data[2])
    if name == "array_equal" and {value.kind for value in values} != {"band"}:
        return np.zeros(shape, f32)
    result = SPECIAL.get(name, getattr(np, name, None))(*data)
    if name in ("allclose", "array_equal", "array_equiv"):
        result = np.full(shape, bool(np.all(result | masked_pixels(values, planes))))
    return np.asarray(result).astype(f32)

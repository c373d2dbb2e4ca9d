"""Prints results of a script as one line of JSON each, which the test compares between two modules."""
import json

import numpy as np


def show(name, *values, tolerance=1e-9):
    """Numbers, within a tolerance; words and truth, exactly."""
    plain = [np.asarray(value).ravel().tolist() for value in values]
    print(json.dumps({"name": name, "values": plain, "tolerance": tolerance}))


def fails(name, function, *arguments, **keywords):
    """The type of the error that a call raises."""
    try:
        function(*arguments, **keywords)
    except Exception as error:  # which one it is, is the result
        show(name, [base.__name__ for base in type(error).__mro__ if base.__module__ == "builtins" or base.__name__ == "FatalError"])
    else:
        show(name, ["no error"])

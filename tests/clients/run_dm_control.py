"""All tasks of dm_control's suite: load, reset, and a few random actions. Prints which run, as JSON."""

import json

import numpy
from dm_control import suite


def main():
    runs, fails = [], {}
    for domain, task in suite.ALL_TASKS:
        name = f"{domain}/{task}"
        try:
            env = suite.load(domain, task, task_kwargs={"random": 1})
            env.reset()
            spec = env.action_spec()
            random = numpy.random.default_rng(0)
            for _ in range(5):
                step = env.step(random.uniform(spec.minimum, spec.maximum, spec.shape))
            assert all(numpy.isfinite(value).all() for value in step.observation.values())
            runs.append(name)
        except Exception as error:  # whatever it is, it goes into the table
            fails[name] = f"{type(error).__name__}: {str(error).splitlines()[0] if str(error) else ''}"[:200]
    print(json.dumps({"runs": runs, "fails": fails}))


if __name__ == "__main__":
    main()

"""Random numbers, written the way MJCF writes them, for the random-model generator."""

import math
import random

ORIENTATIONS = ("quat", "axisangle", "euler", "xyaxes", "zaxis")


def text(*numbers):
    """Numbers as an attribute value; four digits keep a failing model readable."""
    return " ".join(f"{number:.4g}" for number in numbers)


class Dice:
    """A seeded source of attribute values."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.degrees = True  # how angles are written; set from the compiler's angle

    def chance(self, probability):
        return self.random.random() < probability

    def pick(self, options):
        return self.random.choice(list(options))

    def integer(self, low, high):
        return self.random.randint(low, high)

    def uniform(self, low, high):
        return self.random.uniform(low, high)

    def spread(self, low, high):
        """A positive number whose logarithm is uniform: small and large values come equally often."""
        return math.exp(self.random.uniform(math.log(low), math.log(high)))

    def vector(self, scale, count=3):
        return [self.random.uniform(-scale, scale) for _ in range(count)]

    def direction(self):
        """A vector of any length, sometimes along a coordinate axis."""
        if self.chance(0.3):
            axis = [0.0, 0.0, 0.0]
            axis[self.integer(0, 2)] = self.pick((-1.0, 1.0, 2.0))
            return axis
        while True:
            vector = self.vector(1)
            if sum(x * x for x in vector) > 0.01:
                return vector

    def angle(self, limit=math.pi):
        """An angle in the model's unit."""
        return self.in_unit(self.uniform(-limit, limit))

    def in_unit(self, radians):
        return math.degrees(radians) if self.degrees else radians

    def orientation(self):
        """One of the five ways to write a rotation, as (attribute, value)."""
        kind = self.pick(ORIENTATIONS)
        if kind == "quat":
            return kind, text(*self.vector(1, 3), self.pick((-0.7, 0.4, 1.3)))
        if kind == "axisangle":
            return kind, text(*self.direction(), self.angle())
        if kind == "euler":
            return kind, text(self.angle(), self.angle(), self.angle())
        if kind == "xyaxes":
            return kind, text(*self._two_directions())
        return kind, text(*self.direction())

    def _two_directions(self):
        while True:
            first, second = self.direction(), self.direction()
            cross = [first[i - 2] * second[i - 1] - first[i - 1] * second[i - 2] for i in range(3)]
            if sum(x * x for x in cross) > 0.01:
                return first + second

    def place(self, attributes, scale=0.5, rotate=0.6, move=0.8):
        """Adds a random position and orientation."""
        if self.chance(move):
            attributes["pos"] = text(*self.vector(scale))
        if self.chance(rotate):
            attributes.update([self.orientation()])

    def colour(self):
        return text(*(self.uniform(0, 1) for _ in range(4)))

    def solref(self):
        if self.chance(0.3):
            return text(-self.spread(10, 1000), -self.spread(1, 100))
        return text(self.spread(0.005, 0.1), self.uniform(0.3, 1.5))

    def solimp(self):
        low = self.uniform(0.3, 0.9)
        values = [low, self.uniform(low, 0.99), self.spread(1e-4, 1e-1), self.uniform(0.1, 0.9), self.uniform(1, 4)]
        return text(*values[: self.pick((3, 5))])

    def polynomial(self, low, high):
        """A coefficient list of one to three numbers, as stiffness and damping take it."""
        count = self.pick((1, 1, 2, 3))
        return text(*(self.spread(low, high) for _ in range(count)))

    def some(self, table, probability):
        """A random choice of the entries of an attribute table {name: function of dice}."""
        return {name: make(self) for name, make in table.items() if self.chance(probability)}

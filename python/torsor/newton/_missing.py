"""The error for names of Newton that are not part of Torsor."""

from torsor._error import Error


class NotThere(Error, AttributeError):
    """A name of Newton that Torsor does not have, on purpose; hasattr() is False for it."""

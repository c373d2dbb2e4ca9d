"""Newton's collision pipeline."""


class CollisionPipeline:
    """Finds contacts, as model.collide() does. The choice of a broad phase and sizes of buffers have no effect.

    >>> pipeline = newton.CollisionPipeline(model)
    >>> contacts = pipeline.contacts()
    >>> pipeline.collide(state, contacts)
    >>> contacts.rigid_contact_count
    0
    """

    def __init__(self, model, broad_phase=None, rigid_contact_max=None, **unused):
        self.model = model

    def __repr__(self):
        return f"<CollisionPipeline of {self.model!r}>"

    @classmethod
    def from_model(cls, model, *args, **unused):
        """The same, by its old name."""
        return cls(model)

    def contacts(self):
        """New Contacts, to be filled by collide()."""
        return self.model.contacts()

    def collide(self, state, contacts):
        """Fill the contacts with those of a state."""
        self.model.collide(state, contacts)

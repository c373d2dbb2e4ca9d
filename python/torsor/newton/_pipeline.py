"""Newton's collision pipeline."""


class CollisionPipeline:
    """Finds contacts, as model.collide() does. The choice of a broad phase and sizes of buffers have no effect.

    Contacts are never dropped: rigid_contact_max is where Warp arrays begin, and they grow.

    >>> pipeline = newton.CollisionPipeline(model)
    >>> contacts = pipeline.contacts()
    >>> pipeline.collide(state, contacts)
    >>> contacts.rigid_contact_count
    0
    """

    def __init__(self, model, *, reduce_contacts=True, rigid_contact_max=None, max_triangle_pairs=None,
                 shape_pairs_filtered=None, soft_contact_max=None, soft_contact_margin=None, requires_grad=None,
                 broad_phase=None, shape_pairs_max=None, deterministic=False, contact_matching=None,
                 speculative_contact_gap_max=None, **unused):
        self.model = model
        self.device = model.device
        self.rigid_contact_max = rigid_contact_max or model.rigid_contact_max or model._contact_max()
        self.soft_contact_max = soft_contact_max or 0

    def __repr__(self):
        return f"<CollisionPipeline of {self.model!r}>"

    @classmethod
    def from_model(cls, model, *args, **unused):
        """The same, by its old name."""
        return cls(model)

    def contacts(self):
        """New Contacts, to be filled by collide()."""
        before, self.model.rigid_contact_max = self.model.rigid_contact_max, self.rigid_contact_max
        try:
            return self.model.contacts()
        finally:
            self.model.rigid_contact_max = before

    def collide(self, state, contacts, *, soft_contact_margin=None, dt=None):
        """Fill the contacts with those of a state."""
        self.model.collide(state, contacts)

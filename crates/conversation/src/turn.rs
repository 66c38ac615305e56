//! Which tools does this turn need? The recipe, top to bottom.

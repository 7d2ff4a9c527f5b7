"""One file a step; none is changed once it was released."""

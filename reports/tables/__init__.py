"""Tables and figures that answers and sheets share."""

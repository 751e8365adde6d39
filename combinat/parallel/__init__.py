"""Parallel work: in this process, in several processes of this machine, or on a Dask cluster, behind one interface."""

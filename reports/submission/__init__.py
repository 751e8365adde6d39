"""Submissions to regulators: jurisdiction profiles, the dossier and its papers, its rebuild, and signatures."""

"""Who does the work: this process, several on this machine, or a cluster; whoever hands it out need not know which."""

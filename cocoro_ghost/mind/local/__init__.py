"""A model on this machine without a key: a list, a download, a child process that is cared for."""

"""A checked plan becomes rows, in the one transaction of its job."""

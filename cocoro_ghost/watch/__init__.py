"""The eye: asking a client for its screen or camera, and looking in now and then."""

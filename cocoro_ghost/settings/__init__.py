"""What people set: the config file, presets, secrets."""

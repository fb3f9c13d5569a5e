"""The harness that measures memory offline: recall, grow, replay."""

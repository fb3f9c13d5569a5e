"""Jobs that survive crashes: at-least-once delivery, exactly-once effects."""

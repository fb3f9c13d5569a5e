"""What reaches the ghost unasked: notifications, wishes, reminders, screen and camera."""

"""What the rig must do before anything is tested against it."""

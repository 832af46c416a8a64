"""The worked example: its parameters, its arrays, and an independent reference for them."""

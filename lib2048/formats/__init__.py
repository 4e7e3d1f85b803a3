"""Networks and games as other 2048 programs write them."""

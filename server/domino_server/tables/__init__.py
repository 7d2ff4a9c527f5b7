"""Tables: each has a thread that watches it, a referee, and whoever looks on."""

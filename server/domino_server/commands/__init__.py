"""The sub-commands of `dominotable`, a module each; heavy imports happen when a command runs."""

"""`python -m domino_server` is the command `dominotable`."""

from domino_server.cli import main

if __name__ == "__main__":
    main()

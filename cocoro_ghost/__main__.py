"""`python -m cocoro_ghost`."""

from cocoro_ghost.cli import main

if __name__ == "__main__":
    main()

"""`python -m cocoro_ghost.mind.local MODEL.gguf`."""

from cocoro_ghost.mind.local.server import main

main()

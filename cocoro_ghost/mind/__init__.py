"""The language model behind one small protocol, and an embedded mind that needs none."""

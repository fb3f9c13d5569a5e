"""How a call to a model travels: OpenAI's wire for most endpoints, Ollama's own where it can do more."""

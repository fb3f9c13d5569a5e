"""The listening side: sockets and certificates, who may come in, how much, and how it is refused."""

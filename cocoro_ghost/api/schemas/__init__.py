"""What the wire carries, as types: one file a topic; the OpenAPI document is made from them."""

"""Care of the data: back up, restore, export, import, reindex, re-embed, and a doctor."""

-- Of the input, what the provider had kept from an earlier call.

ALTER TABLE usage ADD COLUMN cached_tokens INTEGER NOT NULL DEFAULT 0;

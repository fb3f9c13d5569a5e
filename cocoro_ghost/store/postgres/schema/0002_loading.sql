-- While an export is taken in, its jobs and its reminders lie in two transactions at once, and both would wait for
-- this one row: nobody is told meanwhile, and once at the end (tables.py).
CREATE OR REPLACE FUNCTION needs_attention(at bigint) RETURNS void LANGUAGE sql AS $$
  INSERT INTO attention (due_at) SELECT at WHERE current_setting('ghost.loading', true) IS DISTINCT FROM 'on'
  ON CONFLICT (ghost_id) DO UPDATE SET due_at = least(attention.due_at, excluded.due_at)
$$;

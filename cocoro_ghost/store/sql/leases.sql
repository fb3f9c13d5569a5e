-- name: take
INSERT INTO leases (what, holder, beat_at) VALUES (:what, :holder, :now)
ON CONFLICT (what) DO UPDATE SET holder = excluded.holder, beat_at = excluded.beat_at;

-- name: get
SELECT holder, beat_at FROM leases WHERE what = :what;

-- name: beat
UPDATE leases SET beat_at = :now WHERE holder = :holder;

-- name: release
DELETE FROM leases WHERE what = :what;

-- name: release_all
DELETE FROM leases WHERE holder = :holder;

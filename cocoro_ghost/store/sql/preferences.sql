-- name: create
INSERT INTO user_preferences (domain, polarity, subject, subject_key, status, note, confidence, evidence_json,
  first_seen_at, last_seen_at, confirmed_at, revoked_at)
VALUES (:domain, :polarity, :subject, :subject_key, :status, :note, :confidence, :evidence_json,
  :first_seen_at, :last_seen_at, :confirmed_at, :revoked_at);

-- name: replace
UPDATE user_preferences SET status = :status, subject = :subject, note = :note, confidence = :confidence,
  evidence_json = :evidence_json, last_seen_at = :last_seen_at, confirmed_at = :confirmed_at, revoked_at = :revoked_at
WHERE id = :id;

-- name: get
SELECT * FROM user_preferences WHERE id = :id;

-- name: find
SELECT * FROM user_preferences WHERE domain = :domain AND polarity = :polarity AND subject_key = :subject_key;

-- name: with_status
SELECT * FROM user_preferences
WHERE (:status IS NULL OR status = :status) AND (:domain IS NULL OR domain = :domain)
  AND (:polarity IS NULL OR polarity = :polarity)
ORDER BY last_seen_at DESC, id DESC LIMIT :limit OFFSET :skip;

-- name: about_subject
SELECT * FROM user_preferences WHERE subject_key = :subject_key ORDER BY id;

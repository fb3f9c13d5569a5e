-- name: add
INSERT INTO client_turns (event_id, client_id, conversation, message_id, parent_id, reply_id, standing, edited_from)
VALUES (:event_id, :client_id, :conversation, :message_id, :parent_id, :reply_id, :standing, :edited_from);

-- name: of_conversation
SELECT t.event_id, t.conversation, t.message_id, t.parent_id, t.reply_id, t.standing, e.user_text, e.assistant_text,
  e.created_at, e.speaker
FROM client_turns AS t JOIN events AS e ON e.event_id = t.event_id
WHERE t.conversation = :conversation AND t.standing IN ('current', 'other_branch', 'doubtful')
ORDER BY t.event_id DESC LIMIT :limit;

-- name: of_client
SELECT t.event_id, t.conversation, t.message_id, t.parent_id, t.reply_id, t.standing, e.user_text, e.assistant_text,
  e.created_at, e.speaker
FROM client_turns AS t JOIN events AS e ON e.event_id = t.event_id
WHERE t.client_id = :client_id AND t.standing IN ('current', 'other_branch', 'doubtful')
ORDER BY t.event_id DESC LIMIT :limit;

-- name: stand
UPDATE client_turns SET standing = :standing WHERE event_id = :event_id;

-- name: replied
UPDATE client_turns SET reply_id = :reply_id WHERE event_id = :event_id;

-- name: doubtful
SELECT e.* FROM client_turns AS t JOIN events AS e ON e.event_id = t.event_id
WHERE t.standing = 'doubtful' ORDER BY t.event_id DESC LIMIT :limit;

-- name: standing
SELECT standing FROM client_turns WHERE event_id = :event_id;

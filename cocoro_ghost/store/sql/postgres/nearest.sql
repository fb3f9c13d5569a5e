-- name: search
SELECT item_id, 1 - (vec_items.vector <=> :vector) AS cosine FROM vec_items
WHERE space = :space AND kind = ANY(:vector_kinds) AND searchable = 1 AND vec_items.vector IS NOT NULL
  AND (:since IS NULL OR ts >= :since) AND (:until IS NULL OR ts < :until)
ORDER BY vec_items.vector <=> :vector, item_id DESC LIMIT :limit;

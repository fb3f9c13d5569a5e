-- name: search
WITH near AS (
  (SELECT item_id, vec_items.vector <=> :vector AS distance FROM vec_items
   WHERE space = :space AND kind = ANY(:vector_kinds) AND searchable = 1 AND vec_items.vector IS NOT NULL
     AND (:since IS NULL OR ts >= :since) AND (:until IS NULL OR ts < :until)
   ORDER BY vec_items.vector <=> :vector, item_id DESC LIMIT :limit)
  UNION ALL
  (SELECT p.item_id, p.vector <=> :vector AS distance
   FROM vec_passages AS p JOIN vec_items AS v ON v.ghost_id = p.ghost_id AND v.item_id = 10000000000 + p.event_id
   WHERE 4 = ANY(:vector_kinds) AND v.space = :space AND v.searchable = 1
     AND (:since IS NULL OR v.ts >= :since) AND (:until IS NULL OR v.ts < :until)
   ORDER BY p.vector <=> :vector, p.item_id DESC LIMIT :limit)
)
SELECT item_id, 1 - distance AS cosine FROM near ORDER BY distance, item_id DESC LIMIT :limit;

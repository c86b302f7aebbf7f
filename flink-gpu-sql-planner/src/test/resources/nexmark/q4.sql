SELECT category, AVG(won) FROM (
  SELECT MAX(b.price) AS won, a.category
  FROM auctions AS a JOIN bids AS b ON a.id = b.auction AND b.ts BETWEEN a.ts AND a.expires
  GROUP BY a.id, a.category)
GROUP BY category

SELECT id, item, seller, bidder, price FROM (
  SELECT a.id, a.item, a.seller, b.bidder, b.price,
    ROW_NUMBER() OVER (PARTITION BY a.id ORDER BY b.price DESC, b.ts ASC) AS place
  FROM auctions AS a JOIN bids AS b ON a.id = b.auction AND b.ts BETWEEN a.ts AND a.expires)
WHERE place <= 1

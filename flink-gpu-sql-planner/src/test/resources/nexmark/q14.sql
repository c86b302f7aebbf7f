SELECT auction, bidder, 0.908 * price AS euros,
  CASE WHEN HOUR(ts) BETWEEN 8 AND 18 THEN 'dayTime' WHEN HOUR(ts) <= 6 OR HOUR(ts) >= 20 THEN 'nightTime'
    ELSE 'otherTime' END AS phase,
  ts, extra, CHAR_LENGTH(extra) - CHAR_LENGTH(REPLACE(extra, 'c', '')) AS cs
FROM bids WHERE 0.908 * price > 100 AND 0.908 * price < 50000000

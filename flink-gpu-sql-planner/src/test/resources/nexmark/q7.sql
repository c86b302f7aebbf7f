SELECT b.auction, b.price, b.bidder, b.ts, b.extra
FROM bids AS b JOIN (
  SELECT MAX(price) AS highest, window_end
  FROM TABLE(TUMBLE(TABLE bids, DESCRIPTOR(ts), INTERVAL '10' SECOND))
  GROUP BY window_start, window_end) AS w
ON b.price = w.highest AND b.ts BETWEEN w.window_end - INTERVAL '10' SECOND AND w.window_end

SELECT auction, DATE_FORMAT(ts, 'yyyy-MM-dd') AS d, COUNT(*), COUNT(*) FILTER (WHERE price < 10000),
  COUNT(*) FILTER (WHERE price >= 1000000), MIN(price), MAX(price), AVG(price), SUM(price)
FROM bids GROUP BY auction, DATE_FORMAT(ts, 'yyyy-MM-dd')

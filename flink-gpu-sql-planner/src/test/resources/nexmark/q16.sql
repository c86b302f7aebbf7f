SELECT channel, DATE_FORMAT(ts, 'yyyy-MM-dd') AS d, MAX(DATE_FORMAT(ts, 'HH:mm')), COUNT(*),
  COUNT(*) FILTER (WHERE price < 10000), COUNT(DISTINCT bidder), COUNT(DISTINCT auction)
FROM bids GROUP BY channel, DATE_FORMAT(ts, 'yyyy-MM-dd')

SELECT bidder, COUNT(*), window_start, window_end
FROM TABLE(TUMBLE(TABLE bids_by_clock, DESCRIPTOR(ran), INTERVAL '10' SECOND))
GROUP BY bidder, window_start, window_end

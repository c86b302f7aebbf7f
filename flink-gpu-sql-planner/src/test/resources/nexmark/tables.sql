-- One stream of events, of which one in fifty is a person, three are auctions, and the others bids.
CREATE TABLE events (
  kind INT,
  person ROW<id BIGINT, name STRING, email STRING, card STRING, city STRING, state STRING, ts TIMESTAMP(3), extra STRING>,
  auction ROW<id BIGINT, item STRING, description STRING, opening BIGINT, reserve BIGINT, ts TIMESTAMP(3),
    expires TIMESTAMP(3), seller BIGINT, category BIGINT, extra STRING>,
  bid ROW<auction BIGINT, bidder BIGINT, price BIGINT, channel STRING, url STRING, ts TIMESTAMP(3), extra STRING>,
  ts AS CASE WHEN kind = 0 THEN person.ts WHEN kind = 1 THEN auction.ts ELSE bid.ts END,
  WATERMARK FOR ts AS ts - INTERVAL '4' SECOND
) WITH ('connector' = 'nexmark', 'count' = '${count}');

CREATE VIEW persons AS
SELECT person.id AS id, person.name AS name, person.email AS email, person.card AS card, person.city AS city,
  person.state AS state, ts, person.extra AS extra
FROM events WHERE kind = 0;

CREATE VIEW auctions AS
SELECT auction.id AS id, auction.item AS item, auction.description AS description, auction.opening AS opening,
  auction.reserve AS reserve, ts, auction.expires AS expires, auction.seller AS seller,
  auction.category AS category, auction.extra AS extra
FROM events WHERE kind = 1;

CREATE VIEW bids AS
SELECT bid.auction AS auction, bid.bidder AS bidder, bid.price AS price, bid.channel AS channel, bid.url AS url, ts,
  bid.extra AS extra
FROM events WHERE kind = 2;

CREATE VIEW bids_by_clock AS SELECT bidder, PROCTIME() AS ran FROM bids;

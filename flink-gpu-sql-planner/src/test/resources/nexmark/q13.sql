SELECT b.auction, b.bidder, b.price, b.ts, s.word
FROM bids AS b JOIN (VALUES (0, 'zero'), (1, 'one'), (2, 'two'), (3, 'three')) AS s(id, word)
ON MOD(b.auction, 5) = s.id

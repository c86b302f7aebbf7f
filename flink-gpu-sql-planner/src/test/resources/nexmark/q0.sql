SELECT auction, bidder, price, ts, extra FROM bids

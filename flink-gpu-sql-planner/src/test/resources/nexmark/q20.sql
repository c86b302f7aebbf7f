SELECT b.auction, b.bidder, b.price, b.channel, b.url, a.item, a.description, a.opening, a.seller, a.category
FROM bids AS b JOIN auctions AS a ON b.auction = a.id WHERE a.category = 10

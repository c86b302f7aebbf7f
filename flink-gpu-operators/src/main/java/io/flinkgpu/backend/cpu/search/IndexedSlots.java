package io.flinkgpu.backend.cpu.search;

/** Slots of a tile with an index of their elements. */
final class IndexedSlots {

    private final SizeOrder order;
    private final RankIndex index;

    IndexedSlots(Slots slots) {
        order = new SizeOrder(slots);
        index = slots.tile().isNarrow() ? NumberIndex.of(order) : HashIndex.of(order);
    }

    /** As much memory as the index of some slots may take. */
    static long mostBytes(Slots slots) {
        return (slots.tile().isNarrow() ? NumberIndex.bytes(slots) : HashIndex.mostBytes(slots))
                + SizeOrder.mostBytes(slots);
    }

    Slots slots() {
        return order.slots();
    }

    SizeOrder order() {
        return order;
    }

    RankIndex index() {
        return index;
    }

    /** The words of a bitmap. */
    int words() {
        return RankIndex.words(slots());
    }

    long bytes() {
        return index.bytes() + order.bytes();
    }
}

package io.flinkgpu.backend.cpu.search;

import io.flinkgpu.sets.OpenTile;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * An open tile in blocks that can have an index, and a rest, its newest documents, that is too small for one.
 * What costs twice as much to scan is of the next level; two blocks of a level become one of a higher level. So a
 * tile has at most one block a level, and a document is indexed at most once a level.
 */
final class OpenBlocks {

    /** As measured: with less there are more blocks to look into, with more a larger rest is scanned. */
    static final int LEAST_ELEMENTS = 1 << 16;

    /** A document costs as much to scan as so many elements. */
    private static final int DOCUMENT_ELEMENTS = 8;

    private final int leastElements;
    private OpenTile tile;

    /** The oldest first, each of a higher level than the next. */
    private final List<Slots> blocks = new ArrayList<>();

    /**
     * @param leastElements of a block, with some for each document
     */
    OpenBlocks(OpenTile tile, int leastElements) {
        this.tile = tile;
        this.leastElements = leastElements;
    }

    /** Makes a block of the rest if that is large enough; the tile has grown, or is another one. */
    void update(OpenTile open) {
        if (open != tile) {
            tile = open;
            blocks.clear();
        }
        if (cost(rest()) >= leastElements) {
            add(rest());
        }
    }

    List<Slots> blocks() {
        return Collections.unmodifiableList(blocks);
    }

    /** The documents after all blocks; maybe none. */
    Slots rest() {
        int from = blocks.isEmpty() ? 0 : blocks.get(blocks.size() - 1).to();
        return new Slots(tile, from, tile.documents());
    }

    /** Adds a block, joined with those before it whose level is not higher. */
    private void add(Slots newest) {
        Slots block = newest;
        int last = blocks.size() - 1;
        while (last >= 0 && level(blocks.get(last)) <= level(block)) {
            block = new Slots(tile, blocks.remove(last).from(), block.to());
            last--;
        }
        blocks.add(block);
    }

    private int level(Slots block) {
        return Integer.SIZE - Integer.numberOfLeadingZeros(cost(block) / leastElements);
    }

    /** To scan. */
    private static int cost(Slots slots) {
        return slots.allElements() + DOCUMENT_ELEMENTS * slots.count();
    }
}

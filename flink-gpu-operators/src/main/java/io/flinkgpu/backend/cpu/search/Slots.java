package io.flinkgpu.backend.cpu.search;

import io.flinkgpu.sets.Documents;
import io.flinkgpu.sets.Tile;

/**
 * Slots of a tile that are searched, or indexed, together.
 *
 * @param from the first one
 * @param to the one after the last
 */
record Slots(Documents tile, int from, int to) {

    /** All of a tile. */
    static Slots of(Documents tile) {
        return new Slots(tile, 0, tile.documents());
    }

    int count() {
        return to - from;
    }

    /** Where the elements of the documents start. */
    int firstElement() {
        return tile.starts()[from];
    }

    /** Where the elements of the documents end. */
    int endElement() {
        return tile.starts()[to];
    }

    int allElements() {
        return endElement() - firstElement();
    }

    /** Whether the documents are in the order of their sizes, whatever these are. */
    boolean isSorted() {
        return tile instanceof Tile;
    }
}

package io.flinkgpu.sets;

import org.apache.flink.annotation.Internal;

import java.util.List;

/**
 * Documents in the order of their sizes, the smallest first. Nothing of it changes but when documents {@link
 * #died}.
 */
@Internal
public final class Tile extends Documents {

    /** Of a document that nobody can see any more. */
    private static final int NOWHERE = -1;

    /** Documents that one thread copies. */
    private static final int COPIED = 4_096;

    /** The open tile whose slots {@link Places} have, or this one. */
    private final int placeNumber;

    /** By slot of the open tile: the slot here. Null where places have those of this one. */
    private final char[] slotsNow;

    private Tile(int number, OpenTile open, boolean isNarrow, int documentRoom, int elementRoom) {
        super(number, isNarrow, documentRoom, elementRoom);
        placeNumber = open == null ? number : open.number();
        slotsNow = open == null ? null : new char[open.documents];
    }

    /**
     * The documents of an open tile, whose places stay right; null if nobody can see any.
     *
     * @param version the oldest that anybody may still ask for
     */
    static Tile sealed(int number, OpenTile open, long version) {
        return of(number, open, List.of(open), version);
    }

    /**
     * The documents of others of one kind, those left out that nobody can see any more; null if none is
     * left. They need new places.
     *
     * @param version the oldest that anybody may still ask for
     */
    static Tile merged(int number, List<Tile> sources, long version) {
        return of(number, null, sources, version);
    }

    private static Tile of(
            int number, OpenTile open, List<? extends Documents> sources, long version) {
        int[] nextSlots = new int[sizes(sources)];
        int documents = 0;
        int elements = 0;
        for (Documents source : sources) {
            for (int slot = 0; slot < source.documents; slot++) {
                if (source.died[slot] > version) {
                    int size = source.size(slot);
                    nextSlots[size + 1]++;
                    documents++;
                    elements += size;
                }
            }
        }
        if (documents == 0) {
            return null;
        }
        Tile tile = new Tile(number, open, sources.get(0).isNarrow(), documents, elements);
        int[] starts = tile.starts;
        int slot = 0;
        int start = 0;
        tile.smallest = -1;
        for (int size = 0; size + 1 < nextSlots.length; size++) {
            int ofSize = nextSlots[size + 1];
            nextSlots[size + 1] = nextSlots[size] + ofSize;
            if (ofSize > 0) {
                tile.smallest = tile.smallest < 0 ? size : tile.smallest;
                tile.largest = size;
            }
            for (int i = 0; i < ofSize; i++) {
                start += size;
                starts[++slot] = start;
            }
        }
        for (Documents source : sources) {
            tile.copy(source, version, nextSlots);
        }
        tile.documents = documents;
        return tile;
    }

    /** The number of the tile that places name for documents that are here. */
    int placeNumber() {
        return placeNumber;
    }

    @Override
    int slotNow(int slot) {
        return slotsNow == null ? slot : slotsNow[slot];
    }

    @Override
    public long bytes() {
        return super.bytes() + (slotsNow == null ? 0 : (long) Character.BYTES * slotsNow.length);
    }

    /** One more than the most elements that a document has, and another one. */
    private static int sizes(List<? extends Documents> sources) {
        int largest = 0;
        for (Documents source : sources) {
            largest = Math.max(largest, source.largest);
        }
        return largest + 2;
    }

    private void copy(Documents source, long version, int[] nextSlots) {
        int[] places = new int[source.documents];
        for (int from = 0; from < places.length; from++) {
            boolean isSeen = source.died[from] > version;
            places[from] = isSeen ? nextSlots[source.size(from)]++ : NOWHERE;
            if (isSeen) {
                newest = Math.max(newest, source.born[from]);
                live += source.died[from] == LIVES ? 1 : 0;
            }
        }
        Ranges.each(places.length, COPIED, (from, to) -> copy(source, places, from, to));
    }

    private void copy(Documents source, int[] places, int first, int end) {
        for (int from = first; from < end; from++) {
            int to = places[from];
            if (to == NOWHERE) {
                continue;
            }
            ids[to] = source.ids[from];
            attributes[to] = source.attributes[from];
            born[to] = source.born[from];
            died[to] = source.died[from];
            if (slotsNow != null) {
                slotsNow[from] = (char) to;
            }
            int size = source.size(from);
            if (isNarrow()) {
                System.arraycopy(source.numbers, source.starts[from], numbers, starts[to], size);
            } else {
                System.arraycopy(source.elements, source.starts[from], elements, starts[to], size);
            }
        }
    }
}

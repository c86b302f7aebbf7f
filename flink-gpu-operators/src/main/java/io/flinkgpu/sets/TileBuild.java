package io.flinkgpu.sets;

import java.util.List;

/**
 * A tile that is made of other documents in steps, while those are still searched: their order is decided at first,
 * then some are copied at a time, and what died meanwhile is known in the end.
 */
final class TileBuild {

    /** Documents that one thread copies. */
    private static final int COPIED = 4_096;

    private final List<? extends Documents> sources;
    private final Tile tile;

    /** By slot: the number of its source, and the slot there. */
    private final int[] origins;

    private TileBuild(List<? extends Documents> sources, Tile tile, int[] origins) {
        this.sources = sources;
        this.tile = tile;
        this.origins = origins;
    }

    /**
     * Begins a tile of the documents of others of one kind, those left out that nobody can see any more; null if none
     * is left.
     *
     * @param places the open tile whose places stay right; null if documents are to be given new ones
     * @param version the oldest that anybody may still ask for
     */
    static TileBuild of(
            int number, OpenTile places, List<? extends Documents> sources, long version) {
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
        Tile tile = new Tile(number, places, sources.get(0).isNarrow(), documents, elements);
        tile.start(nextSlots);
        int[] origins = new int[documents];
        for (int i = 0; i < sources.size(); i++) {
            Documents source = sources.get(i);
            for (int slot = 0; slot < source.documents; slot++) {
                if (source.died[slot] > version) {
                    origins[nextSlots[source.size(slot)]++] = i << Character.SIZE | slot;
                    tile.newest = Math.max(tile.newest, source.born[slot]);
                }
            }
        }
        return new TileBuild(sources, tile, origins);
    }

    /** One more than the most elements that a document has, and another one. */
    private static int sizes(List<? extends Documents> sources) {
        int largest = 0;
        for (Documents source : sources) {
            largest = Math.max(largest, source.largest);
        }
        return largest + 2;
    }

    /** What it is made of. */
    List<? extends Documents> sources() {
        return sources;
    }

    /** Its first documents are there, whose number grows. */
    Tile tile() {
        return tile;
    }

    /** Of the heap, its sources left out. */
    long bytes() {
        return tile.bytes() + (long) Integer.BYTES * origins.length;
    }

    /** How many documents are not there yet. */
    int left() {
        return origins.length - tile.documents;
    }

    /** Copies the next documents, at most so many. */
    void fill(int most) {
        int from = tile.documents;
        int count = Math.min(most, origins.length - from);
        Ranges.each(count, COPIED, (first, end) -> copy(from + first, from + end));
        tile.documents = from + count;
    }

    private void copy(int first, int end) {
        for (int to = first; to < end; to++) {
            Documents source = source(to);
            int from = slot(to);
            tile.ids[to] = source.ids[from];
            tile.attributes[to] = source.attributes[from];
            tile.born[to] = source.born[from];
            tile.movedHere(from, to);
            int size = source.size(from);
            if (tile.isNarrow()) {
                System.arraycopy(
                        source.numbers, source.starts[from], tile.numbers, tile.starts[to], size);
            } else {
                System.arraycopy(
                        source.elements, source.starts[from], tile.elements, tile.starts[to], size);
            }
        }
    }

    private Documents source(int slot) {
        return sources.get(origins[slot] >>> Character.SIZE);
    }

    private int slot(int slot) {
        return origins[slot] & Character.MAX_VALUE;
    }

    /** The tile, filled, with all deaths so far: what dies from here on dies there. */
    Tile finish() {
        fill(origins.length);
        for (int slot = 0; slot < origins.length; slot++) {
            long died = source(slot).died[slot(slot)];
            tile.died[slot] = died;
            tile.live += died == Documents.LIVES ? 1 : 0;
        }
        return tile;
    }

    /** Tells the sources, all of them tiles, where their documents are by now. */
    void redirect() {
        for (int i = 0; i < sources.size(); i++) {
            ((Tile) sources.get(i)).merged(tile);
        }
        for (int slot = 0; slot < origins.length; slot++) {
            ((Tile) source(slot)).movedAway(slot(slot), slot);
        }
    }
}

package io.flinkgpu.sets;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The tiles of a corpus: two that are open, and any number of sealed ones. Of each kind at most one sealed tile
 * is sparse after {@link #merge}: less than half full of documents that are still there.
 */
final class Tiles {

    /** Into how many parts elements are cut that are counted side by side, and how many a part has at least. */
    private static final int MOST_COUNTS = 8;

    private static final int LEAST_COUNTED = 1 << 18;

    private final TileLimits limits;
    private final Places places;

    /** By the number of the tile that places name. */
    private final Map<Integer, Documents> byPlace = new HashMap<>();

    private final List<Tile> sealed = new ArrayList<>();
    private final int[] frequencies;
    private OpenTile narrow;
    private OpenTile wide;
    private int lastNumber;
    private long sealedBytes;

    Tiles(TileLimits limits, int maxNumbers, Places places) {
        this.limits = limits;
        this.places = places;
        frequencies = new int[maxNumbers];
        narrow = open(true);
        wide = open(false);
    }

    List<Tile> sealed() {
        return sealed;
    }

    OpenTile narrow() {
        return narrow;
    }

    OpenTile wide() {
        return wide;
    }

    /** How many documents of sealed narrow tiles have the element of a number. */
    int frequency(int number) {
        return frequencies[number];
    }

    /** How many documents there are, those included that died. */
    long documents() {
        long documents = narrow.documents() + wide.documents();
        for (Tile tile : sealed) {
            documents += tile.documents();
        }
        return documents;
    }

    long bytes() {
        return sealedBytes
                + narrow.bytes()
                + wide.bytes()
                + (long) Integer.BYTES * frequencies.length;
    }

    /** Reports the open tiles' new documents. */
    void report(CorpusUpdate update) {
        narrow.report(update);
        wide.report(update);
    }

    /**
     * The document at a place dies.
     *
     * @return where it is by now
     */
    long die(long place, long change) {
        Documents documents = byPlace.get(Places.tile(place));
        int slot = documents.slotNow(Places.slot(place));
        documents.die(slot, change);
        return Places.place(documents.number(), slot);
    }

    /** Seals an open tile: a new one of its kind. */
    OpenTile seal(OpenTile full, long version, CorpusUpdate update) {
        update.drop(full);
        byPlace.remove(full.number());
        add(Tile.sealed(++lastNumber, full, version), update);
        if (full.isNarrow()) {
            narrow = open(true);
            return narrow;
        }
        wide = open(false);
        return wide;
    }

    /**
     * Merges sparse tiles of a kind, and drops those of which nobody can see a document.
     *
     * @param version the oldest that anybody may still ask for
     */
    void merge(boolean isNarrow, long version, CorpusUpdate update) {
        List<Tile> sparse = new ArrayList<>();
        for (Tile tile : sealed) {
            if (tile.isNarrow() == isNarrow && isSparse(tile)) {
                sparse.add(tile);
            }
        }
        if (sparse.size() == 1 && sparse.get(0).live() > 0) {
            return;
        }
        sparse.sort(Comparator.comparingInt(Tile::live));
        for (int i = 0; i < sparse.size(); ) {
            List<Tile> sources = fitting(sparse.subList(i, sparse.size()), version);
            if (sources.size() > 1 || sources.get(0).live() == 0) {
                sources.forEach(tile -> remove(tile, update));
                Tile merged = Tile.merged(++lastNumber, sources, version);
                add(merged, update);
                place(merged);
            }
            i += sources.size();
        }
    }

    /** The first one, and those next to it that fit into one tile together, with what is still seen. */
    private List<Tile> fitting(List<Tile> sparse, long version) {
        int documents = 0;
        long elements = 0;
        for (int count = 0; count < sparse.size(); count++) {
            Tile tile = sparse.get(count);
            for (int slot = 0; slot < tile.documents(); slot++) {
                if (tile.died[slot] > version) {
                    documents++;
                    elements += tile.size(slot);
                }
            }
            boolean fits =
                    documents <= limits.documents() && elements <= limits.elements(tile.isNarrow());
            if (!fits && count > 0) {
                return sparse.subList(0, count);
            }
        }
        return sparse;
    }

    private boolean isSparse(Tile tile) {
        long elements = (long) tile.allElements() * tile.live() / tile.documents();
        return 2 * tile.live() < limits.documents()
                && 2 * elements < limits.elements(tile.isNarrow());
    }

    private OpenTile open(boolean isNarrow) {
        OpenTile tile = new OpenTile(++lastNumber, isNarrow, limits);
        byPlace.put(tile.number(), tile);
        return tile;
    }

    /** Adds a tile, unless it is null because none of its documents is seen any more. */
    private void add(Tile tile, CorpusUpdate update) {
        if (tile == null) {
            return;
        }
        sealed.add(tile);
        byPlace.put(tile.placeNumber(), tile);
        sealedBytes += tile.bytes();
        count(tile, 1);
        update.added().add(tile);
    }

    /** Gives all documents their places, unless the tile is null. */
    private void place(Tile tile) {
        for (int slot = 0; tile != null && slot < tile.documents(); slot++) {
            if (tile.died[slot] == Documents.LIVES) {
                places.put(tile.ids[slot], Places.place(tile.number(), slot));
            }
        }
    }

    private void remove(Tile tile, CorpusUpdate update) {
        sealed.remove(tile);
        byPlace.remove(tile.placeNumber());
        sealedBytes -= tile.bytes();
        count(tile, -1);
        update.drop(tile);
    }

    private void count(Tile tile, int step) {
        if (!tile.isNarrow()) {
            return;
        }
        int all = tile.allElements();
        int part = Math.max(LEAST_COUNTED, (all + MOST_COUNTS - 1) / MOST_COUNTS);
        Ranges.each(
                all,
                part,
                (from, to) -> {
                    int[] counts = new int[frequencies.length];
                    for (int i = from; i < to; i++) {
                        counts[Short.toUnsignedInt(tile.numbers[i])]++;
                    }
                    add(counts, step);
                });
    }

    private void add(int[] counts, int step) {
        synchronized (frequencies) {
            for (int i = 0; i < counts.length; i++) {
                frequencies[i] += step * counts[i];
            }
        }
    }
}

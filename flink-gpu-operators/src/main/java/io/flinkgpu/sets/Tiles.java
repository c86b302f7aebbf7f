package io.flinkgpu.sets;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The tiles of a corpus: two that are open, those that are being sealed, one of each kind at most, and any number of
 * sealed ones. Of each kind at most one sealed tile is sparse after {@link #merge}: less than half full of documents
 * that are still there.
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

    /** Of open tiles that are full, which are searched until they are sealed. */
    private final List<TileBuild> sealing = new ArrayList<>();

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

    /** How many documents of sealed narrow tiles have the element of a number, also of those not quite sealed. */
    int frequency(int number) {
        return frequencies[number];
    }

    /** How many documents there are, those included that died. */
    long documents() {
        long documents = narrow.documents() + wide.documents();
        for (TileBuild build : sealing) {
            documents += full(build).documents();
        }
        for (Tile tile : sealed) {
            documents += tile.documents();
        }
        return documents;
    }

    long bytes() {
        long bytes =
                sealedBytes
                        + narrow.bytes()
                        + wide.bytes()
                        + (long) Integer.BYTES * frequencies.length;
        for (TileBuild build : sealing) {
            bytes += full(build).bytes() + build.tile().bytes();
        }
        return bytes;
    }

    /** Those that are full and are being sealed. */
    List<OpenTile> full() {
        return sealing.stream().map(Tiles::full).toList();
    }

    private static OpenTile full(TileBuild build) {
        return (OpenTile) build.sources().get(0);
    }

    /** Reports the open tiles' new documents, and how far those are that are being sealed. */
    void report(CorpusUpdate update) {
        for (TileBuild build : sealing) {
            full(build).report(update);
            update.growing().add(build.tile());
        }
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

    /** Begins to seal an open tile: the new one of its kind. */
    OpenTile seal(OpenTile full, long version, CorpusUpdate update) {
        boolean isNarrow = full.isNarrow();
        // Another one has had the time in which this one was filled.
        sealing.stream()
                .filter(build -> full(build).isNarrow() == isNarrow)
                .toList()
                .forEach(build -> finish(build, update));
        TileBuild build = TileBuild.of(++lastNumber, full, List.of(full), version);
        if (build == null) {
            update.drop(full);
            byPlace.remove(full.number());
        } else {
            sealing.add(build);
        }
        if (isNarrow) {
            narrow = open(true);
            return narrow;
        }
        wide = open(false);
        return wide;
    }

    /** Goes on with tiles that are being sealed, by so many documents of each at most. */
    void advance(int documents, CorpusUpdate update) {
        for (TileBuild build : List.copyOf(sealing)) {
            if (build.tile().wholeDocuments() - build.tile().documents() <= documents) {
                finish(build, update);
            } else {
                fill(build, documents);
            }
        }
    }

    private void finish(TileBuild build, CorpusUpdate update) {
        OpenTile full = full(build);
        fill(build, build.tile().wholeDocuments());
        sealing.remove(build);
        update.drop(full);
        add(build.finish(), update);
    }

    private void fill(TileBuild build, int documents) {
        Tile tile = build.tile();
        int from = tile.allElements();
        build.fill(documents);
        count(tile, from, 1);
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
                TileBuild merge = TileBuild.of(++lastNumber, null, sources, version);
                if (merge != null) {
                    Tile merged = merge.finish();
                    count(merged, 0, 1);
                    add(merged, update);
                    place(merged);
                }
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

    private void add(Tile tile, CorpusUpdate update) {
        sealed.add(tile);
        byPlace.put(tile.placeNumber(), tile);
        sealedBytes += tile.bytes();
        update.added().add(tile);
    }

    /** Gives all documents their places. */
    private void place(Tile tile) {
        for (int slot = 0; slot < tile.documents(); slot++) {
            if (tile.died[slot] == Documents.LIVES) {
                places.put(tile.ids[slot], Places.place(tile.number(), slot));
            }
        }
    }

    private void remove(Tile tile, CorpusUpdate update) {
        sealed.remove(tile);
        byPlace.remove(tile.placeNumber());
        sealedBytes -= tile.bytes();
        count(tile, 0, -1);
        update.drop(tile);
    }

    /** Counts the elements of a narrow tile from one on. */
    private void count(Tile tile, int first, int step) {
        if (!tile.isNarrow()) {
            return;
        }
        int all = tile.allElements() - first;
        if (all < LEAST_COUNTED) {
            for (int i = first; i < first + all; i++) {
                frequencies[Short.toUnsignedInt(tile.numbers[i])] += step;
            }
            return;
        }
        int part = Math.max(LEAST_COUNTED, (all + MOST_COUNTS - 1) / MOST_COUNTS);
        Ranges.each(
                all,
                part,
                (from, to) -> {
                    int[] counts = new int[frequencies.length];
                    for (int i = first + from; i < first + to; i++) {
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

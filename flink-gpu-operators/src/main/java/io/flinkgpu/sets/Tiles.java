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

    /** Of which nobody reads the arrays any more: at most one of each kind. */
    private final List<OpenTile> spent = new ArrayList<>();

    /** At most one of each kind. */
    private final List<TileMerge> merging = new ArrayList<>();

    private final boolean isAtOnce;
    private final int[] frequencies;
    private OpenTile narrow;
    private OpenTile wide;
    private int lastNumber;
    private long sealedBytes;

    /**
     * @param isAtOnce whether nothing is left to {@link #advance} after a batch of changes
     */
    Tiles(TileLimits limits, int maxNumbers, Places places, boolean isAtOnce) {
        this.limits = limits;
        this.isAtOnce = isAtOnce;
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
            bytes += full(build).bytes() + build.bytes();
        }
        for (OpenTile tile : spent) {
            bytes += tile.bytes();
        }
        for (TileMerge merge : merging) {
            bytes += merge.bytes();
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
        for (TileMerge merge : merging) {
            if (!merge.isAdded) {
                update.growing().add(merge.build.tile());
            }
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
        return documents.dieNow(documents.slotNow(Places.slot(place)), change);
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
            spend(full);
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

    /** Goes on with tiles that are being sealed or merged, by so many documents of each at most. */
    void advance(int documents, CorpusUpdate update) {
        for (TileBuild build : List.copyOf(sealing)) {
            if (build.left() <= documents) {
                finish(build, update);
            } else {
                fill(build, documents);
            }
        }
        merging.forEach(merge -> advance(merge, documents, update));
        merging.removeIf(TileMerge::isDone);
    }

    private void advance(TileMerge merge, int documents, CorpusUpdate update) {
        int left = documents;
        if (!merge.isAdded && merge.build != null) {
            int filled = Math.min(left, merge.build.left());
            fill(merge.build, filled);
            left -= filled;
        }
        if (!merge.isAdded) {
            if (merge.build != null && merge.build.left() > 0) {
                return;
            }
            exchange(merge, update);
        }
        left -= place(merge, left);
        while (left > 0 && !merge.isDone()) {
            left -= uncount(merge, left);
        }
    }

    /** The one tile takes the place of its sources. */
    private void exchange(TileMerge merge, CorpusUpdate update) {
        for (Tile source : merge.sources) {
            sealed.remove(source);
            sealedBytes -= source.bytes();
            update.drop(source);
        }
        if (merge.build != null) {
            Tile merged = merge.build.finish();
            merge.build.redirect();
            add(merged, update);
        }
        merge.isAdded = true;
    }

    /** Gives documents that live their places, at most so many; how many that were. */
    private int place(TileMerge merge, int most) {
        if (merge.build == null) {
            merge.sources.forEach(source -> byPlace.remove(source.placeNumber()));
            return 0;
        }
        Tile merged = merge.build.tile();
        int count = Math.min(most, merged.documents() - merge.placed);
        for (int slot = merge.placed; slot < merge.placed + count; slot++) {
            if (merged.died[slot] == Documents.LIVES) {
                places.put(merged.ids[slot], Places.place(merged.number(), slot));
            }
        }
        merge.placed += count;
        if (merge.placed == merged.documents()) {
            merge.sources.forEach(source -> byPlace.remove(source.placeNumber()));
        }
        return count;
    }

    /** Has elements of a source count no more, of so many documents at most; how many that were. */
    private int uncount(TileMerge merge, int most) {
        Tile source = merge.sources.get(merge.source);
        int end = merge.slot + Math.min(most, source.documents() - merge.slot);
        count(source, source.starts[merge.slot], source.starts[end], -1);
        int count = end - merge.slot;
        merge.slot = end;
        if (end == source.documents()) {
            merge.source++;
            merge.slot = 0;
        }
        return count;
    }

    private void finish(TileBuild build, CorpusUpdate update) {
        OpenTile full = full(build);
        fill(build, build.tile().wholeDocuments());
        sealing.remove(build);
        update.drop(full);
        add(build.finish(), update);
        spend(full);
    }

    /** An open tile whose documents are elsewhere, or dead. Its arrays are kept where no change may take long. */
    private void spend(OpenTile full) {
        spent.removeIf(tile -> tile.isNarrow() == full.isNarrow());
        if (!isAtOnce) {
            spent.add(full);
        }
    }

    private void fill(TileBuild build, int documents) {
        Tile tile = build.tile();
        int from = tile.allElements();
        build.fill(documents);
        count(tile, from, tile.allElements(), 1);
    }

    /**
     * Begins to merge sparse tiles of a kind, if none are being merged, and drops those of which nobody can see a document.
     *
     * @param version the oldest that anybody may still ask for
     */
    void merge(boolean isNarrow, long version, CorpusUpdate update) {
        if (merging.stream().anyMatch(merge -> merge.isNarrow() == isNarrow)) {
            return;
        }
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
                TileBuild build = TileBuild.of(++lastNumber, null, sources, version);
                TileMerge merge = new TileMerge(sources, build);
                advance(merge, isAtOnce ? Integer.MAX_VALUE : 0, update);
                if (!merge.isDone()) {
                    merging.add(merge);
                    return;
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
        OpenTile tile =
                spent.stream()
                        .filter(before -> before.isNarrow() == isNarrow)
                        .findFirst()
                        .map(before -> new OpenTile(++lastNumber, before))
                        .orElseGet(() -> new OpenTile(++lastNumber, isNarrow, limits));
        spent.removeIf(before -> before.isNarrow() == isNarrow);
        byPlace.put(tile.number(), tile);
        return tile;
    }

    private void add(Tile tile, CorpusUpdate update) {
        sealed.add(tile);
        byPlace.put(tile.placeNumber(), tile);
        sealedBytes += tile.bytes();
        update.added().add(tile);
    }

    /** Counts the elements of a narrow tile from one on, up to another. */
    private void count(Tile tile, int first, int end, int step) {
        if (!tile.isNarrow()) {
            return;
        }
        int all = end - first;
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

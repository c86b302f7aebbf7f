package io.flinkgpu.backend.cpu.search;

import io.flinkgpu.backend.BackendException;
import io.flinkgpu.backend.Resident;
import io.flinkgpu.backend.plan.CorpusPlan;
import io.flinkgpu.column.ColumnBatch;
import io.flinkgpu.sets.Corpus;
import io.flinkgpu.sets.CorpusUpdate;
import io.flinkgpu.sets.Documents;
import io.flinkgpu.sets.SearchGauge;
import io.flinkgpu.sets.SearchGauges;
import io.flinkgpu.sets.Tile;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The documents on the heap, and indexes of what was searched by one: sealed tiles, and blocks of the open
 * ones.
 */
final class CpuCorpus implements Resident {

    private final CorpusPlan plan;
    private final Corpus corpus;

    private final OpenBlocks narrow;
    private final OpenBlocks wide;
    private final Map<Slots, IndexedSlots> indexed = new HashMap<>();

    private long indexBytes;

    /** So much was free when an index had no room. */
    private long tooFewBytes;

    private final SearchGauges gauges = new SearchGauges();
    private long version;

    /**
     * @param blockElements of {@link OpenBlocks}
     */
    CpuCorpus(CorpusPlan plan, Corpus corpus, int blockElements) throws BackendException {
        this.plan = plan;
        this.corpus = corpus;
        narrow = new OpenBlocks(corpus.narrow(), blockElements);
        wide = new OpenBlocks(corpus.wide(), blockElements);
        long freeBytes = Runtime.getRuntime().maxMemory();
        if (plan.bytes() > freeBytes) {
            throw new BackendException(
                    "no memory for what a program keeps: name="
                            + plan.name()
                            + ", bytes="
                            + plan.bytes()
                            + ", freeBytes="
                            + freeBytes
                            + "; give the process a larger heap, or ask for less");
        }
    }

    @Override
    public void apply(ColumnBatch changes) throws BackendException {
        CorpusUpdate update = corpus.apply(changes);
        narrow.update(corpus.narrow());
        wide.update(corpus.wide());
        indexed.values().removeIf(index -> isGone(index, update));
        if (bytes() > plan.bytes()) {
            // Documents come first: a scan needs no index.
            indexed.clear();
            indexBytes = 0;
        }
        if (bytes() > plan.bytes()) {
            throw new BackendException(plan.noRoom(bytes(), corpus.documents()));
        }
        version++;
        gauges.changed(corpus, bytes());
    }

    /** Whether what was indexed is no longer searched as one; its bytes are free then. */
    private boolean isGone(IndexedSlots index, CorpusUpdate update) {
        Slots slots = index.slots();
        boolean isThere =
                slots.isSorted()
                        ? !update.dropped().contains(slots.tile().number())
                        : blocks(slots.tile()).contains(slots);
        indexBytes -= isThere ? 0 : index.bytes();
        return !isThere;
    }

    private List<Slots> blocks(Documents tile) {
        return (tile.isNarrow() ? narrow : wide).blocks();
    }

    SearchGauges gauges() {
        return gauges;
    }

    Corpus documents() {
        return corpus;
    }

    /** What can have an index: sealed tiles, and blocks of the open ones. */
    List<Slots> indexable() {
        List<Slots> parts = new ArrayList<>();
        for (Tile tile : corpus.tiles()) {
            parts.add(Slots.of(tile));
        }
        parts.addAll(narrow.blocks());
        parts.addAll(wide.blocks());
        return parts;
    }

    /** Narrow documents that came after all {@link #indexable} ones. */
    Slots narrowRest() {
        return narrow.rest();
    }

    /** Wide documents that came after all {@link #indexable} ones. */
    Slots wideRest() {
        return wide.rest();
    }

    /** Slots with their index; null if there is no room for one. */
    IndexedSlots indexed(Slots slots) {
        IndexedSlots found = indexed.get(slots);
        long freeBytes = plan.bytes() - bytes();
        if (found != null || freeBytes <= tooFewBytes) {
            return found;
        }
        if (IndexedSlots.mostBytes(slots) > freeBytes) {
            tooFewBytes = freeBytes;
            return null;
        }
        found = new IndexedSlots(slots);
        indexed.put(slots, found);
        indexBytes += found.bytes();
        gauges.set(SearchGauge.CORPUS_BYTES, bytes());
        return found;
    }

    @Override
    public long version() {
        return version;
    }

    @Override
    public long bytes() {
        return corpus.bytes() + indexBytes;
    }
}

package io.flinkgpu.backend.cpu.search;

import io.flinkgpu.backend.BackendException;
import io.flinkgpu.backend.Resident;
import io.flinkgpu.backend.plan.CorpusPlan;
import io.flinkgpu.column.ColumnBatch;
import io.flinkgpu.sets.Corpus;
import io.flinkgpu.sets.CorpusUpdate;
import io.flinkgpu.sets.SearchGauge;
import io.flinkgpu.sets.SearchGauges;
import io.flinkgpu.sets.Tile;

import java.util.HashMap;
import java.util.Map;

/** The documents on the heap, and indexes of those tiles that were searched by one. */
final class CpuCorpus implements Resident {

    private final CorpusPlan plan;
    private final Corpus corpus;

    /** By the numbers of tiles. */
    private final Map<Integer, IndexedTile> indexed = new HashMap<>();

    private long indexBytes;

    /** So much was free when an index had no room. */
    private long tooFewBytes;

    private final SearchGauges gauges = new SearchGauges();
    private long version;

    CpuCorpus(CorpusPlan plan, Corpus corpus) throws BackendException {
        this.plan = plan;
        this.corpus = corpus;
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
        for (int number : update.dropped()) {
            IndexedTile gone = indexed.remove(number);
            indexBytes -= gone == null ? 0 : gone.bytes();
        }
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

    SearchGauges gauges() {
        return gauges;
    }

    Corpus documents() {
        return corpus;
    }

    /** A tile with its index; null if there is no room for one. */
    IndexedTile indexed(Tile tile) {
        IndexedTile found = indexed.get(tile.number());
        long freeBytes = plan.bytes() - bytes();
        if (found != null || freeBytes <= tooFewBytes) {
            return found;
        }
        if (IndexedTile.mostBytes(tile) > freeBytes) {
            tooFewBytes = freeBytes;
            return null;
        }
        found = new IndexedTile(tile);
        indexed.put(tile.number(), found);
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

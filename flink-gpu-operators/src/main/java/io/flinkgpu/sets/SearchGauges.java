package io.flinkgpu.sets;

import org.apache.flink.annotation.Internal;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.function.LongSupplier;

/** What is watched of a search. Written by the backend thread, read by any. */
@Internal
public final class SearchGauges {

    private final AtomicLongArray values = new AtomicLongArray(SearchGauge.values().length);

    public void set(SearchGauge gauge, long value) {
        values.setOpaque(gauge.ordinal(), value);
    }

    public void add(SearchGauge gauge, long count) {
        values.getAndAdd(gauge.ordinal(), count);
    }

    /**
     * After a batch of changes.
     *
     * @param bytes that count against the limit of the corpus
     */
    public void changed(Corpus corpus, long bytes) {
        set(SearchGauge.DOCUMENTS, corpus.documents());
        set(SearchGauge.TILES, corpus.tiles().size());
        set(SearchGauge.TOMBSTONES, corpus.tombstones());
        set(SearchGauge.HOST_BYTES, corpus.bytes());
        set(SearchGauge.CORPUS_BYTES, bytes);
    }

    /** All of them, by the names of their metrics. */
    public Map<String, LongSupplier> all() {
        Map<String, LongSupplier> all = new LinkedHashMap<>();
        for (SearchGauge gauge : SearchGauge.values()) {
            all.put(gauge.metric(), () -> values.getOpaque(gauge.ordinal()));
        }
        return all;
    }
}

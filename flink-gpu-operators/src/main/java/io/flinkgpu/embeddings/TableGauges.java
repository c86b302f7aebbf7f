package io.flinkgpu.embeddings;

import io.flinkgpu.api.lookup.EmbeddingTable;

import org.apache.flink.annotation.Internal;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.function.LongSupplier;

/** What is watched of tables. Written by the backend thread, read by any. */
@Internal
public final class TableGauges {

    private static final TableGauge[] GAUGES = TableGauge.values();

    private final List<EmbeddingTable> tables;
    private final AtomicLongArray values;
    private final List<WaitTimes> waits;

    public TableGauges(List<EmbeddingTable> tables) {
        this.tables = tables;
        this.values = new AtomicLongArray(tables.size() * GAUGES.length);
        this.waits = tables.stream().map(table -> new WaitTimes()).toList();
    }

    public void set(int table, TableGauge gauge, long value) {
        values.setOpaque(index(table, gauge), value);
    }

    public void add(int table, TableGauge gauge, long count) {
        values.getAndAdd(index(table, gauge), count);
    }

    /** A batch, or a part of one, has waited for files. */
    public void waited(int table, long nanos) {
        add(table, TableGauge.DISK_WAIT, nanos);
        waits.get(table).add(nanos);
    }

    public long get(int table, TableGauge gauge) {
        if (gauge == TableGauge.DISK_WAIT_P50) {
            return waits.get(table).quantile(0.5);
        }
        return gauge == TableGauge.DISK_WAIT_P99
                ? waits.get(table).quantile(0.99)
                : values.getOpaque(index(table, gauge));
    }

    private static int index(int table, TableGauge gauge) {
        return table * GAUGES.length + gauge.ordinal();
    }

    /** All of them, by {@link TableGauge#of}. */
    public Map<String, LongSupplier> all() {
        Map<String, LongSupplier> all = new LinkedHashMap<>();
        for (int table = 0; table < tables.size(); table++) {
            int number = table;
            for (TableGauge gauge : GAUGES) {
                all.put(gauge.of(tables.get(table).name()), () -> get(number, gauge));
            }
        }
        return all;
    }
}

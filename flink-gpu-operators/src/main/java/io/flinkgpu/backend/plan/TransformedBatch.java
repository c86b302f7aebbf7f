package io.flinkgpu.backend.plan;

import io.flinkgpu.column.ColumnBatch;

import org.apache.flink.annotation.Internal;

/**
 * The result of a program: its columns, in the order of {@code Program.results()}, with validity. Closing
 * it closes them.
 */
@Internal
public final class TransformedBatch implements AutoCloseable {

    private final ColumnBatch columns;
    private final long deviceNanos;

    /**
     * @param columns the result's from here on
     * @param deviceNanos how long the batch took on the device, or on the CPU where that is the backend
     */
    public TransformedBatch(ColumnBatch columns, long deviceNanos) {
        this.columns = columns;
        this.deviceNanos = deviceNanos;
    }

    public ColumnBatch columns() {
        return columns;
    }

    public long deviceNanos() {
        return deviceNanos;
    }

    @Override
    public void close() {
        columns.close();
    }
}

package io.flinkgpu.backend.cuda.table;

import io.flinkgpu.column.ColumnBatch;
import io.flinkgpu.column.TextView;

import org.apache.flink.annotation.Internal;

import org.apache.arrow.vector.FieldVector;

/**
 * Where texts, and the numbers of changes, are in host memory. A view, valid while the batch is open.
 *
 * @param texts at least one
 * @param validity a bit a row, of the numbers of changes, else of the texts; 0 where no row is null
 * @param numbers of changes; 0 where texts are looked up
 * @param changed host address of the rows of changes that count; 0 where texts are looked up
 * @param count how many those are; else the rows
 */
@Internal
public record TableInput(TextView texts, long validity, long numbers, long changed, int count) {

    /** Texts to look up. */
    public static TableInput lookup(ColumnBatch batch) {
        return new TableInput(batch.text(0), validity(batch.vector(0)), 0, 0, batch.rows());
    }

    /**
     * Changes.
     *
     * @param changed as in the record
     */
    public static TableInput changes(TextView keys, FieldVector numbers, long changed, int count) {
        return new TableInput(
                keys, validity(numbers), numbers.getDataBuffer().memoryAddress(), changed, count);
    }

    private static long validity(FieldVector column) {
        return column.getNullCount() == 0 ? 0 : column.getValidityBuffer().memoryAddress();
    }
}

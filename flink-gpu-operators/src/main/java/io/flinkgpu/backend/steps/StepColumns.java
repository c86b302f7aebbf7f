package io.flinkgpu.backend.steps;

import io.flinkgpu.column.ColumnBatch;
import io.flinkgpu.column.Vectors;

import org.apache.arrow.vector.FieldVector;

import java.util.ArrayList;
import java.util.List;

/** The columns there are while the steps of a program run over a batch. Closes those they wrote. */
final class StepColumns implements AutoCloseable {

    private final int rows;
    private final int separatorBytes;
    private final List<FieldVector> columns = new ArrayList<>();
    private final List<FieldVector> written = new ArrayList<>();

    /**
     * @param batch stays the caller's, who keeps it open
     * @param read how many of its columns the program has
     */
    StepColumns(ColumnBatch batch, int read) {
        rows = batch.rows();
        separatorBytes = batch.separatorBytes();
        for (int i = 0; i < read; i++) {
            columns.add(batch.vector(i));
        }
    }

    int rows() {
        return rows;
    }

    int separatorBytes() {
        return separatorBytes;
    }

    FieldVector column(int number) {
        return columns.get(number);
    }

    /** Appends a column, which is closed with these. */
    void append(FieldVector column) {
        columns.add(column);
        written.add(column);
    }

    /** Takes the number of a column that nothing reads. */
    void skip() {
        columns.add(null);
    }

    /** Some columns as a batch that is not to be closed: they are not its own. */
    ColumnBatch lend(List<Integer> numbers) {
        return Vectors.batch(numbers.stream().map(columns::get).toList(), rows, separatorBytes);
    }

    /** Some columns as a batch of their own, which shares their memory. */
    ColumnBatch share(List<Integer> numbers) {
        List<FieldVector> shared = new ArrayList<>();
        try {
            for (int number : numbers) {
                shared.add(Vectors.share(columns.get(number)));
            }
            return Vectors.batch(shared, rows, separatorBytes);
        } catch (RuntimeException e) {
            Vectors.close(shared);
            throw e;
        }
    }

    @Override
    public void close() {
        Vectors.close(written);
    }
}

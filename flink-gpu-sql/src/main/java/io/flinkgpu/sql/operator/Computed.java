package io.flinkgpu.sql.operator;

import io.flinkgpu.api.ColumnType;
import io.flinkgpu.column.ColumnBatch;
import io.flinkgpu.column.NumberView;

import org.apache.flink.table.data.StringData;

import org.apache.arrow.vector.BitVector;
import org.apache.arrow.vector.FieldVector;

import java.util.List;

/** What a program computed for a row, read from its result columns. Not thread-safe. */
final class Computed {

    private final ColumnType[] types;
    private final boolean[] nulls;
    private final StringData[] texts;
    private final long[] words;
    private final FieldVector[] vectors;
    private final boolean[] hasNulls;
    private final TextResults[] textColumns;
    private final NumberView[] numbers;

    Computed(List<ColumnType> types) {
        int columns = types.size();
        this.types = types.toArray(ColumnType[]::new);
        nulls = new boolean[columns];
        texts = new StringData[columns];
        words = new long[columns];
        vectors = new FieldVector[columns];
        hasNulls = new boolean[columns];
        textColumns = new TextResults[columns];
        numbers = new NumberView[columns];
    }

    /** Starts on a batch of results, which stays open while rows of it are read. */
    void start(ColumnBatch batch) {
        for (int i = 0; i < types.length; i++) {
            vectors[i] = batch.vector(i);
            hasNulls[i] = vectors[i].getNullCount() > 0;
            if (types[i] == ColumnType.TEXT) {
                textColumns[i] = new TextResults(batch.text(i));
            } else if (types[i] != ColumnType.BOOLEAN) {
                numbers[i] = batch.numbers(i);
            }
        }
    }

    /** Reads a row, whose texts stay valid. */
    void read(int row) {
        for (int i = 0; i < types.length; i++) {
            nulls[i] = hasNulls[i] && vectors[i].isNull(row);
            if (nulls[i]) {
                texts[i] = null;
            } else if (types[i] == ColumnType.TEXT) {
                texts[i] = textColumns[i].get(row);
            } else if (types[i] == ColumnType.BOOLEAN) {
                words[i] = ((BitVector) vectors[i]).get(row);
            } else {
                words[i] = numbers[i].wordAt(row);
            }
        }
    }

    boolean isNull(int column) {
        return nulls[column];
    }

    StringData text(int column) {
        return texts[column];
    }

    /** An integer, the bits of a double, or 1 for true. */
    long word(int column) {
        return words[column];
    }
}

package io.flinkgpu.column;

import io.flinkgpu.api.Aggregates;

/**
 * Reads the numbers of a record. All or nothing: if one of them cannot go into its column, the record
 * has none. Not thread-safe.
 */
public final class ValueReader<T> {

    public ValueReader(Aggregates<T> aggregates) {}

    /**
     * Fills {@code into} with the record's numbers.
     *
     * @throws BadValueException if a getter threw, gave an object of another class than its type's, or
     *     a decimal with more digits than declared, with the name of the column and the value
     */
    public void read(T record, RowValues into) throws BadValueException {
        throw new UnsupportedOperationException();
    }
}

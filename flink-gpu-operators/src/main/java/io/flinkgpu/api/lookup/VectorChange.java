package io.flinkgpu.api.lookup;

import io.flinkgpu.api.Errors;

import org.apache.flink.annotation.PublicEvolving;

import java.util.Arrays;
import java.util.Objects;

/** A change of one vector: it is there from then on, in place of an earlier one, or is not. Immutable. */
@PublicEvolving
public final class VectorChange {

    private final String table;
    private final long id;

    /** One of these, or neither: numbers to be rounded to the table's type, or bytes of it. */
    private final float[] values;

    private final byte[] elements;

    private VectorChange(String table, long id, float[] values, byte[] elements) {
        this.table = Objects.requireNonNull(table, "table");
        this.id = id;
        this.values = values;
        this.elements = elements;
    }

    /**
     * Inserts a vector, or replaces it, in a table of F32, F16 or BF16: numbers are rounded to the nearest of
     * the type, to even between two.
     *
     * @param values as many as the table's dimension; copied
     */
    public static VectorChange upsert(String table, long id, float... values) {
        Errors.present("values", values);
        return new VectorChange(table, id, values.clone(), null);
    }

    /**
     * The same with the table's own elements, bit by bit.
     *
     * @param elements little-endian, copied; for INT8 after scale and bias
     */
    public static VectorChange upsertElements(String table, long id, byte[] elements) {
        Errors.present("elements", elements);
        return new VectorChange(table, id, null, elements.clone());
    }

    /** Deletes a vector; nothing if there is none with this id. */
    public static VectorChange delete(String table, long id) {
        return new VectorChange(table, id, null, null);
    }

    /** The name of the table. */
    public String table() {
        return table;
    }

    /** Of the vector, any 64 bits. */
    public long id() {
        return id;
    }

    /** Whether the vector is deleted. */
    public boolean isDelete() {
        return values == null && elements == null;
    }

    /** Not to be changed; null if the change is a deletion or has the table's elements. */
    public float[] values() {
        return values;
    }

    /** Not to be changed; null if the change is a deletion or has numbers. */
    public byte[] elements() {
        return elements;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof VectorChange that
                && table.equals(that.table)
                && id == that.id
                && Arrays.equals(values, that.values)
                && Arrays.equals(elements, that.elements);
    }

    @Override
    public int hashCode() {
        return Objects.hash(table, id, Arrays.hashCode(values), Arrays.hashCode(elements));
    }

    /** Shows neither id nor elements. */
    @Override
    public String toString() {
        return "VectorChange{table=" + table + (isDelete() ? ", delete}" : "}");
    }
}

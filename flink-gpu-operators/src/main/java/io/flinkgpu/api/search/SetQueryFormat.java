package io.flinkgpu.api.search;

import io.flinkgpu.api.CountedBytes;

import org.apache.flink.annotation.Internal;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

import java.io.IOException;

/**
 * Queries between operators and in savepoints: k, {@code minScore}, whether zero is included, mask and value
 * of the attributes, the number of elements in 2 bytes, and each in 4.
 */
@Internal
public final class SetQueryFormat {

    private SetQueryFormat() {}

    /** Writes a query. */
    public static void write(SetQuery query, DataOutputView target) throws IOException {
        target.writeInt(query.k());
        target.writeDouble(query.minScore());
        target.writeBoolean(query.includesZero());
        target.writeInt(query.attributeMask());
        target.writeInt(query.attributeValue());
        int[] elements = query.elements();
        target.writeShort(elements.length);
        for (int element : elements) {
            target.writeInt(element);
        }
    }

    /** Reads a query, whose elements have their order. */
    public static SetQuery read(DataInputView source) throws IOException {
        int k = source.readInt();
        double minScore = source.readDouble();
        boolean includesZero = source.readBoolean();
        int mask = source.readInt();
        int value = source.readInt();
        int[] elements = new int[source.readUnsignedShort()];
        boolean isSorted = true;
        for (int i = 0; i < elements.length; i++) {
            elements[i] = source.readInt();
            isSorted &= i == 0 || Integer.compareUnsigned(elements[i - 1], elements[i]) < 0;
        }
        if (k < 1 || elements.length > SetElements.MAX || !isSorted) {
            throw CountedBytes.corrupt("a query", "k=" + k + ", elements=" + elements.length, null);
        }
        return new SetQuery(elements, k, minScore, includesZero, mask, value);
    }
}

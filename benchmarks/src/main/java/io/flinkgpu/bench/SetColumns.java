package io.flinkgpu.bench;

import io.flinkgpu.api.search.SetQuery;
import io.flinkgpu.column.ColumnBatch;
import io.flinkgpu.column.Vectors;

import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.BitVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.Float8Vector;
import org.apache.arrow.vector.IntVector;
import org.apache.arrow.vector.complex.ListVector;
import org.apache.arrow.vector.ipc.message.ArrowFieldNode;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.FieldType;

import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;

/** Changes of documents and queries as columns; the caller closes them. */
final class SetColumns {

    private final BufferAllocator allocator;

    SetColumns(BufferAllocator allocator) {
        this.allocator = allocator;
    }

    ColumnBatch changes(SetBlock block) {
        int rows = block.changes();
        BigIntVector ids = new BigIntVector("id", allocator);
        ids.allocateNew(rows);
        IntVector attributes = new IntVector("attributes", allocator);
        attributes.allocateNew(rows);
        try (ArrowBuf valid = bits(rows);
                ArrowBuf starts = allocator.buffer(Integer.BYTES * (rows + 1L))) {
            int deleted = 0;
            for (int row = 0; row < rows; row++) {
                ids.set(row, block.id(row));
                attributes.set(row, 0);
                starts.setInt((long) Integer.BYTES * row, block.start(row));
                if (block.isDelete(row)) {
                    deleted++;
                    int bit = row % Byte.SIZE;
                    valid.setByte(row / Byte.SIZE, valid.getByte(row / Byte.SIZE) & ~(1 << bit));
                }
            }
            int end = block.start(rows);
            starts.setInt((long) Integer.BYTES * rows, end);
            return batch(
                    rows,
                    lists(rows, deleted, valid, starts, block.elements(), end),
                    ids,
                    attributes);
        }
    }

    /** Queries that see all of a number of changes. */
    ColumnBatch queries(List<SetQuery> queries, long version) {
        int rows = queries.size();
        int end = queries.stream().mapToInt(query -> query.elements().length).sum();
        int[] elements = new int[end];
        IntVector k = new IntVector("k", allocator);
        Float8Vector minScore = new Float8Vector("minScore", allocator);
        BitVector includesZero = new BitVector("includesZero", allocator);
        IntVector mask = new IntVector("mask", allocator);
        IntVector value = new IntVector("value", allocator);
        BigIntVector versions = new BigIntVector("version", allocator);
        for (FieldVector vector : List.of(k, minScore, includesZero, mask, value, versions)) {
            vector.setInitialCapacity(rows);
            vector.allocateNew();
        }
        try (ArrowBuf valid = bits(rows);
                ArrowBuf starts = allocator.buffer(Integer.BYTES * (rows + 1L))) {
            int at = 0;
            for (int row = 0; row < rows; row++) {
                SetQuery query = queries.get(row);
                starts.setInt((long) Integer.BYTES * row, at);
                System.arraycopy(query.elements(), 0, elements, at, query.elements().length);
                at += query.elements().length;
                k.set(row, query.k());
                minScore.set(row, query.minScore());
                includesZero.set(row, query.includesZero() ? 1 : 0);
                mask.set(row, query.attributeMask());
                value.set(row, query.attributeValue());
                versions.set(row, version);
            }
            starts.setInt((long) Integer.BYTES * rows, at);
            return batch(
                    rows,
                    lists(rows, 0, valid, starts, elements, end),
                    k,
                    minScore,
                    includesZero,
                    mask,
                    value,
                    versions);
        }
    }

    private static ColumnBatch batch(int rows, FieldVector lists, FieldVector... others) {
        for (FieldVector vector : others) {
            vector.setValueCount(rows);
        }
        List<FieldVector> all = new ArrayList<>(List.of(others));
        all.add(others[0] instanceof BigIntVector ? 1 : 0, lists);
        return Vectors.batch(all, rows, 0);
    }

    private ListVector lists(
            int rows, int nulls, ArrowBuf valid, ArrowBuf starts, int[] elements, int count) {
        ListVector lists = ListVector.empty("elements", allocator);
        IntVector inLists =
                (IntVector)
                        lists.addOrGetVector(
                                        FieldType.nullable(new ArrowType.Int(Integer.SIZE, true)))
                                .getVector();
        int bytes = Integer.BYTES * Math.max(1, count);
        try (ArrowBuf data = allocator.buffer(bytes);
                ArrowBuf all = bits(count)) {
            data.nioBuffer(0, bytes)
                    .order(ByteOrder.nativeOrder())
                    .asIntBuffer()
                    .put(elements, 0, count);
            inLists.loadFieldBuffers(new ArrowFieldNode(count, 0), List.of(all, data));
        }
        lists.loadFieldBuffers(new ArrowFieldNode(rows, nulls), List.of(valid, starts));
        return lists;
    }

    private ArrowBuf bits(int count) {
        long bytes = Math.max(1, (count + 7L) / Byte.SIZE);
        ArrowBuf bits = allocator.buffer(bytes);
        bits.setOne(0, bytes);
        return bits;
    }
}

package io.flinkgpu.operator.lookup;

import io.flinkgpu.api.ValueGetter;
import io.flinkgpu.api.lookup.BadVectorException;
import io.flinkgpu.api.lookup.Bag;
import io.flinkgpu.api.lookup.Combiner;
import io.flinkgpu.api.lookup.ElementType;
import io.flinkgpu.api.lookup.EmbeddingTable;
import io.flinkgpu.api.lookup.LookupRequest;
import io.flinkgpu.api.lookup.Scoring;
import io.flinkgpu.api.lookup.VectorChange;
import io.flinkgpu.backend.plan.EmbeddingPlan;
import io.flinkgpu.embeddings.Elements;

import org.apache.flink.annotation.Internal;

import java.io.Serializable;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Reads requests and changes for some tables, which know neither names nor types. Travels in the job graph. */
@Internal
public final class TableReader implements Serializable {

    private static final long serialVersionUID = 1L;

    private final List<EmbeddingTable> tables;
    private final Scoring scoring;
    private final Map<String, Integer> numbers = new HashMap<>();

    /**
     * @param scoring of what is looked up; null if there is none
     */
    public TableReader(List<EmbeddingTable> tables, Scoring scoring) {
        this.tables = tables;
        this.scoring = scoring;
        for (EmbeddingTable table : tables) {
            numbers.put(table.name(), numbers.size());
        }
    }

    /** The request of a record; null where there is none. */
    public <Q> ValueGetter<Q, TableRequest<Q>> requests(ValueGetter<Q, LookupRequest> getter) {
        return record -> {
            LookupRequest request = getter.get(record);
            return request == null ? null : request(record, request);
        };
    }

    /** The change of a record; null where there is none. */
    public <C> ValueGetter<C, TableChange> changes(ValueGetter<C, VectorChange> getter) {
        return record -> {
            VectorChange change = getter.get(record);
            return change == null ? null : change(change);
        };
    }

    private <Q> TableRequest<Q> request(Q record, LookupRequest request) {
        String defect = scoring == null ? null : scoring.defectOf(request);
        if (defect != null) {
            throw new BadVectorException("%s", defect);
        }
        List<Bag> bags = request.bags();
        int count = 0;
        boolean isWeighted = false;
        for (Bag bag : bags) {
            count = Math.addExact(count, bag.ids().length);
            isWeighted |= bag.weights() != null;
        }
        ByteBuffer ids = bytes(Math.multiplyExact(Long.BYTES, count));
        ByteBuffer weights = isWeighted ? bytes(Float.BYTES * count) : null;
        ByteBuffer bagsOfTables = bytes(Integer.BYTES * bags.size());
        ByteBuffer ends = bytes(Integer.BYTES * bags.size());
        long values = 0;
        for (Bag bag : bags) {
            int number = number(bag.table());
            bagsOfTables.putInt(EmbeddingPlan.bag(number, bag.combiner()));
            for (int i = 0; i < bag.ids().length; i++) {
                ids.putLong(bag.ids()[i]);
                if (isWeighted) {
                    weights.putFloat(bag.weights() == null ? 1 : bag.weights()[i]);
                }
            }
            ends.putInt(ids.position() / Long.BYTES);
            long vectors = bag.combiner() == Combiner.NONE ? bag.ids().length : 1;
            values += vectors * tables.get(number).dimension();
        }
        ByteBuffer dense = bytes(Float.BYTES * request.dense().length);
        for (float number : request.dense()) {
            dense.putFloat(number);
        }
        return new TableRequest<>(
                record,
                ids.array(),
                bagsOfTables.array(),
                ends.array(),
                isWeighted ? weights.array() : null,
                dense.array(),
                values);
    }

    private static ByteBuffer bytes(int count) {
        return ByteBuffer.allocate(count).order(ByteOrder.LITTLE_ENDIAN);
    }

    private TableChange change(VectorChange change) {
        int number = number(change.table());
        if (change.isDelete()) {
            return new TableChange(number, change.id(), null);
        }
        EmbeddingTable table = tables.get(number);
        if (change.elements() != null) {
            if (change.elements().length != table.vectorBytes()) {
                throw new BadVectorException(
                        "the elements of a vector have as many bytes as its table says: table=%s,"
                                + " bytes=%s, needed=%s; send whole vectors",
                        table.name(), change.elements().length, table.vectorBytes());
            }
            return new TableChange(number, change.id(), change.elements());
        }
        if (change.values().length != table.dimension()) {
            throw new BadVectorException(
                    "a vector has the dimension of its table: table=%s, dimension=%s, needed=%s; send"
                            + " whole vectors",
                    table.name(), change.values().length, table.dimension());
        }
        if (table.type() == ElementType.INT8) {
            throw new BadVectorException(
                    "a vector of INT8 has scale, bias and bytes: table=%s; use"
                            + " VectorChange.upsertElements(..)",
                    table.name());
        }
        return new TableChange(number, change.id(), Elements.narrow(table.type(), change.values()));
    }

    private int number(String table) {
        Integer number = numbers.get(table);
        if (number == null) {
            throw new BadVectorException(
                    "there is no such table: tables=%s; add it with tables(..), or correct the name",
                    numbers.size());
        }
        return number;
    }
}

package io.flinkgpu.operator.lookup;

import io.flinkgpu.api.ValueGetter;
import io.flinkgpu.api.lookup.BadVectorException;
import io.flinkgpu.api.lookup.ElementType;
import io.flinkgpu.api.lookup.EmbeddingTable;
import io.flinkgpu.api.lookup.LookupRequest;
import io.flinkgpu.api.lookup.Scoring;
import io.flinkgpu.api.lookup.VectorChange;
import io.flinkgpu.embeddings.Elements;

import org.apache.flink.annotation.Internal;

import java.io.Serializable;
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

    /** What a record asks for, of which the next call makes another; null where there is nothing. */
    public <Q> ValueGetter<Q, AskedRequest> requests(ValueGetter<Q, LookupRequest> getter) {
        return new RequestReader<>(getter, numbers, tables, scoring);
    }

    /** The request of a record, to be kept; null where there is none. */
    public <Q> ValueGetter<Q, TableRequest<Q>> keptRequests(ValueGetter<Q, LookupRequest> getter) {
        ValueGetter<Q, AskedRequest> reader = requests(getter);
        return record -> {
            AskedRequest request = reader.get(record);
            return request == null ? null : request.of(record);
        };
    }

    /** The change of a record; null where there is none. */
    public <C> ValueGetter<C, TableChange> changes(ValueGetter<C, VectorChange> getter) {
        return record -> {
            VectorChange change = getter.get(record);
            return change == null ? null : change(change);
        };
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
            throw noTable(numbers.size());
        }
        return number;
    }

    /**
     * The error of a name that no table has.
     *
     * @param tables that there are
     */
    static BadVectorException noTable(int tables) {
        return new BadVectorException(
                "there is no such table: tables=%s; add it with tables(..), or correct the name",
                tables);
    }
}

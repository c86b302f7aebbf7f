package io.flinkgpu.sql.connector;

import org.apache.flink.annotation.Internal;
import org.apache.flink.api.common.serialization.SerializerConfig;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.table.data.RowData;

import java.util.Objects;

/**
 * Rows that an operator hands to the next one of its chain as they are, with object reuse or without it. For
 * receivers that keep nothing of a row once they return; where there is no chain rows are written as any others.
 */
@Internal
public final class InPlaceRows extends TypeInformation<RowData> {

    private static final long serialVersionUID = 1L;

    private final TypeInformation<RowData> rows;

    /**
     * @param rows the type of the same rows elsewhere
     */
    public InPlaceRows(TypeInformation<RowData> rows) {
        this.rows = Objects.requireNonNull(rows, "rows");
    }

    @Override
    public TypeSerializer<RowData> createSerializer(SerializerConfig config) {
        return new InPlaceSerializer(rows.createSerializer(config));
    }

    @Override
    public boolean isBasicType() {
        return false;
    }

    @Override
    public boolean isTupleType() {
        return false;
    }

    @Override
    public boolean isKeyType() {
        return false;
    }

    @Override
    public int getArity() {
        return rows.getArity();
    }

    @Override
    public int getTotalFields() {
        return rows.getTotalFields();
    }

    @Override
    public Class<RowData> getTypeClass() {
        return RowData.class;
    }

    @Override
    public boolean canEqual(Object other) {
        return other instanceof InPlaceRows;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof InPlaceRows inPlace && rows.equals(inPlace.rows);
    }

    @Override
    public int hashCode() {
        return 31 * rows.hashCode();
    }

    @Override
    public String toString() {
        return "in place " + rows;
    }
}

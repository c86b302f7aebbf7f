package io.flinkgpu.api;

import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;
import org.apache.flink.types.StringValue;

import java.io.EOFException;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;

/**
 * Results and their schema as bytes: for each result a bit that says whether it is null, the least bit
 * of the first byte first; then those that are not, big-endian, a decimal as the length of its unscaled
 * value (a byte) and that, a text as Flink writes strings, bytes after
 * their number (4 bytes), a list as its size (4 bytes) and for each
 * element a byte that is 1 if it is null, and if not the element.
 */
final class ResultFormat {

    /** In the place of the name of an {@link Aggregate}. */
    private static final String CELL = "CELL";

    private ResultFormat() {}

    static void write(AggregateValues values, ResultSchema schema, DataOutputView target)
            throws IOException {
        if (values.size() != schema.size()) {
            throw Errors.argument(
                    "results must be those of their type: results=%s, type=%s; give the stream the"
                            + " type of its aggregates",
                    values, schema.names());
        }
        for (int first = 0; first < schema.size(); first += Byte.SIZE) {
            int nulls = 0;
            for (int i = first; i < Math.min(first + Byte.SIZE, schema.size()); i++) {
                nulls |= values.isNull(i) ? 1 << (i - first) : 0;
            }
            target.writeByte(nulls);
        }
        for (int i = 0; i < schema.size(); i++) {
            if (!values.isNull(i)) {
                write(values.get(i), schema.result(i), target);
            }
        }
    }

    static AggregateValues read(ResultSchema schema, DataInputView source) throws IOException {
        byte[] nulls = new byte[(schema.size() + Byte.SIZE - 1) / Byte.SIZE];
        source.readFully(nulls);
        Object[] values = new Object[schema.size()];
        for (int i = 0; i < values.length; i++) {
            if ((nulls[i / Byte.SIZE] >> i % Byte.SIZE & 1) == 0) {
                values[i] = read(schema.result(i), source);
            }
        }
        return new AggregateValues(schema, values);
    }

    private static void write(Object value, ResultSchema.Result result, DataOutputView target)
            throws IOException {
        if (result.element() == null) {
            writeValue(value, result.type(), result.scale(), target);
            return;
        }
        List<?> elements = (List<?>) value;
        target.writeInt(elements.size());
        for (Object element : elements) {
            target.writeBoolean(element == null);
            if (element != null) {
                writeValue(element, result.element(), result.scale(), target);
            }
        }
    }

    private static Object read(ResultSchema.Result result, DataInputView source)
            throws IOException {
        if (result.element() == null) {
            return readValue(result.type(), result.scale(), source);
        }
        int size = source.readInt();
        if (size < 0) {
            throw CountedBytes.corrupt("a list of results", "size=" + size, null);
        }
        // Not of this size from the start: the number may be wrong.
        List<Object> elements = new ArrayList<>();
        for (int i = 0; i < size; i++) {
            elements.add(
                    source.readBoolean()
                            ? null
                            : readValue(result.element(), result.scale(), source));
        }
        return elements;
    }

    private static void writeValue(Object value, Class<?> type, int scale, DataOutputView target)
            throws IOException {
        if (type == Double.class) {
            target.writeLong(Double.doubleToLongBits((Double) value));
        } else if (type == Long.class) {
            target.writeLong((Long) value);
        } else if (type == Integer.class) {
            target.writeInt((Integer) value);
        } else if (type == Float.class) {
            target.writeInt(Float.floatToIntBits((Float) value));
        } else if (type == String.class) {
            StringValue.writeString((String) value, target);
        } else if (type == byte[].class) {
            target.writeInt(((byte[]) value).length);
            target.write((byte[]) value);
        } else {
            byte[] unscaled = ((BigDecimal) value).setScale(scale).unscaledValue().toByteArray();
            target.writeByte(unscaled.length);
            target.write(unscaled);
        }
    }

    private static Object readValue(Class<?> type, int scale, DataInputView source)
            throws IOException {
        if (type == Double.class) {
            return Double.longBitsToDouble(source.readLong());
        } else if (type == Long.class) {
            return source.readLong();
        } else if (type == Integer.class) {
            return source.readInt();
        } else if (type == Float.class) {
            return Float.intBitsToFloat(source.readInt());
        } else if (type == String.class) {
            return StringValue.readString(source);
        } else if (type == byte[].class) {
            return CountedBytes.read("a result", source);
        }
        byte[] unscaled = new byte[source.readUnsignedByte()];
        source.readFully(unscaled);
        return new BigDecimal(new BigInteger(unscaled), scale);
    }

    static void writeSchema(ResultSchema schema, DataOutputView target) throws IOException {
        target.writeInt(schema.specs().size());
        for (ValueSpec spec : schema.specs()) {
            target.writeUTF(spec.name());
            writeType(spec.type(), target);
            target.writeByte(spec.aggregates().size());
            for (ColumnAggregate aggregate : spec.aggregates()) {
                if (aggregate instanceof CellAggregate cell) {
                    target.writeUTF(CELL);
                    writeCell(cell, target);
                } else {
                    target.writeUTF(((Aggregate) aggregate).name());
                }
            }
        }
    }

    private static void writeType(ColumnType type, DataOutputView target) throws IOException {
        target.writeUTF(type.kind().name());
        target.writeByte(type.precision());
        target.writeByte(type.scale());
    }

    private static void writeCell(CellAggregate cell, DataOutputView target) throws IOException {
        target.writeUTF(cell.kind().name());
        target.writeUTF(cell.name());
        target.writeBoolean(cell.other() != null);
        if (cell.other() != null) {
            writeType(cell.other(), target);
        }
        target.writeInt(cell.limit());
    }

    static ResultSchema readSchema(DataInputView source) throws IOException {
        try {
            return readSpecs(source);
        } catch (EOFException | RuntimeException e) {
            throw CountedBytes.corrupt("a schema of results", "not one", e);
        }
    }

    private static ResultSchema readSpecs(DataInputView source) throws IOException {
        List<ValueSpec> specs = new ArrayList<>();
        for (int left = source.readInt(); left > 0; left--) {
            String name = source.readUTF();
            ColumnType type = readType(source);
            List<ColumnAggregate> aggregates = new ArrayList<>();
            for (int more = source.readByte(); more > 0; more--) {
                String aggregate = source.readUTF();
                aggregates.add(
                        aggregate.equals(CELL) ? readCell(source) : Aggregate.valueOf(aggregate));
            }
            specs.add(new ValueSpec(name, type, aggregates));
        }
        return new ResultSchema(specs);
    }

    private static ColumnType readType(DataInputView source) throws IOException {
        return ColumnType.of(
                ColumnType.Kind.valueOf(source.readUTF()), source.readByte(), source.readByte());
    }

    private static CellAggregate readCell(DataInputView source) throws IOException {
        return new CellAggregate(
                CellAggregate.Kind.valueOf(source.readUTF()),
                source.readUTF(),
                source.readBoolean() ? readType(source) : null,
                source.readInt());
    }
}

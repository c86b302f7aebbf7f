package io.flinkgpu.api;

import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

import java.io.IOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;

/**
 * Results and their schema as bytes: for each result a bit that says whether it is null, the least bit
 * of the first byte first; then those that are not, big-endian, a decimal as the length of its unscaled
 * value (a byte) and that.
 */
final class ResultFormat {

    private ResultFormat() {}

    static void write(AggregateValues values, ResultSchema schema, DataOutputView target)
            throws IOException {
        if (values.size() != schema.size()) {
            throw Errors.argument(
                    "results must be those of their type: results=%s, type=%s; give the stream the"
                            + " type of its aggregates",
                    values, schema);
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
                writeValue(values.get(i), schema.resultClass(i), schema.scale(i), target);
            }
        }
    }

    static AggregateValues read(ResultSchema schema, DataInputView source) throws IOException {
        byte[] nulls = new byte[(schema.size() + Byte.SIZE - 1) / Byte.SIZE];
        source.readFully(nulls);
        Object[] values = new Object[schema.size()];
        for (int i = 0; i < values.length; i++) {
            if ((nulls[i / Byte.SIZE] >> i % Byte.SIZE & 1) == 0) {
                values[i] = readValue(schema.resultClass(i), schema.scale(i), source);
            }
        }
        return new AggregateValues(schema, values);
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
        }
        byte[] unscaled = new byte[source.readUnsignedByte()];
        source.readFully(unscaled);
        return new BigDecimal(new BigInteger(unscaled), scale);
    }

    static void writeSchema(ResultSchema schema, DataOutputView target) throws IOException {
        target.writeInt(schema.specs().size());
        for (ValueSpec spec : schema.specs()) {
            target.writeUTF(spec.name());
            target.writeUTF(spec.type().kind().name());
            target.writeByte(spec.type().precision());
            target.writeByte(spec.type().scale());
            target.writeByte(spec.aggregates().size());
            for (Aggregate aggregate : spec.aggregates()) {
                target.writeUTF(aggregate.name());
            }
        }
    }

    static ResultSchema readSchema(DataInputView source) throws IOException {
        List<ValueSpec> specs = new ArrayList<>();
        for (int left = source.readInt(); left > 0; left--) {
            String name = source.readUTF();
            ColumnType type =
                    ColumnType.of(
                            ColumnType.Kind.valueOf(source.readUTF()),
                            source.readByte(),
                            source.readByte());
            List<Aggregate> aggregates = new ArrayList<>();
            for (int more = source.readByte(); more > 0; more--) {
                aggregates.add(Aggregate.valueOf(source.readUTF()));
            }
            specs.add(new ValueSpec(name, type, aggregates));
        }
        return new ResultSchema(specs);
    }
}

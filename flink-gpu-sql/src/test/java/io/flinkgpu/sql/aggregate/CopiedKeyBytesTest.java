package io.flinkgpu.sql.aggregate;

import org.apache.flink.core.memory.MemorySegment;
import org.apache.flink.core.memory.MemorySegmentFactory;
import org.apache.flink.table.api.DataTypes;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.data.StringData;
import org.apache.flink.table.data.binary.BinaryRowData;
import org.apache.flink.table.data.writer.BinaryRowWriter;
import org.apache.flink.table.runtime.typeutils.InternalTypeInfo;
import org.apache.flink.table.types.logical.IntType;
import org.apache.flink.table.types.logical.RowType;

import org.junit.jupiter.api.Test;

import java.util.Random;

import static org.apache.flink.table.api.DataTypes.FIELD;
import static org.apache.flink.table.api.DataTypes.ROW;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Keys that are copied against rows that Flink's writer makes of the same values. Where the planner is they are compared with
 * those of Flink's selectors.
 *
 * <p>Covers: CopiedKey.
 */
class CopiedKeyBytesTest {

    private static final RowType ROW_TYPE =
            (RowType)
                    ROW(
                                    FIELD("text", DataTypes.STRING()),
                                    FIELD("flag", DataTypes.BOOLEAN()),
                                    FIELD("number", DataTypes.INT()),
                                    FIELD("other", DataTypes.STRING()))
                            .getLogicalType();

    /** The columns of the key, in its order. */
    private static final int[] COLUMNS = {3, 2, 0, 1};

    private static final long SEED = Long.getLong("sql.seed", new Random().nextLong());

    private final Random random = new Random(SEED);

    @Test
    void areThoseOfFlinksWriter() {
        InternalTypeInfo<RowData> unused = InternalTypeInfo.of(new IntType());
        CopiedKey copied = new CopiedKey(unused, null, COLUMNS, ROW_TYPE).copy();
        for (int i = 0; i < 2_000; i++) {
            Object[] values = {text(), random.nextBoolean(), random.nextInt(), text()};
            if (random.nextBoolean()) {
                values[random.nextInt(values.length)] = null;
            }
            BinaryRowData row = moved(written(values, 0, 1, 2, 3));
            assertThat(bytes((BinaryRowData) copied.getKey(row)))
                    .as("seed=%d, row=%d", SEED, i)
                    .isEqualTo(bytes(written(values, COLUMNS)));
        }
    }

    /** Longer than what Flink has among the fields, of which it makes the key itself. */
    private StringData text() {
        return StringData.fromString("ä".repeat(4 + random.nextInt(random.nextInt(500) + 1)));
    }

    private static BinaryRowData written(Object[] values, int... columns) {
        BinaryRowData row = new BinaryRowData(columns.length);
        BinaryRowWriter writer = new BinaryRowWriter(row);
        for (int i = 0; i < columns.length; i++) {
            Object value = values[columns[i]];
            if (value == null) {
                writer.setNullAt(i);
            } else if (value instanceof StringData text) {
                writer.writeString(i, text);
            } else if (value instanceof Integer number) {
                writer.writeInt(i, number);
            } else {
                writer.writeBoolean(i, (Boolean) value);
            }
        }
        writer.complete();
        return row;
    }

    /** The same row not at a segment's start. */
    private static BinaryRowData moved(BinaryRowData row) {
        byte[] bytes = bytes(row);
        MemorySegment segment =
                MemorySegmentFactory.allocateUnpooledSegment(Long.BYTES + bytes.length);
        segment.put(Long.BYTES, bytes);
        BinaryRowData moved = new BinaryRowData(row.getArity());
        moved.pointTo(segment, Long.BYTES, bytes.length);
        return moved;
    }

    private static byte[] bytes(BinaryRowData row) {
        byte[] bytes = new byte[row.getSizeInBytes()];
        row.getSegments()[0].get(row.getOffset(), bytes);
        return bytes;
    }
}

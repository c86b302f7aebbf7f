package io.flinkgpu.sql.planner;

import io.flinkgpu.sql.aggregate.CopiedKey;

import org.apache.flink.core.memory.MemorySegment;
import org.apache.flink.core.memory.MemorySegmentFactory;
import org.apache.flink.table.api.DataTypes;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.data.StringData;
import org.apache.flink.table.data.binary.BinaryRowData;
import org.apache.flink.table.data.writer.BinaryRowWriter;
import org.apache.flink.table.planner.plan.utils.KeySelectorUtil;
import org.apache.flink.table.runtime.generated.GeneratedProjection;
import org.apache.flink.table.runtime.keyselector.BinaryRowDataKeySelector;
import org.apache.flink.table.runtime.keyselector.RowDataKeySelector;
import org.apache.flink.table.runtime.typeutils.InternalTypeInfo;
import org.apache.flink.table.types.logical.RowType;
import org.apache.flink.util.InstantiationUtil;

import org.junit.jupiter.api.Test;

import java.util.Random;
import java.util.stream.IntStream;

import static org.apache.flink.table.api.DataTypes.FIELD;
import static org.apache.flink.table.api.DataTypes.ROW;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Keys that are copied against those of Flink's code, byte for byte.
 *
 * <p>Covers: CopiedKey, LocalKeys.
 */
class CopiedKeyTest {

    private static final int LISTS = 60;
    private static final int ROWS = 300;

    private static final RowType ROW_TYPE =
            (RowType)
                    ROW(
                                    FIELD("a", DataTypes.STRING()),
                                    FIELD("b", DataTypes.INT()),
                                    FIELD("c", DataTypes.BIGINT()),
                                    FIELD("d", DataTypes.VARBINARY(40)),
                                    FIELD("e", DataTypes.DECIMAL(18, 4)),
                                    FIELD("f", DataTypes.TIMESTAMP(3)),
                                    FIELD("g", DataTypes.BOOLEAN()),
                                    FIELD("h", DataTypes.TINYINT()),
                                    FIELD("i", DataTypes.SMALLINT()),
                                    FIELD("j", DataTypes.FLOAT()),
                                    FIELD("k", DataTypes.DOUBLE()),
                                    FIELD("l", DataTypes.DATE()),
                                    FIELD("m", DataTypes.TIME()),
                                    FIELD("n", DataTypes.STRING()),
                                    // These are not copied.
                                    FIELD("o", DataTypes.DECIMAL(24, 3)),
                                    FIELD("p", DataTypes.TIMESTAMP(9)))
                            .getLogicalType();

    @Test
    void areThoseOfFlink() throws Exception {
        long seed = Long.getLong("sql.seed", new Random().nextLong());
        Random random = new Random(seed);
        EventRows rows = new EventRows(ROW_TYPE, 0, 1, 0);
        for (int list = 0; list < LISTS; list++) {
            // Lists of columns that are all copied, and some that are not.
            int columns = random.nextInt(4) == 0 ? ROW_TYPE.getFieldCount() : 14;
            int[] grouping =
                    IntStream.range(0, 1 + random.nextInt(5))
                            .map(i -> random.nextInt(columns))
                            .distinct()
                            .toArray();
            BinaryRowDataKeySelector flinks = flinks(grouping);
            RowDataKeySelector ours = InstantiationUtil.clone(copied(flinks, grouping));
            for (int i = 0; i < ROWS; i++) {
                RowData row = rows.row(i, random);
                if (row instanceof BinaryRowData binary && random.nextInt(3) == 0) {
                    row = moved(binary, random);
                }
                assertThat(bytes(ours.getKey(row)))
                        .as("seed=%d, list=%d, row=%d", seed, list, i)
                        .isEqualTo(bytes(flinks.getKey(row)));
            }
        }
    }

    @Test
    void aLongTextAfterAShortOne() throws Exception {
        BinaryRowDataKeySelector flinks = flinks(new int[] {0});
        RowDataKeySelector ours = copied(flinks, new int[] {0});
        for (String text :
                new String[] {"a", "x".repeat(5_000), "12345678", "", "1234567", "x".repeat(9)}) {
            BinaryRowData row = new BinaryRowData(ROW_TYPE.getFieldCount());
            BinaryRowWriter writer = new BinaryRowWriter(row);
            writer.writeString(0, StringData.fromString(text));
            writer.complete();
            assertThat(bytes(ours.getKey(row))).as(text).isEqualTo(bytes(flinks.getKey(row)));
        }
    }

    private static BinaryRowDataKeySelector flinks(int[] grouping) {
        return (BinaryRowDataKeySelector)
                KeySelectorUtil.getRowDataSelector(
                        Thread.currentThread().getContextClassLoader(),
                        grouping,
                        InternalTypeInfo.of(ROW_TYPE));
    }

    private static CopiedKey copied(BinaryRowDataKeySelector flinks, int[] grouping) {
        return new CopiedKey(
                flinks.getProducedType(),
                FlinkFields.get(
                        flinks,
                        BinaryRowDataKeySelector.class,
                        "generatedProjection",
                        GeneratedProjection.class),
                grouping,
                ROW_TYPE);
    }

    /** The same row somewhere in a segment, on the heap or off it. */
    private static BinaryRowData moved(BinaryRowData row, Random random) {
        int size = row.getSizeInBytes();
        int offset = Long.BYTES * random.nextInt(3);
        MemorySegment segment =
                random.nextBoolean()
                        ? MemorySegmentFactory.allocateUnpooledSegment(offset + size)
                        : MemorySegmentFactory.allocateUnpooledOffHeapMemory(offset + size);
        segment.put(offset, bytes(row));
        BinaryRowData moved = new BinaryRowData(row.getArity());
        moved.pointTo(segment, offset, size);
        return moved;
    }

    private static byte[] bytes(RowData row) {
        BinaryRowData binary = (BinaryRowData) row;
        byte[] bytes = new byte[binary.getSizeInBytes()];
        binary.getSegments()[0].get(binary.getOffset(), bytes);
        return bytes;
    }
}

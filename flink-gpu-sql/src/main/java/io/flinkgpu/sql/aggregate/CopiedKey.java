package io.flinkgpu.sql.aggregate;

import org.apache.flink.annotation.Internal;
import org.apache.flink.core.memory.MemorySegment;
import org.apache.flink.core.memory.MemorySegmentFactory;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.data.binary.BinaryRowData;
import org.apache.flink.table.runtime.generated.GeneratedProjection;
import org.apache.flink.table.runtime.generated.Projection;
import org.apache.flink.table.runtime.keyselector.RowDataKeySelector;
import org.apache.flink.table.runtime.typeutils.InternalTypeInfo;
import org.apache.flink.table.types.logical.LogicalType;
import org.apache.flink.table.types.logical.LogicalTypeRoot;
import org.apache.flink.table.types.logical.RowType;

import java.util.Arrays;

import static org.apache.flink.table.types.logical.utils.LogicalTypeChecks.getPrecision;

/**
 * The key of a row, byte for byte as Flink's code makes it, in a row that the next one takes the place of. Of a row
 * that is bytes the key's bytes are copied; of others Flink's code makes it. Not thread-safe once it is used.
 */
@Internal
public final class CopiedKey implements RowDataKeySelector {

    private static final long serialVersionUID = 1L;

    /** Of a field whose bytes are behind all fields, or among them if there are few. */
    private static final int VARIABLE = 0;

    /** Of a field that is not copied as it is. */
    private static final int NONE = -1;

    private static final int MOST_INLINED = 7;

    private final InternalTypeInfo<RowData> type;
    private final GeneratedProjection flinks;

    /** The columns of the key; null if it cannot be copied. */
    private final int[] columns;

    private final int[] widths;

    private transient Projection<RowData, BinaryRowData> projection;
    private transient BinaryRowData key;
    private transient MemorySegment[] segments;
    private transient byte[] bytes;

    /**
     * @param type of the key
     * @param flinks makes it of any row
     * @param columns of the row that are the key
     * @param row the type of rows
     */
    public CopiedKey(
            InternalTypeInfo<RowData> type,
            GeneratedProjection flinks,
            int[] columns,
            RowType row) {
        this.type = type;
        this.flinks = flinks;
        this.widths = Arrays.stream(columns).map(it -> width(row.getTypeAt(it))).toArray();
        boolean copied =
                columns.length <= LocalAggregation.MAX_KEYS
                        && Arrays.stream(widths).allMatch(it -> it != NONE);
        this.columns = copied ? columns.clone() : null;
    }

    private static int width(LogicalType type) {
        LogicalTypeRoot root = type.getTypeRoot();
        return switch (root) {
            case CHAR, VARCHAR, BINARY, VARBINARY -> VARIABLE;
            case BOOLEAN, TINYINT -> Byte.BYTES;
            case SMALLINT -> Short.BYTES;
            case INTEGER, DATE, TIME_WITHOUT_TIME_ZONE, FLOAT -> Integer.BYTES;
            case BIGINT, DOUBLE -> Long.BYTES;
            case DECIMAL -> getPrecision(type) <= 18 ? Long.BYTES : NONE;
            case TIMESTAMP_WITHOUT_TIME_ZONE, TIMESTAMP_WITH_LOCAL_TIME_ZONE ->
                    getPrecision(type) <= 3 ? Long.BYTES : NONE;
            default -> NONE;
        };
    }

    @Override
    @SuppressWarnings("unchecked") // As in Flink's own.
    public RowData getKey(RowData row) {
        if (columns != null
                && row instanceof BinaryRowData binary
                && binary.getSegments().length == 1
                && copy(binary)) {
            return key;
        }
        if (projection == null) {
            projection = flinks.newInstance(Thread.currentThread().getContextClassLoader());
        }
        return projection.apply(row);
    }

    /** Copies the key; false if the row has a short text where Flink's code would not write it. */
    private boolean copy(BinaryRowData row) {
        int header = BinaryRowData.calculateBitSetWidthInBytes(columns.length);
        int end = header + Long.BYTES * columns.length;
        if (key == null) {
            key = new BinaryRowData(columns.length);
            grow(2 * end);
        }
        MemorySegment from = row.getSegments()[0];
        int first = row.getOffset() + BinaryRowData.calculateBitSetWidthInBytes(row.getArity());
        long bits = 0;
        for (int i = 0; i < columns.length; i++) {
            int slot = header + Long.BYTES * i;
            if (row.isNullAt(columns[i])) {
                bits |= 1L << Byte.SIZE + i;
                segments[0].putLong(slot, 0);
                continue;
            }
            long word = from.getLong(first + Long.BYTES * columns[i]);
            if (widths[i] != VARIABLE) {
                int unused = Long.SIZE - Byte.SIZE * widths[i];
                word = word << unused >>> unused;
            } else if (word >= 0) {
                int length = (int) word;
                if (length <= MOST_INLINED) {
                    return false;
                }
                int padded = length + Long.BYTES - 1 & -Long.BYTES;
                if (end + padded > bytes.length) {
                    grow(2 * (end + padded));
                }
                segments[0].putLong(end + padded - Long.BYTES, 0);
                from.get(row.getOffset() + (int) (word >>> Integer.SIZE), bytes, end, length);
                word = (long) end << Integer.SIZE | length;
                end += padded;
            }
            segments[0].putLong(slot, word);
        }
        segments[0].putLong(0, bits);
        key.pointTo(segments, 0, end);
        return true;
    }

    private void grow(int size) {
        bytes = bytes == null ? new byte[size] : Arrays.copyOf(bytes, size);
        segments = new MemorySegment[] {MemorySegmentFactory.wrap(bytes)};
    }

    @Override
    public InternalTypeInfo<RowData> getProducedType() {
        return type;
    }

    @Override
    public CopiedKey copy() {
        return new CopiedKey(this);
    }

    private CopiedKey(CopiedKey other) {
        type = other.type;
        flinks = other.flinks;
        columns = other.columns;
        widths = other.widths;
    }
}

package io.flinkgpu.cells;

import io.flinkgpu.api.ColumnType;
import io.flinkgpu.column.Utf8;

import java.io.Serializable;

/**
 * What is kept of a row by aggregates that choose rows: what orders it, and what is asked of it.
 *
 * <pre>
 *   order     a number as a long that has its order (8); of a text its length (4) and bytes
 *   payload   nothing if the order is what is asked for; else 1 if it is null (1), or 0 and the same of it
 * </pre>
 *
 * Numbers are little-endian, and places are those where an entry begins. Immutable.
 *
 * @param order what rows are ordered by
 * @param payload what is asked of a row; null if that is the order
 */
record Entries(ColumnType order, ColumnType payload) implements Serializable {

    private static final long serialVersionUID = 1L;

    /** How many bytes an entry has. */
    int length(Cell cell, int at) {
        int end = at + valueBytes(order, cell, at);
        if (payload != null) {
            boolean isNull = cell.getByte(end++) != 0;
            end += isNull ? 0 : valueBytes(payload, cell, end);
        }
        return end - at;
    }

    private static int valueBytes(ColumnType type, Cell cell, int at) {
        return isText(type) ? Integer.BYTES + cell.getInt(at) : Long.BYTES;
    }

    /** Likewise. */
    int length(byte[] bytes, int at) {
        int end = at + valueBytes(order, bytes, at);
        if (payload != null) {
            boolean isNull = bytes[end++] != 0;
            end += isNull ? 0 : valueBytes(payload, bytes, end);
        }
        return end - at;
    }

    private static int valueBytes(ColumnType type, byte[] bytes, int at) {
        return isText(type) ? Integer.BYTES + intAt(bytes, at) : Long.BYTES;
    }

    /**
     * Where an entry ends, of bytes that need not be one.
     *
     * @param end of the bytes
     * @return -1 if there is no whole entry
     */
    int end(byte[] bytes, int at, int end) {
        int valueEnd = valueEnd(order, bytes, at, end);
        if (valueEnd < 0 || payload == null) {
            return valueEnd;
        }
        if (valueEnd == end) {
            return -1;
        }
        boolean isNull = bytes[valueEnd] != 0;
        return isNull ? valueEnd + 1 : valueEnd(payload, bytes, valueEnd + 1, end);
    }

    private static int valueEnd(ColumnType type, byte[] bytes, int at, int end) {
        int head = isText(type) ? Integer.BYTES : Long.BYTES;
        if (end - at < head) {
            return -1;
        }
        int text = isText(type) ? intAt(bytes, at) : 0;
        return text < 0 || text > end - at - head ? -1 : at + head + text;
    }

    static boolean isText(ColumnType type) {
        return type == ColumnType.TEXT;
    }

    /**
     * The order of two entries, the better one first: by what orders them, and where that is the same by
     * their payloads, the least first and a null last.
     *
     * @param greatest whether the greater order is better
     */
    int compare(Cell a, int aAt, byte[] b, int bAt, boolean greatest) {
        int compared = compareValues(order, a, aAt, b, bAt);
        if (compared != 0) {
            return greatest ? -compared : compared;
        }
        if (payload == null) {
            return 0;
        }
        int aPayload = aAt + valueBytes(order, a, aAt);
        int bPayload = bAt + valueBytes(order, b, bAt);
        compared = Byte.compare(a.getByte(aPayload), b[bPayload]);
        return compared != 0 || b[bPayload] != 0
                ? compared
                : compareValues(payload, a, aPayload + 1, b, bPayload + 1);
    }

    private static int compareValues(ColumnType type, Cell a, int aAt, byte[] b, int bAt) {
        if (!isText(type)) {
            return Long.compare(a.getLong(aAt), longAt(b, bAt));
        }
        int aBytes = a.getInt(aAt);
        int bBytes = intAt(b, bAt);
        int aText = aAt + Integer.BYTES;
        int bText = bAt + Integer.BYTES;
        for (int i = 0; i < Math.min(aBytes, bBytes); i++) {
            int compared = Integer.compare(a.getByte(aText + i) & 0xff, b[bText + i] & 0xff);
            if (compared != 0) {
                return compared;
            }
        }
        return Integer.compare(aBytes, bBytes);
    }

    /** The object that is asked of an entry's row. */
    Object result(byte[] bytes, int at) {
        if (payload == null) {
            return value(order, bytes, at);
        }
        int payloadAt = at + valueBytes(order, bytes, at);
        return bytes[payloadAt] != 0 ? null : value(payload, bytes, payloadAt + 1);
    }

    private static Object value(ColumnType type, byte[] bytes, int at) {
        return isText(type)
                ? Utf8.decode(bytes, at + Integer.BYTES, intAt(bytes, at))
                : OrderedNumbers.value(longAt(bytes, at), type);
    }

    private static int intAt(byte[] bytes, int at) {
        return (int) HeapCell.INTS.get(bytes, at);
    }

    private static long longAt(byte[] bytes, int at) {
        return (long) HeapCell.LONGS.get(bytes, at);
    }
}

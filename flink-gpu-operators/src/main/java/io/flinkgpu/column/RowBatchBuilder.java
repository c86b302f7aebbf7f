package io.flinkgpu.column;

import io.flinkgpu.api.ColumnType;

import org.apache.flink.annotation.Internal;

import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VectorSchemaRoot;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;

/**
 * Fills a batch with columns of any types, a record a row. A number counts as its bytes, a boolean as
 * one, a list as its elements.
 *
 * <p>The room for texts and lists is divided among the columns as the batch before needed it, at first evenly. A
 * batch is full as soon as one of them is.
 */
@Internal
public final class RowBatchBuilder extends ColumnBuilder {

    /** One part in so many of the text's room is divided evenly, whatever the batch before needed. */
    private static final int EVEN_PARTS = 8;

    private final BufferAllocator allocator;
    private final List<String> names;
    private final int fixedBytes;

    /** Null for a column of another type; likewise below. */
    private final VariableBuffers[] texts;

    private final FixedBuffers[] numbers;
    private final int[] textCapacities;
    private final int[] lastTextBytes;
    private final int textColumns;

    /**
     * @param allocator where the columns live; stays the caller's
     * @param maxRows rows in a batch
     * @param maxBytes bytes of all columns in a batch; a batch has at least one row
     * @param names of the columns, at least one
     * @param types of the columns
     */
    public RowBatchBuilder(
            BufferAllocator allocator,
            int maxRows,
            int maxBytes,
            List<String> names,
            List<ColumnType> types) {
        super(rowCapacity(maxRows, maxBytes, types), maxBytes);
        this.allocator = allocator;
        this.names = List.copyOf(names);
        this.fixedBytes = fixedBytes(types);
        int columns = types.size();
        texts = new VariableBuffers[columns];
        numbers = new FixedBuffers[columns];
        textCapacities = new int[columns];
        lastTextBytes = new int[columns];
        for (int i = 0; i < columns; i++) {
            if (types.get(i).kind() == ColumnType.Kind.LIST) {
                texts[i] = new ListBuffers(types.get(i));
            } else if (TextBuffers.holds(types.get(i))) {
                texts[i] = new TextBuffers(types.get(i));
            } else {
                numbers[i] = new FixedBuffers(types.get(i));
            }
        }
        textColumns = (int) Arrays.stream(texts).filter(Objects::nonNull).count();
        Arrays.fill(textCapacities, evenCapacity(maxBytes));
    }

    /** The memory that a full batch with these limits takes from an allocator, at most. */
    public static long fullBatchBytes(int maxRows, int maxBytes, List<ColumnType> types) {
        int rows = rowCapacity(maxRows, maxBytes, types);
        int textColumns = textColumns(types);
        // Powers of two above the parts of a sum are less than twice the sum.
        long bytes =
                switch (textColumns) {
                    case 0 -> 0;
                    case 1 -> TextBuffers.fullBytes(rows, maxBytes);
                    default -> textColumns * TextBuffers.fullBytes(rows, 1) + 2L * maxBytes;
                };
        for (ColumnType type : types) {
            if (type.kind() == ColumnType.Kind.LIST) {
                bytes += new ListBuffers(type).neededBytes(rows, maxBytes);
            } else if (!TextBuffers.holds(type)) {
                bytes += new FixedBuffers(type).neededBytes(rows);
            }
        }
        return bytes;
    }

    @Override
    public long memoryBytes() {
        long bytes = 0;
        for (int i = 0; i < texts.length; i++) {
            bytes += texts[i] == null ? numbers[i].memoryBytes() : texts[i].memoryBytes();
        }
        return bytes;
    }

    @Override
    public boolean isFull() {
        if (super.isFull()) {
            return true;
        }
        for (int i = 0; rows() > 0 && i < texts.length; i++) {
            if (texts[i] != null && !texts[i].hasRoom(lastTextBytes[i])) {
                return true;
            }
        }
        return false;
    }

    /** Appends a row. */
    public boolean append(RowValues values) {
        long bytes = fixedBytes;
        for (int i = 0; i < texts.length; i++) {
            if (texts[i] != null) {
                long size = values.isNull(i) ? 0 : texts[i].bytesOf(values, i);
                lastTextBytes[i] = (int) Math.min(Integer.MAX_VALUE, size);
                bytes += size;
            }
        }
        if (!reserve(1, bytes)) {
            return false;
        }
        int row = rows();
        for (int i = 0; i < texts.length; i++) {
            if (texts[i] == null) {
                numbers[i].append(row, values, i);
            } else if (values.isNull(i)) {
                texts[i].appendNull(row);
            } else {
                texts[i].append(row, values, i, lastTextBytes[i]);
            }
        }
        added();
        return true;
    }

    @Override
    long neededBytes(int rowCapacity, int firstBytes) {
        long bytes = 0;
        for (int i = 0; i < texts.length; i++) {
            bytes +=
                    texts[i] == null
                            ? numbers[i].neededBytes(rowCapacity)
                            : texts[i].neededBytes(rowCapacity, textCapacity(i));
        }
        return bytes;
    }

    @Override
    void allocate(int rowCapacity, int firstBytes) {
        for (int i = 0; i < texts.length; i++) {
            if (texts[i] == null) {
                numbers[i].allocate(allocator, rowCapacity);
            } else {
                texts[i].allocate(allocator, rowCapacity, textCapacity(i));
            }
        }
    }

    @Override
    ColumnBatch seal() {
        List<FieldVector> vectors = new ArrayList<>();
        for (int i = 0; i < texts.length; i++) {
            String name = names.get(i);
            vectors.add(
                    texts[i] == null
                            ? numbers[i].vector(name, allocator, rows())
                            : texts[i].vector(name, allocator, rows()));
        }
        divideText();
        return new ColumnBatch(new VectorSchemaRoot(vectors), 0);
    }

    @Override
    void release() {
        for (int i = 0; i < texts.length; i++) {
            if (texts[i] == null) {
                numbers[i].close();
            } else {
                texts[i].close();
            }
        }
    }

    /** Divides the room of the next batch. */
    private void divideText() {
        int textBytes = bytes() - rows() * fixedBytes;
        if (textBytes == 0) {
            return;
        }
        int even = maxBytes() / EVEN_PARTS;
        for (int i = 0; i < texts.length; i++) {
            if (texts[i] != null) {
                long share = (long) (maxBytes() - even) * texts[i].bytes() / textBytes;
                textCapacities[i] = (int) share + evenCapacity(even);
            }
        }
    }

    private int evenCapacity(int allBytes) {
        return allBytes / Math.max(1, textColumns);
    }

    /** Not 0, so that the column has an address. */
    private int textCapacity(int column) {
        return Math.max(1, Math.max(textCapacities[column], lastTextBytes[column]));
    }

    private static int rowCapacity(int maxRows, int maxBytes, List<ColumnType> types) {
        int bytes = fixedBytes(types);
        return bytes == 0 ? maxRows : Math.max(1, Math.min(maxRows, maxBytes / bytes));
    }

    /** The bytes that each row has, apart from texts and lists. */
    private static int fixedBytes(List<ColumnType> types) {
        int bytes = 0;
        for (ColumnType type : types) {
            boolean isFixed = type.kind() != ColumnType.Kind.LIST && !TextBuffers.holds(type);
            bytes = Math.addExact(bytes, isFixed ? FixedBuffers.rowBytes(type) : 0);
        }
        return bytes;
    }

    private static int textColumns(List<ColumnType> types) {
        return (int) types.stream().filter(TextBuffers::holds).count();
    }
}

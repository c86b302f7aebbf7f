package io.flinkgpu.sql.operator;

import io.flinkgpu.column.RowValues;

import org.apache.flink.core.memory.MemorySegment;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.data.binary.BinaryStringData;

import java.util.List;

/** Reads the columns of a program of rows, texts where they are, without a copy. Not thread-safe. */
final class ArgumentReader {

    private final Argument[] arguments;

    ArgumentReader(List<Argument> arguments) {
        this.arguments = arguments.toArray(Argument[]::new);
    }

    /**
     * Fills {@code into}; its texts are valid as long as the rows are.
     *
     * @param kept what Flink's code computed of the input
     * @return false if a text is not what it has to be
     */
    boolean read(RowData input, RowData kept, RowValues into) {
        for (int i = 0; i < arguments.length; i++) {
            Argument argument = arguments[i];
            RowData row = argument.kept() ? kept : input;
            int index = argument.index();
            if (row.isNullAt(index)) {
                into.putNull(i);
                continue;
            }
            switch (argument.type().getTypeRoot()) {
                case CHAR, VARCHAR -> {
                    putText(i, (BinaryStringData) row.getString(index), into);
                    if (!argument.check()
                            .accepts(into.text(i), into.textStart(i), into.textBytes(i))) {
                        return false;
                    }
                }
                case TINYINT -> into.putWord(i, row.getByte(index));
                case SMALLINT -> into.putWord(i, row.getShort(index));
                case INTEGER -> into.putWord(i, row.getInt(index));
                case BIGINT -> into.putWord(i, row.getLong(index));
                case DOUBLE -> into.putWord(i, Double.doubleToLongBits(row.getDouble(index)));
                case BOOLEAN -> into.putWord(i, row.getBoolean(index) ? 1 : 0);
                default -> throw new IllegalStateException("type=" + argument.type());
            }
        }
        return true;
    }

    private static void putText(int column, BinaryStringData text, RowValues into) {
        String object = text.getJavaObject();
        if (object != null) {
            // Unlike Flink's bytes of it, these show an unpaired surrogate.
            into.putText(column, object);
            return;
        }
        int size = text.getSizeInBytes();
        MemorySegment segment = text.getSegments()[0];
        byte[] bytes = segment.getHeapMemory();
        if (bytes == null || text.getOffset() + size > segment.size()) {
            into.putText(column, text.toBytes());
        } else {
            into.putBytes(column, bytes, text.getOffset(), size);
        }
    }
}

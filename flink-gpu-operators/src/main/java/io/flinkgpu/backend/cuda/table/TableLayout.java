package io.flinkgpu.backend.cuda.table;

import io.flinkgpu.backend.cuda.device.DeviceLayout;
import io.flinkgpu.column.TextView;

import org.apache.flink.annotation.Internal;

/** Where the arrays of a batch of texts, or of changes, lie in one block of device memory. */
@Internal
public final class TableLayout {

    public final DeviceLayout block = new DeviceLayout();

    /** Whether each row has a number, a bit a row. To be zeroed, and copied back, as the numbers are. */
    public final long foundBits;

    public final long foundBitsBytes;
    public final long found;

    /** Where from the found numbers on the number of the batch is, which the host puts there. */
    final long number;

    final long offsets;

    /** Of the first row's first byte. */
    final long data;

    final long validity;
    final long numbers;
    final long changed;

    public TableLayout(TableInput input) {
        TextView texts = input.texts();
        int rows = texts.rows();
        boolean finds = input.numbers() == 0;
        foundBitsBytes = finds ? 4 * ((rows + 31L) / 32) : 0;
        foundBits = block.array(foundBitsBytes);
        number = finds ? 8L * rows : 0;
        found = block.array(number + (finds ? Long.BYTES : 0));
        offsets = block.copied(texts.offsetsAddress(), 4L * (rows + 1));
        int first = texts.start(0);
        data = block.copied(texts.dataAddress() + first, texts.dataBytes() - first);
        validity = block.copied(input.validity(), input.validity() == 0 ? 0 : (rows + 7L) / 8);
        numbers = block.copied(input.numbers(), finds ? 0 : 8L * rows);
        changed = block.copied(input.changed(), finds ? 0 : 4L * input.count());
    }
}

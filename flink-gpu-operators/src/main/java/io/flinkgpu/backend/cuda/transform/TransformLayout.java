package io.flinkgpu.backend.cuda.transform;

import io.flinkgpu.api.ColumnType;
import io.flinkgpu.backend.cuda.device.DeviceLayout;

/**
 * Where the arrays of a batch lie in one block of device memory. The bytes of texts that passes write are
 * elsewhere: nobody knows yet how many there are.
 *
 * <pre>
 *   | status, number, headers | scan states | tables | columns of the batch | those of passes
 *   |------------- zeroBytes -------------|
 * </pre>
 */
final class TransformLayout {

    /** Where the number of the batch is, which the host puts after the status. */
    static final int NUMBER = TransformAbi.STATUS_BYTES;

    /** Where the headers of the passes' outputs are, after that. */
    static final int HEADERS = 16;

    final DeviceLayout block = new DeviceLayout();

    /** Of each column that is a text that a pass writes. */
    final long[] scanStates;

    final long zeroBytes;

    /** Each pass's table of columns that it reads. */
    final long[] sources;

    /** Each pass's table of columns that it writes. */
    final long[] outputs;

    final long tablesEnd;

    /** Of each column, but of texts that passes write. */
    final long[] data;

    /** Of each text. */
    final long[] offsets;

    /** Of each column. */
    final long[] validity;

    TransformLayout(NumberedPasses plan, TransformInput input, TransformShape[] shapes) {
        int columns = plan.types().size();
        int inputs = input.columns().size();
        int rows = input.rows();
        block.array(plan.headBytes());
        scanStates = new long[columns];
        for (int i = inputs; i < columns; i++) {
            boolean isText = plan.types().get(i) == ColumnType.TEXT;
            int tiles = shapes[plan.passOf(i)].launch(rows).blocks();
            scanStates[i] = block.array(isText ? 8L * tiles : 0);
        }
        zeroBytes = block.end();
        sources = new long[shapes.length];
        outputs = new long[shapes.length];
        for (int pass = 0; pass < shapes.length; pass++) {
            PassImage image = plan.program().passes().get(pass);
            sources[pass] = block.array(sourcesBytes(image));
            outputs[pass] = block.array(outputsBytes(image));
        }
        tablesEnd = block.end();
        data = new long[columns];
        offsets = new long[columns];
        validity = new long[columns];
        for (int i = 0; i < inputs; i++) {
            TransformInput.Column column = input.columns().get(i);
            data[i] = block.copied(column.data(), column.dataBytes());
            offsets[i] = block.copied(column.offsets(), column.offsetsBytes(rows));
            validity[i] = block.copied(column.validity(), column.validityBytes(rows));
        }
        for (int i = inputs; i < columns; i++) {
            ColumnType type = plan.types().get(i);
            boolean isText = type == ColumnType.TEXT;
            data[i] = block.array(isText ? 0 : TransformInput.dataBytes(type, rows));
            offsets[i] = block.array(isText ? 4 * (rows + 1L) : 0);
            validity[i] = block.array(TransformInput.bitmapBytes(rows));
        }
    }

    /** Bytes of all tables. */
    static long tablesBytes(NumberedPasses plan) {
        DeviceLayout tables = new DeviceLayout();
        for (PassImage image : plan.program().passes()) {
            tables.array(sourcesBytes(image));
            tables.array(outputsBytes(image));
        }
        return tables.end();
    }

    private static long sourcesBytes(PassImage image) {
        return (long) TransformAbi.SOURCE_BYTES * image.columns().columns().size();
    }

    private static long outputsBytes(PassImage image) {
        return (long) TransformAbi.OUTPUT_BYTES * image.pass().outputs().size();
    }
}

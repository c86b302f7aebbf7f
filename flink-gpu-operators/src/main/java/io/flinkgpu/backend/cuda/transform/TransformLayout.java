package io.flinkgpu.backend.cuda.transform;

import io.flinkgpu.api.expression.ColumnType;
import io.flinkgpu.backend.BackendException;

/**
 * Where the arrays of a batch lie in one block of device memory: offsets from its start, multiples of
 * 256. The bytes of texts that passes write are elsewhere: nobody knows yet how many there are.
 *
 * <pre>
 *   | status, headers | scan states | tables | columns of the batch | those of passes
 *   |--------- zeroBytes ---------|
 * </pre>
 *
 * @param headers of the passes' outputs
 * @param scanStates of each column that is a text that a pass writes
 * @param sources each pass's table of columns that it reads
 * @param outputs each pass's table of columns that it writes
 * @param data of each column, but of texts that passes write
 * @param offsets of each text
 * @param validity of each column
 */
record TransformLayout(
        long headers,
        long[] scanStates,
        long zeroBytes,
        long[] sources,
        long[] outputs,
        long tablesEnd,
        long[] data,
        long[] offsets,
        long[] validity,
        long totalBytes) {

    private static final long ALIGNMENT_BYTES = 256;

    /** Where the headers are behind the status. */
    static final int HEADERS = 16;

    /** Takes a copy from host memory to an offset of the block. */
    @FunctionalInterface
    interface Copy {
        void copy(long offset, long hostAddress, long bytes) throws BackendException;
    }

    static TransformLayout of(NumberedPasses plan, TransformInput input, TransformShape[] shapes) {
        int columns = plan.types().size();
        int inputs = input.columns().size();
        int rows = input.rows();
        Taken taken = new Taken();
        long headers = HEADERS;
        taken.take(plan.headBytes());
        long[] scanStates = new long[columns];
        long[] sources = new long[shapes.length];
        long[] outputs = new long[shapes.length];
        for (int i = inputs; i < columns; i++) {
            boolean isText = plan.types().get(i) == ColumnType.TEXT;
            int tiles = shapes[plan.passOf(i)].launch(rows).blocks();
            scanStates[i] = taken.take(isText ? 8L * tiles : 0);
        }
        long zeroBytes = taken.bytes;
        for (int pass = 0; pass < shapes.length; pass++) {
            takeTables(taken, plan.program().passes().get(pass), sources, outputs, pass);
        }
        long tablesEnd = taken.bytes;
        long[] data = new long[columns];
        long[] offsets = new long[columns];
        long[] validity = new long[columns];
        for (int i = 0; i < columns; i++) {
            ColumnType type = plan.types().get(i);
            boolean isText = type == ColumnType.TEXT;
            long textBytes = i < inputs ? input.columns().get(i).dataBytes() : 0;
            data[i] = taken.take(isText ? textBytes : TransformInput.dataBytes(type, rows));
            offsets[i] = taken.take(isText ? 4 * (rows + 1L) : 0);
            boolean hasValidity = i >= inputs || input.columns().get(i).validity() != 0;
            validity[i] = taken.take(hasValidity ? TransformInput.bitmapBytes(rows) : 0);
        }
        return new TransformLayout(
                headers,
                scanStates,
                zeroBytes,
                sources,
                outputs,
                tablesEnd,
                data,
                offsets,
                validity,
                taken.bytes);
    }

    /** Bytes of all tables. */
    static long tablesBytes(NumberedPasses plan) {
        Taken taken = new Taken();
        for (PassImage image : plan.program().passes()) {
            takeTables(taken, image, new long[1], new long[1], 0);
        }
        return taken.bytes;
    }

    private static void takeTables(
            Taken taken, PassImage image, long[] sources, long[] outputs, int pass) {
        int read = image.columns().columns().size();
        int written = image.pass().outputs().size();
        sources[pass] = taken.take((long) TransformAbi.SOURCE_BYTES * read);
        outputs[pass] = taken.take((long) TransformAbi.OUTPUT_BYTES * written);
    }

    /** Copies the batch's columns. */
    void copyIn(TransformInput input, Copy to) throws BackendException {
        int rows = input.rows();
        for (int i = 0; i < input.columns().size(); i++) {
            TransformInput.Column column = input.columns().get(i);
            to.copy(data[i], column.data(), column.dataBytes());
            if (column.offsets() != 0) {
                to.copy(offsets[i], column.offsets(), 4 * (rows + 1L));
            }
            if (column.validity() != 0) {
                to.copy(validity[i], column.validity(), TransformInput.bitmapBytes(rows));
            }
        }
    }

    /** Hands out the block from its start on. */
    private static final class Taken {
        private long bytes;

        long take(long size) {
            long start = bytes;
            bytes += (size + ALIGNMENT_BYTES - 1) & -ALIGNMENT_BYTES;
            return start;
        }
    }
}

package io.flinkgpu.backend.cuda;

/**
 * Where a batch's arrays lie in one block of device memory: offsets from its start, all multiples of
 * 256. What the host reads comes last, the output's text at the very end, as long as there is room.
 *
 * <pre>
 *   | data | offsets | bitmap | candidates | over rows | scan states | carries | row over | header | ...
 *                                                      |---------------- zeroBytes ------------- changed |
 * </pre>
 *
 * @param scanStates the first of what must be zero before the kernels run
 * @param header the first of what {@link OutputLayout} has
 */
record RedactLayout(
        long data,
        long offsets,
        long bitmap,
        long candidates,
        long overRows,
        long scanStates,
        long carries,
        long rowOver,
        long header,
        OutputLayout output) {

    private static final long ALIGNMENT_BYTES = 256;

    /** The layout of a batch of so many bytes, separators included, in so many rows. */
    static RedactLayout of(int dataBytes, int rows) {
        long segments = ((long) dataBytes + KernelAbi.SEGMENT_BYTES - 1) / KernelAbi.SEGMENT_BYTES;
        int tiles = LaunchConfig.write(dataBytes).blocks();
        long offsets = align(dataBytes);
        long bitmap = align(offsets + 4 * (rows + 1L));
        long candidates = align(bitmap + 4 * segments);
        long overRows = align(candidates + 4L * dataBytes);
        long scanStates = align(overRows + 4L * rows);
        long carries = align(scanStates + 8L * tiles);
        long rowOver = align(carries + 4L * tiles);
        long header = align(rowOver + rows + 1);
        return new RedactLayout(
                0,
                offsets,
                bitmap,
                candidates,
                overRows,
                scanStates,
                carries,
                rowOver,
                header,
                OutputLayout.of(rows));
    }

    long changed() {
        return header + OutputLayout.CHANGED;
    }

    /** All from {@link #scanStates} up to the output's offsets. */
    long zeroBytes() {
        return outOffsets() - scanStates;
    }

    long outOffsets() {
        return header + output.offsets();
    }

    long outData() {
        return header + output.data();
    }

    static long align(long bytes) {
        return (bytes + ALIGNMENT_BYTES - 1) & -ALIGNMENT_BYTES;
    }
}

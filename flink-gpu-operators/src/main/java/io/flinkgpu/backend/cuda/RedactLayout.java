package io.flinkgpu.backend.cuda;

/**
 * Where a batch's arrays lie in one block of device memory: offsets from its start, all multiples of
 * 256. What must be zero before the kernels run comes first.
 *
 * <pre>
 *   | header | changed | scan states | carries | row over | data | offsets | bitmap | ...
 *   |---------------- zeroAgainBytes ----------|
 *   |---------------------- zeroBytes --------------------|
 * </pre>
 */
record RedactLayout(
        long scanStates,
        long carries,
        long rowOver,
        long zeroBytes,
        long data,
        long offsets,
        long bitmap,
        long candidates,
        long overRows,
        long outOffsets,
        long totalBytes) {

    private static final long ALIGNMENT_BYTES = 256;

    /** Where the changed flags are. They follow the header, so that one copy brings both to the host. */
    static final long CHANGED = align(KernelAbi.HEADER_BYTES);

    /** The layout of a batch of so many bytes, separators included, in so many rows. */
    static RedactLayout of(int dataBytes, int rows) {
        long segments = ((long) dataBytes + KernelAbi.SEGMENT_BYTES - 1) / KernelAbi.SEGMENT_BYTES;
        int tiles = LaunchConfig.write(dataBytes).blocks();
        long scanStates = align(CHANGED + rows);
        long carries = align(scanStates + 8L * tiles);
        long rowOver = align(carries + 4L * tiles);
        long data = align(rowOver + rows + 1);
        long offsets = align(data + dataBytes);
        long bitmap = align(offsets + 4 * (rows + 1L));
        long candidates = align(bitmap + 4 * segments);
        long overRows = align(candidates + 4L * dataBytes);
        long outOffsets = align(overRows + 4L * rows);
        long total = align(outOffsets + 4 * (rows + 1L));
        return new RedactLayout(
                scanStates,
                carries,
                rowOver,
                data,
                data,
                offsets,
                bitmap,
                candidates,
                overRows,
                outOffsets,
                total);
    }

    /** What must be zero before redact_write runs once more comes first. */
    long zeroAgainBytes() {
        return rowOver;
    }

    private static long align(long bytes) {
        return (bytes + ALIGNMENT_BYTES - 1) & -ALIGNMENT_BYTES;
    }
}

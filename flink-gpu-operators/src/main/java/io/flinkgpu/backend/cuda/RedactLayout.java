package io.flinkgpu.backend.cuda;

/**
 * Where a batch's arrays lie in one block of device memory: offsets from its start, all multiples of
 * 256. What must be zero before the kernels run comes first.
 *
 * <pre>
 *   | header | scan states | row over | data | offsets | bitmap | candidates | over rows | ...
 *   |---------- zeroBytes ------------|
 * </pre>
 */
record RedactLayout(
        long scanStates,
        long rowOver,
        long zeroBytes,
        long data,
        long offsets,
        long bitmap,
        long candidates,
        long overRows,
        long rowSizes,
        long outOffsets,
        long changed,
        long totalBytes) {

    private static final long ALIGNMENT_BYTES = 256;

    /** The layout of a batch of so many bytes, separators included, in so many rows. */
    static RedactLayout of(int dataBytes, int rows) {
        long segments = ((long) dataBytes + KernelAbi.SEGMENT_BYTES - 1) / KernelAbi.SEGMENT_BYTES;
        long scanStates = align(KernelAbi.HEADER_BYTES);
        long rowOver = align(scanStates + 8L * LaunchConfig.scan(rows).blocks());
        long data = align(rowOver + rows);
        long offsets = align(data + dataBytes);
        long bitmap = align(offsets + 4 * (rows + 1L));
        long candidates = align(bitmap + 8 * segments);
        long overRows = align(candidates + 4L * dataBytes);
        long rowSizes = align(overRows + 4L * rows);
        long outOffsets = align(rowSizes + 4L * rows);
        long changed = align(outOffsets + 4 * (rows + 1L));
        long total = align(changed + rows);
        return new RedactLayout(
                scanStates,
                rowOver,
                data,
                data,
                offsets,
                bitmap,
                candidates,
                overRows,
                rowSizes,
                outOffsets,
                changed,
                total);
    }

    private static long align(long bytes) {
        return (bytes + ALIGNMENT_BYTES - 1) & -ALIGNMENT_BYTES;
    }
}

package io.flinkgpu.backend.cuda.redact;

/**
 * Where a batch's arrays lie in one block of device memory: offsets from its start, all multiples of
 * 256. What the host reads comes last, the output's text at the very end, as long as there is room.
 *
 * <pre>
 *   both    | data | offsets | bitmap | candidates | over rows | ...
 *   rows    ... scan states | carries | row over | header | changed | out offsets | out data
 *               |-------------------- zeroBytes --------------------|
 *   lines   ... out offsets | scan states | carries | line states | row over | changed | header | out data
 *                           |------------------------- zeroBytes -------------------------------|
 * </pre>
 *
 * <p>Of lines that the device finds, the host reads neither where they end nor which changed; the output
 * is laid out as that of one row.
 *
 * @param rowCapacity how many rows there is room for
 * @param scanStates the first of what must be zero before the kernels run
 * @param lineStates nothing where the rows are known
 * @param header the first of what {@link OutputLayout} has
 * @param zeroBytes from scanStates on
 */
record RedactLayout(
        int rowCapacity,
        long data,
        long offsets,
        long bitmap,
        long candidates,
        long overRows,
        long scanStates,
        long carries,
        long lineStates,
        long rowOver,
        long header,
        long changed,
        long outOffsets,
        long zeroBytes,
        OutputLayout output) {

    private static final long ALIGNMENT_BYTES = 256;

    /** Lines that are shorter, on average, have to be counted before there is room for them. */
    private static final int MIN_LINE_BYTES = 8;

    /** The layout of a batch of so many bytes, separators included, in so many rows. */
    static RedactLayout ofRows(int dataBytes, int rows) {
        return of(dataBytes, rows, false);
    }

    /** The layout of a batch of so many bytes in which the device finds the lines. */
    static RedactLayout ofLines(int dataBytes) {
        return of(dataBytes, 1 + dataBytes / MIN_LINE_BYTES, true);
    }

    private static RedactLayout of(int dataBytes, int rows, boolean holdsLines) {
        Places places = new Places();
        long offsetsBytes = 4 * (rows + 1L);
        int tiles = RedactLaunch.write(dataBytes).blocks();
        long segments = ((long) dataBytes + RedactAbi.SEGMENT_BYTES - 1) / RedactAbi.SEGMENT_BYTES;
        long data = places.take(dataBytes);
        long offsets = places.take(offsetsBytes);
        long bitmap = places.take(4 * segments);
        long candidates = places.take(4L * dataBytes);
        long overRows = places.take(4L * rows);
        long lineOutOffsets = places.take(holdsLines ? offsetsBytes : 0);
        long scanStates = places.take(8L * tiles);
        long carries = places.take(4L * tiles);
        long lineStates =
                places.take(holdsLines ? 8L * RedactLaunch.findLines(dataBytes).blocks() : 0);
        long rowOver = places.take(rows + 1L);
        long lineChanged = places.take(holdsLines ? rows : 0);
        long header = places.end;
        OutputLayout output = OutputLayout.of(holdsLines ? 1 : rows);
        long zeroEnd = header + (holdsLines ? OutputLayout.CHANGED : output.offsets());
        return new RedactLayout(
                rows,
                data,
                offsets,
                bitmap,
                candidates,
                overRows,
                scanStates,
                carries,
                lineStates,
                rowOver,
                header,
                holdsLines ? lineChanged : header + OutputLayout.CHANGED,
                holdsLines ? lineOutOffsets : header + output.offsets(),
                zeroEnd - scanStates,
                output);
    }

    long outData() {
        return header + output.data();
    }

    static long align(long bytes) {
        return (bytes + ALIGNMENT_BYTES - 1) & -ALIGNMENT_BYTES;
    }

    /** Places one behind the other. */
    private static final class Places {

        private long end;

        private long take(long bytes) {
            long place = end;
            end = align(end + bytes);
            return place;
        }
    }
}

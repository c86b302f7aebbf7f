package io.flinkgpu.backend.cuda.lines;

import io.flinkgpu.backend.BackendException;
import io.flinkgpu.backend.cuda.device.LaunchConfig;

/**
 * Where the arrays of a batch of lines lie in one block of device memory: offsets from its start, all
 * but that of {@code binsPresent} multiples of 256. The table is elsewhere, since it may have to grow.
 *
 * <pre>
 *   | data | padding, refused bits | scan states | header, bins present | small result | breaks |
 *          |-------------------------------- zeroBytes --------------------------------|
 *                                                |-------- copied to the host ---------|
 * </pre>
 */
record LinesLayout(
        long dataBytes,
        long refusedBits,
        long scanStates,
        long header,
        long binsPresent,
        long smallResult,
        long breaks,
        long totalBytes) {

    /** A result of so many bytes comes back with the header, without another wait. */
    static final int SMALL_RESULT_BYTES = 64 << 10;

    private static final long ALIGNMENT_BYTES = 256;

    /** Takes a copy from host memory to an offset of the block. */
    @FunctionalInterface
    interface Copy {
        void copy(long offset, long hostAddress, long bytes) throws BackendException;
    }

    static LinesLayout of(LinesInput input, int values) {
        long refusedBits = align((long) input.dataBytes() + LinesAbi.LINES_PADDING_BYTES);
        long scanStates = align(refusedBits + 4 * refusedWords(input));
        long header = align(scanStates + 8L * refusedLaunch(input).blocks());
        long smallResult = header + headerBytes(values);
        long breaks = smallResult + SMALL_RESULT_BYTES;
        return new LinesLayout(
                input.dataBytes(),
                refusedBits,
                scanStates,
                header,
                header + LinesAbi.LINES_HEADER_BYTES,
                smallResult,
                breaks,
                breaks + align(input.breaksBytes()));
    }

    /** Bytes of the header and what lies behind it up to the small result. */
    static long headerBytes(int values) {
        return align(LinesAbi.LINES_HEADER_BYTES + 8L * values);
    }

    /** The launch of {@code lines_refused}: a thread a word of refused bits. */
    static LaunchConfig refusedLaunch(LinesInput input) {
        int threads = LinesAbi.LINES_RESULT_THREADS;
        return LaunchConfig.of(refusedWords(input), threads, threads);
    }

    /**
     * What must be zero before the kernels run, from the end of the data on. The small result too: all
     * of its room is copied, however much is written.
     */
    long zeroBytes() {
        return breaks - dataBytes;
    }

    /** Copies the batch. */
    void copyIn(LinesInput input, Copy to) throws BackendException {
        to.copy(0, input.data(), input.dataBytes());
        to.copy(breaks, input.breaks(), input.breaksBytes());
    }

    private static long refusedWords(LinesInput input) {
        return (input.dataBytes() + 31L) / 32;
    }

    private static long align(long bytes) {
        return (bytes + ALIGNMENT_BYTES - 1) & -ALIGNMENT_BYTES;
    }
}

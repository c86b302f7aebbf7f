package io.flinkgpu.backend.cuda.lines;

import io.flinkgpu.backend.cuda.device.DeviceLayout;
import io.flinkgpu.backend.cuda.device.LaunchConfig;

/**
 * Where the arrays of a batch of lines lie in one block of device memory. The table is elsewhere, since it
 * may have to grow.
 *
 * <pre>
 *   | data | padding, refused bits | scan states | header, bins present, number | small result | breaks |
 *          |------------------------------------ zeroBytes ------------------------------------|
 *                                                |------------ copied to the host -------------|
 * </pre>
 */
final class LinesLayout {

    /** A result of so many bytes comes back with the header, without another wait. */
    static final int SMALL_RESULT_BYTES = 64 << 10;

    final DeviceLayout block = new DeviceLayout();

    /** Bytes of the lines, which come first. */
    final long dataBytes;

    final long refusedBits;
    final long scanStates;
    final long header;
    final long smallResult;
    final long breaks;

    LinesLayout(LinesInput input, int values) {
        dataBytes = input.dataBytes();
        block.copied(input.data(), dataBytes, dataBytes + LinesAbi.LINES_PADDING_BYTES);
        refusedBits = block.array(4 * refusedWords(input));
        scanStates = block.array(8L * refusedLaunch(input).blocks());
        header = block.array(headerBytes(values));
        smallResult = block.array(SMALL_RESULT_BYTES);
        breaks = block.copied(input.breaks(), input.breaksBytes());
    }

    /** Bytes of the header and what lies after it up to the small result. */
    static long headerBytes(int values) {
        return DeviceLayout.align(LinesAbi.LINES_HEADER_BYTES + 8L * values + Long.BYTES);
    }

    /** Where from the header on the number of the batch is, which the host puts there. */
    static long number(int values) {
        return headerBytes(values) - Long.BYTES;
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

    private static long refusedWords(LinesInput input) {
        return (input.dataBytes() + 31L) / 32;
    }
}

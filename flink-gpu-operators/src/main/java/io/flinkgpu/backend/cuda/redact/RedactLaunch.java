package io.flinkgpu.backend.cuda.redact;

import io.flinkgpu.backend.cuda.device.LaunchConfig;

/** The shapes of the launches of the redaction kernels. */
final class RedactLaunch {

    private RedactLaunch() {}

    /** A block a tile of the data, and one at least. */
    static LaunchConfig findLines(int dataBytes) {
        return LaunchConfig.of(
                Math.max(1, dataBytes), RedactAbi.LINE_TILE_BYTES, RedactAbi.LINE_THREADS);
    }

    /** A thread a segment of the data, for {@code redact_texts} too. */
    static LaunchConfig find(int dataBytes) {
        long perBlock = (long) RedactAbi.FIND_THREADS * RedactAbi.SEGMENT_BYTES;
        return LaunchConfig.of(dataBytes, perBlock, RedactAbi.FIND_THREADS);
    }

    /** A block a tile of the data, and one at least. */
    static LaunchConfig write(int dataBytes) {
        return LaunchConfig.of(
                Math.max(1, dataBytes), RedactAbi.WRITE_TILE_BYTES, RedactAbi.WRITE_THREADS);
    }
}

package io.flinkgpu.operator.lines;

/**
 * The watermark of lines: one millisecond more than the out-of-orderness behind the greatest time so
 * far. It never goes back. Task thread only.
 */
final class LineClock {

    private final long behindMillis;
    private long greatest = Long.MIN_VALUE;
    private long watermark = Long.MIN_VALUE;

    LineClock(long maxOutOfOrdernessMillis) {
        this.behindMillis = maxOutOfOrdernessMillis + 1;
    }

    /** A line of this time was there. */
    void saw(long timestamp) {
        greatest = Math.max(greatest, timestamp);
    }

    /**
     * Sets the watermark by what was seen.
     *
     * @return whether it moved
     */
    boolean advance() {
        if (greatest <= Long.MIN_VALUE + behindMillis || greatest - behindMillis <= watermark) {
            return false;
        }
        watermark = greatest - behindMillis;
        return true;
    }

    /** The last watermark; {@code Long.MIN_VALUE} before the first. */
    long watermark() {
        return watermark;
    }
}

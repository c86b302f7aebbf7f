package io.flinkgpu.api;

import org.apache.flink.annotation.PublicEvolving;

import java.io.Serializable;
import java.time.Duration;

/**
 * When a batch is full. A record larger than {@code maxBytes} is a batch of its own. Batches also end
 * at a checkpoint barrier and at the end of the input.
 *
 * <p>A batch waits as long as the one before was on its way, but no longer than {@code maxDelay}: while
 * little is to be done batches are small and soon back, and the more there is the larger they get.
 *
 * @param maxRows rows in a batch
 * @param maxBytes payload bytes in a batch
 * @param maxDelay the longest a row waits for its batch to fill
 */
@PublicEvolving
public record BatchPolicy(int maxRows, int maxBytes, Duration maxDelay) implements Serializable {

    private static final long serialVersionUID = 1L;

    private static final Duration MIN_DELAY = Duration.ofMillis(1);
    private static final Duration MAX_DELAY = Duration.ofMinutes(10);

    /** 65,536 rows, 4 MiB, 20 ms: about the size at which the PCIe link is used well. */
    public static final BatchPolicy DEFAULT =
            new BatchPolicy(1 << 16, 4 << 20, Duration.ofMillis(20));

    public BatchPolicy {
        Errors.present("maxDelay", maxDelay);
        if (maxRows < 1 || maxRows > 1 << 24) {
            throw new IllegalArgumentException(
                    "a batch has 1 to 16777216 rows: maxRows=" + maxRows);
        }
        if (maxBytes < 1 || maxBytes > 1 << 28) {
            throw new IllegalArgumentException(
                    "a batch has 1 byte to 256 MiB: maxBytes=" + maxBytes);
        }
        if (maxDelay.compareTo(MIN_DELAY) < 0 || maxDelay.compareTo(MAX_DELAY) > 0) {
            throw new IllegalArgumentException(
                    "a batch waits 1 ms to 10 min: maxDelay=" + maxDelay);
        }
    }

    /** This policy with another number of rows at which a batch is flushed, at least 1. */
    public BatchPolicy withMaxRows(int maxRows) {
        return new BatchPolicy(maxRows, maxBytes, maxDelay);
    }

    /** This policy with another number of bytes of values at which a batch is flushed, at least 1. */
    public BatchPolicy withMaxBytes(int maxBytes) {
        return new BatchPolicy(maxRows, maxBytes, maxDelay);
    }

    /** This policy with another time that the first row of a batch waits at most. */
    public BatchPolicy withMaxDelay(Duration maxDelay) {
        return new BatchPolicy(maxRows, maxBytes, maxDelay);
    }
}

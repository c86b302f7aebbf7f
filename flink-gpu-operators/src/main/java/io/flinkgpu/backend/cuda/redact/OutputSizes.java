package io.flinkgpu.backend.cuda.redact;

import io.flinkgpu.backend.DeviceOutOfMemoryException;

/** The limit of a result's size. */
final class OutputSizes {

    private OutputSizes() {}

    /** Fails if the offsets of a column cannot reach so far; two halves of the batch may do. */
    static void check(long outputBytes) throws DeviceOutOfMemoryException {
        if (outputBytes > RedactAbi.MAX_OUTPUT_BYTES) {
            throw new DeviceOutOfMemoryException(
                    "a redacted batch has at most 2147483647 bytes: outputBytes="
                            + outputBytes
                            + "; make the batches smaller or the labels shorter");
        }
    }
}

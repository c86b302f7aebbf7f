package io.flinkgpu.backend.cuda.redact;

import io.flinkgpu.backend.cuda.device.DeviceLayout;

/**
 * Where the arrays of a batch's output lie behind its header, on the device and, so that one copy brings
 * them, on the host: offsets from the header, all multiples of 256.
 *
 * <pre>
 *   | header | changed | offsets | data ...
 * </pre>
 *
 * @param offsets rows + 1 int32
 * @param data the text, which ends where it ends
 */
record OutputLayout(long offsets, long data) {

    /** A byte a row. */
    static final long CHANGED = DeviceLayout.align(RedactAbi.HEADER_BYTES + Long.BYTES);

    /** The number of the batch, which the host puts there. */
    static final long NUMBER = CHANGED - Long.BYTES;

    /** The layout of so many rows. */
    static OutputLayout of(int rows) {
        long offsets = DeviceLayout.align(CHANGED + rows);
        return new OutputLayout(offsets, DeviceLayout.align(offsets + 4 * (rows + 1L)));
    }
}

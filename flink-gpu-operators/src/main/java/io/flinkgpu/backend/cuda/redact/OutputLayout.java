package io.flinkgpu.backend.cuda.redact;

import io.flinkgpu.backend.cuda.device.DeviceLayout;

/**
 * Where the arrays of a batch's output lie behind its header, on the device and, so that one copy brings
 * them, on the host: offsets from the header, all multiples of 256.
 *
 * <pre>
 *   | header | near rows | changed | offsets | data ...
 * </pre>
 *
 * @param number of the batch, which the host puts there
 * @param nearRows the first {@link RedactAbi#NEAR_OVER_ROWS} of the rows left to the host: a second copy for them would
 *     wait until the batches behind are through
 * @param changed a byte a row
 * @param offsets rows + 1 int32
 * @param data the text, which ends where it ends
 */
record OutputLayout(long number, long nearRows, long changed, long offsets, long data) {

    /** The layout of so many rows, of a set of so many rules, for which the header has a number each. */
    static OutputLayout of(int rows, int rules) {
        long nearRows =
                DeviceLayout.align(
                        RedactAbi.HEADER_RULE_MATCHES + Long.BYTES * (long) rules + Long.BYTES);
        long changed = nearRows + (long) RedactAbi.NEAR_OVER_ROWS * RedactAbi.OVER_ROW_BYTES;
        long offsets = DeviceLayout.align(changed + rows);
        return new OutputLayout(
                nearRows - Long.BYTES,
                nearRows,
                changed,
                offsets,
                DeviceLayout.align(offsets + 4 * (rows + 1L)));
    }
}

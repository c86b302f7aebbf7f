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
 * @param number of the batch, which the host puts there
 * @param changed a byte a row
 * @param offsets rows + 1 int32
 * @param data the text, which ends where it ends
 */
record OutputLayout(long number, long changed, long offsets, long data) {

    /** The layout of so many rows, of a set of so many rules, for which the header has a number each. */
    static OutputLayout of(int rows, int rules) {
        long changed =
                DeviceLayout.align(
                        RedactAbi.HEADER_RULE_MATCHES + Long.BYTES * (long) rules + Long.BYTES);
        long offsets = DeviceLayout.align(changed + rows);
        return new OutputLayout(
                changed - Long.BYTES,
                changed,
                offsets,
                DeviceLayout.align(offsets + 4 * (rows + 1L)));
    }
}

package io.flinkgpu.text.validator;

import org.apache.flink.annotation.Internal;

/**
 * The numbers that can be United States social security numbers, over bytes.
 *
 * <p>Definition. More than 64 bytes: no. Bytes {@code ' '} and {@code '-'} are skipped, wherever they
 * are. Any other byte that is not {@code '0'} to {@code '9'}, or other than 9 digits: no. The first
 * three digits are none of 000, 666 and 900 to 999, the next two not 00, the last four not 0000; else
 * no. Source: Social Security Administration, "Social Security Number Randomization".
 *
 * <p>Kernels implement the same definition.
 */
@Internal
public final class UsSsn {

    /** The most bytes accepted, separators included, so that judging takes bounded time. */
    public static final int MAX_BYTES = 64;

    private static final int DIGITS = 9;

    private UsSsn() {}

    /** Whether {@code bytes[from, to)} is accepted. */
    public static boolean accepts(byte[] bytes, int from, int to) {
        if (to - from > MAX_BYTES) {
            return false;
        }
        int digits = 0;
        int number = 0;
        for (int i = from; i < to; i++) {
            int value = bytes[i];
            if (value == ' ' || value == '-') {
                continue;
            }
            int digit = value - '0';
            if (digit < 0 || digit > 9 || digits == DIGITS) {
                return false;
            }
            digits++;
            number = number * 10 + digit;
        }
        int area = number / 1_000_000;
        int group = number / 10_000 % 100;
        int serial = number % 10_000;
        return digits == DIGITS
                && area != 0
                && area != 666
                && area < 900
                && group != 0
                && serial != 0;
    }
}

package io.flinkgpu.text.validator;

import org.apache.flink.annotation.Internal;

/**
 * The Luhn checksum of payment card numbers (ISO/IEC 7812-1, annex B), over bytes.
 *
 * <p>Definition. More than 64 bytes: no. Bytes {@code ' '} and {@code '-'} are skipped, wherever they
 * are. Any other byte that is not {@code '0'} to {@code '9'}: no. Fewer than 12 or more than 19 digits:
 * no. Counted from the right, every second digit is doubled and 9 is taken off if the double exceeds 9;
 * yes if the sum of all is divisible by 10. The issuer's prefix is not checked: that is the regex's
 * work.
 *
 * <p>Kernels implement the same definition.
 */
@Internal
public final class Luhn {

    /** The most bytes accepted, separators included, so that judging takes bounded time. */
    public static final int MAX_BYTES = 64;

    /** The fewest digits accepted. */
    public static final int MIN_DIGITS = 12;

    /** The most digits accepted. */
    public static final int MAX_DIGITS = 19;

    private Luhn() {}

    /** Whether {@code bytes[from, to)} is accepted. */
    public static boolean accepts(byte[] bytes, int from, int to) {
        if (to - from > MAX_BYTES) {
            return false;
        }
        int digits = 0;
        int sum = 0;
        for (int i = to - 1; i >= from; i--) {
            int value = bytes[i];
            if (value == ' ' || value == '-') {
                continue;
            }
            int digit = value - '0';
            if (digit < 0 || digit > 9 || digits == MAX_DIGITS) {
                return false;
            }
            digits++;
            int weighted = digit << (1 - (digits & 1));
            sum += weighted > 9 ? weighted - 9 : weighted;
        }
        return digits >= MIN_DIGITS && sum % 10 == 0;
    }
}

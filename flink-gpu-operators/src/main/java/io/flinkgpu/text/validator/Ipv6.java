package io.flinkgpu.text.validator;

import org.apache.flink.annotation.Internal;

/**
 * The text forms of IPv6 addresses (RFC 4291 section 2.2), over bytes.
 *
 * <p>Definition. 2 to 45 bytes of the form {@code g:g:g:g:g:g:g:g}, where g is 1 to 4 hex digits in
 * either case. {@code ::} may stand once, for one or more groups, also at an end. The last two groups
 * may be written {@code d.d.d.d}, where d is 1 to 3 decimal digits and at most 255; leading zeros are
 * accepted. No zone, no prefix length, no brackets.
 *
 * <p>Kernels implement the same definition.
 */
@Internal
public final class Ipv6 {

    /** The most bytes of an address. */
    public static final int MAX_BYTES = 45;

    private Ipv6() {}

    /** Whether {@code bytes[from, to)} is accepted. */
    public static boolean accepts(byte[] bytes, int from, int to) {
        if (to - from < 2 || to - from > MAX_BYTES) {
            return false;
        }
        int i = from;
        int groups = 0;
        boolean compressed = bytes[i] == ':';
        if (compressed) {
            if (bytes[i + 1] != ':') {
                return false;
            }
            i += 2;
        }
        // Each pass reads one group and the colons after it; none is left only after "::".
        while (i < to) {
            int groupEnd = i;
            while (groupEnd < to && isHexDigit(bytes[groupEnd])) {
                groupEnd++;
            }
            if (groupEnd < to && bytes[groupEnd] == '.') {
                groups += 2;
                return isDottedQuad(bytes, i, to) && complete(groups, compressed);
            }
            if (groupEnd == i || groupEnd - i > 4) {
                return false;
            }
            groups++;
            i = groupEnd;
            if (i == to) {
                break;
            }
            if (bytes[i] != ':' || i + 1 == to) {
                return false;
            }
            i++;
            if (bytes[i] == ':') {
                if (compressed) {
                    return false;
                }
                compressed = true;
                i++;
            }
        }
        return complete(groups, compressed);
    }

    private static boolean complete(int groups, boolean compressed) {
        return compressed ? groups <= 7 : groups == 8;
    }

    private static boolean isDottedQuad(byte[] bytes, int from, int to) {
        int parts = 1;
        int digits = 0;
        int number = 0;
        for (int i = from; i < to; i++) {
            int value = bytes[i];
            if (value == '.') {
                if (digits == 0) {
                    return false;
                }
                parts++;
                digits = 0;
                number = 0;
            } else {
                int digit = value - '0';
                digits++;
                number = number * 10 + digit;
                if (digit < 0 || digit > 9 || digits > 3 || number > 255) {
                    return false;
                }
            }
        }
        return parts == 4 && digits > 0;
    }

    private static boolean isHexDigit(int value) {
        return value >= '0' && value <= '9'
                || value >= 'a' && value <= 'f'
                || value >= 'A' && value <= 'F';
    }
}

package io.flinkgpu.backend.cpu.row;

import io.flinkgpu.backend.cpu.bytes.CodePoints;
import io.flinkgpu.backend.cpu.transform.TextSearch;

/**
 * Counts and finds in {@code String}s what {@link CodePoints} and {@link TextSearch} do in their bytes: a
 * surrogate pair is one code point, an unpaired surrogate three bytes that are not valid UTF-8, and so
 * three code points.
 */
final class Utf16 {

    /** The longest text that is compared char by char at each place: time must stay linear. */
    private static final int MAX_SOUGHT_CHARS = 64;

    private static final int UNPAIRED_BYTES = 3;

    private Utf16() {}

    /** Where the code points after the next {@code count} start; the end if there are fewer. */
    static int skip(String text, int from, int end, long count) {
        if (count >= (long) UNPAIRED_BYTES * (end - from)) {
            return end;
        }
        int at = from;
        for (long left = count; left > 0 && at < end; at++) {
            char value = text.charAt(at);
            if (!Character.isSurrogate(value)) {
                left--;
            } else if (isPairAt(text, at, end)) {
                left--;
                at++;
            } else {
                left -= unpaired(left);
            }
        }
        return at;
    }

    /** Where the last {@code count} code points before an end start; the start if there are fewer. */
    static int skipBack(String text, int start, int from, long count) {
        if (count >= (long) UNPAIRED_BYTES * (from - start)) {
            return start;
        }
        int at = from;
        for (long left = count; left > 0 && at > start; at--) {
            char value = text.charAt(at - 1);
            if (!Character.isSurrogate(value)) {
                left--;
            } else if (at - 2 >= start && isPairAt(text, at - 2, at)) {
                left--;
                at--;
            } else {
                left -= unpaired(left);
            }
        }
        return at;
    }

    /** How many code points there are. */
    static long count(String text, int begin, int end) {
        long count = end - begin;
        for (int at = begin; at < end; at++) {
            if (Character.isSurrogate(text.charAt(at))) {
                boolean isPair = isPairAt(text, at, end);
                count += isPair ? -1 : UNPAIRED_BYTES - 1;
                at += isPair ? 1 : 0;
            }
        }
        return count;
    }

    /** Where a text that is not empty first occurs in a part of another, or -1. */
    static int find(String text, int from, int end, String sought) {
        int length = sought.length();
        if (length == 1) {
            return find(text, from, end, sought.charAt(0));
        }
        if (length > MAX_SOUGHT_CHARS) {
            throw new NeedsColumnsException("a long text to find");
        }
        if (end == text.length()) {
            return text.indexOf(sought, from);
        }
        int last = end - length;
        for (int at = from; at <= last; at++) {
            if (text.startsWith(sought, at)) {
                return at;
            }
        }
        return -1;
    }

    private static int find(String text, int from, int end, char sought) {
        if (end == text.length()) {
            return text.indexOf(sought, from);
        }
        for (int at = from; at < end; at++) {
            if (text.charAt(at) == sought) {
                return at;
            }
        }
        return -1;
    }

    /**
     * Checks that a text with these ends is found among chars just where its bytes are among bytes: an
     * unpaired surrogate at one of its ends is found in a pair as well.
     */
    static void requireWhole(char first, char last) {
        if (Character.isLowSurrogate(first) || Character.isHighSurrogate(last)) {
            throw new NeedsColumnsException("an unpaired surrogate to find");
        }
    }

    private static boolean isPairAt(String text, int at, int end) {
        return at + 1 < end
                && Character.isHighSurrogate(text.charAt(at))
                && Character.isLowSurrogate(text.charAt(at + 1));
    }

    private static int unpaired(long left) {
        if (left < UNPAIRED_BYTES) {
            throw new NeedsColumnsException("an unpaired surrogate is cut");
        }
        return UNPAIRED_BYTES;
    }
}

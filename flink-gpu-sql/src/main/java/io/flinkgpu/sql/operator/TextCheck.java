package io.flinkgpu.sql.operator;

import org.apache.flink.annotation.Internal;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * What a text has to be so that the library's answer is Flink's, byte for byte; a row with another text is
 * computed by Flink's own code.
 */
@Internal
public enum TextCheck {
    /** Well-formed UTF-8. Of other bytes Flink's functions disagree among themselves. */
    UTF8,
    /** ASCII, where the answer for other characters depends on the language or version of the JVM. */
    ASCII;

    private static final VarHandle LONGS =
            MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final long HIGH_BITS = 0x8080808080808080L;

    /** Whether some bytes of an array are such a text. */
    boolean accepts(byte[] bytes, int start, int count) {
        int end = start + count;
        int at = afterAscii(bytes, start, end);
        return at == end || this == UTF8 && isUtf8(bytes, at, end);
    }

    /** Both checks. */
    public TextCheck and(TextCheck other) {
        return this == ASCII ? this : other;
    }

    private static int afterAscii(byte[] bytes, int start, int end) {
        int at = start;
        while (at + Long.BYTES <= end && ((long) LONGS.get(bytes, at) & HIGH_BITS) == 0) {
            at += Long.BYTES;
        }
        while (at < end && bytes[at] >= 0) {
            at++;
        }
        return at;
    }

    /** By the table of well-formed byte sequences (The Unicode Standard, table 3-7). */
    private static boolean isUtf8(byte[] bytes, int start, int end) {
        int at = start;
        while (at < end) {
            int first = bytes[at++];
            if (first >= 0) {
                continue;
            }
            int more =
                    first < (byte) 0xC2 ? 0 : first < (byte) 0xE0 ? 1 : first < (byte) 0xF0 ? 2 : 3;
            if (more == 0 || first > (byte) 0xF4 || at + more > end) {
                return false;
            }
            int second = bytes[at] & 0xFF;
            int least = first == (byte) 0xE0 ? 0xA0 : first == (byte) 0xF0 ? 0x90 : 0x80;
            int most = first == (byte) 0xED ? 0x9F : first == (byte) 0xF4 ? 0x8F : 0xBF;
            if (second < least || second > most) {
                return false;
            }
            for (int i = 1; i < more; i++) {
                if ((bytes[at + i] & 0xC0) != 0x80) {
                    return false;
                }
            }
            at += more;
        }
        return true;
    }
}

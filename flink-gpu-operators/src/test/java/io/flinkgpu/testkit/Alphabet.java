package io.flinkgpu.testkit;

import java.util.Random;

/** Characters that tell implementations apart, and the ways to write them in a regex. */
final class Alphabet {

    private static final int[] USUAL = {
        'a', 'b', 'A', 'B', 'k', 'K', 's', '1', '0', '_', '-', '.', ' '
    };

    /** Edges of encodings, line terminators, marks, digits and letters of other scripts, folding pairs. */
    private static final int[] SPECIAL = {
        0, '\t', '\n', 0x0b, '\f', '\r', 0x1b, 0x1c, '"', '#', '$', '&', '(', ')', '*', '+', '?',
        '@', '[', '\\', ']', '^', '`', '{', '|', '}', '~', 0x7f, 0x80, 0x85, 0xa0, 0xaa, 0xb5, 0xdf,
        0xe9, 0xc9, 0xff, 0x130, 0x131, 0x17f, 0x300, 0x301, 0x3c3, 0x3c2, 0x660, 0x7ff, 0x800,
        0x1e9e, 0x2000, 0x200d, 0x2028, 0x2029, 0x212a, 0x3000, 0x4e2d, 0xd7ff, 0xe000, 0xfeff,
        0xfffd, 0xffff, 0x10000, 0x10400, 0x10428, 0x1d7d8, 0x1f600, 0x1f602, 0x10ffff
    };

    private Alphabet() {}

    static int random(Random random) {
        if (random.nextInt(3) > 0) {
            return USUAL[random.nextInt(USUAL.length)];
        }
        return SPECIAL[random.nextInt(SPECIAL.length)];
    }

    static int special(Random random) {
        return SPECIAL[random.nextInt(SPECIAL.length)];
    }

    /** One of the ways to write a code point in a regex, outside a class or in one. */
    static String escaped(int codePoint, Random random) {
        boolean letterOrDigit = codePoint < 0x80 && Character.isLetterOrDigit(codePoint);
        switch (random.nextInt(letterOrDigit ? 20 : 6)) {
            case 0:
                return String.format("\\x{%X}", codePoint);
            case 1:
                if (codePoint <= 0xff) {
                    return String.format("\\x%02x", codePoint);
                }
                break;
            case 2:
                if (codePoint <= 0xffff) {
                    return String.format("\\u%04x", codePoint);
                }
                break;
            case 3:
                if (codePoint <= 0xff) {
                    return String.format("\\0%03o", codePoint);
                }
                break;
            case 4:
                // Not \c\, whose second backslash could seem to start a quotation.
                if (codePoint < 0x20 && codePoint != 0x1c) {
                    return "\\c" + (char) (codePoint ^ 64);
                }
                break;
            default:
                break;
        }
        return plain(codePoint, letterOrDigit);
    }

    private static String plain(int codePoint, boolean letterOrDigit) {
        int named = "\t\n\r\f\u0007\u001b".indexOf(codePoint);
        if (named >= 0) {
            return "\\" + "tnrfae".charAt(named);
        }
        boolean raw = letterOrDigit || codePoint >= 0x80 || codePoint <= ' ' || codePoint == '_';
        return (raw ? "" : "\\") + Character.toString(codePoint);
    }
}

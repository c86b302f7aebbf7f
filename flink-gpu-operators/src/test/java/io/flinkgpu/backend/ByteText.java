package io.flinkgpu.backend;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.IntUnaryOperator;

/** Texts of any bytes as strings with a char a byte, and what operations on code points make of them. */
public final class ByteText {

    private static final String[] PIECES = {
        "a",
        "b",
        "B",
        ",",
        ",",
        " ",
        " ",
        "ab",
        "z",
        "\0",
        "é",
        "ß",
        "ı",
        "ſ",
        "\u212a",
        "ɐ",
        "Ⱥ",
        "ÿ",
        "😀",
        "𐐨",
        "\u0800",
        "\uffff",
        "hello world ",
        "HELLO"
    };

    private static final String[] RAW = {
        "\u00ff",
        "\u00c3",
        "\u00a9",
        "\u00e2",
        "\u0082",
        "\u00ed\u00a0\u0080",
        "\u00c0\u0080",
        "\u00f0\u009f",
        "\u00f4\u0090\u0080\u0080",
        "\u00f5"
    };

    private ByteText() {}

    /** The bytes of a text in UTF-8. */
    static String of(String text) {
        return new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1);
    }

    public static byte[] bytes(String byteText) {
        return byteText.getBytes(StandardCharsets.ISO_8859_1);
    }

    /** A text of a few pieces, some of which are not valid UTF-8. */
    public static String random(Random random, int mostPieces) {
        StringBuilder text = new StringBuilder();
        for (int left = random.nextInt(mostPieces + 1); left > 0; left--) {
            text.append(
                    random.nextInt(6) == 0
                            ? RAW[random.nextInt(RAW.length)]
                            : of(PIECES[random.nextInt(PIECES.length)]));
        }
        return text.toString();
    }

    /** Valid sequences, and bytes that are part of none. */
    static List<String> codePoints(String byteText) {
        List<String> codePoints = new ArrayList<>();
        int at = 0;
        while (at < byteText.length()) {
            int length = 4;
            while (length > 1 && !isCodePoint(byteText, at, at + length)) {
                length--;
            }
            codePoints.add(byteText.substring(at, at + length));
            at += length;
        }
        return codePoints;
    }

    /** Code points from one number, counted from 1, to before another. */
    static String substring(String byteText, long from, long to) {
        List<String> all = codePoints(byteText);
        int first = (int) Math.min(all.size(), from - 1);
        int last = (int) Math.min(all.size(), to - 1);
        return String.join("", all.subList(first, last));
    }

    static String right(String byteText, int count) {
        List<String> all = codePoints(byteText);
        return String.join("", all.subList(Math.max(0, all.size() - count), all.size()));
    }

    static String map(String byteText, IntUnaryOperator mapping) {
        StringBuilder mapped = new StringBuilder();
        for (String one : codePoints(byteText)) {
            boolean isByte = one.length() == 1 && one.charAt(0) >= 0x80;
            mapped.append(
                    isByte
                            ? one
                            : of(
                                    Character.toString(
                                            mapping.applyAsInt(decode(one).codePointAt(0)))));
        }
        return mapped.toString();
    }

    /** The part with a number, counted from 1, or null. */
    static String splitPart(String byteText, String separator, int number) {
        String rest = byteText;
        for (int part = 1; part < number; part++) {
            int at = rest.indexOf(separator);
            if (at < 0) {
                return null;
            }
            rest = rest.substring(at + separator.length());
        }
        int at = rest.indexOf(separator);
        return at < 0 ? rest : rest.substring(0, at);
    }

    static String trim(String byteText) {
        int from = 0;
        int to = byteText.length();
        while (from < to && byteText.charAt(from) == ' ') {
            from++;
        }
        while (to > from && byteText.charAt(to - 1) == ' ') {
            to--;
        }
        return byteText.substring(from, to);
    }

    private static boolean isCodePoint(String byteText, int from, int to) {
        if (to > byteText.length()) {
            return false;
        }
        String text = decode(byteText.substring(from, to));
        return text != null && text.codePointCount(0, text.length()) == 1;
    }

    private static String decode(String byteText) {
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes(byteText)))
                    .toString();
        } catch (CharacterCodingException e) {
            return null;
        }
    }
}

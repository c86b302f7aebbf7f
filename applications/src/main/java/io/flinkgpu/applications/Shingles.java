package io.flinkgpu.applications;

import java.io.Serializable;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;

/**
 * Texts as sets of their shingles: all runs of some words or bytes, each hashed by {@link MurmurHash}. A
 * text that is shorter than a shingle is one shingle, an empty one has none.
 *
 * <p>A text of more than {@link #MAX_ELEMENTS} different hashes is the smallest of them, a bottom-k sketch
 * (Broder, "On the resemblance and containment of documents", 1997): scores are estimates then.
 *
 * @param length words or bytes of a shingle, at least 1
 * @param hashBits how many bits of a hash are its element, 1 to 32: the upper ones
 */
record Shingles(int length, Unit unit, int hashBits) implements Serializable {

    /** The most elements that a set may have. */
    static final int MAX_ELEMENTS = 1_024;

    /** What a shingle is a run of. */
    enum Unit {
        /** Runs of letters, marks and digits, in lower case; nothing else of the text counts. */
        WORDS,

        /** The bytes of the text as they are. */
        BYTES
    }

    private static final int WORD_TYPES =
            1 << Character.NON_SPACING_MARK
                    | 1 << Character.COMBINING_SPACING_MARK
                    | 1 << Character.ENCLOSING_MARK;

    /** The hashes of a text in UTF-8, in any order; one may be there twice. */
    int[] of(byte[] text) {
        int[] hashes = unit == Unit.WORDS ? ofWords(text) : ofBytes(text);
        return hashes.length > MAX_ELEMENTS ? smallest(hashes) : hashes;
    }

    private int[] ofBytes(byte[] text) {
        int[] hashes = new int[count(text.length)];
        for (int i = 0; i < hashes.length; i++) {
            hashes[i] = element(text, i, Math.min(i + length, text.length));
        }
        return hashes;
    }

    /** A shingle of words is hashed with a blank between each two. */
    private int[] ofWords(byte[] text) {
        byte[] words = words(text).getBytes(StandardCharsets.UTF_8);
        int[] ends = ends(words);
        int[] hashes = new int[count(ends.length)];
        int start = 0;
        for (int i = 0; i < hashes.length; i++) {
            hashes[i] = element(words, start, ends[Math.min(i + length, ends.length) - 1]);
            start = ends[i] + 1;
        }
        return hashes;
    }

    private int element(byte[] bytes, int start, int end) {
        return MurmurHash.of(bytes, start, end) >>> Integer.SIZE - hashBits;
    }

    /** How many shingles so many words or bytes have. */
    private int count(int units) {
        return units == 0 ? 0 : Math.max(1, units - length + 1);
    }

    /** The words of a text in lower case, each with a blank after it. */
    private static String words(byte[] text) {
        String lowerCase = new String(text, StandardCharsets.UTF_8).toLowerCase(Locale.ROOT);
        StringBuilder words = new StringBuilder(lowerCase.length() + 1);
        boolean inWord = false;
        for (int at = 0; at < lowerCase.length(); ) {
            int codePoint = lowerCase.codePointAt(at);
            at += Character.charCount(codePoint);
            if (isOfWord(codePoint)) {
                words.appendCodePoint(codePoint);
                inWord = true;
            } else if (inWord) {
                words.append(' ');
                inWord = false;
            }
        }
        return inWord ? words.append(' ').toString() : words.toString();
    }

    private static boolean isOfWord(int codePoint) {
        return Character.isLetterOrDigit(codePoint)
                || (WORD_TYPES >>> Character.getType(codePoint) & 1) == 1;
    }

    /** Where the words end, which is where the blanks are. */
    private static int[] ends(byte[] words) {
        int[] ends = new int[words.length];
        int count = 0;
        for (int i = 0; i < words.length; i++) {
            if (words[i] == ' ') {
                ends[count++] = i;
            }
        }
        return Arrays.copyOf(ends, count);
    }

    /** The smallest different hashes, as unsigned numbers. */
    private static int[] smallest(int[] hashes) {
        int[] sorted = hashes.clone();
        flip(sorted);
        Arrays.sort(sorted);
        int size = 0;
        for (int i = 0; i < sorted.length && size < MAX_ELEMENTS; i++) {
            if (size == 0 || sorted[size - 1] != sorted[i]) {
                sorted[size++] = sorted[i];
            }
        }
        flip(sorted);
        return Arrays.copyOf(sorted, size);
    }

    /** Has the order of ints be that of unsigned numbers, or undoes that. */
    private static void flip(int[] hashes) {
        for (int i = 0; i < hashes.length; i++) {
            hashes[i] ^= Integer.MIN_VALUE;
        }
    }
}

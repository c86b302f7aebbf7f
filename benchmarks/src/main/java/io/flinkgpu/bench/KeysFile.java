package io.flinkgpu.bench;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Makes a file of lines {@code key;-12.3}, about 14.3 bytes each: keys of 5 to 11 small letters, spread
 * evenly, values evenly from -99.9 to 99.9. The same numbers give the same file.
 */
public final class KeysFile {

    /** Keys there can be. */
    static final int MOST_KEYS = 10_000_000;

    private static final int LINES_A_PIECE = 1 << 18;
    private static final int MOST_BYTES_A_LINE = 11 + 1 + 5 + 1;
    private static final int LETTERS = 26;
    private static final int OWN_LETTERS = 5;
    private static final int MOST_FURTHER_LETTERS = 6;

    /** Of all keys of five letters; has no divisor in common with the factor below. */
    private static final int WORDS = LETTERS * LETTERS * LETTERS * LETTERS * LETTERS;

    private static final long SCRAMBLE = 7_368_787;
    private static final int TENTHS = 1_999;

    private final int keys;

    private KeysFile(int keys) {
        if (keys < 1 || keys > MOST_KEYS) {
            throw new IllegalArgumentException("keys must be 1 to " + MOST_KEYS + ": keys=" + keys);
        }
        this.keys = keys;
    }

    /** Writes the file; all cores make its lines. */
    public static void write(Path file, int keys, long lines) throws IOException {
        KeysFile of = new KeysFile(keys);
        int wave = 2 * Runtime.getRuntime().availableProcessors();
        try (OutputStream out = Files.newOutputStream(file)) {
            for (long from = 0; from < lines; from += (long) wave * LINES_A_PIECE) {
                long start = from;
                List<byte[]> pieces =
                        IntStream.range(0, wave)
                                .parallel()
                                .mapToObj(i -> of.piece(start + (long) i * LINES_A_PIECE, lines))
                                .toList();
                for (byte[] piece : pieces) {
                    out.write(piece);
                }
            }
        }
    }

    private byte[] piece(long from, long lines) {
        int count = (int) Math.max(0, Math.min(LINES_A_PIECE, lines - from));
        byte[] text = new byte[count * MOST_BYTES_A_LINE];
        int at = 0;
        for (int i = 0; i < count; i++) {
            at = line(text, at, KeysTally.mix(from + i));
        }
        return Arrays.copyOf(text, at);
    }

    private int line(byte[] text, int start, long hash) {
        int at = key(text, start, (hash >>> 32) * keys >>> 32);
        text[at++] = ';';
        int tenths = (int) ((hash & 0xffff_ffffL) * TENTHS >>> 32) - TENTHS / 2;
        if (tenths < 0) {
            text[at++] = '-';
            tenths = -tenths;
        }
        if (tenths >= 100) {
            text[at++] = (byte) ('0' + tenths / 100);
        }
        text[at++] = (byte) ('0' + tenths / 10 % 10);
        text[at++] = '.';
        text[at++] = (byte) ('0' + tenths % 10);
        text[at++] = '\n';
        return at;
    }

    private static int key(byte[] text, int start, long key) {
        int at = start;
        long word = (key + 1) * SCRAMBLE % WORDS;
        for (int i = 0; i < OWN_LETTERS; i++) {
            text[at++] = (byte) ('a' + word % LETTERS);
            word /= LETTERS;
        }
        long hash = KeysTally.mix(key);
        for (long more = Long.remainderUnsigned(hash, MOST_FURTHER_LETTERS + 1); more > 0; more--) {
            hash = hash >>> 5;
            text[at++] = (byte) ('a' + hash % LETTERS);
        }
        return at;
    }
}

package io.flinkgpu.source;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Files to be split, and the lines that are in them. */
public final class RandomLines {

    private RandomLines() {}

    /** A file of any kind there is: empty, of newlines only, without a last newline, with long lines. */
    public static byte[] file(Random random) {
        switch (random.nextInt(12)) {
            case 0:
                return new byte[0];
            case 1:
                return new byte[] {(byte) "\nx\r".charAt(random.nextInt(3))};
            case 2:
                return "\n".repeat(random.nextInt(40)).getBytes(StandardCharsets.US_ASCII);
            case 3:
                return "x".repeat(1 + random.nextInt(300)).getBytes(StandardCharsets.US_ASCII);
            default:
                return mixed(random);
        }
    }

    private static byte[] mixed(Random random) {
        ByteArrayOutputStream file = new ByteArrayOutputStream();
        int lines = 1 + random.nextInt(40);
        int longLines = random.nextInt(3) == 0 ? 15_000 : 300;
        for (int line = 0; line < lines; line++) {
            int length = random.nextInt(10) == 0 ? random.nextInt(longLines) : random.nextInt(12);
            StringBuilder text = new StringBuilder();
            while (text.length() < length) {
                text.appendCodePoint(
                        "ab;1\r\u00e9\u4e16\ud83d\ude00".codePointAt(random.nextInt(7)));
            }
            file.writeBytes(text.toString().getBytes(StandardCharsets.UTF_8));
            if (line < lines - 1 || random.nextBoolean()) {
                file.writeBytes(
                        (random.nextInt(4) == 0 ? "\r\n" : "\n")
                                .getBytes(StandardCharsets.US_ASCII));
            }
        }
        return file.toByteArray();
    }

    /** Where each line of a file starts, and behind them the file's length. */
    public static List<Integer> bounds(byte[] file) {
        List<Integer> bounds = new ArrayList<>();
        for (int i = 0; i < file.length; i++) {
            if (i == 0 || file[i - 1] == '\n') {
                bounds.add(i);
            }
        }
        bounds.add(file.length);
        return bounds;
    }
}

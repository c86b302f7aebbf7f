package io.flinkgpu.testkit;

import io.flinkgpu.api.ColumnType;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** Rows of few different characters, so that operations find what they look for, and of broken ones. */
public final class RandomRows {

    /** What there is in a row. */
    public static final Map<String, ColumnType> COLUMNS = columns();

    /** What operations look for; some overlap themselves. */
    static final List<String> SEPARATORS =
            List.of(" ", " ", ",", "a", "aa", "aba", ", ", "é", "€", "😀", "é€", "--", "abcdefghi");

    /** Letters whose other case is longer, shorter, the same, or none; of all lengths. */
    private static final int[] LETTERS = {
        'a', 'a', 'a', 'b', 'c', 'A', 'B', 'z', 'Z', '1', '4', 0xe9, 0xc9, 0xdf, 0xff, 0x130, 0x131,
        0x149, 0x17f, 0x1c5, 0x23a, 0x250, 0x2c65, 0x3a3, 0x3c2, 0x10d0, 0x13a0, 0x1e9e, 0x1fb3,
        0x20ac, 0x212a, 0x2126, 0xab70, 0xff21, 0x10400, 0x10428, 0x1e900, 0x1e922, 0x1f600, 0x1f680
    };

    private static final int[] EDGES = {
        0, '\n', '\r', '\t', 0x1f, '!', '@', '[', '`', '{', 0x7f, 0x80, 0x85, 0xa0, 0x7ff, 0x800,
        0x2028, 0x3000, 0xd7ff, 0xe000, 0xfeff, 0xfffd, 0xffff, 0x10000, 0x10ffff
    };

    private static final String[] INVALID_HEX = {
        "80",
        "a9",
        "bf",
        "c0",
        "c1",
        "c2",
        "c3",
        "e0",
        "e2",
        "e282",
        "82ac",
        "f0",
        "f09f98",
        "9f98",
        "9880",
        "c080",
        "c1bf",
        "e08080",
        "e09fbf",
        "f0808080",
        "f08fbfbf",
        "eda080",
        "edbfbf",
        "ed",
        "eda080edb080",
        "f4908080",
        "f5808080",
        "f8888080",
        "fe",
        "ff",
        "c3c3a9",
        "e28261",
        "a9c3"
    };

    private static final String[] WORDS = {
        "public", "nonpublic", "a@b.cc", "secret", "12345", "4111 1111 1111 1111", "Ada Lovelace"
    };

    private final Random random;

    public RandomRows(Random random) {
        this.random = random;
    }

    public TransformInput rows(int count) {
        List<Map<String, Object>> rows = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            rows.add(row());
        }
        return new TransformInput(COLUMNS, rows);
    }

    private Map<String, Object> row() {
        Map<String, Object> row = new LinkedHashMap<>();
        COLUMNS.forEach((name, type) -> row.put(name, random.nextInt(9) == 0 ? null : value(type)));
        if (random.nextInt(8) == 0) {
            row.put("t1", row.get("t0"));
        }
        return row;
    }

    private Object value(ColumnType type) {
        return switch (type.kind()) {
            case TEXT -> text();
            case LONG ->
                    switch (random.nextInt(4)) {
                        case 0 -> Long.MIN_VALUE;
                        case 1 -> random.nextLong();
                        default -> (long) random.nextInt(6) - 1;
                    };
            case DOUBLE -> {
                double[] doubles = {0.0, -0.0, 1, 2, -1.5, Double.NaN, 1 / 0.0, Double.MIN_VALUE};
                yield doubles[random.nextInt(doubles.length)];
            }
            case BOOLEAN -> random.nextBoolean();
            case BYTES, INT, FLOAT, DECIMAL, TIMESTAMP, LIST, VECTOR ->
                    throw type.refusedBy("a row");
        };
    }

    byte[] text() {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        int pieces = random.nextInt(random.nextInt(40) == 0 ? 400 : 7);
        boolean clean = random.nextInt(3) == 0;
        for (int i = 0; i < pieces; i++) {
            add(out, clean);
        }
        return random.nextInt(6) == 0 ? cut(out.toByteArray()) : out.toByteArray();
    }

    private void add(ByteArrayOutputStream out, boolean clean) {
        switch (random.nextInt(clean ? 9 : 12)) {
            case 0, 1 -> out.writeBytes(utf8(pick(SEPARATORS)));
            case 2 ->
                    out.writeBytes(
                            " ".repeat(1 + random.nextInt(3)).getBytes(StandardCharsets.US_ASCII));
            case 3 -> out.writeBytes(utf8(pick(List.of(WORDS))));
            case 4, 5, 6 -> out.writeBytes(letters(4));
            case 7 -> out.writeBytes(utf8("a".repeat(random.nextInt(20))));
            case 8 -> out.writeBytes(letters(1));
            case 9 -> out.writeBytes(utf8(Character.toString(EDGES[random.nextInt(EDGES.length)])));
            default -> out.writeBytes(HexFormat.of().parseHex(pick(List.of(INVALID_HEX))));
        }
    }

    private byte[] letters(int most) {
        StringBuilder letters = new StringBuilder();
        for (int i = random.nextInt(most); i >= 0; i--) {
            letters.appendCodePoint(LETTERS[random.nextInt(LETTERS.length)]);
        }
        return utf8(letters.toString());
    }

    /** Some of the bytes, from any on to any. */
    private byte[] cut(byte[] bytes) {
        int from = random.nextInt(Math.min(5, bytes.length + 1));
        int to = bytes.length - random.nextInt(Math.min(5, bytes.length + 1));
        return from < to ? Arrays.copyOfRange(bytes, from, to) : bytes;
    }

    String pick(List<String> texts) {
        return texts.get(random.nextInt(texts.size()));
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static Map<String, ColumnType> columns() {
        Map<String, ColumnType> columns = new LinkedHashMap<>();
        columns.put("t0", ColumnType.TEXT);
        columns.put("b0", ColumnType.BOOLEAN);
        columns.put("t1", ColumnType.TEXT);
        columns.put("n0", ColumnType.LONG);
        columns.put("d0", ColumnType.DOUBLE);
        columns.put("t2", ColumnType.TEXT);
        columns.put("n1", ColumnType.LONG);
        columns.put("d1", ColumnType.DOUBLE);
        columns.put("b1", ColumnType.BOOLEAN);
        return Collections.unmodifiableMap(columns);
    }
}

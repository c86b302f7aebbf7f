package io.flinkgpu.testkit;

import io.flinkgpu.api.Structure;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Random;

/** Makes records that are JSON or logfmt, or nearly, with what rules match in their names and values. */
final class FieldsGen {

    private static final String[] NAMES = {
        "a", "b", "c", "a.b", "x.a.b", "é", "", ".", "a.", "user"
    };
    private static final String[] PATHS = {
        "a", "b", "$.c", "a.b", "a.*", "*.b", "**.b", "**", "*", "x.**", "é", "a.**.b", "user"
    };
    private static final String[] BARE = {
        "0",
        "-0",
        "7",
        "1e5",
        "-1.50E+300",
        "4111111111111111",
        "123456789012345678901234567890",
        "true",
        "false",
        "null"
    };
    private static final String[] ODD = {
        "\\ud83d\\ude00",
        "\\ud800",
        "\\udc00\\ud800",
        "\\uD83Dx",
        "\\u0000",
        "\\/",
        "\\\"",
        "\\\\",
        "\\u0022",
        "\\n",
        "\\u00e9",
        "\\u005cu0061"
    };
    private static final String[] WRONG = {
        "\\x41", "\\'", "\\q", "\"", "\\", "\n", "\0", "\u007f", ",", "{", "]", ":", " ", "=",
        "\ufeff"
    };

    private final Random random;
    private final TextGen texts;
    private final Structure.Format format;

    FieldsGen(TextGen texts, Structure.Format format, Random random) {
        this.texts = texts;
        this.format = format;
        this.random = random;
    }

    static String path(Random random) {
        return PATHS[random.nextInt(PATHS.length)];
    }

    byte[][] rows(int count) {
        byte[][] rows = new byte[count][];
        for (int i = 0; i < count; i++) {
            rows[i] = random.nextInt(12) == 0 ? text() : record();
            for (int wrong = random.nextInt(8) == 0 ? 1 : 0; wrong > 0; wrong--) {
                rows[i] = mutated(rows[i]);
            }
        }
        return rows;
    }

    private byte[] record() {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        add(out, space());
        if (format == Structure.Format.LOGFMT) {
            line(out);
        } else if (random.nextInt(200) == 0) {
            int levels = 998 + random.nextInt(4);
            add(out, "[".repeat(levels));
            quoted(out, text());
            add(out, "]".repeat(levels));
        } else if (random.nextInt(4) == 0) {
            array(out, 0);
        } else {
            object(out, 0);
        }
        add(out, space());
        return out.toByteArray();
    }

    private void value(ByteArrayOutputStream out, int level) {
        switch (random.nextInt(level > 3 ? 6 : 9)) {
            case 0, 1 -> add(out, pick(BARE));
            case 2, 3, 4, 5 -> quoted(out, text());
            case 6 -> array(out, level);
            default -> object(out, level);
        }
    }

    private void object(ByteArrayOutputStream out, int level) {
        add(out, "{" + space());
        int members = random.nextInt(5);
        for (int i = 0; i < members; i++) {
            add(out, i > 0 ? "," + space() : "");
            quoted(out, random.nextInt(3) == 0 ? text() : utf8(pick(NAMES)));
            add(out, space() + ":" + space());
            value(out, level + 1);
            add(out, space());
        }
        add(out, "}");
    }

    private void array(ByteArrayOutputStream out, int level) {
        add(out, "[" + space());
        int elements = random.nextInt(4);
        for (int i = 0; i < elements; i++) {
            add(out, i > 0 ? "," + space() : "");
            value(out, level + 1);
            add(out, space());
        }
        add(out, "]");
    }

    private void line(ByteArrayOutputStream out) {
        int pairs = 1 + random.nextInt(5);
        for (int i = 0; i < pairs; i++) {
            add(out, i > 0 ? pick(" ", " ", "  ", "\t", "\n") : "");
            out.writeBytes(random.nextInt(4) == 0 ? bare(text(), true) : utf8(pick(NAMES)));
            int kind = random.nextInt(6);
            if (kind > 0) {
                add(out, "=");
            }
            if (kind > 3) {
                quoted(out, text());
            } else if (kind > 0) {
                out.writeBytes(random.nextInt(4) == 0 ? utf8(pick(BARE)) : bare(text(), false));
            } else {
                add(out, pick("", "", "=", "=="));
            }
        }
    }

    /** A text that a rule matches, or nearly, with parts of it in other forms. */
    private byte[] text() {
        byte[] text = texts.rows(1)[0];
        return random.nextInt(4) == 0 ? FormsFuzzTest.encoded(text, random) : text;
    }

    private byte[] bare(byte[] text, boolean name) {
        String chars = new String(text, StandardCharsets.ISO_8859_1);
        return chars.replaceAll(name ? "[\\x00- \\x7f\"=]" : "[\\x00- \\x7f\"]", "")
                .getBytes(StandardCharsets.ISO_8859_1);
    }

    /** A string with what has to be escaped, and with some of the rest, as escapes. */
    private void quoted(ByteArrayOutputStream out, byte[] text) {
        int escapes = random.nextInt(3) == 0 ? 2 : random.nextInt(3) == 0 ? 20 : 1_000_000;
        out.write('"');
        String decoded = new String(text, StandardCharsets.UTF_8);
        boolean isUtf8 = Arrays.equals(utf8(decoded), text) && random.nextBoolean();
        String chars = isUtf8 ? decoded : new String(text, StandardCharsets.ISO_8859_1);
        for (int i = 0; i < chars.length(); ) {
            int c = chars.codePointAt(i);
            i += Character.charCount(c);
            int known = "\"\\\b\f\n\r\t".indexOf(c);
            boolean escaped = random.nextInt(escapes) == 0;
            if (known >= 0 && !(escaped && random.nextBoolean())) {
                add(out, "\\" + "\"\\bfnrt".charAt(known));
            } else if (c < ' ' || known >= 0 || escaped && (isUtf8 || c < 0x80)) {
                for (char unit : Character.toChars(c)) {
                    add(
                            out,
                            String.format(
                                    random.nextBoolean() ? "\\u%04x" : "\\u%04X", (int) unit));
                }
            } else if (isUtf8) {
                out.writeBytes(utf8(Character.toString(c)));
            } else {
                out.write(c);
            }
            if (random.nextInt(escapes) == 0 && random.nextInt(8) == 0) {
                add(out, pick(ODD));
            }
        }
        out.write('"');
    }

    private byte[] mutated(byte[] record) {
        int at = random.nextInt(record.length + 1);
        int to = Math.min(record.length, at + random.nextInt(3));
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.write(record, 0, at);
        add(out, random.nextBoolean() ? pick(WRONG) : "");
        out.write(record, to, record.length - to);
        return out.toByteArray();
    }

    private String space() {
        return random.nextInt(4) == 0 ? pick(" ", "  ", "\t", "\n", "\r\n") : "";
    }

    private String pick(String... choices) {
        return choices[random.nextInt(choices.length)];
    }

    private static void add(ByteArrayOutputStream out, String text) {
        out.writeBytes(utf8(text));
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}

package io.flinkgpu.testkit;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Random;

/** Makes rows that a rule set matches, nearly matches, or stumbles over. */
final class TextGen {

    private static final String[] SPECIAL = {
        "\r\n",
        "\n",
        "\r",
        "\u0085",
        "\u2028",
        "\u2029",
        "\0",
        "😀",
        "e\u0301",
        "\u0301",
        "👩‍👧",
        "é",
        "中",
        " ",
        "_",
        "a",
        "0",
        ".",
        "\r\n\n",
        "\r\r",
        "K",
        "ſ",
        "\uffff",
        "\udbff\udfff",
        "\ud800\udc00"
    };

    /** Lone continuations, cut sequences, overlong forms, surrogates, and bytes that start nothing. */
    private static final String[] INVALID_HEX = {
        "80",
        "bf",
        "c2",
        "e2",
        "e282",
        "f09f98",
        "f09f",
        "c080",
        "c1bf",
        "e08080",
        "e09fbf",
        "f0808080",
        "f08fbfbf",
        "eda080",
        "edbfbf",
        "eda080edb080",
        "f4908080",
        "f5808080",
        "f8",
        "fe",
        "ff",
        "c3c3a9",
        "e28261",
        "a9c3",
        "f09f9820"
    };

    private final List<RegexNode> trees;
    private final int[] alphabet;
    private final Random random;

    TextGen(List<RuleGen.Generated> rules, int[] alphabet, Random random) {
        this.trees = rules.stream().map(RuleGen.Generated::tree).toList();
        this.alphabet = alphabet;
        this.random = random;
    }

    byte[][] rows(int count) {
        List<byte[]> rows = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            rows.add(row());
        }
        return rows.toArray(byte[][]::new);
    }

    /** Rows of up to 6 KiB in which one short row repeats, between two others. */
    byte[][] longRows(int count) {
        byte[][] rows = new byte[count][];
        for (int i = 0; i < count; i++) {
            ByteArrayOutputStream out = new ByteArrayOutputStream();
            int lengthBytes = 2000 + random.nextInt(4000);
            addPiece(out);
            ByteArrayOutputStream unit = new ByteArrayOutputStream();
            while (unit.size() == 0) {
                addPiece(unit);
            }
            while (out.size() < lengthBytes) {
                out.writeBytes(unit.toByteArray());
            }
            addPiece(out);
            rows[i] = out.toByteArray();
        }
        return rows;
    }

    private byte[] row() {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        int pieces = random.nextInt(8);
        if (random.nextInt(40) == 0) {
            pieces = 60;
        }
        for (int i = 0; i < pieces; i++) {
            addPiece(out);
        }
        return out.toByteArray();
    }

    private void addPiece(ByteArrayOutputStream out) {
        switch (random.nextInt(12)) {
            case 0:
                out.writeBytes(
                        HexFormat.of().parseHex(INVALID_HEX[random.nextInt(INVALID_HEX.length)]));
                return;
            case 1:
                add(out, SPECIAL[random.nextInt(SPECIAL.length)]);
                return;
            case 2:
                add(out, Character.toString(Alphabet.special(random)));
                return;
            case 3, 4, 5:
                for (int i = 0; i < 1 + random.nextInt(6); i++) {
                    add(out, Character.toString(alphabet[random.nextInt(alphabet.length)]));
                }
                return;
            case 6, 7:
                out.writeBytes(damaged(sample().getBytes(StandardCharsets.UTF_8)));
                return;
            default:
                String sample = sample();
                for (int i = 0; i < 1 + random.nextInt(2); i++) {
                    add(out, sample);
                }
        }
    }

    private String sample() {
        StringBuilder out = new StringBuilder();
        trees.get(random.nextInt(trees.size())).sample(out, random);
        String text = out.toString();
        return switch (random.nextInt(12)) {
            case 0 -> text.toUpperCase(Locale.ROOT);
            case 1 -> text.toLowerCase(Locale.ROOT);
            default -> text;
        };
    }

    private byte[] damaged(byte[] bytes) {
        if (bytes.length == 0) {
            return bytes;
        }
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        int at = random.nextInt(bytes.length);
        out.write(bytes, 0, at);
        int kind = random.nextInt(5);
        if (kind == 0) {
            return out.toByteArray();
        } else if (kind == 1) {
            add(out, Character.toString(alphabet[random.nextInt(alphabet.length)]));
        } else if (kind == 2) {
            out.write(random.nextInt(256));
        } else if (kind == 3) {
            out.write(bytes, at, 1);
            out.write(bytes, at, 1);
        }
        out.write(bytes, at + 1, bytes.length - at - 1);
        return out.toByteArray();
    }

    private static void add(ByteArrayOutputStream out, String text) {
        out.writeBytes(text.getBytes(StandardCharsets.UTF_8));
    }
}

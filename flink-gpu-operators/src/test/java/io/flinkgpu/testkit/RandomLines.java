package io.flinkgpu.testkit;

import io.flinkgpu.api.Aggregate;
import io.flinkgpu.api.ValueSpec;
import io.flinkgpu.api.lines.Delimited;
import io.flinkgpu.api.lines.Field;
import io.flinkgpu.backend.plan.LinePlan;
import io.flinkgpu.backend.plan.TimeSlices;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;

/** Formats, and lines that have one, or nearly have. */
public final class RandomLines {

    private static final String SEPARATORS = ";,|\t :\0~";
    private static final String[] TEXTS = {
        "",
        "a",
        "b",
        "Bonn",
        "St. John's",
        "Ürümqi",
        "東京",
        "😀",
        "aaaaaaaa",
        "aaaaaaab",
        "aaaaaaaaa",
        "0123456789abcdef",
        "0123456789abcdeg",
        "1123456789abcdef0",
        "a key of more than sixteen bytes",
        "\r",
        "\r\r",
        "\0",
        "a\0",
        "'",
        "-",
        "1.5",
        "\ufeff"
    };
    private static final String[] ODD_NUMBERS = {
        "+",
        "-",
        ".",
        "-.",
        "+.",
        "1.",
        ".1",
        "--1",
        "1-",
        "+-1",
        "1 ",
        " 1",
        "0x1",
        "1f",
        "1e",
        "1e+",
        "e1",
        "NaN",
        "-NaN",
        "Infinity",
        "-Infinity",
        "inf",
        "1e400",
        "-1e-400",
        "5e-324",
        "2.2250738585072011e-308",
        "9007199254740993",
        "9223372036854775807",
        "9223372036854775808",
        "-9223372036854775808",
        "2147483648",
        "-2147483648",
        "4611686018427387904",
        "00000000000000000000001",
        "-00.00",
        "+7",
        "999999999999999999",
        "1000000000000000000",
        "0.0000000000000000000001",
        "1_0",
        "١",
        "1:",
        "1/",
        "1.2.3",
        "1.7976931348623158e308",
        "8.5e-1",
        "12345678",
        "123456789",
        "-1234567",
        "1234567.8",
        "12.345678"
    };
    private static final byte[][] ODD_BYTES = {
        {(byte) 0xff},
        {(byte) 0xc0, (byte) 0x80},
        {(byte) 0xed, (byte) 0xa0, (byte) 0x80},
        {0},
        {'\r'},
        {'"'},
        {'"', '"'},
        {(byte) 0xe2, (byte) 0x82},
        {(byte) 0xf4, (byte) 0x90, (byte) 0x80, (byte) 0x80},
        {'+'},
        {' '},
        {':'},
        {'/'}
    };

    private final Random random;

    /** How many of a thousand fields are nearly what they should be. */
    private final int oddPerMille;

    public RandomLines(Random random, int oddPerMille) {
        this.random = random;
        this.oddPerMille = oddPerMille;
    }

    /** A format of at least a string "k" and a number "n". */
    public Delimited format() {
        Delimited format = Delimited.of(SEPARATORS.charAt(random.nextInt(SEPARATORS.length())));
        format = random.nextInt(3) == 0 ? format.quoted() : format;
        int fields = 2 + random.nextInt(5);
        int key = random.nextInt(fields);
        int number = (key + 1 + random.nextInt(fields - 1)) % fields;
        for (int i = 0; i < fields; i++) {
            format = i == key ? format.string("k") : i == number ? number(format) : any(format, i);
        }
        return format;
    }

    private Delimited number(Delimited format) {
        int scale = random.nextInt(4);
        return switch (random.nextInt(5)) {
            case 0 -> format.intNumber("n");
            case 1 -> format.longNumber("n");
            case 2 -> format.doubleNumber("n");
            case 3 -> format.decimal("n", scale);
            default -> {
                int precision = 1 + random.nextInt(18);
                yield format.decimal("n", precision, random.nextInt(precision + 1));
            }
        };
    }

    private Delimited any(Delimited format, int field) {
        String name = "f" + field;
        return switch (random.nextInt(8)) {
            case 0 -> format.string(name);
            case 1 -> format.intNumber(name);
            case 2 -> format.longNumber(name);
            case 3 -> format.doubleNumber(name);
            case 4 -> format.decimal(name, random.nextInt(19));
            case 5 -> format.epochMillis(name);
            case 6 -> format.isoTimestamp(name);
            default -> format.skipped();
        };
    }

    /** All numbers of a format by its string "k", and by the first timestamp if there is one. */
    public LinePlan plan(Delimited format) {
        List<Field> fields = format.fields();
        List<Integer> numbers =
                IntStream.range(0, fields.size())
                        .filter(i -> fields.get(i).isNumber())
                        .boxed()
                        .toList();
        List<ValueSpec> values = new ArrayList<>();
        for (int field : numbers) {
            values.add(
                    new ValueSpec(fields.get(field).name(), fields.get(field).valueType(), some()));
        }
        TimeSlices time =
                IntStream.range(0, fields.size())
                        .filter(i -> fields.get(i).isTimestamp())
                        .mapToObj(i -> new TimeSlices(i, 60_000, 7_000))
                        .findFirst()
                        .orElse(null);
        return new LinePlan(format, format.indexOf("k"), time, numbers, values);
    }

    private List<Aggregate> some() {
        List<Aggregate> some = new ArrayList<>(List.of(Aggregate.values()));
        some.removeIf(aggregate -> random.nextInt(4) == 0);
        return some.isEmpty() ? List.of(Aggregate.COUNT) : some;
    }

    /** A line without its end. */
    public byte[] line(Delimited format) {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        List<Field> fields = format.fields();
        int count = fields.size() + (odd() ? random.nextInt(3) - 1 : 0);
        for (int i = 0; i < count; i++) {
            if (i > 0) {
                line.write(format.separator());
            }
            Field field = fields.get(Math.min(i, fields.size() - 1));
            boolean quoted = format.isQuoted() && random.nextInt(4) == 0;
            line.writeBytes(quoted ? inQuotes(text(field)) : text(field));
        }
        if (random.nextInt(20) == 0) {
            line.write('\r');
        }
        return line.toByteArray();
    }

    /** Lines with their ends; the last may have none. */
    public byte[] lines(Delimited format, int count) {
        ByteArrayOutputStream lines = new ByteArrayOutputStream();
        for (int i = 0; i < count; i++) {
            lines.writeBytes(line(format));
            if (i < count - 1 || random.nextBoolean()) {
                lines.write('\n');
            }
        }
        return lines.toByteArray();
    }

    private byte[] inQuotes(byte[] text) {
        ByteArrayOutputStream quoted = new ByteArrayOutputStream();
        quoted.write('"');
        for (byte b : text) {
            quoted.write(b);
            if (b == '"' && !odd()) {
                quoted.write('"');
            }
        }
        if (!odd()) {
            quoted.write('"');
        }
        return quoted.toByteArray();
    }

    private byte[] text(Field field) {
        byte[] text = textOf(field).getBytes(StandardCharsets.UTF_8);
        if (!odd()) {
            return text;
        }
        byte[] more = ODD_BYTES[random.nextInt(ODD_BYTES.length)];
        int at = random.nextInt(text.length + 1);
        ByteArrayOutputStream changed = new ByteArrayOutputStream();
        changed.write(text, 0, at);
        changed.writeBytes(more);
        changed.write(text, at, text.length - at);
        return changed.toByteArray();
    }

    private String textOf(Field field) {
        if (field.isNumber() && odd()) {
            return ODD_NUMBERS[random.nextInt(ODD_NUMBERS.length)];
        }
        return switch (field.format()) {
            case STRING, SKIPPED ->
                    random.nextInt(50) == 0
                            ? "x".repeat(random.nextInt(200))
                            : TEXTS[random.nextInt(TEXTS.length)];
            case INT -> signed() + (random.nextInt() >>> 1 + random.nextInt(31));
            case LONG -> signed() + (random.nextLong() >>> 1 + random.nextInt(63));
            case DECIMAL -> decimal(field.type().precision(), field.type().scale());
            case DOUBLE -> real();
            case EPOCH_MILLIS -> Long.toString(millis());
            case ISO_TIMESTAMP -> iso();
        };
    }

    private String decimal(int precision, int scale) {
        int before = random.nextInt(precision - scale + 1);
        int behind = random.nextInt(3) > 0 ? scale : random.nextInt(scale + 1);
        if (before + behind == 0) {
            return random.nextInt(5) == 0 ? "" : "0";
        }
        String point = behind > 0 || random.nextInt(10) == 0 ? "." : "";
        return signed() + digits(before) + point + digits(behind);
    }

    private String real() {
        double magnitude =
                switch (random.nextInt(4)) {
                    case 0 -> Double.longBitsToDouble(random.nextLong());
                    case 1 -> random.nextInt(100_000) / 100.0;
                    case 2 -> random.nextGaussian();
                    default -> random.nextInt(1000);
                };
        return Double.toString(magnitude);
    }

    private long millis() {
        return random.nextInt(10) == 0
                ? random.nextLong() >> 1 + random.nextInt(40)
                : 1_700_000_000_000L + random.nextInt(200_000);
    }

    private String iso() {
        long millis = 1_700_000_000_000L + random.nextInt(200_000);
        String text =
                Instant.ofEpochMilli(millis).atOffset(ZoneOffset.UTC).toLocalDateTime().toString();
        String seconds = text.length() == 16 ? text + ":00" : text;
        return switch (random.nextInt(4)) {
            case 0 -> seconds;
            case 1 -> seconds.replace('T', ' ');
            case 2 -> seconds + "+01:30";
            default -> seconds + "Z";
        };
    }

    private String digits(int count) {
        StringBuilder digits = new StringBuilder();
        for (int i = 0; i < count; i++) {
            digits.append((char) ('0' + random.nextInt(10)));
        }
        return digits.toString();
    }

    private String signed() {
        return new String[] {"", "", "", "-", "-", "+"}[random.nextInt(6)];
    }

    private boolean odd() {
        return random.nextInt(1000) < oddPerMille;
    }
}

package io.flinkgpu.backend;

import io.flinkgpu.api.Aggregate;
import io.flinkgpu.api.ColumnType;
import io.flinkgpu.api.ValueSpec;
import io.flinkgpu.api.lines.Delimited;
import io.flinkgpu.backend.plan.LinePlan;
import io.flinkgpu.backend.plan.TimeSlices;
import io.flinkgpu.testkit.LineAnswer;
import io.flinkgpu.testkit.RandomLines;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Supplier;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What becomes of fields of every type on every backend.
 *
 * <p>Covers: LineFields.
 */
abstract class LineFieldsContract extends HeldLinesContract {

    private static final int FUZZ_FORMATS = Integer.getInteger("lines.formats", 150);

    private static final Delimited EVERY_TYPE =
            Delimited.of(',')
                    .skipped()
                    .intNumber("i")
                    .longNumber("l")
                    .string("key")
                    .doubleNumber("f")
                    .decimal("d", 3)
                    .string("text")
                    .isoTimestamp("iso")
                    .epochMillis("ms");

    private static final String[] GOOD = {
        "?",
        "-7",
        "123456789012",
        "Bonn",
        "2.5",
        "-12.345",
        "text",
        "2024-02-29T12:34:56Z",
        "1700000000000"
    };

    @Test
    void everyType() throws Exception {
        StringBuilder lines = new StringBuilder();
        for (int i = 0; i < 2000; i++) {
            lines.append("x".repeat(i % 20)).append(',');
            lines.append(i % 7 == 0 ? "" : "" + random.nextInt()).append(',');
            lines.append(i % 11 == 0 ? "" : "" + random.nextLong()).append(",key");
            lines.append(random.nextInt(20)).append(',');
            lines.append(i % 13 == 0 ? "" : "" + random.nextInt(1_000_000) / 64.0).append(',');
            lines.append(i % 17 == 0 ? "" : random.nextInt(100) + ".5").append(",ß,");
            lines.append("2024-02-29T12:3").append(i % 10).append(":56.789+01:00,");
            lines.append(1_700_000_000_000L + i).append(i % 3 == 0 ? "\r\n" : "\n");
        }
        check(EVERY_TYPE, lines.toString());
    }

    @Test
    void badTextInAnyField() throws Exception {
        String[] bad = {
            "", "x", "1x", "+", "-", ".", "1.2.3", "1 ", "\"1\"", "2024-02-30T00:00:00", "\0"
        };
        StringBuilder lines = new StringBuilder();
        for (int field = 0; field < GOOD.length; field++) {
            for (String text : bad) {
                String[] fields = GOOD.clone();
                fields[field] = text;
                lines.append(String.join(",", fields)).append('\n');
                lines.append(String.join(",", GOOD)).append('\n');
            }
        }
        LineAnswer answer = check(plan(EVERY_TYPE, null), List.of(utf8(lines.toString())));
        assertThat(answer.malformed()).isBetween(50L, 90L);
    }

    @Test
    void linesWithTooFewOrTooManyFields() throws Exception {
        StringBuilder lines = new StringBuilder();
        String good = String.join(",", GOOD);
        for (int end = 0; end < good.length(); end++) {
            lines.append(good, 0, end).append('\n').append(good).append(',').append('\n');
            lines.append(good, end, good.length()).append("\r\n").append(good).append('\n');
        }
        check(EVERY_TYPE, lines.toString());
    }

    @Test
    void decimalsOfEveryLength() throws Exception {
        for (int scale : new int[] {0, 1, 2, 3, 6, 9, 17, 18}) {
            StringBuilder lines = new StringBuilder();
            for (int before = 0; before <= 19; before++) {
                for (int behind = 0; behind <= 19; behind++) {
                    for (String sign : new String[] {"", "-", "+"}) {
                        lines.append("k;").append(sign).append(digits(before));
                        lines.append(behind > 0 || before % 2 == 0 ? "." : "");
                        lines.append(digits(behind)).append('\n');
                    }
                }
            }
            check(Delimited.of(';').string("k").decimal("d", scale), lines.toString());
            check(
                    Delimited.of(';').string("k").decimal("d", Math.max(1, scale), scale),
                    lines.toString());
        }
    }

    @Test
    void integersOfEveryLength() throws Exception {
        StringBuilder lines = new StringBuilder();
        for (int length = 0; length <= 25; length++) {
            for (String sign : new String[] {"", "-", "+"}) {
                lines.append("k;").append(sign).append(digits(length)).append('\n');
                lines.append("k;").append(sign).append("9".repeat(length)).append('\n');
                lines.append("k;").append(sign).append("0".repeat(length)).append("7\n");
            }
        }
        for (long edge : new long[] {1L << 31, 1L << 32, 1L << 62, Long.MIN_VALUE}) {
            for (long near = edge - 2; near <= edge + 2; near++) {
                lines.append("k;").append(near).append("\nk;").append(-near).append('\n');
            }
        }
        check(Delimited.of(';').string("k").intNumber("n"), lines.toString());
        check(Delimited.of(';').string("k").longNumber("n"), lines.toString());
        check(Delimited.of(';').string("k").epochMillis("n"), lines.toString());
    }

    @Test
    void anyByteAnywhereInANumber() throws Exception {
        for (Delimited format :
                List.of(
                        Delimited.of(';').string("k").decimal("n", 1),
                        Delimited.of(';').string("k").intNumber("n"),
                        Delimited.of(';').string("k").doubleNumber("n"),
                        Delimited.of(';').string("k").epochMillis("n").skipped())) {
            List<byte[]> lines = new ArrayList<>();
            for (String good : List.of("1.5", "-12.3", "12345", "-1", "1700000000000")) {
                for (int at = 0; at <= good.length(); at++) {
                    for (int b = 0; b < 256; b++) {
                        lines.add(ascii("k;" + good.substring(0, at)));
                        lines.add(new byte[] {(byte) b});
                        lines.add(ascii(good.substring(Math.min(good.length(), at + b % 2))));
                        lines.add(ascii(format.fields().size() == 3 ? ";\n" : "\n"));
                    }
                }
            }
            check(plan(format, null), List.of(join(lines.toArray(new byte[0][]))));
        }
    }

    @Test
    void doublesAreRoundedOnce() throws Exception {
        StringBuilder lines = new StringBuilder();
        List<Supplier<String>> kinds =
                List.of(
                        () -> Double.toString(Double.longBitsToDouble(random.nextLong())),
                        () -> Double.toString(random.nextGaussian()),
                        () -> random.nextInt(1000) + "." + digits(1 + random.nextInt(25)),
                        () -> digits(1 + random.nextInt(40)) + "e" + (random.nextInt(700) - 350),
                        () -> (1L << 53) + random.nextInt(100) + ".5",
                        () -> "-0.0");
        for (int i = 0; i < 5000; i++) {
            lines.append('k').append(random.nextInt(10)).append(';');
            lines.append(kinds.get(random.nextInt(kinds.size())).get()).append('\n');
        }
        check(Delimited.of(';').string("k").doubleNumber("f"), lines.toString());
    }

    @Test
    void doublesThatAreNotFinite() throws Exception {
        check(
                Delimited.of(';').string("k").doubleNumber("f"),
                "a;NaN\na;1\nb;Infinity\nb;1\nc;-Infinity\nc;+Infinity\nd;\nd;0\ne;\nf;-NaN\ng;1e999\n");
        check(Delimited.of(';').string("k").doubleNumber("f"), "a;NaN\n");
        check(Delimited.of(';').string("k").doubleNumber("f"), "a;\nb;\n");
    }

    @Test
    void sumsThatOverflowALong() throws Exception {
        StringBuilder lines = new StringBuilder();
        for (int i = 0; i < 20_000; i++) {
            lines.append("max;").append(Long.MAX_VALUE).append("\nmin;").append(Long.MIN_VALUE);
            lines.append("\nany;").append(random.nextLong()).append('\n');
        }
        check(Delimited.of(';').string("k").longNumber("n"), lines.toString());
        check(
                Delimited.of(';').string("k").decimal("n", 0),
                ("a;" + "9".repeat(18) + "\nb;-" + "9".repeat(18) + "\n").repeat(5000));
    }

    @ParameterizedTest
    @EnumSource(Aggregate.class)
    void oneAggregateAlone(Aggregate aggregate) throws Exception {
        Delimited format =
                Delimited.of(';').string("k").decimal("d", 1).doubleNumber("f").longNumber("l");
        StringBuilder lines = new StringBuilder();
        for (int i = 0; i < 500; i++) {
            lines.append('k').append(i % 9).append(';').append(i % 4 == 0 ? "" : i / 10.0);
            lines.append(';').append(i % 5 == 0 ? "" : i / 8.0).append(';').append(i).append('\n');
        }
        check(plan(format, null, aggregate), List.of(utf8(lines.toString())));
    }

    @Test
    void aFieldMayBeAggregatedTwiceOrNot() throws Exception {
        Delimited format = Delimited.of(';').longNumber("a").string("k").intNumber("b");
        ValueSpec least = new ValueSpec("x", ColumnType.INT, List.of(Aggregate.MIN));
        ValueSpec sum = new ValueSpec("y", ColumnType.INT, List.of(Aggregate.SUM));
        LinePlan plan = new LinePlan(format, 1, null, List.of(2, 2), List.of(least, sum));
        check(plan, List.of(utf8("1;k;2\n;k;3\n1;k;\nx;k;4\n4;l;5")));
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 1000, 60_000, 86_400_000})
    void slicesOfTime(long sliceMillis) throws Exception {
        Delimited format = Delimited.of(';').epochMillis("t").string("k").decimal("d", 1);
        for (long offset : new long[] {0, sliceMillis - 1, sliceMillis / 3}) {
            StringBuilder lines = new StringBuilder();
            for (int i = 0; i < 3000; i++) {
                long time = (random.nextInt(400_000) - 200_000) / (i % 2 == 0 ? 1 : 100);
                lines.append(i % 100 == 0 ? "x" : time)
                        .append(";k")
                        .append(random.nextInt(3))
                        .append(";1.5\n");
            }
            check(
                    plan(format, new TimeSlices(0, sliceMillis, offset)),
                    List.of(utf8(lines.toString())));
        }
    }

    @Test
    void timesAtTheirLimits() throws Exception {
        Delimited format = Delimited.of(';').string("k").epochMillis("t").isoTimestamp("iso");
        StringBuilder lines = new StringBuilder();
        for (long limit : new long[] {Long.MIN_VALUE / 2, Long.MAX_VALUE / 2, 0}) {
            for (long near = limit - 2; near <= limit + 2; near++) {
                lines.append("k;").append(near).append(";1969-12-31T23:59:59.999\n");
            }
        }
        lines.append("k;0;0000-01-01T00:00:00+23:59\nk;0;9999-12-31T23:59:59.999-23:59\n");
        List<byte[]> rows = List.of(utf8(lines.toString()));
        check(plan(format, new TimeSlices(1, Long.MAX_VALUE / 4, 5)), rows);
        check(plan(format, new TimeSlices(2, 1000, 5)), rows);
        check(plan(format, new TimeSlices(2, 1000, 5)), List.of(utf8("k;x;x\n")));
    }

    @Test
    void quotedFields() throws Exception {
        Delimited format = Delimited.of(',').quoted().string("k").decimal("d", 1).skipped();
        check(
                format,
                """
                "a,b",1.0,x
                a b,"2.5","x,y"
                "a""b",3,"x""y"
                "a",1,
                a,1,
                "",1,
                ,1,
                a"b,1,x"
                a"",1,x""y
                \"""\",1,x
                "a,1,x
                "a"b,1,x
                a,"1"2,x
                a,1,"x
                a,1,"x"y
                "a\"\",1,x
                """);
        check(
                format.string("last"),
                "\"k\",\"\",\"\",\"\"\r\nk,,,\"l\r\n\"k\",,,l\r\n\"k\"\r,1,,\n");
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 10, 100})
    void anyFormatAndAnyLines(int oddPerMille) throws Exception {
        for (int i = 0; i < FUZZ_FORMATS; i++) {
            long seed = SEED + 31L * i + oddPerMille;
            Random seeded = new Random(seed);
            RandomLines lines = new RandomLines(seeded, oddPerMille);
            Delimited format = lines.format();
            List<byte[]> rows = new ArrayList<>();
            for (int row = seeded.nextInt(5); row >= 0; row--) {
                rows.add(lines.lines(format, seeded.nextInt(60)));
            }
            try {
                check(lines.plan(format), rows);
            } catch (AssertionError | RuntimeException e) {
                throw new AssertionError("-Dlines.seed=" + seed + " -Dlines.formats=1", e);
            }
        }
    }

    String digits(int count) {
        StringBuilder digits = new StringBuilder();
        for (int i = 0; i < count; i++) {
            digits.append((char) ('0' + random.nextInt(10)));
        }
        return digits.toString();
    }
}

package io.flinkgpu.backend;

import io.flinkgpu.api.lines.Delimited;
import io.flinkgpu.backend.plan.LineGroups;
import io.flinkgpu.backend.plan.LinePlan;
import io.flinkgpu.column.ColumnBatch;
import io.flinkgpu.testkit.LineAnswer;
import io.flinkgpu.testkit.LineInput;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What every backend does with lines. Answers are compared with those of a plain map that is filled line
 * by line; lines that a backend leaves to the host are read by that. After each test the backend closes,
 * which fails if it still holds memory.
 *
 * <p>Covers: Lines.
 */
public abstract class LinesContract extends LineFieldsContract {

    @Test
    void batchesWithoutLines() throws Exception {
        check(plan(STATIONS, null), List.of());
        check(plan(STATIONS, null), List.of(new byte[0]));
        check(plan(STATIONS, null), Collections.nCopies(100, new byte[0]));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\n", "\n\n", "\r\n", "\r", "\n\r", ";", ";\n", ";;\n", "a", "a\n", "a;", "a;\n",
                ";1", ";1\n", "a;1;"
            })
    void tinyBatches(String lines) throws Exception {
        check(STATIONS, lines);
        check(STATIONS, lines.repeat(40));
        check(Delimited.of(';').decimal("temp", 1).string("station"), lines);
        check(plan(STATIONS, null), Collections.nCopies(40, ascii(lines)));
    }

    @Test
    void stationsAndTemperatures() throws Exception {
        checkUsual(STATIONS, stations(10_000, i -> "station " + i, 413));
        checkUsual(
                STATIONS,
                "a;-99.9\nb;99.9\nc;0.0\nd;-0.0\ne;-0.1\nf;9.9\ng;-9.9\nSão Tomé;12.3\nab;-12.3\n"
                        + "Abidjan;1.0\nAbéchéé;10.0\nAbéché12;-1.5\nLas Palmas de Gran Canaria;21.2");
    }

    @Test
    void linesMayEndWithCarriageReturnsOrNotAtAll() throws Exception {
        checkUsual(STATIONS, "a;1.5\r\nb;2.5\r\na;-3.5\r\n");
        checkUsual(STATIONS, "a;1.5\nb;2.5\na;-3.5");
        checkUsual(STATIONS, "a;1.5\r\nb;2.5\r\na;-3.5\r");
        Delimited keyLast = Delimited.of(';').decimal("temp", 1).string("station");
        checkUsual(keyLast, "1.5;a\r\n2.5;a\n3.5;a\r\r\n4.5;\r\n5.5;\n6.5;a");
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 7, 8, 9, 15, 16, 17, 23, 24, 25, 31, 32, 33, 100, 1000, 10_000})
    void keysOfEveryLength(int length) throws Exception {
        StringBuilder lines = new StringBuilder();
        String key = "k".repeat(length);
        for (int round = 0; round < 3; round++) {
            lines.append(key).append(";1.0\n");
            lines.append(key).append("k;2.0\n");
            lines.append('K').append(key, 1, length).append(";3.0\n");
            lines.append(key, 0, length - 1).append("K;4.0\n");
            lines.append(key, 0, length / 2)
                    .append('\0')
                    .append(key, length / 2, length)
                    .append(";5.0\n");
            lines.append(key).append("\0;6.0\n");
            lines.append(key, 0, length / 2)
                    .append('é')
                    .append(key, length / 2, length)
                    .append(";7.0\n");
        }
        check(STATIONS, lines.toString());
        check(
                Delimited.of(';').decimal("temp", 1).string("k"),
                lines.toString().replaceAll("(.*);(.*)\n", "$2;$1\n"));
    }

    @Test
    void aKeyAsLongAsTheBatch() throws Exception {
        String key = "long".repeat(250_000);
        check(STATIONS, "a;1.5\n" + key + ";2.5\n" + key + ";3.5\nb;1.5\n");
        check(STATIONS, key);
        check(STATIONS, key + ";1");
        check(STATIONS, "a;1.5\n" + key + "\nb;2.5\n" + key + "\n");
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 413, 5000, 100_000})
    void anyNumberOfKeys(int keys) throws Exception {
        check(
                STATIONS,
                stations(Math.max(20_000, keys), i -> "station-" + Integer.toHexString(i), keys));
        check(
                STATIONS,
                stations(Math.max(20_000, keys), i -> i + " with a name of more bytes", keys));
    }

    @Test
    void keysThatDifferInTheirFirstOrLastByte() throws Exception {
        String middle = "the same middle of all of the keys";
        for (int length : new int[] {0, 5, 6, 7, 14, 15, 22, 34}) {
            String same = middle.substring(0, length);
            checkUsual(STATIONS, stations(5000, i -> (char) (' ' + i) + same, 27));
            checkUsual(STATIONS, stations(5000, i -> same + (char) ('A' + i), 27));
            checkUsual(STATIONS, stations(5000, i -> "k".repeat(i + 1) + same, 27));
        }
    }

    @Test
    void oneHotKey() throws Exception {
        checkUsual(
                STATIONS,
                stations(
                        30_000, i -> i == 0 || random.nextInt(100) > 0 ? "hot" : "cold" + i, 1000));
    }

    @Test
    void keysAreValidUtf8() throws Exception {
        List<byte[]> lines = new ArrayList<>();
        byte[][] bad = {
            {(byte) 0x80},
            {(byte) 0xc3},
            {(byte) 0xc0, (byte) 0x80},
            {(byte) 0xe0, (byte) 0x80, (byte) 0x80},
            {(byte) 0xed, (byte) 0xa0, (byte) 0x80},
            {(byte) 0xf4, (byte) 0x90, (byte) 0x80, (byte) 0x80},
            {(byte) 0xf0, (byte) 0x80, (byte) 0x80, (byte) 0x80},
            {(byte) 0xff},
            {(byte) 0xe2, (byte) 0x82}
        };
        for (int round = 0; round < 3; round++) {
            for (byte[] bytes : bad) {
                for (String before :
                        new String[] {"", "Zürich ", "東京", "a long name: São Tomé, "}) {
                    lines.add(join(utf8(before), bytes, ascii("x;1.5\n")));
                    lines.add(join(utf8(before), bytes, ascii(";1.5\n")));
                    lines.add(join(utf8(before), ascii(";1.5\n")));
                }
            }
        }
        LineAnswer answer =
                check(plan(STATIONS, null), List.of(join(lines.toArray(new byte[0][]))));
        assertThat(answer.malformed()).isEqualTo(3L * bad.length * 8);
    }

    @Test
    void otherStringsAreValidUtf8() throws Exception {
        Delimited format = Delimited.of(';').string("k").string("text").skipped().decimal("n", 1);
        List<byte[]> lines = new ArrayList<>();
        for (int length = 0; length < 20; length++) {
            byte[] text = utf8("é".repeat(10) + "x".repeat(20));
            lines.add(join(ascii("k;"), Arrays.copyOf(text, length), ascii(";x;1\n")));
            lines.add(join(ascii("k;x;"), Arrays.copyOf(text, length), ascii(";1\n")));
        }
        LineAnswer answer = check(plan(format, null), List.of(join(lines.toArray(new byte[0][]))));
        assertThat(answer.malformed()).isEqualTo(10);
    }

    @Test
    void malformedLinesAtEveryPlace() throws Exception {
        String[] bad = {
            "", "x", ";", "x;", "x;1;", ";1;2", "x;1.23", "x;a", "x;-", "x;1 ", "x; 1", "\r",
            "x;1\r\r"
        };
        for (String malformed : bad) {
            String good = "good;1.5\n";
            check(STATIONS, malformed + "\n" + good.repeat(20));
            check(STATIONS, good.repeat(20) + malformed);
            check(STATIONS, good.repeat(20) + malformed + "\n");
            check(STATIONS, (good + malformed + "\n").repeat(20) + good);
            check(STATIONS, (good + (malformed + "\n").repeat(50)).repeat(5) + good);
        }
    }

    @Test
    void onlyMalformedLines() throws Exception {
        LineAnswer answer =
                check(plan(STATIONS, null), List.of(utf8("no separator here\n".repeat(20_000))));
        assertThat(answer.malformed()).isEqualTo(20_000);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 10, 1000})
    void answersDoNotDependOnRowsAndBatches(int linesPerRow) throws Exception {
        String lines =
                stations(2000, i -> "station" + "x".repeat(i % 30) + i, 50)
                                .replaceAll("(.*7.*)\n", "$1\nbad\n")
                        + "last;1.0";
        LinePlan plan = plan(STATIONS, null);
        LineAnswer expected = new LineAnswer(plan).add(new LineInput(plan, List.of(utf8(lines))));
        List<byte[]> rows = rows(utf8(lines), linesPerRow);
        for (int rowsPerBatch : new int[] {1, 7, rows.size()}) {
            List<List<byte[]>> batches = new ArrayList<>();
            for (int from = 0; from < rows.size(); from += rowsPerBatch) {
                batches.add(rows.subList(from, Math.min(rows.size(), from + rowsPerBatch)));
            }
            if (batches.size() <= 700) {
                inBatches(plan, batches)
                        .assertEquals(expected, "rowsPerBatch=" + rowsPerBatch + ", seed=" + SEED);
            }
        }
    }

    @Test
    void rowsMayLackTheirLastNewline() throws Exception {
        List<byte[]> rows = new ArrayList<>();
        for (int i = 0; i < 2000; i++) {
            String row =
                    random.nextInt(5) == 0 ? "" : stations(1 + random.nextInt(3), n -> "s" + n, 9);
            rows.add(
                    utf8(
                            row.isEmpty() || random.nextBoolean()
                                    ? row
                                    : row.substring(0, row.length() - 1)));
        }
        checkUsual(plan(STATIONS, null), rows);
    }

    @Test
    void partsOfABatch() throws Exception {
        LinePlan plan = plan(STATIONS, null);
        List<byte[]> rows = rows(utf8(stations(1000, i -> "station " + i, 40)), 3);
        LineAnswer answer = new LineAnswer(plan);
        try (CompiledProgram<LineGroups> program = backend.compile(plan);
                ColumnBatch all = new LineInput(plan, rows).batch(backend.allocator());
                ColumnBatch right = all.slice(100, rows.size() - 100);
                LineGroups groups = program.submit(right).await()) {
            answer.add(new LineInput(plan, rows.subList(100, rows.size())), groups, "right");
        }
        LineInput right = new LineInput(plan, rows.subList(100, rows.size()));
        answer.assertEquals(new LineAnswer(plan).add(right), "seed=" + SEED);
    }

    @Test
    void severalBatchesAtOnceAndOfVerySizes() throws Exception {
        LinePlan plan = plan(STATIONS, null);
        List<LineInput> inputs = new ArrayList<>();
        List<ColumnBatch> batches = new ArrayList<>();
        List<Submission<LineGroups>> submissions = new ArrayList<>();
        try (CompiledProgram<LineGroups> program = backend.compile(plan)) {
            for (int lines : new int[] {1, 30_000, 3, 0, 5000, 2, 1}) {
                String text = stations(lines, i -> "k" + i, Math.max(1, lines / 2));
                inputs.add(new LineInput(plan, List.of(utf8(text))));
                batches.add(inputs.get(inputs.size() - 1).batch(backend.allocator()));
                submissions.add(program.submit(batches.get(batches.size() - 1)));
            }
            for (int i = 0; i < inputs.size(); i++) {
                try (ColumnBatch batch = batches.get(i);
                        LineGroups groups = submissions.get(i).await()) {
                    assertThat(batch.rows()).isEqualTo(1);
                    LineAnswer answer =
                            new LineAnswer(plan).add(inputs.get(i), groups, "batch " + i);
                    answer.assertEquals(new LineAnswer(plan).add(inputs.get(i)), "batch " + i);
                }
            }
        }
    }
}

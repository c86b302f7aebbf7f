package io.flinkgpu.backend;

import io.flinkgpu.api.Aggregate;
import io.flinkgpu.api.ValueSpec;
import io.flinkgpu.api.lines.Delimited;
import io.flinkgpu.api.lines.Field;
import io.flinkgpu.api.lines.FieldFormat;
import io.flinkgpu.backend.plan.LineGroups;
import io.flinkgpu.backend.plan.LinePlan;
import io.flinkgpu.backend.plan.TimeSlices;
import io.flinkgpu.column.ColumnBatch;
import io.flinkgpu.testkit.LineAnswer;
import io.flinkgpu.testkit.LineInput;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

import static org.assertj.core.api.Assertions.assertThat;

/** Aggregates lines on a backend and compares its answers with the oracle's. */
abstract class LinesTester extends BackendTester {

    static final long SEED = Long.getLong("lines.seed", 20_261_121);
    static final Delimited STATIONS = Delimited.of(';').string("station").decimal("temp", 1);

    final Random random = new Random(SEED);

    /** Compares the answer for a batch of one row. */
    void check(Delimited format, String lines) throws Exception {
        check(plan(format, null), List.of(utf8(lines)));
    }

    /** Compares the answer for a batch; gives it. */
    LineAnswer check(LinePlan plan, List<byte[]> rows) throws Exception {
        String description = "seed=" + SEED + ", plan=" + plan;
        LineInput input = new LineInput(plan, rows);
        LineAnswer actual = new LineAnswer(plan);
        try (CompiledProgram<LineGroups> program = backend.compile(plan)) {
            add(program, input, actual, description);
        }
        actual.assertEquals(new LineAnswer(plan).add(input), description);
        return actual;
    }

    /** Likewise; well-formed lines are none that a backend may leave to the host. */
    void checkUsual(Delimited format, String lines) throws Exception {
        checkUsual(plan(format, null), List.of(utf8(lines)));
    }

    void checkUsual(LinePlan plan, List<byte[]> rows) throws Exception {
        assertThat(check(plan, rows).left()).as("lines left to the host").isZero();
    }

    /** Aggregates lines in batches of several rows, and merges the answers. */
    LineAnswer inBatches(LinePlan plan, List<List<byte[]>> batches) throws Exception {
        LineAnswer answer = new LineAnswer(plan);
        try (CompiledProgram<LineGroups> program = backend.compile(plan)) {
            for (List<byte[]> rows : batches) {
                add(program, new LineInput(plan, rows), answer, "seed=" + SEED);
            }
            addHeld(program, answer, "seed=" + SEED);
        }
        return answer;
    }

    /** Adds what became of a batch; gives how many groups that were. */
    int add(
            CompiledProgram<LineGroups> program,
            LineInput input,
            LineAnswer answer,
            String description)
            throws Exception {
        LineGroups groups;
        try (ColumnBatch batch = input.batch(backend.allocator())) {
            groups = program.submit(batch).await();
        }
        try (groups) {
            answer.add(input, groups, description);
            return groups.groups().groups();
        }
    }

    /** Adds all that a program holds; gives how often it gave some. */
    int addHeld(CompiledProgram<LineGroups> program, LineAnswer answer, String description)
            throws Exception {
        LineInput nothing = new LineInput(answer.plan(), List.of());
        int given = 0;
        while (add(program, nothing, answer, description) > 0) {
            given++;
        }
        return given;
    }

    /** Every aggregate of every number of a format, by its first string. */
    static LinePlan plan(Delimited format, TimeSlices time) {
        return plan(format, time, Aggregate.values());
    }

    static LinePlan plan(Delimited format, TimeSlices time, Aggregate... aggregates) {
        List<Field> fields = format.fields();
        List<Integer> numbers =
                IntStream.range(0, fields.size())
                        .filter(i -> fields.get(i).isNumber())
                        .boxed()
                        .toList();
        List<ValueSpec> values = new ArrayList<>();
        for (int field : numbers) {
            values.add(
                    new ValueSpec(
                            fields.get(field).name(),
                            fields.get(field).valueType(),
                            Arrays.asList(aggregates)));
        }
        int key =
                IntStream.range(0, fields.size())
                        .filter(i -> fields.get(i).format() == FieldFormat.STRING)
                        .findFirst()
                        .orElseThrow();
        return new LinePlan(format, key, time, numbers, values);
    }

    /** Rows cut at lines' ends, of so many lines at most. */
    static List<byte[]> rows(byte[] lines, int maxLines) {
        List<byte[]> rows = new ArrayList<>();
        int from = 0;
        int inRow = 0;
        for (int i = 0; i < lines.length; i++) {
            if (lines[i] == '\n' && ++inRow == maxLines || i == lines.length - 1) {
                rows.add(Arrays.copyOfRange(lines, from, i + 1));
                from = i + 1;
                inRow = 0;
            }
        }
        return rows;
    }

    static byte[] join(byte[]... parts) {
        StringBuilder joined = new StringBuilder();
        for (byte[] part : parts) {
            joined.append(latin1(part));
        }
        return joined.toString().getBytes(StandardCharsets.ISO_8859_1);
    }

    /** Lines of stations and temperatures, each key at least once if there are enough. */
    String stations(int lines, IntFunction<String> name, int keys) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < lines; i++) {
            int tenths = random.nextInt(1999) - 999;
            text.append(name.apply(i < keys ? i : random.nextInt(keys))).append(';');
            text.append(tenths < 0 ? "-" : "").append(Math.abs(tenths) / 10).append('.');
            text.append(Math.abs(tenths) % 10).append('\n');
        }
        return text.toString();
    }
}

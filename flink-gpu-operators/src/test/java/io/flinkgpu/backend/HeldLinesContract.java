package io.flinkgpu.backend;

import io.flinkgpu.api.lines.Delimited;
import io.flinkgpu.backend.plan.LineGroups;
import io.flinkgpu.backend.plan.LinePlan;
import io.flinkgpu.column.ColumnBatch;
import io.flinkgpu.testkit.LineAnswer;
import io.flinkgpu.testkit.LineInput;
import io.flinkgpu.testkit.RandomLines;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.IntFunction;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What every backend does with lines whose groups it may hold from batch to batch: whenever it gives them
 * out, all results together have the groups of all batches, and none is left once a batch without rows
 * gives none.
 *
 * <p>Covers: LinePlan.
 */
abstract class HeldLinesContract extends LinesTester {

    private static final int FUZZ_FORMATS = Integer.getInteger("lines.formats", 100);

    @ParameterizedTest
    @CsvSource({
        "1, 5, 100",
        "413, 5, 3000",
        "5000, 6, 9000",
        "60000, 4, 50000",
        "200000, 3, 100000"
    })
    void anyNumberOfKeysAreHeld(int keys, int batches, int lines) throws Exception {
        checkHeld(plan(STATIONS, null), texts(batches, lines, i -> "station " + i, keys));
    }

    @Test
    void keysOfAllLengths() throws Exception {
        IntFunction<String> name =
                i -> i % 50 == 0 ? "x".repeat(i % 1900) + i : "ab".repeat(i % 20) + i;
        checkHeld(plan(STATIONS, null), texts(5, 8000, name, 6000));
        checkHeld(plan(STATIONS, null), texts(5, 3000, i -> i == 0 ? "" : "\0".repeat(i), 600));
    }

    @Test
    void refusedLinesAreOfTheirBatch() throws Exception {
        List<String> texts = new ArrayList<>();
        for (String text : texts(4, 6000, i -> "k" + i, 2500)) {
            texts.add(text.replaceAll("(k.*77.*)\n", "$1\nbad\n\n"));
        }
        texts.add(2, "bad\n".repeat(3000));
        texts.add("");
        checkHeld(plan(STATIONS, null), texts);
    }

    @Test
    void batchesOfVerySizes() throws Exception {
        List<String> texts = new ArrayList<>();
        for (int lines : new int[] {1, 20_000, 3, 0, 5000, 30_000, 2, 60_000, 1}) {
            texts.add(stations(lines, i -> "k" + i, Math.max(1, lines / 2)));
        }
        checkHeld(plan(STATIONS, null), texts);
    }

    @Test
    void sumsOfDoublesFarApart() throws Exception {
        Delimited format = Delimited.of(';').string("k").doubleNumber("a").doubleNumber("b");
        List<String> texts = new ArrayList<>();
        for (int exponent : new int[] {0, -15, 15, -3, 22, 300, 1}) {
            StringBuilder lines = new StringBuilder();
            for (int i = 0; i < 4000; i++) {
                lines.append("key ").append(random.nextInt(1500)).append(';');
                lines.append(random.nextInt(2000) - 1000).append('e').append(exponent).append(';');
                lines.append(i % 9 == 0 ? "" : "-" + i + "." + random.nextInt(100)).append('\n');
            }
            texts.add(lines.toString());
        }
        checkHeld(plan(format, null), texts);
    }

    @Test
    void nothingIsHeldAtFirstNorAfterAllIsGivenOut() throws Exception {
        LinePlan plan = plan(STATIONS, null).holdingGroups();
        try (CompiledProgram<LineGroups> program = backend.compile(plan)) {
            for (int round = 0; round < 3; round++) {
                LineAnswer actual = new LineAnswer(plan);
                assertThat(addHeld(program, actual, "round " + round)).isZero();
                LineInput input = new LineInput(plan, List.of(utf8(text(5000, 3000))));
                add(program, input, actual, "round " + round);
                addHeld(program, actual, "round " + round);
                actual.assertEquals(new LineAnswer(plan).add(input), "round " + round);
            }
        }
    }

    @Test
    void programsHoldTheirGroupsTogether() throws Exception {
        LinePlan plan = plan(STATIONS, null).heldBy("theirs");
        LineAnswer actual = new LineAnswer(plan);
        LineAnswer expected = new LineAnswer(plan);
        try (CompiledProgram<LineGroups> first = backend.compile(plan);
                CompiledProgram<LineGroups> second = backend.compile(plan);
                CompiledProgram<LineGroups> other = backend.compile(plan.heldBy("its own"))) {
            for (CompiledProgram<LineGroups> program :
                    List.of(first, other, second, first, second)) {
                LineInput input = new LineInput(plan, List.of(utf8(text(5000, 3000))));
                add(program, input, actual, "");
                expected.add(input);
            }
            addHeld(second, actual, "");
            assertThat(addHeld(first, actual, "")).as("given by the second one").isZero();
            addHeld(other, actual, "");
        }
        actual.assertEquals(expected, "seed=" + SEED);
    }

    @Test
    void whatIsHeldAfterABarrierIsNotGivenOutBeforeIt() throws Exception {
        LinePlan plan = plan(STATIONS, null).heldBy("theirs");
        LineAnswer before = new LineAnswer(plan);
        LineAnswer expectedBefore = new LineAnswer(plan);
        LineAnswer after = new LineAnswer(plan);
        LineAnswer expectedAfter = new LineAnswer(plan);
        try (CompiledProgram<LineGroups> early = backend.compile(plan);
                CompiledProgram<LineGroups> late = backend.compile(plan)) {
            addTo(early, before, expectedBefore);
            addTo(late, before, expectedBefore);
            addHeld(early, before, "");
            early.barrierPassed(7);
            addTo(early, after, expectedAfter);
            addTo(late, before, expectedBefore);
            addHeld(late, before, "");
            before.assertEquals(expectedBefore, "seed=" + SEED);
            late.barrierPassed(7);
            addTo(late, after, expectedAfter);
            addHeld(late, after, "");
            addHeld(early, after, "");
        }
        after.assertEquals(expectedAfter, "seed=" + SEED);
    }

    private void addTo(CompiledProgram<LineGroups> program, LineAnswer actual, LineAnswer expected)
            throws Exception {
        LineInput input = new LineInput(actual.plan(), List.of(utf8(text(4000, 3000))));
        add(program, input, actual, "");
        expected.add(input);
    }

    @Test
    void whatIsStillHeldIsGoneWithItsProgram() throws Exception {
        LinePlan plan = plan(STATIONS, null).holdingGroups();
        for (int round = 0; round < 2; round++) {
            LineAnswer actual = new LineAnswer(plan);
            try (CompiledProgram<LineGroups> program = backend.compile(plan)) {
                add(program, new LineInput(plan, List.of(utf8(text(5000, 3000)))), actual, "");
            }
        }
    }

    @Test
    void batchesAreHeldWhileOthersAreUnderWay() throws Exception {
        LinePlan plan = plan(STATIONS, null).holdingGroups();
        List<LineInput> inputs = new ArrayList<>();
        List<ColumnBatch> batches = new ArrayList<>();
        List<Submission<LineGroups>> submissions = new ArrayList<>();
        LineAnswer actual = new LineAnswer(plan);
        LineAnswer expected = new LineAnswer(plan);
        try (CompiledProgram<LineGroups> program = backend.compile(plan)) {
            for (int i = 0; i < 9; i++) {
                boolean isNothing = i % 4 == 3 || i == 8;
                inputs.add(
                        new LineInput(
                                plan, isNothing ? List.of() : List.of(utf8(text(6000, 4000)))));
                batches.add(inputs.get(i).batch(backend.allocator()));
                submissions.add(program.submit(batches.get(i)));
            }
            for (int i = 0; i < inputs.size(); i++) {
                try (ColumnBatch batch = batches.get(i);
                        LineGroups groups = submissions.get(i).await()) {
                    assertThat(batch.rows()).isEqualTo(inputs.get(i).rows().size());
                    actual.add(inputs.get(i), groups, "batch " + i);
                    expected.add(inputs.get(i));
                }
            }
            addHeld(program, actual, "");
        }
        actual.assertEquals(expected, "seed=" + SEED);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 30})
    void groupsOfAnyFormatAreHeld(int oddPerMille) throws Exception {
        for (int i = 0; i < FUZZ_FORMATS; i++) {
            long seed = SEED + 31L * i + oddPerMille;
            Random seeded = new Random(seed);
            RandomLines lines = new RandomLines(seeded, oddPerMille);
            Delimited format = lines.format();
            LinePlan plan = lines.plan(format);
            if (plan.time() != null) {
                continue;
            }
            List<List<byte[]>> batches = new ArrayList<>();
            LineAnswer expected = new LineAnswer(plan);
            for (int batch = seeded.nextInt(6); batch >= 0; batch--) {
                batches.add(List.of(lines.lines(format, seeded.nextInt(400))));
                expected.add(new LineInput(plan, batches.get(batches.size() - 1)));
            }
            String description = "-Dlines.seed=" + seed + " -Dlines.formats=1";
            inBatches(plan.holdingGroups(), batches).assertEquals(expected, description);
        }
    }

    /** Compares what all batches and the request for what is held give with what is expected of all. */
    void checkHeld(LinePlan of, List<String> texts) throws Exception {
        LinePlan plan = of.holdingGroups();
        LineAnswer expected = new LineAnswer(plan);
        List<List<byte[]>> batches = new ArrayList<>();
        for (String text : texts) {
            List<byte[]> rows = rows(utf8(text), 1 + random.nextInt(2000));
            batches.add(rows.isEmpty() ? List.of(new byte[0]) : rows);
            expected.add(new LineInput(plan, batches.get(batches.size() - 1)));
        }
        inBatches(plan, batches).assertEquals(expected, "seed=" + SEED);
    }

    private List<String> texts(int batches, int lines, IntFunction<String> name, int keys) {
        List<String> texts = new ArrayList<>();
        for (int i = 0; i < batches; i++) {
            texts.add(stations(lines, n -> name.apply((n + random.nextInt(keys)) % keys), keys));
        }
        return texts;
    }

    private String text(int lines, int keys) {
        return stations(lines, i -> "key " + i, keys);
    }
}

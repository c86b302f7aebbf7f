package io.flinkgpu.backend.cuda.lines;

import io.flinkgpu.api.Aggregate;
import io.flinkgpu.api.ColumnType;
import io.flinkgpu.api.ValueSpec;
import io.flinkgpu.api.lines.Delimited;
import io.flinkgpu.backend.BackendException;
import io.flinkgpu.backend.CompiledProgram;
import io.flinkgpu.backend.cuda.CudaBackend;
import io.flinkgpu.backend.cuda.CudaSmokeTest;
import io.flinkgpu.backend.cuda.redact.EmulatedBackend;
import io.flinkgpu.backend.plan.LineGroups;
import io.flinkgpu.backend.plan.LinePlan;
import io.flinkgpu.backend.plan.TimeSlices;
import io.flinkgpu.column.ColumnBatch;
import io.flinkgpu.testkit.LineAnswer;
import io.flinkgpu.testkit.LineInput;

import org.apache.arrow.memory.BufferAllocator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Keys of lines whose hashes are the same, all of them or many, cost time and nothing else.
 *
 * <p>Covers: CudaLines.
 */
class LineCollisionTest {

    private static final long SEED = 20_261_121;
    private static final int LINES = 3000;

    private interface Compiler {
        CompiledProgram<LineGroups> compile(LinesArgs args) throws BackendException;
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 0xff, 0xff << 16})
    void emulated(int hashMask) throws Exception {
        try (EmulatedBackend backend = new EmulatedBackend()) {
            check(backend.allocator(), backend::compile, hashMask);
        }
    }

    @Tag("gpu")
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 0xff, 0xff << 16})
    void onTheGpu(int hashMask) throws Exception {
        try (CudaBackend backend = CudaSmokeTest.openOrSkip()) {
            check(
                    backend.allocator(),
                    args -> new CudaLines(backend.device(), backend.memory(), args),
                    hashMask);
        }
    }

    private static void check(BufferAllocator allocator, Compiler compiler, int hashMask)
            throws Exception {
        Random random = new Random(SEED);
        StringBuilder lines = new StringBuilder();
        for (int i = 0; i < LINES; i++) {
            lines.append(random.nextInt(5000)).append(";key ").append(random.nextInt(LINES / 2));
            lines.append(';').append(random.nextInt()).append('\n');
        }
        for (TimeSlices time : new TimeSlices[] {null, new TimeSlices(0, 1000, 0)}) {
            LinePlan plan =
                    new LinePlan(
                            Delimited.of(';').epochMillis("t").string("k").intNumber("n"),
                            1,
                            time,
                            List.of(2),
                            List.of(
                                    new ValueSpec(
                                            "n", ColumnType.INT, List.of(Aggregate.values()))));
            LineInput input =
                    new LineInput(plan, List.of(lines.toString().getBytes(StandardCharsets.UTF_8)));
            LineAnswer actual = new LineAnswer(plan);
            try (CompiledProgram<LineGroups> program =
                            compiler.compile(new LinesArgs(plan, SEED, SEED, hashMask));
                    ColumnBatch batch = input.batch(allocator);
                    LineGroups groups = program.submit(batch).await()) {
                actual.add(input, groups, "seed=" + SEED);
            }
            actual.assertEquals(new LineAnswer(plan).add(input), "seed=" + SEED);
            if (time == null) {
                checkHeld(
                        allocator,
                        compiler,
                        new LinesArgs(plan.holdingGroups(), SEED, SEED, hashMask),
                        input.rows());
            }
        }
    }

    private static void checkHeld(
            BufferAllocator allocator, Compiler compiler, LinesArgs args, List<byte[]> rows)
            throws Exception {
        LineAnswer actual = new LineAnswer(args.plan());
        LineAnswer expected = new LineAnswer(args.plan());
        try (CompiledProgram<LineGroups> program = compiler.compile(args)) {
            boolean isLast = false;
            for (int i = 0; !isLast; i++) {
                List<byte[]> of = i < 2 ? rows : List.of();
                LineInput input = new LineInput(args.plan(), of);
                try (ColumnBatch batch = input.batch(allocator);
                        LineGroups groups = program.submit(batch).await()) {
                    actual.add(input, groups, "seed=" + SEED);
                    expected.add(input);
                    isLast = of.isEmpty() && groups.groups().groups() == 0;
                    assertThat(of.isEmpty() || groups.groups().groups() == 0).isTrue();
                }
            }
        }
        actual.assertEquals(expected, "seed=" + SEED);
    }
}

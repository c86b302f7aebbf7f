package io.flinkgpu.backend.cuda.lines;

import io.flinkgpu.backend.BackendException;
import io.flinkgpu.backend.CompiledProgram;
import io.flinkgpu.backend.cuda.CudaBackend;
import io.flinkgpu.backend.cuda.CudaSmokeTest;
import io.flinkgpu.backend.cuda.redact.EmulatedBackend;
import io.flinkgpu.backend.plan.LineGroups;
import io.flinkgpu.backend.plan.LinePlan;
import io.flinkgpu.column.ColumnBatch;
import io.flinkgpu.oracle.LineAnswer;
import io.flinkgpu.oracle.LineInput;
import io.flinkgpu.oracle.Measurements;

import org.apache.arrow.memory.BufferAllocator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.List;
import java.util.Random;

import static org.assertj.core.api.Assertions.assertThat;

/** When groups that are held on the device are given out: not before they have to be, and then all. */
class HeldLinesTest {

    private static final long SEED = 20_261_123;
    private static final int KIBIBYTE = 1 << 10;
    private static final LinePlan PLAN = CudaLinesTest.PLAN.holdingGroups();

    private interface Compiler {
        CompiledProgram<LineGroups> compile(LinesArgs args, long maxGivenBytes)
                throws BackendException;
    }

    /**
     * @param mostGiven how many of the batches come with groups, the request included, at most
     */
    @ParameterizedTest
    @CsvSource({
        // A result of all groups fits: they are given out on request, and once for a larger table.
        "3000, 8, 64, 10000, 1, 1",
        "12000, 8, 256, 10000, 1, 2",
        // Room for two or three batches.
        "20000, 8, 128, 1200, 3, 9",
        // Not even for one.
        "20000, 4, 256, 100, 4, 4",
        // Groups that come back with the header.
        "10, 3, 64, 10000, 3, 3"
    })
    void emulated(int keys, int batches, int batchKib, int givenKib, int leastGiven, int mostGiven)
            throws Exception {
        try (EmulatedBackend backend = new EmulatedBackend()) {
            Run run = new Run(backend.allocator(), backend::compile, keys, givenKib);
            assertThat(run.given(batches, batchKib)).isBetween(leastGiven, mostGiven);
        }
    }

    @Tag("gpu")
    @ParameterizedTest
    @CsvSource({
        "3000, 20, 64, 10000, 1, 1",
        "12000, 20, 256, 10000, 1, 2",
        "20000, 20, 128, 1200, 3, 21",
        "20000, 4, 256, 100, 4, 4",
        "300, 3, 64, 10000, 3, 3",
        "100000, 12, 2048, 200000, 1, 2"
    })
    void onTheGpu(int keys, int batches, int batchKib, int givenKib, int leastGiven, int mostGiven)
            throws Exception {
        try (CudaBackend backend = CudaSmokeTest.openOrSkip(1L << 30)) {
            Compiler compiler =
                    (args, maxGivenBytes) ->
                            new CudaLines(backend.device(), backend.memory(), args, maxGivenBytes);
            Run run = new Run(backend.allocator(), compiler, keys, givenKib);
            assertThat(run.given(batches, batchKib)).isBetween(leastGiven, mostGiven);
        }
    }

    /**
     * A program and its lines.
     *
     * @param givenKib how large a result of groups that were held may be
     */
    private record Run(BufferAllocator allocator, Compiler compiler, int keys, int givenKib) {

        /** Compares what all batches and the request for what is held give; gives how many had groups. */
        int given(int batches, int batchKib) throws Exception {
            Measurements measurements = new Measurements(keys, new Random(SEED));
            LineAnswer actual = new LineAnswer(PLAN);
            LineAnswer expected = new LineAnswer(PLAN);
            int given = 0;
            LinesArgs args = new LinesArgs(PLAN, SEED, SEED, -1);
            try (CompiledProgram<LineGroups> program =
                    compiler.compile(args, (long) KIBIBYTE * givenKib)) {
                for (int i = 0; i <= batches; i++) {
                    List<byte[]> rows =
                            i == batches
                                    ? List.of()
                                    : List.of(measurements.lines(KIBIBYTE * batchKib));
                    LineInput input = new LineInput(PLAN, rows);
                    try (ColumnBatch batch = input.batch(allocator);
                            LineGroups groups = program.submit(batch).await()) {
                        actual.add(input, groups, "batch " + i + ", seed=" + SEED);
                        expected.add(input);
                        given += groups.groups().groups() == 0 ? 0 : 1;
                    }
                }
            }
            actual.assertEquals(expected, "seed=" + SEED);
            return given;
        }
    }
}

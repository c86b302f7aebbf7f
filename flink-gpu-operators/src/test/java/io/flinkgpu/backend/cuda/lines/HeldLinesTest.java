package io.flinkgpu.backend.cuda.lines;

import io.flinkgpu.backend.BackendException;
import io.flinkgpu.backend.CompiledProgram;
import io.flinkgpu.backend.cuda.CudaBackend;
import io.flinkgpu.backend.cuda.CudaSmokeTest;
import io.flinkgpu.backend.cuda.redact.EmulatedBackend;
import io.flinkgpu.backend.plan.LineGroups;
import io.flinkgpu.backend.plan.LinePlan;
import io.flinkgpu.column.ColumnBatch;
import io.flinkgpu.testkit.LineAnswer;
import io.flinkgpu.testkit.LineInput;
import io.flinkgpu.testkit.Measurements;

import org.apache.arrow.memory.BufferAllocator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.List;
import java.util.Random;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * When groups are held on the device, and in how many pieces all that are held are given out.
 *
 * <p>Covers: CudaLines, LinesSlot.
 */
class HeldLinesTest {

    private static final long SEED = 20_261_123;
    private static final int KIBIBYTE = 1 << 10;
    private static final LinePlan PLAN = CudaLinesTest.PLAN.holdingGroups();

    private interface Compiler {
        CompiledProgram<LineGroups> compile(LinesArgs args) throws BackendException;
    }

    /**
     * @param unheld how many batches come with their groups
     * @param leastPieces how often some of the groups are given out after them, at least
     */
    @ParameterizedTest
    @CsvSource({
        // All groups fit into a table.
        "3000, 8, 64, 10000, 0, 3, 3",
        // A table has room for two or three batches.
        "20000, 8, 128, 2500, 0, 30, 60",
        // Not for one.
        "20000, 4, 256, 100, 4, 0, 0",
        // Groups that come back with the header.
        "6, 3, 64, 10000, 3, 0, 0"
    })
    void emulated(
            int keys,
            int batches,
            int batchKib,
            int heldKib,
            int unheld,
            int leastPieces,
            int mostPieces)
            throws Exception {
        try (EmulatedBackend backend = new EmulatedBackend()) {
            Run run =
                    new Run(
                            backend.allocator(),
                            args -> backend.compile(args, (long) KIBIBYTE * heldKib),
                            keys);
            run.check(batches, batchKib, unheld, leastPieces, mostPieces);
        }
    }

    @Tag("gpu")
    @ParameterizedTest
    @CsvSource({
        "3000, 20, 64, 1000, 0, 3",
        "12000, 20, 256, 12000, 0, 1",
        // A piece for each key; 18 of them are in no line.
        "20000, 20, 128, 1, 0, 19982",
        "300, 3, 64, 1000, 3, 0",
        "100000, 12, 2048, 4096, 0, 25"
    })
    void onTheGpu(int keys, int batches, int batchKib, int pieceGroups, int unheld, int pieces)
            throws Exception {
        try (CudaBackend backend = CudaSmokeTest.openOrSkip(1L << 30)) {
            Compiler compiler =
                    args -> new CudaLines(backend.device(), backend.memory(), args, pieceGroups);
            Run run = new Run(backend.allocator(), compiler, keys);
            run.check(batches, batchKib, unheld, pieces, pieces);
        }
    }

    /** A program and its lines. */
    private record Run(BufferAllocator allocator, Compiler compiler, int keys) {

        /** Compares what all batches and the requests for what is held give. */
        void check(int batches, int batchKib, int unheld, int leastPieces, int mostPieces)
                throws Exception {
            Measurements measurements = new Measurements(keys, new Random(SEED));
            LineAnswer actual = new LineAnswer(PLAN);
            LineAnswer expected = new LineAnswer(PLAN);
            LinesArgs args = new LinesArgs(PLAN, SEED, SEED, -1);
            try (CompiledProgram<LineGroups> program = compiler.compile(args)) {
                int withGroups = 0;
                for (int i = 0; i < batches; i++) {
                    List<byte[]> rows = List.of(measurements.lines(KIBIBYTE * batchKib));
                    LineInput input = new LineInput(PLAN, rows);
                    withGroups += add(program, input, actual) ? 1 : 0;
                    expected.add(input);
                }
                assertThat(withGroups).isEqualTo(unheld);
                int pieces = 0;
                while (add(program, new LineInput(PLAN, List.of()), actual)) {
                    pieces++;
                }
                assertThat(pieces).isBetween(leastPieces, mostPieces);
            }
            actual.assertEquals(expected, "seed=" + SEED);
        }

        private boolean add(CompiledProgram<LineGroups> program, LineInput input, LineAnswer actual)
                throws Exception {
            try (ColumnBatch batch = input.batch(allocator);
                    LineGroups groups = program.submit(batch).await()) {
                actual.add(input, groups, "seed=" + SEED);
                return groups.groups().groups() > 0;
            }
        }
    }
}

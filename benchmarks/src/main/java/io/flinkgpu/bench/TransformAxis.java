package io.flinkgpu.bench;

import io.flinkgpu.api.ColumnType;
import io.flinkgpu.api.expression.Redactions;
import io.flinkgpu.backend.plan.PassPlan;
import io.flinkgpu.backend.plan.TransformedBatch;
import io.flinkgpu.column.ColumnBatch;
import io.flinkgpu.column.TextView;
import io.flinkgpu.column.Vectors;
import io.flinkgpu.program.Pass;
import io.flinkgpu.program.Program;
import io.flinkgpu.program.ProgramCompiler;

import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.util.MemoryUtil;
import org.apache.arrow.vector.FieldVector;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * {@link Redactions#nameByVisibility()} over the number of people in a batch: names of 13 bytes on
 * average, every second one public.
 */
final class TransformAxis {

    static final int[] ROWS = {600_000, 10_000_000};
    private static final String[] FIRST_NAMES = {
        "John", "Mary", "Alexander", "Li", "Zo\u00eb", "Christopher"
    };
    private static final String[] LAST_NAMES = {
        "Doe", "Smith", "Featherstone", "Ng", "Anderson", "Fern\u00e1ndez"
    };

    private TransformAxis() {}

    static void run(Lab lab) throws Exception {
        try (Programs<TransformedBatch> programs = programs()) {
            Trial<TransformedBatch> trial = new Trial<>(lab, "transform", programs);
            for (int rows : lab.settings().quick() ? new int[] {1_000} : ROWS) {
                trial.run(Map.of("rows", (long) rows), 28L * rows, new Work(rows));
            }
        }
    }

    static Programs<TransformedBatch> programs() {
        return new Programs<>(plan());
    }

    private static PassPlan plan() {
        Map<String, ColumnType> columns = new LinkedHashMap<>();
        columns.put("name", ColumnType.TEXT);
        columns.put("visibility", ColumnType.TEXT);
        Program program = ProgramCompiler.compile(columns, List.of(Redactions.nameByVisibility()));
        List<Pass> passes = program.steps().stream().map(Pass.class::cast).toList();
        return new PassPlan(program.types(), passes, program.results());
    }

    /** So many people, the same each time. */
    record Work(int rows) implements io.flinkgpu.bench.Work<TransformedBatch> {

        @Override
        public List<ColumnBatch> batches(BufferAllocator allocator) {
            Random random = new Random(1);
            String[] names = new String[FIRST_NAMES.length * LAST_NAMES.length];
            for (int i = 0; i < names.length; i++) {
                names[i] =
                        FIRST_NAMES[i % FIRST_NAMES.length]
                                + " "
                                + LAST_NAMES[i / FIRST_NAMES.length];
            }
            List<FieldVector> columns =
                    List.of(
                            texts(allocator, "name", rows, random, names),
                            texts(allocator, "visibility", rows, random, "public", "private"));
            return List.of(Vectors.batch(columns, rows, 0));
        }

        @Override
        public void check(ColumnBatch batch, TransformedBatch actual, TransformedBatch expected) {
            TextView a = actual.columns().text(0);
            TextView b = expected.columns().text(0);
            boolean same =
                    Arrays.equals(a.copy(0, a.dataBytes()), b.copy(0, b.dataBytes()))
                            && sameInts(a.offsetsAddress(), b.offsetsAddress(), a.rows() + 1)
                            && actual.columns().vector(0).getNullCount() == 0
                            && expected.columns().vector(0).getNullCount() == 0;
            if (!same) {
                throw new IllegalStateException("the GPU's names are not the CPU's: rows=" + rows);
            }
        }

        @Override
        public long deviceNanos(TransformedBatch result) {
            return result.deviceNanos();
        }

        @Override
        public double amount(ColumnBatch batch) {
            return 1e3 * batch.rows();
        }

        @Override
        public String unit() {
            return "M rows/s";
        }
    }

    private static boolean sameInts(long a, long b, int count) {
        for (int i = 0; i < count; i++) {
            if (MemoryUtil.getInt(a + 4L * i) != MemoryUtil.getInt(b + 4L * i)) {
                return false;
            }
        }
        return true;
    }

    private static FieldVector texts(
            BufferAllocator allocator, String name, int rows, Random random, String... values) {
        byte[][] bytes = new byte[values.length][];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = values[i].getBytes(StandardCharsets.UTF_8);
        }
        int[] chosen = random.ints(rows, 0, values.length).toArray();
        long total = Arrays.stream(chosen).mapToLong(i -> bytes[i].length).sum();
        try (ArrowBuf offsets = allocator.buffer(4 * (rows + 1L));
                ArrowBuf data = allocator.buffer(total)) {
            int end = 0;
            MemoryUtil.putInt(offsets.memoryAddress(), 0);
            for (int row = 0; row < rows; row++) {
                byte[] value = bytes[chosen[row]];
                MemoryUtil.copyToMemory(value, 0, data.memoryAddress() + end, value.length);
                end += value.length;
                MemoryUtil.putInt(offsets.memoryAddress() + 4 * (row + 1L), end);
            }
            offsets.writerIndex(4 * (rows + 1L));
            data.writerIndex(total);
            return Vectors.of(
                    ColumnType.TEXT, name, allocator, rows, 0, Arrays.asList(null, offsets, data));
        }
    }
}

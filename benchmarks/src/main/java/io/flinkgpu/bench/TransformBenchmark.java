package io.flinkgpu.bench;

import io.flinkgpu.api.ColumnType;
import io.flinkgpu.api.expression.Redactions;
import io.flinkgpu.api.expression.TextExpression;
import io.flinkgpu.backend.BackendException;
import io.flinkgpu.backend.CompiledProgram;
import io.flinkgpu.backend.TestRequests;
import io.flinkgpu.backend.cpu.CpuBackend;
import io.flinkgpu.backend.plan.TransformPlan;
import io.flinkgpu.backend.plan.TransformedBatch;
import io.flinkgpu.column.ColumnBatch;
import io.flinkgpu.column.TextView;
import io.flinkgpu.column.Vectors;
import io.flinkgpu.program.ProgramCompiler;

import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VarCharVector;
import org.openjdk.jmh.annotations.AuxCounters;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;
import org.openjdk.jmh.infra.Blackhole;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.CommandLineOptionException;
import org.openjdk.jmh.runner.options.CommandLineOptions;
import org.openjdk.jmh.runner.options.OptionsBuilder;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;

import static io.flinkgpu.api.expression.Expressions.col;
import static io.flinkgpu.api.expression.Expressions.concat;
import static io.flinkgpu.api.expression.Expressions.lit;

/**
 * The CPU backend's expressions against the {@code String} methods that a {@code MapFunction} would call
 * for the same, one core each. The number to read is the counter {@code rows}, in rows a second.
 *
 * <p>{@link #columns} goes from columns to columns, which is what a chunk of lines is; {@link
 * #stringsOfBytes} is a {@code MapFunction} on the same path, which decodes and encodes; {@link #strings}
 * is one whose strings are there already and stay strings.
 */
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Warmup(iterations = 4, time = 2)
@Measurement(iterations = 5, time = 2)
@Fork(
        value = 2,
        jvmArgsAppend = {"--add-opens=java.base/java.nio=ALL-UNNAMED", "-Xmx2g"})
public class TransformBenchmark {

    private static final int ROWS = 1 << 16;

    /** Rows read. */
    @State(Scope.Thread)
    @AuxCounters(AuxCounters.Type.OPERATIONS)
    public static class Counter {
        public long rows;
    }

    /** What is computed, of two columns. */
    public enum Transform {
        /** {@link Redactions#nameByVisibility()}. */
        NAMES("name", "visibility", Redactions.nameByVisibility()) {
            @Override
            String first(Random random) {
                return word(random, 3, 6) + " " + word(random, 4, 9);
            }

            @Override
            String second(Random random) {
                return random.nextInt(3) > 0 ? "public" : "private";
            }

            @Override
            String apply(String name, String visibility) {
                if (!"public".equals(visibility)) {
                    return "X X";
                }
                int space = name.indexOf(' ');
                String behind = space < 0 ? name : name.substring(space + 1);
                int initial = behind.offsetByCodePoints(0, Math.min(1, behind.length()));
                return behind.substring(0, initial)
                        + " "
                        + (space < 0 ? name : name.substring(0, space));
            }
        },
        /** The second field of a line, and the line in upper case. */
        FIELDS(
                "a",
                "unused",
                concat(col("a").splitPart(",", 2).trim(), lit("|"), col("a").upper())) {
            @Override
            String first(Random random) {
                return random.nextInt(1_000_000)
                        + ", "
                        + word(random, 4, 9)
                        + " ,"
                        + word(random, 4, 12);
            }

            @Override
            String second(Random random) {
                return "";
            }

            @Override
            String apply(String line, String unused) {
                return line.split(",")[1].trim() + "|" + line.toUpperCase(Locale.ROOT);
            }
        };

        final String firstName;
        final String secondName;
        final TextExpression expression;

        Transform(String firstName, String secondName, TextExpression expression) {
            this.firstName = firstName;
            this.secondName = secondName;
            this.expression = expression;
        }

        abstract String first(Random random);

        abstract String second(Random random);

        abstract String apply(String first, String second);

        static String word(Random random, int least, int most) {
            StringBuilder word = new StringBuilder();
            for (int left = least + random.nextInt(most - least + 1); left > 0; left--) {
                word.append((char) ((word.isEmpty() ? 'A' : 'a') + random.nextInt(26)));
            }
            return word.toString();
        }
    }

    /** A batch, its rows as strings, and the program. */
    @State(Scope.Thread)
    public static class Rows {
        @Param({"NAMES", "FIELDS"})
        Transform transform;

        final String[] first = new String[ROWS];
        final String[] second = new String[ROWS];
        CpuBackend backend;
        CompiledProgram<TransformedBatch> program;
        ColumnBatch batch;

        @Setup(Level.Trial)
        public void open() throws BackendException {
            Random random = new Random(1);
            for (int i = 0; i < ROWS; i++) {
                first[i] = transform.first(random);
                second[i] = transform.second(random);
            }
            Map<String, ColumnType> columns = new LinkedHashMap<>();
            columns.put(transform.firstName, ColumnType.TEXT);
            columns.put(transform.secondName, ColumnType.TEXT);
            backend = CpuBackend.open(TestRequests.of(1L << 30));
            BufferAllocator allocator = backend.allocator();
            batch =
                    Vectors.batch(
                            List.of(vector(allocator, first), vector(allocator, second)), ROWS, 0);
            program =
                    backend.compile(
                            new TransformPlan(
                                    ProgramCompiler.compile(
                                            columns, List.of(transform.expression))));
            check();
        }

        private static FieldVector vector(BufferAllocator allocator, String[] texts) {
            VarCharVector vector = new VarCharVector("", allocator);
            for (int i = 0; i < texts.length; i++) {
                vector.setSafe(i, texts[i].getBytes(StandardCharsets.UTF_8));
            }
            vector.setValueCount(texts.length);
            return vector;
        }

        private void check() throws BackendException {
            try (TransformedBatch result = program.submit(batch).await()) {
                for (int i = 0; i < ROWS; i++) {
                    String expected = transform.apply(first[i], second[i]);
                    byte[] actual = result.columns().text(0).copyRow(i);
                    if (!expected.equals(new String(actual, StandardCharsets.UTF_8))) {
                        throw new AssertionError("row " + i + " is not " + expected);
                    }
                }
            }
        }

        @TearDown(Level.Trial)
        public void close() {
            batch.close();
            program.close();
            backend.close();
        }
    }

    @Benchmark
    public long columns(Rows state, Counter counter) throws BackendException {
        counter.rows += ROWS;
        try (TransformedBatch result = state.program.submit(state.batch).await()) {
            return result.columns().text(0).dataBytes();
        }
    }

    @Benchmark
    public long stringsOfBytes(Rows state, Counter counter) {
        counter.rows += ROWS;
        TextView first = state.batch.text(0);
        TextView second = state.batch.text(1);
        ByteArrayOutputStream out = new ByteArrayOutputStream(ROWS);
        for (int row = 0; row < ROWS; row++) {
            String result =
                    state.transform.apply(
                            new String(first.copyRow(row), StandardCharsets.UTF_8),
                            new String(second.copyRow(row), StandardCharsets.UTF_8));
            out.writeBytes(result.getBytes(StandardCharsets.UTF_8));
        }
        return out.size();
    }

    @Benchmark
    public void strings(Rows state, Counter counter, Blackhole blackhole) {
        counter.rows += ROWS;
        for (int row = 0; row < ROWS; row++) {
            blackhole.consume(state.transform.apply(state.first[row], state.second[row]));
        }
    }

    /** Takes JMH's options; adds the GC profiler. */
    public static void main(String[] args) throws RunnerException, CommandLineOptionException {
        new Runner(
                        new OptionsBuilder()
                                .parent(new CommandLineOptions(args))
                                .include(TransformBenchmark.class.getName())
                                .addProfiler(GCProfiler.class)
                                .build())
                .run();
    }
}

package io.flinkgpu.bench;

import io.flinkgpu.GpuStreams;
import io.flinkgpu.api.ColumnType;
import io.flinkgpu.api.LineChunk;
import io.flinkgpu.api.expression.TextExpression;
import io.flinkgpu.backend.BackendException;
import io.flinkgpu.backend.CompiledProgram;
import io.flinkgpu.backend.TestRequests;
import io.flinkgpu.backend.cpu.CpuBackend;
import io.flinkgpu.backend.plan.TransformPlan;
import io.flinkgpu.backend.plan.TransformedBatch;
import io.flinkgpu.column.BatchBuilder;
import io.flinkgpu.column.ColumnBatch;
import io.flinkgpu.column.TextView;
import io.flinkgpu.program.ProgramCompiler;

import org.apache.flink.api.common.functions.MapFunction;

import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.CommandLineOptionException;
import org.openjdk.jmh.runner.options.CommandLineOptions;
import org.openjdk.jmh.runner.options.OptionsBuilder;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;

import static io.flinkgpu.api.expression.Expressions.col;
import static io.flinkgpu.api.expression.Expressions.concat;
import static io.flinkgpu.api.expression.Expressions.lit;
import static io.flinkgpu.api.expression.Expressions.when;

/**
 * From a chunk of lines to a chunk of lines on one core: through a column and the CPU backend, as the
 * operator does, and by a {@code MapFunction} that decodes the chunk, calls {@code String} methods for
 * each line, and encodes what they gave. A time is that of one line.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 4, time = 2)
@Measurement(iterations = 5, time = 2)
@Fork(
        value = 2,
        jvmArgsAppend = {"--add-opens=java.base/java.nio=ALL-UNNAMED", "-Xmx2g"})
@State(Scope.Thread)
public class LineTransformBenchmark {

    static final int LINES = 1 << 15;

    /** What becomes of a line. */
    public enum Transform {
        /** A name and a visibility, as in {@link TransformBenchmark.Transform#NAMES}. */
        NAMES(
                TransformBenchmark.Transform.NAMES,
                when(col(GpuStreams.LINE).after(",").equalTo("public"))
                        .then(
                                concat(
                                        col(GpuStreams.LINE).before(",").after(" ").left(1),
                                        lit(" "),
                                        col(GpuStreams.LINE).before(",").before(" ")))
                        .otherwise(lit("X X"))) {
            @Override
            String apply(String line) {
                int comma = line.indexOf(',');
                return columns.apply(line.substring(0, comma), line.substring(comma + 1));
            }

            @Override
            String line(Random random) {
                return columns.first(random) + "," + columns.second(random);
            }
        },
        /** {@link TransformBenchmark.Transform#FIELDS}. */
        FIELDS(
                TransformBenchmark.Transform.FIELDS,
                concat(
                        col(GpuStreams.LINE).splitPart(",", 2).trim(),
                        lit("|"),
                        col(GpuStreams.LINE).upper())) {
            @Override
            String apply(String line) {
                return columns.apply(line, "");
            }

            @Override
            String line(Random random) {
                return columns.first(random);
            }
        };

        final TransformBenchmark.Transform columns;
        final TextExpression expression;

        Transform(TransformBenchmark.Transform columns, TextExpression expression) {
            this.columns = columns;
            this.expression = expression;
        }

        abstract String apply(String line);

        abstract String line(Random random);
    }

    @Param Transform transform;

    private LineChunk chunk;
    private CpuBackend backend;
    private CompiledProgram<TransformedBatch> program;
    private BatchBuilder builder;
    private MapFunction<LineChunk, LineChunk> map;

    @Setup
    public void setUp() throws Exception {
        Random random = new Random(1);
        StringBuilder lines = new StringBuilder();
        for (int i = 0; i < LINES; i++) {
            lines.append(transform.line(random)).append('\n');
        }
        chunk = new LineChunk("lines", 0, lines.toString().getBytes(StandardCharsets.UTF_8));
        backend = CpuBackend.open(TestRequests.of(512L << 20));
        program =
                backend.compile(
                        new TransformPlan(
                                ProgramCompiler.compile(
                                        Map.of(GpuStreams.LINE, ColumnType.TEXT),
                                        List.of(transform.expression))));
        builder = new BatchBuilder(backend.allocator(), LINES, chunk.bytes().length, 1);
        map = this::mapped;
        if (!columns().equals(mapFunction())) {
            throw new AssertionError("the two sides do not give the same lines");
        }
    }

    @TearDown
    public void tearDown() {
        builder.close();
        program.close();
        backend.close();
    }

    @Benchmark
    @OperationsPerInvocation(LINES)
    public LineChunk columns() throws BackendException {
        builder.appendLines(chunk.bytes());
        try (ColumnBatch batch = builder.build();
                TransformedBatch result = program.submit(batch).await()) {
            TextView text = result.columns().text(0);
            return chunk.withBytes(text.copy(0, text.dataBytes()));
        }
    }

    @Benchmark
    @OperationsPerInvocation(LINES)
    public LineChunk mapFunction() throws Exception {
        return map.map(chunk);
    }

    private LineChunk mapped(LineChunk from) {
        String lines = new String(from.bytes(), StandardCharsets.UTF_8);
        StringBuilder out = new StringBuilder(lines.length());
        int start = 0;
        for (int end = lines.indexOf('\n'); end >= 0; end = lines.indexOf('\n', start)) {
            out.append(transform.apply(lines.substring(start, end))).append('\n');
            start = end + 1;
        }
        return from.withBytes(out.toString().getBytes(StandardCharsets.UTF_8));
    }

    /** Takes JMH's options, for example {@code -p transform=NAMES}. */
    public static void main(String[] args) throws RunnerException, CommandLineOptionException {
        new Runner(
                        new OptionsBuilder()
                                .parent(new CommandLineOptions(args))
                                .include(LineTransformBenchmark.class.getSimpleName())
                                .build())
                .run();
    }
}

package io.flinkgpu.bench;

import io.flinkgpu.api.ColumnType;
import io.flinkgpu.api.ErrorValues;
import io.flinkgpu.api.expression.Columns;
import io.flinkgpu.backend.BackendException;
import io.flinkgpu.backend.CompiledProgram;
import io.flinkgpu.backend.RowProgram;
import io.flinkgpu.backend.TestRequests;
import io.flinkgpu.backend.cpu.CpuBackend;
import io.flinkgpu.backend.plan.TransformPlan;
import io.flinkgpu.backend.plan.TransformedBatch;
import io.flinkgpu.column.ColumnBatch;
import io.flinkgpu.column.ResultReader;
import io.flinkgpu.column.RowBatchBuilder;
import io.flinkgpu.column.RowReader;
import io.flinkgpu.column.RowValues;
import io.flinkgpu.program.Program;
import io.flinkgpu.program.ProgramCompiler;

import org.apache.flink.api.common.functions.MapFunction;
import org.apache.flink.types.Row;
import org.apache.flink.types.RowKind;
import org.apache.flink.types.RowUtils;

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
import org.openjdk.jmh.infra.Blackhole;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.CommandLineOptionException;
import org.openjdk.jmh.runner.options.CommandLineOptions;
import org.openjdk.jmh.runner.options.OptionsBuilder;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;

/**
 * From records to rows on one core: by the CPU backend a record at a time, as the operator does ({@link
 * #strings}), or through columns, as it would in batches, and by a {@code MapFunction} of {@code String}
 * methods. Flink's own work, the same on all sides, is left out.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 4, time = 2)
@Measurement(iterations = 5, time = 2)
@Fork(
        value = 2,
        jvmArgsAppend = {"--add-opens=java.base/java.nio=ALL-UNNAMED", "-Xmx2g"})
@State(Scope.Thread)
public class RowTransformBenchmark {

    static final int ROWS = 1 << 16;
    private static final int BATCH_BYTES = 4 << 20;

    /** A record of two texts. */
    public record Texts(String first, String second) {}

    @Param TransformBenchmark.Transform transform;

    private final Texts[] records = new Texts[ROWS];
    private final LinkedHashMap<String, Integer> positions = new LinkedHashMap<>();
    private CpuBackend backend;
    private CompiledProgram<TransformedBatch> program;
    private RowBatchBuilder builder;
    private RowReader<Texts> reader;
    private RowValues values;
    private RowProgram rowProgram;
    private MapFunction<Texts, Row> map;

    @Setup
    public void setUp() throws BackendException {
        Random random = new Random(1);
        for (int i = 0; i < ROWS; i++) {
            // As from a deserializer: no two records share a text.
            records[i] = new Texts(transform.first(random), new String(transform.second(random)));
        }
        Columns<Texts> columns =
                Columns.<Texts>empty()
                        .text(transform.firstName, Texts::first)
                        .text(transform.secondName, Texts::second);
        Program compiled = ProgramCompiler.compile(columns.types(), List.of(transform.expression));
        backend = CpuBackend.open(TestRequests.of(512L << 20));
        program = backend.compile(new TransformPlan(compiled));
        List<String> names = compiled.columns();
        builder =
                new RowBatchBuilder(
                        backend.allocator(), ROWS, BATCH_BYTES, names, compiled.types());
        reader = new RowReader<>(columns, names, ErrorValues.HIDDEN);
        values = new RowValues(names.size());
        positions.put("f0", 0);
        rowProgram = program.rows().orElseThrow();
        map = texts -> Row.of(transform.apply(texts.first(), texts.second()));
    }

    @TearDown
    public void tearDown() {
        builder.close();
        program.close();
        backend.close();
    }

    @Benchmark
    @OperationsPerInvocation(ROWS)
    public void columns(Blackhole out) throws Exception {
        for (Texts texts : records) {
            reader.read(texts, values);
            if (!builder.append(values)) {
                flush(out);
                builder.append(values);
            }
        }
        flush(out);
    }

    private void flush(Blackhole out) throws Exception {
        try (ColumnBatch batch = builder.build();
                TransformedBatch result = program.submit(batch).await()) {
            ResultReader results = new ResultReader(result.columns(), 0, ColumnType.TEXT);
            for (int row = 0; row < batch.rows(); row++) {
                out.consume(Row.of(results.get(row)));
            }
        }
    }

    @Benchmark
    @OperationsPerInvocation(ROWS)
    public void strings(Blackhole out) {
        for (Texts texts : records) {
            Object[] fields = rowProgram.run(reader, texts);
            out.consume(RowUtils.createRowWithNamedPositions(RowKind.INSERT, fields, positions));
        }
    }

    @Benchmark
    @OperationsPerInvocation(ROWS)
    public void mapFunction(Blackhole out) throws Exception {
        for (Texts texts : records) {
            out.consume(map.map(texts));
        }
    }

    /** Takes JMH's options, for example {@code -p transform=NAMES}. */
    public static void main(String[] args) throws RunnerException, CommandLineOptionException {
        new Runner(
                        new OptionsBuilder()
                                .parent(new CommandLineOptions(args))
                                .include(RowTransformBenchmark.class.getSimpleName())
                                .build())
                .run();
    }
}

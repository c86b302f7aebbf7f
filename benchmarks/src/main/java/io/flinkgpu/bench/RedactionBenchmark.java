package io.flinkgpu.bench;

import io.flinkgpu.backend.BackendException;
import io.flinkgpu.backend.CompiledProgram;
import io.flinkgpu.backend.TestRequests;
import io.flinkgpu.backend.cpu.CpuBackend;
import io.flinkgpu.backend.plan.RedactPlan;
import io.flinkgpu.backend.plan.RedactedBatch;
import io.flinkgpu.column.ColumnBatch;
import io.flinkgpu.rules.DefaultRules;
import io.flinkgpu.text.RuleCompiler;

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
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.CommandLineOptionException;
import org.openjdk.jmh.runner.options.CommandLineOptions;
import org.openjdk.jmh.runner.options.OptionsBuilder;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The CPU backend against {@code java.util.regex} on the same lines and the default rules, one core
 * each. The number to read is the counter {@code bytes}, in bytes a second.
 *
 * <p>{@code -p input=FOLDER} measures on the {@code *.log} files of a folder.
 */
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Warmup(iterations = 4, time = 2)
@Measurement(iterations = 5, time = 2)
@Fork(
        value = 2,
        jvmArgsAppend = {"--add-opens=java.base/java.nio=ALL-UNNAMED", "-Xmx2g"})
public class RedactionBenchmark {

    private static final int BATCH_BYTES = 4 << 20;

    private static byte[] lines(String folder) throws IOException {
        return BenchInput.of(Optional.of(folder).filter(f -> !f.isEmpty()).map(Path::of))
                .lines(BATCH_BYTES);
    }

    /** Bytes read. */
    @State(Scope.Thread)
    @AuxCounters(AuxCounters.Type.OPERATIONS)
    public static class Counter {
        public long bytes;
    }

    /** A batch and the backend that redacts it. */
    @State(Scope.Thread)
    public static class Batch {
        @Param("")
        String input;

        CpuBackend backend;
        CompiledProgram<RedactedBatch> redaction;
        ColumnBatch batch;

        @Setup(Level.Trial)
        public void open() throws IOException, BackendException {
            backend = CpuBackend.open(TestRequests.of(1L << 30));
            redaction = backend.compile(new RedactPlan(RuleCompiler.compile(DefaultRules.get())));
            batch = BenchInput.batch(backend.allocator(), lines(input));
        }

        @TearDown(Level.Trial)
        public void close() {
            batch.close();
            redaction.close();
            backend.close();
        }
    }

    /** Rows as strings, and the rules as one alternation. */
    @State(Scope.Thread)
    public static class Rows {
        @Param("")
        String input;

        List<String> rows;
        int bytes;
        Pattern pattern;

        @Setup(Level.Trial)
        public void open() throws IOException {
            byte[] lines = lines(input);
            rows = BenchInput.rows(lines);
            bytes = lines.length;
            pattern =
                    Pattern.compile(
                            DefaultRules.get().rules().stream()
                                    .map(rule -> "(?:" + rule.regex() + ")")
                                    .collect(Collectors.joining("|")));
        }
    }

    @Benchmark
    public long cpuBackend(Batch state, Counter counter) throws BackendException {
        try (RedactedBatch redacted = state.redaction.submit(state.batch).await()) {
            counter.bytes += state.batch.text(0).dataBytes();
            return redacted.text().dataBytes();
        }
    }

    @Benchmark
    public long javaUtilRegex(Rows state, Counter counter) {
        long chars = 0;
        for (String row : state.rows) {
            chars += state.pattern.matcher(row).replaceAll("[REDACTED]").length();
        }
        counter.bytes += state.bytes;
        return chars;
    }

    /** Takes JMH's options; adds the GC profiler. */
    public static void main(String[] args) throws RunnerException, CommandLineOptionException {
        new Runner(
                        new OptionsBuilder()
                                .parent(new CommandLineOptions(args))
                                .include(RedactionBenchmark.class.getName())
                                .addProfiler(GCProfiler.class)
                                .build())
                .run();
    }
}

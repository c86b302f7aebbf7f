package io.flinkgpu.examples;

import io.flinkgpu.GpuStreams;
import io.flinkgpu.api.BackendChoice;
import io.flinkgpu.api.GpuOptions;
import io.flinkgpu.api.HashKey;
import io.flinkgpu.api.LineChunk;
import io.flinkgpu.api.LineRange;
import io.flinkgpu.api.Rule;
import io.flinkgpu.api.RuleException;
import io.flinkgpu.api.RuleSet;
import io.flinkgpu.rules.DefaultRules;
import io.flinkgpu.rules.RuleFiles;
import io.flinkgpu.source.LineFileSinks;
import io.flinkgpu.source.LineFiles;
import io.flinkgpu.text.CompiledRules;
import io.flinkgpu.text.RuleCompiler;

import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.connector.source.Source;
import org.apache.flink.connector.file.sink.FileSink;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.DataStreamSink;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The redaction of some files into a folder, as a Flink job.
 *
 * @param rules what to redact
 * @param gpuOptions how
 */
record RedactionJob(CompiledRules rules, GpuOptions gpuOptions) {

    /**
     * Checks the rules and the key of a command line.
     *
     * @throws UsageException with every error
     */
    static RedactionJob check(Options options) throws UsageException {
        List<String> errors = new ArrayList<>();
        Optional<HashKey> key =
                options.hashKeyFile().map(Path::toAbsolutePath).map(HashKey::fromFile);
        key.flatMap(RedactionJob::keyProblem).ifPresent(errors::add);
        Optional<CompiledRules> rules = rules(options, errors);
        rules.flatMap(compiled -> missingKey(compiled.ruleSet(), key)).ifPresent(errors::add);
        if (!errors.isEmpty()) {
            throw new UsageException(errors);
        }
        GpuOptions gpuOptions = GpuOptions.DEFAULT.withBackend(options.backend());
        return new RedactionJob(
                rules.orElseThrow(), key.map(gpuOptions::withHashKey).orElse(gpuOptions));
    }

    /** The job with another choice of backend. */
    RedactionJob on(BackendChoice backend) {
        return new RedactionJob(rules, gpuOptions.withBackend(backend));
    }

    private static Optional<CompiledRules> rules(Options options, List<String> errors) {
        try {
            RuleSet rules =
                    options.rules().isPresent()
                            ? RuleFiles.read(options.rules().get())
                            : DefaultRules.get();
            return Optional.of(RuleCompiler.compile(rules).requireMatchable());
        } catch (RuleException e) {
            errors.addAll(e.errors());
        } catch (IllegalArgumentException e) {
            errors.add(e.getMessage());
        }
        return Optional.empty();
    }

    private static Optional<String> missingKey(RuleSet rules, Optional<HashKey> key) {
        Stream<Rule> hashRules =
                rules.rules().stream()
                        .filter(rule -> RuleSet.of(rule).needsHashKey() && key.isEmpty());
        return hashRules
                .findFirst()
                .map(
                        rule ->
                                "rule '"
                                        + rule.name()
                                        + "' has a hash action and there is no key: name a file of"
                                        + " at least "
                                        + HashKey.MIN_BYTES
                                        + " random bytes with --hash-key-file");
    }

    private static Optional<String> keyProblem(HashKey key) {
        try {
            key.load();
            return Optional.empty();
        } catch (IllegalArgumentException e) {
            return Optional.of(e.getMessage());
        }
    }

    /**
     * Adds the job to an environment. At parallelism 1 the output is one file in the order of the
     * input. A single file keeps its end; of several each ends with a newline, added where it lacks,
     * so that records of two files do not become one.
     *
     * @param stats where statistics of the redacted lines go, if they are wanted
     */
    void addTo(StreamExecutionEnvironment env, List<Path> input, Path output, Optional<Path> stats)
            throws IOException {
        LineFiles lineFiles =
                LineFiles.of(
                        input.stream()
                                .map(FlinkPaths::of)
                                .toArray(org.apache.flink.core.fs.Path[]::new));
        Source<LineRange, ?, ?> source =
                (input.size() > 1 ? lineFiles.terminateLastLines() : lineFiles).ranges();
        DataStream<LineRange> lines =
                env.fromSource(source, WatermarkStrategy.noWatermarks(), "log files")
                        .uid("log-files");
        FileSink<LineChunk> files = LineFileSinks.onePerSubtask(FlinkPaths.of(output));
        DataStreamSink<LineChunk> sink;
        if (stats.isPresent()) {
            SingleOutputStreamOperator<LineChunk> redacted =
                    GpuStreams.redactLines(lines, rules.ruleSet(), gpuOptions).uid("redaction");
            sink = redacted.sinkTo(files);
            LogStats.addTo(redacted, services(input), gpuOptions, FlinkPaths.of(stats.get()));
        } else {
            sink = GpuStreams.redactLinesTo(lines, rules.ruleSet(), gpuOptions, files);
        }
        sink.name("redacted files").uid("redacted-files");
    }

    /** Lines of the input that show different rules, before and after. */
    List<Preview.Pair> preview(List<Path> files, int maxPairs) throws IOException {
        return new Preview(lineRedactor()).of(files, maxPairs);
    }

    /** The names of files, redacted like their lines, as services of lines that name none. */
    private Map<String, String> services(List<Path> files) {
        LineRedactor redactor = lineRedactor();
        Map<String, String> services = new HashMap<>();
        for (Path file : files) {
            String name = redactor.redact(file.getFileName().toString());
            services.put(FlinkPaths.of(file).toString(), LogService.ofFile(name));
        }
        return services;
    }

    private LineRedactor lineRedactor() {
        return new LineRedactor(rules, gpuOptions.hashKey().map(HashKey::load).orElse(new byte[0]));
    }
}

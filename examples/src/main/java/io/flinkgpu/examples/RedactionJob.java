package io.flinkgpu.examples;

import io.flinkgpu.GpuStreams;
import io.flinkgpu.api.GpuOptions;
import io.flinkgpu.api.HashKey;
import io.flinkgpu.api.LineChunk;
import io.flinkgpu.api.Rule;
import io.flinkgpu.api.RuleException;
import io.flinkgpu.api.RuleSet;
import io.flinkgpu.rules.DefaultRules;
import io.flinkgpu.rules.RuleFiles;
import io.flinkgpu.source.LineChunkFormat;
import io.flinkgpu.source.LineChunks;
import io.flinkgpu.text.CompiledRules;
import io.flinkgpu.text.RuleCompiler;

import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.core.fs.Path;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
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
     * Checks rules, key and output folder of a command line; writes nothing.
     *
     * @throws UsageException with every error
     */
    static RedactionJob check(Options options) throws UsageException {
        List<String> errors = new ArrayList<>();
        options.output().flatMap(RedactionJob::outputProblem).ifPresent(errors::add);
        Optional<HashKey> key = options.hashKeyFile().map(HashKey::fromFile);
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

    private static Optional<CompiledRules> rules(Options options, List<String> errors) {
        try {
            RuleSet rules =
                    options.rules().isPresent()
                            ? RuleFiles.read(options.rules().get())
                            : DefaultRules.get();
            return Optional.of(RuleCompiler.compile(rules));
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

    private static Optional<String> outputProblem(java.nio.file.Path output) {
        if (!Files.exists(output)) {
            return Optional.empty();
        }
        if (!Files.isDirectory(output)) {
            return Optional.of("output '" + output + "' is not a directory: name a new one");
        }
        try (Stream<java.nio.file.Path> entries = Files.list(output)) {
            return entries.findAny().isPresent()
                    ? Optional.of(
                            "output directory '"
                                    + output
                                    + "' is not empty: name a new or empty one")
                    : Optional.empty();
        } catch (IOException e) {
            return Optional.of(
                    "cannot list output directory '" + output + "': make it readable and writable");
        }
    }

    /**
     * Adds the job to an environment. At parallelism 1 the output is one file in the order of the
     * input. A single file keeps its end; of several each ends with a newline, added where it lacks,
     * so that records of two files do not become one.
     */
    void addTo(
            StreamExecutionEnvironment env,
            List<java.nio.file.Path> files,
            java.nio.file.Path output) {
        boolean terminateLastLine = files.size() > 1;
        Path[] paths = files.stream().map(file -> new Path(file.toUri())).toArray(Path[]::new);
        DataStream<LineChunk> lines =
                env.fromSource(
                                LineChunks.source(
                                        new LineChunkFormat(
                                                LineChunks.DEFAULT_CHUNK_BYTES, terminateLastLine),
                                        LineChunks.DEFAULT_SPLIT_BYTES,
                                        paths),
                                WatermarkStrategy.noWatermarks(),
                                "log files")
                        .uid("log-files");
        GpuStreams.redact(lines, rules.ruleSet(), gpuOptions)
                .uid("redaction")
                .sinkTo(LineChunks.sink(new Path(output.toUri())))
                .name("redacted files")
                .uid("redacted-files");
    }

    /** Lines of the input that show different rules, before and after. */
    List<Preview.Pair> preview(List<java.nio.file.Path> files, int maxPairs) throws IOException {
        byte[] key = gpuOptions.hashKey().map(HashKey::load).orElse(new byte[0]);
        return new Preview(rules, key).of(files, maxPairs);
    }
}

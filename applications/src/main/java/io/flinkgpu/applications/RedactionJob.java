package io.flinkgpu.applications;

import io.flinkgpu.GpuStreams;
import io.flinkgpu.RedactedLineSink;
import io.flinkgpu.RedactionOutputs;
import io.flinkgpu.api.BackendChoice;
import io.flinkgpu.api.Finding;
import io.flinkgpu.api.GpuOptions;
import io.flinkgpu.api.HashKey;
import io.flinkgpu.api.LineChunk;
import io.flinkgpu.api.LineRange;
import io.flinkgpu.api.Rule;
import io.flinkgpu.api.RuleSet;
import io.flinkgpu.source.LineFileSinks;
import io.flinkgpu.source.LineFiles;
import io.flinkgpu.text.CompiledRules;
import io.flinkgpu.text.RuleCompiler;

import org.apache.flink.api.common.JobExecutionResult;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.connector.source.Source;
import org.apache.flink.connector.file.sink.FileSink;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.DataStreamSink;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;
import org.apache.flink.util.OutputTag;

import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The redaction of some files into a folder, as a Flink job.
 *
 * @param rules what to redact
 * @param gpuOptions how
 */
record RedactionJob(CompiledRules rules, GpuOptions gpuOptions) {

    private static final OutputTag<Finding> FINDINGS = new OutputTag<>("findings") {};

    /**
     * Checks the rules and the key of a command line.
     *
     * @throws UsageException with every error
     */
    static RedactionJob check(Options options) throws UsageException {
        RuleChoice choice =
                RuleChoice.check(
                        options.rules(),
                        options.groups(),
                        options.forms(),
                        options.hashKeyFile(),
                        options.backend());
        return new RedactionJob(choice.rules(), choice.gpuOptions());
    }

    /** The job with another choice of backend. */
    RedactionJob on(BackendChoice backend) {
        return new RedactionJob(rules, gpuOptions.withBackend(backend));
    }

    /**
     * Adds the job to an environment. At parallelism 1 the output is one file in the order of the
     * input. A single file keeps its end; of several each ends with a newline, added where it lacks,
     * so that records of two files do not become one.
     *
     * @param stats where statistics of the redacted lines go, if they are wanted
     * @param report whether findings are counted for a report
     */
    void addTo(
            StreamExecutionEnvironment env,
            List<Path> input,
            Path output,
            Optional<Path> stats,
            boolean report)
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
        RedactionOutputs outputs =
                report ? RedactionOutputs.none().findings(FINDINGS) : RedactionOutputs.none();
        DataStreamSink<LineChunk> sink;
        if (stats.isPresent()) {
            SingleOutputStreamOperator<LineChunk> redacted =
                    GpuStreams.redactLines(lines, rules.ruleSet(), gpuOptions, outputs)
                            .uid("redaction");
            if (report) {
                count(redacted.getSideOutput(FINDINGS));
            }
            sink = redacted.sinkTo(files);
            LogStats.addTo(redacted, services(input), gpuOptions, FlinkPaths.of(stats.get()));
        } else {
            RedactedLineSink redacted =
                    GpuStreams.redactLinesTo(lines, rules.ruleSet(), gpuOptions, files, outputs);
            if (report) {
                count(redacted.getSideOutput(FINDINGS));
            }
            sink = redacted;
        }
        sink.name("redacted files").uid("redacted-files");
    }

    private static void count(DataStream<Finding> findings) {
        findings.filter(new FindingCounter(Counters.FINDINGS))
                .name("findings")
                .uid("findings")
                .sinkTo(new DiscardingSink<>())
                .name("counted findings")
                .uid("counted-findings");
    }

    /** What the job found, as a report; names of files are redacted like plain lines. */
    FindingReport report(JobExecutionResult result) {
        FindingCounts.Snapshot counts = result.getAccumulatorResult(Counters.FINDINGS);
        LineRedactor redactor = nameRedactor();
        return new FindingReport(
                counts == null ? new FindingCounts.Snapshot() : counts,
                Counters.count(result, Counters.ROWS),
                Counters.count(result, Counters.BYTES),
                redactor::redact);
    }

    /** Lines of the input that show different rules, before and after. */
    List<Preview.Pair> preview(List<Path> files, int maxPairs) throws IOException {
        return new Preview(lineRedactor()).of(files, maxPairs);
    }

    /** The names of files, redacted like plain lines, as services of lines that name none. */
    private Map<String, String> services(List<Path> files) {
        LineRedactor redactor = nameRedactor();
        Map<String, String> services = new HashMap<>();
        for (Path file : files) {
            String name = redactor.redact(file.getFileName().toString());
            services.put(FlinkPaths.of(file).toString(), LogService.ofFile(name));
        }
        return services;
    }

    private LineRedactor lineRedactor() {
        return redactor(rules);
    }

    /** For names, which have no fields: with the rules that are bound to none. */
    private LineRedactor nameRedactor() {
        RuleSet all = rules.ruleSet();
        Set<String> bound =
                all.structure().map(structure -> structure.bound().keySet()).orElse(Set.of());
        List<Rule> others =
                all.rules().stream().filter(rule -> !bound.contains(rule.name())).toList();
        boolean asLines = all.structure().isEmpty() || others.isEmpty();
        return redactor(
                asLines ? rules : RuleCompiler.compile(RuleSet.of(others).withForms(all.forms())));
    }

    private LineRedactor redactor(CompiledRules rules) {
        return new LineRedactor(rules, gpuOptions.hashKey().map(HashKey::load).orElse(new byte[0]));
    }
}

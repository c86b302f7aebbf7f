package io.flinkgpu.operator.lines;

import io.flinkgpu.api.BatchPolicy;
import io.flinkgpu.api.LineChunk;
import io.flinkgpu.api.Lines;
import io.flinkgpu.api.TooLongLine;
import io.flinkgpu.backend.CompiledProgram;
import io.flinkgpu.backend.plan.RedactPlan;
import io.flinkgpu.backend.plan.RedactedBatch;
import io.flinkgpu.files.FileReports;
import io.flinkgpu.operator.BatchContext;
import io.flinkgpu.operator.BatchEngine;
import io.flinkgpu.operator.BatchFunction;
import io.flinkgpu.operator.BatchSpec;
import io.flinkgpu.operator.lines.LineBatchBuilder.Split;
import io.flinkgpu.operator.redact.FindingOutput;
import io.flinkgpu.operator.redact.RedactMetrics;
import io.flinkgpu.text.CompiledRules;

import org.apache.flink.annotation.Internal;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.util.OutputTag;

import java.util.Objects;

/**
 * Redacts lines: ranges of files are read straight into the column, chunks are copied there. Each leaves
 * as one chunk, in the order they came and without a timestamp; one without lines leaves nothing. A
 * watermark, or another mark, waits until all before it has left: sources of files have few.
 *
 * @param lendsLines whether chunks have their lines only until the next operator in the chain returns, or in
 *     arrays of their own
 * @param longLines where the places of lines in ranges go that are too long; null if nowhere
 * @param findings where findings go; null if nowhere
 */
@Internal
public record LineRedactSpec(
        CompiledRules rules,
        boolean lendsLines,
        OutputTag<TooLongLine> longLines,
        FindingOutput.Target findings)
        implements BatchSpec<Lines, LineChunk, RedactedBatch> {

    private static final long serialVersionUID = 1L;

    public LineRedactSpec {
        Objects.requireNonNull(rules, "rules");
    }

    @Override
    public BatchFunction<Lines, RedactedBatch> open(
            BatchEngine<Lines, RedactedBatch> engine, BatchContext<Lines, LineChunk> context)
            throws Exception {
        CompiledProgram<RedactedBatch> program =
                engine.open(
                        context,
                        new RedactPlan(rules, false, findings == null ? 0 : findings.every()));
        BatchPolicy policy = context.options().batchPolicy();
        engine.limitDelay(policy.maxDelay());
        LineBatchBuilder builder =
                new LineBatchBuilder(
                        engine.allocator(),
                        policy.maxRows(),
                        policy.maxBytes(),
                        program.findsLines() ? Split.ROWS_OR_LINES : Split.ROWS,
                        reports(context));
        RedactedLines.Target target =
                new RedactedLines.Target(
                        context.output(),
                        lendsLines,
                        new RedactMetrics(context.metrics(), context.runtime(), rules.ruleSet()),
                        engine.metrics(),
                        FindingOutput.of(findings, context, rules.ruleSet()));
        return new LineRedactor(engine, builder, target);
    }

    private FileReports reports(BatchContext<Lines, LineChunk> context) {
        return longLines == null
                ? FileReports.of(context.metrics())
                : FileReports.of(
                        context.metrics(),
                        line -> context.output().collect(longLines, new StreamRecord<>(line)));
    }
}

package io.flinkgpu.backend.plan;

import io.flinkgpu.api.ColumnType;
import io.flinkgpu.backend.Plan;
import io.flinkgpu.backend.SampleBatch;
import io.flinkgpu.column.ColumnBatch;
import io.flinkgpu.text.CompiledRules;

import org.apache.flink.annotation.Internal;

import org.apache.arrow.memory.BufferAllocator;

import java.util.List;

/**
 * Redaction of a column of texts.
 *
 * @param rules what to redact
 * @param refusesRows whether a row whose result there is no memory for is {@link RedactedBatch#refused}, and does
 *     not fail the task
 * @param auditEvery of every so many rows with findings one has them in {@link RedactedBatch#findings}; 0 if none has
 */
@Internal
public record RedactPlan(CompiledRules rules, boolean refusesRows, int auditEvery)
        implements Plan<RedactedBatch> {

    private static final long serialVersionUID = 1L;

    /** A redaction of all rows. */
    public RedactPlan(CompiledRules rules) {
        this(rules, false, 0);
    }

    /** Whether findings are listed. */
    public boolean audits() {
        return auditEvery > 0;
    }

    @Override
    public RedactedBatch withoutResult(ColumnBatch row, BufferAllocator allocator) {
        return refusesRows && !row.holdsLines()
                ? RedactedBatch.ofRefusedRow(
                        allocator, rules.ruleSet().size(), row.separatorBytes())
                : null;
    }

    @Override
    public String name() {
        return "Redaction";
    }

    @Override
    public List<Size> sizes() {
        return List.of(
                new Size("rules", rules.ruleSet().size()), new Size("states", rules.states()));
    }

    @Override
    public List<ColumnType> input() {
        return List.of(ColumnType.TEXT);
    }

    @Override
    public boolean needsHashKey() {
        return rules.ruleSet().needsHashKey() || audits();
    }

    @Override
    public SampleBatch.Maker sample() {
        return Samples.logLines();
    }

    @Override
    public String defectOf(RedactedBatch result, ColumnBatch batch) {
        if (result.holdsLines() != batch.holdsLines()) {
            // As one row of text the lines would have been redacted by other rules than as lines.
            return "a backend redacts lines as lines, and rows as rows: got lines="
                    + batch.holdsLines()
                    + ", gave lines="
                    + result.holdsLines();
        }
        return Plan.defectOfRows(result.rows(), batch);
    }

    @Override
    public String remedyForOneRow() {
        return "raise memoryLimitBytes, or shorten the rows or the labels";
    }
}

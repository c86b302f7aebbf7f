package io.flinkgpu.operator.redact;

import io.flinkgpu.backend.Backend;
import io.flinkgpu.backend.BackendException;
import io.flinkgpu.backend.CompiledProgram;
import io.flinkgpu.backend.plan.RedactedBatch;
import io.flinkgpu.column.ColumnBatch;
import io.flinkgpu.operator.BackendProgram;
import io.flinkgpu.operator.BatchContext;
import io.flinkgpu.text.CompiledRules;

import java.util.Arrays;

/** Redaction on one backend. */
public final class RedactProgram extends BackendProgram<RedactedBatch> {

    private final CompiledRules rules;
    private final byte[] hashKey;

    public RedactProgram(BatchContext<?, ?> context, CompiledRules rules) {
        super(
                context.backend(),
                context.fallback(),
                context.options().memoryLimitBytes(),
                context.runtime());
        this.rules = rules;
        this.hashKey = context.hashKey(rules.ruleSet().needsHashKey());
    }

    @Override
    protected CompiledProgram<RedactedBatch> compile(Backend on) throws BackendException {
        return on.compile(rules, hashKey);
    }

    @Override
    protected String defectOf(RedactedBatch result, ColumnBatch batch) {
        if (result.holdsLines() != batch.holdsLines()) {
            // As one row of text the lines would have been redacted by other rules than as lines.
            return "a backend redacts lines as lines, and rows as rows: got lines="
                    + batch.holdsLines()
                    + ", gave lines="
                    + result.holdsLines();
        }
        return defectOfRows(result.rows(), batch);
    }

    @Override
    protected String remedyForOneRow() {
        return "raise memoryLimitBytes, or shorten the rows or the labels";
    }

    @Override
    public void close() {
        try {
            super.close();
        } finally {
            Arrays.fill(hashKey, (byte) 0);
        }
    }
}

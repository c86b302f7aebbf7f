package io.flinkgpu.program;

import io.flinkgpu.api.ColumnType;

import org.apache.flink.annotation.Internal;

import java.io.Serializable;
import java.util.List;

/**
 * Expressions, compiled: steps over a batch that starts with the columns read, in the order of {@code
 * columns}, and the columns that are the results. An expression that needs no step but a pass, the most
 * common kind, is computed in one pass over the inputs; text that an operation cannot read as one slice
 * (the result of a replacement, of a redaction, or of several pieces) becomes a column in between.
 *
 * @param columns the names of the columns read
 * @param types their types
 * @param results the number of each result among all columns
 * @param resultTypes their types
 */
@Internal
public record Program(
        List<String> columns,
        List<ColumnType> types,
        List<Step> steps,
        List<Integer> results,
        List<ColumnType> resultTypes)
        implements Serializable {

    private static final long serialVersionUID = 1L;

    public Program {
        columns = List.copyOf(columns);
        types = List.copyOf(types);
        steps = List.copyOf(steps);
        results = List.copyOf(results);
        resultTypes = List.copyOf(resultTypes);
    }

    /** Whether a step needs a key for hashes. */
    public boolean needsHashKey() {
        return steps.stream()
                .anyMatch(
                        step ->
                                step instanceof HashStep
                                        || step instanceof RedactStep redact
                                                && redact.rules().ruleSet().needsHashKey());
    }

    /** The steps as text, one instruction a line, for a person to read. */
    public String explain() {
        return Disassembly.of(this);
    }
}

package io.flinkgpu.program;

import io.flinkgpu.api.expression.Expression;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Puts columns that are to be computed into steps, as few as their dependencies and limits allow. */
final class StepPlanner {

    private final Map<Column, Expression> expressions;
    private final Map<Column, Integer> numbers = new HashMap<>();
    private final List<Step> steps = new ArrayList<>();

    /**
     * @param inputs the columns that a batch starts with, in order
     * @param expressions the columns to compute, sources first, each with an expression that needs it
     */
    StepPlanner(Collection<? extends Column> inputs, Map<Column, Expression> expressions) {
        this.expressions = expressions;
        inputs.forEach(this::number);
    }

    List<Step> steps() {
        int stages = 0;
        for (Column column : expressions.keySet()) {
            stages = Math.max(stages, column.stage());
        }
        for (int stage = 0; stage <= stages; stage++) {
            List<Column> written = new ArrayList<>();
            for (Column column : expressions.keySet()) {
                if (isCopy(column) && column.stage() == stage) {
                    copy(column);
                } else if (!isCopy(column) && column.stage() == stage + 1) {
                    written.add(column);
                }
            }
            passes(written);
        }
        return steps;
    }

    /** The number of a column of the steps. */
    int numberOf(Column column) {
        return numbers.get(column);
    }

    private void number(Column column) {
        numbers.put(column, numbers.size());
    }

    private static boolean isCopy(Column column) {
        return column instanceof Column.Redacted || column instanceof Column.Hashed;
    }

    private void copy(Column column) {
        if (column instanceof Column.Redacted redacted) {
            steps.add(new RedactStep(numberOf(redacted.source()), redacted.rules()));
        } else if (column instanceof Column.Hashed hashed) {
            steps.add(new HashStep(numberOf(hashed.source())));
        }
        number(column);
    }

    /** Passes that do not need each other; one if all columns fit. */
    private void passes(List<Column> columns) {
        int from = 0;
        while (from < columns.size()) {
            Pass pass = null;
            int to = from;
            try {
                while (to < columns.size()) {
                    pass = PassWriter.write(columns.subList(from, to + 1), numbers);
                    to++;
                }
            } catch (PassFullException e) {
                if (pass == null) {
                    throw Limits.exceeded(expressions.get(columns.get(from)), e.getMessage());
                }
            }
            steps.add(pass);
            columns.subList(from, to).forEach(this::number);
            from = to;
        }
    }
}

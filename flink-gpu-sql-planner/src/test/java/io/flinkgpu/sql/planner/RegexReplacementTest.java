package io.flinkgpu.sql.planner;

import io.flinkgpu.program.RedactStep;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/** Nested calls of REGEXP_REPLACE are one rule set where their order cannot matter, else one after another. */
class RegexReplacementTest {

    private final Plans plans = new Plans().source("r", "");

    @ParameterizedTest
    @CsvSource({
        "'[0-9]+', '#', '[a-z]+@[a-z]+', 'X', 1",
        "'[0-9]+', '#', '\\s+', '_', 1",
        "'\\b[0-9]+\\b', '#', '[a-z]+@', 'X', 1",
        // One of the other's characters.
        "'[0-9]+', '#', '[a-z0-9]+@', 'X', 2",
        // The label of the first is a match of the second.
        "'[0-9]+', 'n', '[a-z]+@', 'X', 2",
        // It looks at what the first one changes.
        "'[0-9]+', '#', '\\b[a-z]+', 'X', 2",
        "'[0-9]+', '#', '^[a-z]+', 'X', 2",
        "'[0-9]+', '#', '.', 'X', 2",
    })
    void oneRuleSetOrTwo(String first, String label, String second, String other, int steps) {
        String query =
                "SELECT REGEXP_REPLACE(REGEXP_REPLACE(s, '%s', '%s'), '%s', '%s') FROM r"
                        .formatted(first, label, second, other);
        GpuCalc calc = (GpuCalc) plans.node(query);
        assertThat(calc.plan().program().steps())
                .hasSize(steps)
                .allMatch(step -> step instanceof RedactStep);
    }
}

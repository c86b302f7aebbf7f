package io.flinkgpu.program;

import io.flinkgpu.text.CompiledRules;

import org.apache.flink.annotation.Internal;

/**
 * Appends a redacted copy of a text column; a null row stays null.
 *
 * @param column its number among the columns there are
 */
@Internal
public record RedactStep(int column, CompiledRules rules) implements Step {

    private static final long serialVersionUID = 1L;
}

package io.flinkgpu.program;

import io.flinkgpu.api.expression.Expression;

/** The errors of expressions that are too large. */
final class Limits {

    private Limits() {}

    static IllegalArgumentException exceeded(Expression expression, String problem) {
        return new IllegalArgumentException(
                "an expression is too large, "
                        + problem
                        + ": compute parts of it in a transform before: expression="
                        + expression.shown());
    }
}

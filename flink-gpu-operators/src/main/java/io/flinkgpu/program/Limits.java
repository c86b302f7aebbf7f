package io.flinkgpu.program;

import io.flinkgpu.api.expression.Expression;

/** The errors of expressions that are too large. */
final class Limits {

    private static final int MAX_SHOWN = 400;

    private Limits() {}

    static IllegalArgumentException exceeded(Expression expression, String problem) {
        return new IllegalArgumentException(
                "an expression is too large, "
                        + problem
                        + ": compute parts of it in a transform before: expression="
                        + shown(expression));
    }

    /** An expression in an error message; a long one is cut. */
    static String shown(Expression expression) {
        String text = expression.toString();
        return text.length() <= MAX_SHOWN ? text : text.substring(0, MAX_SHOWN) + "...";
    }
}

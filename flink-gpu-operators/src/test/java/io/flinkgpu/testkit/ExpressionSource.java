package io.flinkgpu.testkit;

import io.flinkgpu.api.ColumnType;
import io.flinkgpu.api.RuleSet;
import io.flinkgpu.api.expression.Expression;

import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** An expression as the Java source that makes it, to be pasted into a test. */
final class ExpressionSource {

    private ExpressionSource() {}

    static String of(Expression node) {
        List<String> operands = node.operands().stream().map(ExpressionSource::of).toList();
        return switch (node.operation()) {
            case COLUMN -> column(node) + "(" + argument(node.arguments().get(0)) + ")";
            case LITERAL -> "lit(" + literal(node.arguments().get(0)) + ")";
            case CONCAT, COALESCE -> method(node) + "(" + String.join(", ", operands) + ")";
            case WHEN ->
                    "when(%s).then(%s).otherwise(%s)".formatted(operands.toArray(new Object[0]));
            case EQUAL -> operands.get(0) + ".equalTo(" + operands.get(1) + ")";
            case LESS -> operands.get(0) + ".lessThan(" + operands.get(1) + ")";
            default ->
                    operands.get(0)
                            + "."
                            + method(node)
                            + "("
                            + (operands.size() > 1 ? operands.get(1) : "")
                            + node.arguments().stream()
                                    .map(ExpressionSource::argument)
                                    .collect(Collectors.joining(", "))
                            + ")";
        };
    }

    private static String column(Expression node) {
        return switch (((ColumnType) node.arguments().get(1)).kind()) {
            case TEXT -> "col";
            case LONG -> "longCol";
            case DOUBLE -> "doubleCol";
            case BOOLEAN -> "booleanCol";
            case BYTES, INT, FLOAT, DECIMAL, TIMESTAMP, LIST, VECTOR ->
                    throw new AssertionError(node);
        };
    }

    /** As in {@code SPLIT_PART}, {@code splitPart}. */
    private static String method(Expression node) {
        String[] words = node.operation().name().toLowerCase(Locale.ROOT).split("_");
        StringBuilder name = new StringBuilder(words[0]);
        for (int i = 1; i < words.length; i++) {
            name.append(words[i].substring(0, 1).toUpperCase(Locale.ROOT));
            name.append(words[i].substring(1));
        }
        return name.toString();
    }

    private static String literal(Object value) {
        if (value == null) {
            return "(String) null";
        }
        return value instanceof Long ? value + "L" : argument(value);
    }

    private static String argument(Object value) {
        if (value instanceof RuleSet rules) {
            return "RuleSet.of(" + rules.rules() + ")";
        }
        return value instanceof String text ? Fuzz.javaLiteral(text) : String.valueOf(value);
    }

    /** A value of a row. */
    static String ofValue(Object value) {
        return value instanceof byte[] bytes
                ? Fuzz.javaLiteral(SurrogateText.decode(bytes))
                : literal(value);
    }
}

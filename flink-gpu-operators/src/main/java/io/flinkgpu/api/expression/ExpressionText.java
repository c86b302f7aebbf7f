package io.flinkgpu.api.expression;

import java.io.Serializable;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/** Writes expressions like SQL, in one line, up to a length, and then stops. */
final class ExpressionText {

    private static final Pattern PLAIN_NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");

    /** What is written in parentheses as an operand. */
    private static final Set<Operation> OPERATORS =
            Set.of(
                    Operation.EQUAL,
                    Operation.LESS,
                    Operation.AND,
                    Operation.OR,
                    Operation.NOT,
                    Operation.IS_NULL);

    private final StringBuilder out = new StringBuilder();
    private final int maxChars;

    private ExpressionText(int maxChars) {
        this.maxChars = maxChars;
    }

    /** @param maxChars of the text; one that is cut ends with dots */
    static String of(Expression expression, int maxChars) {
        ExpressionText text = new ExpressionText(maxChars);
        text.write(expression);
        expression.name().ifPresent(name -> text.out.append(" AS ").append(quotedName(name)));
        return text.isFull() ? text.out.substring(0, maxChars) + "..." : text.out.toString();
    }

    private boolean isFull() {
        return out.length() > maxChars;
    }

    private void write(Expression e) {
        if (isFull()) {
            return;
        }
        switch (e.operation()) {
            case COLUMN -> out.append(quotedName((String) e.arguments().get(0)));
            case LITERAL -> constant(e.arguments().get(0));
            case EQUAL -> infix(e, " = ");
            case LESS -> infix(e, " < ");
            case AND -> infix(e, " AND ");
            case OR -> infix(e, " OR ");
            case NOT -> {
                out.append("NOT ");
                operand(e.operands().get(0));
            }
            case IS_NULL -> {
                operand(e.operands().get(0));
                out.append(" IS NULL");
            }
            case WHEN -> {
                out.append("CASE WHEN ");
                write(e.operands().get(0));
                out.append(" THEN ");
                write(e.operands().get(1));
                out.append(" ELSE ");
                write(e.operands().get(2));
                out.append(" END");
            }
            case STARTS_WITH -> call("STARTSWITH", e);
            case ENDS_WITH -> call("ENDSWITH", e);
            case LENGTH -> call("CHAR_LENGTH", e);
            case CONCAT, SUBSTRING, LEFT, RIGHT, BEFORE, AFTER, SPLIT_PART, TRIM, UPPER, LOWER ->
                    call(e.operation().name(), e);
            case REPLACE, CONTAINS, IS_EMPTY, COALESCE, MATCHES, REDACT, HASH_HMAC ->
                    call(e.operation().name(), e);
        }
    }

    private void call(String function, Expression e) {
        out.append(function).append('(');
        String separator = "";
        for (Expression operand : e.operands()) {
            out.append(separator);
            write(operand);
            separator = ", ";
        }
        for (Serializable argument : shownArguments(e)) {
            out.append(separator);
            constant(argument);
            separator = ", ";
        }
        out.append(')');
    }

    /** All, but for the length of a substring that goes to the end. */
    private static List<Serializable> shownArguments(Expression e) {
        boolean toTheEnd =
                e.operation() == Operation.SUBSTRING
                        && e.arguments().get(1).equals(Integer.MAX_VALUE);
        return toTheEnd ? e.arguments().subList(0, 1) : e.arguments();
    }

    private void infix(Expression e, String operator) {
        Expression left = e.operands().get(0);
        boolean goesOn =
                left.operation() == e.operation()
                        && (e.operation() == Operation.AND || e.operation() == Operation.OR);
        if (goesOn) {
            write(left);
        } else {
            operand(left);
        }
        out.append(operator);
        operand(e.operands().get(1));
    }

    private void operand(Expression e) {
        boolean isAtom = !OPERATORS.contains(e.operation());
        out.append(isAtom ? "" : "(");
        write(e);
        out.append(isAtom ? "" : ")");
    }

    private void constant(Serializable value) {
        if (value instanceof String text) {
            quote(text);
        } else if (value instanceof Boolean condition) {
            out.append(condition ? "TRUE" : "FALSE");
        } else {
            out.append(value == null ? "NULL" : value.toString());
        }
    }

    /** A text in quotes; what would not be seen, or would end the line, is escaped. */
    private void quote(String text) {
        out.append('\'');
        for (int i = 0; i < text.length() && !isFull(); i++) {
            char c = text.charAt(i);
            if (c == '\'') {
                out.append("''");
            } else if (Character.isISOControl(c)) {
                out.append("\\u%04x".formatted((int) c));
            } else {
                out.append(c);
            }
        }
        out.append('\'');
    }

    private static String quotedName(String name) {
        return PLAIN_NAME.matcher(name).matches() ? name : "`" + name.replace("`", "``") + "`";
    }
}

package io.flinkgpu.api.expression;

import java.io.Serializable;
import java.util.List;
import java.util.regex.Pattern;

/** Writes expressions like SQL, in one line, up to a length, and then stops. */
final class ExpressionText {

    private static final Pattern PLAIN_NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");

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
        String word = e.operation().word();
        switch (e.operation().form()) {
            case COLUMN -> out.append(quotedName((String) e.arguments().get(0)));
            case LITERAL -> constant(e.arguments().get(0));
            case INFIX -> infix(e, " " + word + " ");
            case PREFIX -> {
                out.append(word).append(' ');
                operand(e.operands().get(0));
            }
            case POSTFIX -> {
                operand(e.operands().get(0));
                out.append(' ').append(word);
            }
            case CASE -> {
                out.append("CASE WHEN ");
                write(e.operands().get(0));
                out.append(" THEN ");
                write(e.operands().get(1));
                out.append(" ELSE ");
                write(e.operands().get(2));
                out.append(" END");
            }
            case CALL -> call(word, e);
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
        boolean isAtom = !e.operation().form().isOperator();
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

package io.flinkgpu.program;

import io.flinkgpu.api.expression.ColumnType;
import io.flinkgpu.api.expression.Expressions;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Writes what a pass does as text. */
final class PassText {

    private final Pass pass;
    private final List<String> columns;

    /** @param columns the names of the columns that it can read */
    PassText(Pass pass, List<String> columns) {
        this.pass = pass;
        this.columns = columns;
    }

    String of(Instruction i) {
        OpCode code = i.code();
        return to(i) + " = " + code.name().toLowerCase(Locale.ROOT) + operands(i);
    }

    String of(PassOutput output) {
        if (output.register() >= 0) {
            return (output.type() == ColumnType.BOOLEAN ? "c" : "n") + output.register();
        }
        List<String> parts = new ArrayList<>();
        for (TextPart part : output.parts()) {
            String guard = (part.whenTrue() ? " if c" : " if not c") + part.guard();
            parts.add(changed(part) + (part.guard() < 0 ? "" : guard));
        }
        return parts.isEmpty() ? "''" : String.join(", ", parts);
    }

    private String changed(TextPart part) {
        String text = text(part.text());
        return switch (part.change()) {
            case NONE -> text;
            case UPPER -> "upper(" + text + ")";
            case LOWER -> "lower(" + text + ")";
            case REPLACE ->
                    "replace("
                            + String.join(", ", text, literal(part.what()), literal(part.with()))
                            + ")";
        };
    }

    private static String to(Instruction i) {
        String bank =
                switch (Node.bank(i.code())) {
                    case TEXT -> "t";
                    case NUMBER -> "n";
                    case CONDITION -> "c";
                };
        if (i.code() == OpCode.SPLIT) {
            return (i.to() < 0 ? "-" : bank + i.to())
                    + ", "
                    + (i.toSecond() < 0 ? "-" : bank + i.toSecond());
        }
        return bank + i.to();
    }

    private String operands(Instruction i) {
        String texts =
                (i.a() == null ? "" : " " + text(i.a())) + (i.b() == null ? "" : " " + text(i.b()));
        return switch (i.code()) {
            case SUBSTRING -> texts + " " + i.number() + " " + i.count();
            case LEFT, RIGHT, SPLIT_PART -> texts + " " + i.count();
            case SELECT_TEXT -> " c" + i.condition() + texts;
            case MATCHES -> texts + " " + quoted(pass.automata().get(i.count()).regex());
            case LOAD_NUMBER, LOAD_CONDITION -> " " + columns.get(i.count());
            case LITERAL_NUMBER -> " " + number(i.number());
            case LITERAL_CONDITION -> List.of(" false", " true", " null").get((int) i.number());
            case SELECT_NUMBER -> " c" + i.condition() + " n" + i.x() + " n" + i.y();
            case SELECT_CONDITION -> " c" + i.condition() + " c" + i.x() + " c" + i.y();
            case COALESCE_NUMBER, EQUAL_LONG, LESS_LONG, EQUAL_DOUBLE, LESS_DOUBLE ->
                    " n" + i.x() + " n" + i.y();
            case IS_NULL_NUMBER -> " n" + i.x();
            case AND, OR, COALESCE_CONDITION -> " c" + i.x() + " c" + i.y();
            case NOT, IS_TRUE, IS_NULL_CONDITION -> " c" + i.x();
            default -> texts;
        };
    }

    /** The bits of a number are not marked as those of an integer or of a double. */
    private static String number(long bits) {
        return Math.abs(bits) < 1L << 52
                ? Long.toString(bits)
                : bits + " (" + Double.longBitsToDouble(bits) + " as a double)";
    }

    private String text(Operand operand) {
        return switch (operand.kind()) {
            case REGISTER -> "t" + operand.index();
            case COLUMN -> columns.get(operand.index());
            case LITERAL -> literal(operand.index());
        };
    }

    private String literal(int index) {
        return quoted(new String(pass.literals().get(index), StandardCharsets.UTF_8));
    }

    private static String quoted(String text) {
        return Expressions.lit(text).toString();
    }
}

package io.flinkgpu.program;

import io.flinkgpu.api.ColumnType;
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
        StringBuilder text = new StringBuilder(to(i)).append(" = ");
        text.append(i.code().name().toLowerCase(Locale.ROOT));
        i.code().fields().forEach(field -> text.append(' ').append(operand(i, field)));
        return text.toString();
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
        if (i.code() == OpCode.SPLIT) {
            return (i.to() < 0 ? "-" : "t" + i.to())
                    + ", "
                    + (i.toSecond() < 0 ? "-" : "t" + i.toSecond());
        }
        return switch (i.code().bank()) {
            case TEXT -> "t" + i.to();
            case NUMBER -> "n" + i.to();
            case CONDITION -> "c" + i.to();
        };
    }

    private String operand(Instruction i, OpCode.Field field) {
        return switch (field) {
            case TEXT_A -> text(i.a());
            case TEXT_B, SEPARATOR -> text(i.b());
            case NUMBER_X -> "n" + i.x();
            case NUMBER_Y -> "n" + i.y();
            case CONDITION_X -> "c" + i.x();
            case CONDITION_Y -> "c" + i.y();
            case SELECTOR -> "c" + i.condition();
            case COUNT -> Integer.toString(i.count());
            case COLUMN -> columns.get(i.count());
            case AUTOMATON -> quoted(pass.automata().get(i.count()).regex());
            case POSITION -> Long.toString(i.number());
            case WORD -> number(i.number());
            case TRUTH -> List.of("false", "true", "null").get((int) i.number());
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

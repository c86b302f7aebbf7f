package io.flinkgpu.testkit;

import io.flinkgpu.program.Instruction;
import io.flinkgpu.program.Operand;
import io.flinkgpu.program.Pass;
import io.flinkgpu.program.PassOutput;
import io.flinkgpu.program.TextPart;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** One row in a pass. */
final class PlainRow {
    private final Pass pass;
    private final List<Object> columns;
    private final Registers<String> texts;
    private final Registers<Long> numbers;
    private final Registers<Boolean> conditions;

    PlainRow(Pass pass, List<Object> columns) {
        this.pass = pass;
        this.columns = columns;
        texts = new Registers<>(pass.textRegisters());
        numbers = new Registers<>(pass.numberRegisters());
        conditions = new Registers<>(pass.conditionRegisters());
    }

    List<Object> outputs() {
        pass.instructions().forEach(this::follow);
        List<Object> outputs = new ArrayList<>();
        for (PassOutput output : pass.outputs()) {
            outputs.add(
                    switch (output.type().kind()) {
                        case TEXT -> join(output.parts());
                        case BOOLEAN -> conditions.get(output.register());
                        case LONG -> numbers.get(output.register());
                        case BYTES, INT, FLOAT, DECIMAL, TIMESTAMP, LIST, VECTOR ->
                                throw output.type().refusedBy("an output");
                        case DOUBLE -> {
                            Long bits = numbers.get(output.register());
                            yield bits == null ? null : Double.longBitsToDouble(bits);
                        }
                    });
        }
        return outputs;
    }

    private String join(List<TextPart> parts) {
        StringBuilder joined = new StringBuilder();
        boolean isNull = false;
        for (TextPart part : parts) {
            boolean written = true;
            if (part.guard() >= 0) {
                Boolean guard = conditions.get(part.guard());
                PlainProgram.require(guard != null, "a guard is null");
                written = guard == part.whenTrue();
            }
            if (written) {
                String text = text(part.text());
                isNull |= text == null;
                joined.append(text == null ? "" : changed(part, text));
            }
        }
        return isNull ? null : SurrogateText.normalize(joined.toString());
    }

    private String changed(TextPart part, String text) {
        return switch (part.change()) {
            case NONE -> text;
            case UPPER -> Strings.mapped(text, Character::toUpperCase);
            case LOWER -> Strings.mapped(text, Character::toLowerCase);
            case REPLACE -> text.replace(literal(part.what()), literal(part.with()));
        };
    }

    private String text(Operand operand) {
        return switch (operand.kind()) {
            case REGISTER -> texts.get(operand.index());
            case COLUMN -> (String) columns.get(operand.index());
            case LITERAL -> literal(operand.index());
        };
    }

    private String literal(int index) {
        return SurrogateText.decode(pass.literals().get(index));
    }

    private void follow(Instruction i) {
        switch (i.code()) {
            case SUBSTRING, LEFT, RIGHT, SPLIT_PART, TRIM, NULL_TEXT -> texts.set(i.to(), slice(i));
            case SELECT_TEXT -> texts.set(i.to(), text(isTrue(i.condition()) ? i.a() : i.b()));
            case COALESCE_TEXT -> {
                String first = text(i.a());
                texts.set(i.to(), first == null ? text(i.b()) : first);
            }
            case SPLIT -> split(i);
            case LENGTH, LOAD_NUMBER, LITERAL_NUMBER, NULL_NUMBER, SELECT_NUMBER ->
                    numbers.set(i.to(), number(i));
            case COALESCE_NUMBER -> {
                Long first = numbers.get(i.x());
                numbers.set(i.to(), first == null ? numbers.get(i.y()) : first);
            }
            case EQUAL_TEXT, CONTAINS, STARTS_WITH, ENDS_WITH, IS_EMPTY, MATCHES ->
                    conditions.set(i.to(), ofText(i));
            case IS_NULL_TEXT -> conditions.set(i.to(), text(i.a()) == null);
            case EQUAL_LONG, LESS_LONG, EQUAL_DOUBLE, LESS_DOUBLE ->
                    conditions.set(i.to(), ofNumbers(i));
            case IS_NULL_NUMBER -> conditions.set(i.to(), numbers.get(i.x()) == null);
            default -> conditions.set(i.to(), ofConditions(i));
        }
    }

    private String slice(Instruction i) {
        String text = i.a() == null ? null : text(i.a());
        if (text == null) {
            return null;
        }
        return switch (i.code()) {
            case SUBSTRING -> Strings.between(text, i.number() - 1, i.count());
            case LEFT -> Strings.between(text, 0, i.count());
            case RIGHT -> Strings.right(text, i.count());
            case TRIM -> Strings.trimmed(text);
            default -> {
                String separator = text(i.b());
                int number = Math.toIntExact(i.number() == 0 ? i.count() : i.number());
                yield separator == null ? null : Strings.part(text, separator, number);
            }
        };
    }

    private void split(Instruction i) {
        String text = text(i.a());
        String separator = text(i.b());
        boolean isNull = text == null || separator == null;
        if (i.to() >= 0) {
            texts.set(i.to(), isNull ? null : Strings.before(text, separator));
        }
        if (i.toSecond() >= 0) {
            texts.set(i.toSecond(), isNull ? null : Strings.after(text, separator));
        }
    }

    private Long number(Instruction i) {
        return switch (i.code()) {
            case LENGTH -> {
                String text = text(i.a());
                yield text == null ? null : (Long) (long) Strings.codePoints(text);
            }
            case LOAD_NUMBER -> {
                Object number = columns.get(i.count());
                yield number instanceof Double d
                        ? (Long) Double.doubleToRawLongBits(d)
                        : (Long) number;
            }
            case LITERAL_NUMBER -> i.number();
            case SELECT_NUMBER -> numbers.get(isTrue(i.condition()) ? i.x() : i.y());
            default -> null;
        };
    }

    private Boolean ofText(Instruction i) {
        String text = text(i.a());
        String other = i.b() == null ? "" : text(i.b());
        if (text == null || other == null) {
            return null;
        }
        return switch (i.code()) {
            case EQUAL_TEXT -> text.equals(other);
            case CONTAINS -> Strings.bytes(text).contains(Strings.bytes(other));
            case STARTS_WITH -> Strings.bytes(text).startsWith(Strings.bytes(other));
            case ENDS_WITH -> Strings.bytes(text).endsWith(Strings.bytes(other));
            case IS_EMPTY -> text.isEmpty();
            default ->
                    PlainProgram.matches(
                            pass.automata().get(i.count()), SurrogateText.encode(text));
        };
    }

    private Boolean ofNumbers(Instruction i) {
        Long x = numbers.get(i.x());
        Long y = numbers.get(i.y());
        if (x == null || y == null) {
            return null;
        }
        double left = Double.longBitsToDouble(x);
        double right = Double.longBitsToDouble(y);
        return switch (i.code()) {
            case EQUAL_LONG -> x.equals(y);
            case LESS_LONG -> x < y;
            case EQUAL_DOUBLE -> left == right;
            default -> left < right;
        };
    }

    private Boolean ofConditions(Instruction i) {
        return switch (i.code()) {
            case LOAD_CONDITION -> (Boolean) columns.get(i.count());
            case LITERAL_CONDITION -> i.number() == 2 ? null : (Boolean) (i.number() == 1);
            case AND -> any(i, false);
            case OR -> any(i, true);
            case NOT -> {
                Boolean x = conditions.get(i.x());
                yield x == null ? null : (Boolean) !x;
            }
            case IS_TRUE -> isTrue(i.x());
            case IS_NULL_CONDITION -> conditions.get(i.x()) == null;
            case SELECT_CONDITION -> conditions.get(isTrue(i.condition()) ? i.x() : i.y());
            case COALESCE_CONDITION -> {
                Boolean x = conditions.get(i.x());
                yield x == null ? conditions.get(i.y()) : x;
            }
            default -> throw new AssertionError("unknown: " + i.code());
        };
    }

    private Boolean any(Instruction i, boolean wanted) {
        Boolean x = conditions.get(i.x());
        Boolean y = conditions.get(i.y());
        if (Objects.equals(x, wanted) || Objects.equals(y, wanted)) {
            return wanted;
        }
        return x == null || y == null ? null : (Boolean) !wanted;
    }

    private boolean isTrue(int register) {
        return Boolean.TRUE.equals(conditions.get(register));
    }

    /** Written once each, before they are read. */
    private static final class Registers<T> {
        private final List<T> values = new ArrayList<>();
        private final boolean[] written;

        Registers(int count) {
            written = new boolean[count];
            for (int i = 0; i < count; i++) {
                values.add(null);
            }
        }

        T get(int register) {
            PlainProgram.require(written[register], "a register is read that was not written");
            return values.get(register);
        }

        void set(int register, T value) {
            PlainProgram.require(!written[register], "a register is written twice");
            written[register] = true;
            values.set(register, value);
        }
    }
}

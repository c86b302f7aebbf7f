package io.flinkgpu.program;

import io.flinkgpu.api.ColumnType;
import io.flinkgpu.api.RuleException;
import io.flinkgpu.api.RuleSet;
import io.flinkgpu.api.expression.Expression;
import io.flinkgpu.program.TextPart.Change;
import io.flinkgpu.text.CompiledRules;
import io.flinkgpu.text.RuleCompiler;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/** From expressions to texts. What an operation can only read in one place becomes a column. */
final class TextLowering {

    private final Graph graph;
    private final Texts texts;
    private final ComputedColumns columns;
    private final ValueLowering values;
    private final Map<Expression, Text> known = new HashMap<>();
    private final Map<RuleSet, CompiledRules> rules = new HashMap<>();

    TextLowering(Graph graph, ComputedColumns columns) {
        this.graph = graph;
        this.texts = new Texts(graph);
        this.columns = columns;
        this.values = new ValueLowering(graph, this);
    }

    /** The column that holds an expression of any type. */
    Column column(Expression expression) {
        if (expression.type() == ColumnType.TEXT) {
            return column(text(expression), expression);
        }
        Node value = values.value(expression);
        return value.constant() instanceof Column loaded
                ? loaded
                : columns.add(new Column.WrittenValue(expression.type(), value), expression);
    }

    private Column column(Text text, Expression expression) {
        return text.isPlain() && ((Text.Slice) text).node().constant() instanceof Column there
                ? there
                : columns.add(new Column.WrittenText(new Pieces(graph).of(text)), expression);
    }

    /** What an instruction can read. */
    Node slice(Expression expression) {
        Text text = text(expression);
        return text.isPlain() ? ((Text.Slice) text).node() : inColumn(text, expression);
    }

    /** What an instruction can read in place of a text, if case does not matter to it. */
    Node sliceOfAnyCase(Expression expression) {
        return text(expression) instanceof Text.Slice slice && Texts.isCase(slice.change())
                ? slice.node()
                : slice(expression);
    }

    /** Whether a text is null; never null. */
    Node isNull(Expression expression) {
        return texts.isNull(text(expression));
    }

    private Node inColumn(Text text, Expression expression) {
        return graph.textColumn(column(text, expression));
    }

    private Text text(Expression expression) {
        Text text = known.get(expression);
        if (text == null) {
            text = newText(expression);
            if (text.slices() > Pass.MAX_PARTS) {
                throw Limits.exceeded(
                        expression, "its text has more pieces than maxPieces=" + Pass.MAX_PARTS);
            }
            known.put(expression, text);
        }
        return text;
    }

    private Text newText(Expression e) {
        return switch (e.operation()) {
            case COLUMN -> Text.Slice.of(graph.textColumn(Column.Input.of(e)));
            case LITERAL -> Text.Slice.of(graph.text(string(e, 0)));
            case CONCAT -> texts.join(e.operands().stream().map(this::text).toList());
            case SUBSTRING ->
                    slice(e, true, a -> slice(OpCode.SUBSTRING, integer(e, 1), integer(e, 0), a));
            case LEFT -> slice(e, true, a -> slice(OpCode.LEFT, integer(e, 0), 0, a));
            case RIGHT -> slice(e, true, a -> slice(OpCode.RIGHT, integer(e, 0), 0, a));
            case TRIM -> slice(e, true, a -> slice(OpCode.TRIM, 0, 0, a));
            case BEFORE ->
                    slice(e, false, a -> slice(OpCode.SPLIT, 0, Graph.BEFORE, a, separator(e)));
            case AFTER ->
                    slice(e, false, a -> slice(OpCode.SPLIT, 0, Graph.BEHIND, a, separator(e)));
            case SPLIT_PART ->
                    slice(
                            e,
                            false,
                            a -> slice(OpCode.SPLIT_PART, integer(e, 1), 0, a, separator(e)));
            case UPPER -> change(e, Change.UPPER, null, null);
            case LOWER -> change(e, Change.LOWER, null, null);
            case REPLACE -> change(e, Change.REPLACE, string(e, 0), string(e, 1));
            case WHEN ->
                    texts.choose(
                            values.value(e.operands().get(0)),
                            text(e.operands().get(1)),
                            text(e.operands().get(2)));
            case COALESCE -> coalesce(e);
            case REDACT -> copy(e, source -> new Column.Redacted(source, rules(e)));
            case HASH_HMAC -> copy(e, Column.Hashed::new);
            case LENGTH, IS_EMPTY, IS_NULL, MATCHES, CONTAINS, STARTS_WITH, ENDS_WITH ->
                    throw noText(e);
            case EQUAL, LESS, AND, OR, NOT -> throw noText(e);
        };
    }

    private static IllegalArgumentException noText(Expression e) {
        return new IllegalArgumentException("no text: expression=" + e);
    }

    private Node slice(OpCode code, int count, long number, Node... operands) {
        return graph.strict(code, count, number, null, operands);
    }

    private Text slice(Expression e, boolean maps, UnaryOperator<Node> instruction) {
        Expression operand = e.operands().get(0);
        Text text = text(operand);
        Optional<Text> slice = texts.slice(text, maps, instruction);
        return slice.orElseGet(() -> Text.Slice.of(instruction.apply(inColumn(text, operand))));
    }

    private Text change(Expression e, Change change, String what, String with) {
        Expression operand = e.operands().get(0);
        Text text = text(operand);
        Optional<Text> changed = texts.change(text, change, what, with);
        return changed.orElseGet(() -> new Text.Slice(inColumn(text, operand), change, what, with));
    }

    private Text coalesce(Expression e) {
        List<Text> all = new ArrayList<>(e.operands().stream().map(this::text).toList());
        Text last = all.remove(all.size() - 1);
        while (!all.isEmpty()) {
            last = texts.coalesce(all.remove(all.size() - 1), last);
        }
        return last;
    }

    /** A copy that is made of a whole column at a time. */
    private Text copy(Expression e, Function<Column, Column> copy) {
        Expression operand = e.operands().get(0);
        Text text = text(operand);
        if (text instanceof Text.Slice slice && slice.node().isNull()) {
            return text;
        }
        Column copied = columns.add(copy.apply(column(text, operand)), e);
        return Text.Slice.of(graph.textColumn(copied));
    }

    private CompiledRules rules(Expression e) {
        try {
            return rules.computeIfAbsent((RuleSet) e.arguments().get(0), RuleCompiler::compile);
        } catch (RuleException error) {
            throw new RuleException(
                    error.errors().stream()
                            .map(line -> line + ": expression=" + e.shown())
                            .toList());
        }
    }

    private Node separator(Expression e) {
        return graph.text(string(e, 0));
    }

    private static String string(Expression e, int argument) {
        return (String) e.arguments().get(argument);
    }

    private static int integer(Expression e, int argument) {
        return (Integer) e.arguments().get(argument);
    }
}

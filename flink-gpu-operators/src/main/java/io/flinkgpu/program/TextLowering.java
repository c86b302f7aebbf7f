package io.flinkgpu.program;

import io.flinkgpu.api.ColumnType;
import io.flinkgpu.api.RuleException;
import io.flinkgpu.api.RuleSet;
import io.flinkgpu.api.expression.Expression;
import io.flinkgpu.api.expression.Operation;
import io.flinkgpu.program.TextPart.Change;
import io.flinkgpu.text.CompiledRules;
import io.flinkgpu.text.RuleCompiler;
import io.flinkgpu.text.WholeMatcher;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Iterator;
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
    private final Map<String, WholeMatcher> matchers = new HashMap<>();
    private final Map<Operation, Function<Expression, Text>> composed = composed();

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
        Optional<OpCode> code = OpCode.of(e.operation());
        if (code.isPresent()) {
            OpCode instruction = code.get();
            return slice(e, instruction.ignoresCase(), a -> strict(instruction, e, a));
        }
        Function<Expression, Text> made = composed.get(e.operation());
        if (made == null) {
            throw new IllegalArgumentException("no text: expression=" + e);
        }
        return made.apply(e);
    }

    /** How texts are made by operations that are no instruction. */
    private Map<Operation, Function<Expression, Text>> composed() {
        Map<Operation, Function<Expression, Text>> made = new EnumMap<>(Operation.class);
        made.put(Operation.COLUMN, e -> Text.Slice.of(graph.textColumn(Column.Input.of(e))));
        made.put(Operation.LITERAL, e -> Text.Slice.of(graph.text(string(e, 0))));
        made.put(Operation.CONCAT, e -> texts.join(e.operands().stream().map(this::text).toList()));
        made.put(Operation.BEFORE, e -> slice(e, false, a -> split(e, Graph.BEFORE, a)));
        made.put(Operation.AFTER, e -> slice(e, false, a -> split(e, Graph.BEHIND, a)));
        made.put(Operation.UPPER, e -> change(e, Change.UPPER, null, null));
        made.put(Operation.LOWER, e -> change(e, Change.LOWER, null, null));
        made.put(Operation.REPLACE, e -> change(e, Change.REPLACE, string(e, 0), string(e, 1)));
        made.put(
                Operation.WHEN,
                e ->
                        texts.choose(
                                values.value(e.operands().get(0)),
                                text(e.operands().get(1)),
                                text(e.operands().get(2))));
        made.put(Operation.COALESCE, this::coalesce);
        made.put(Operation.REDACT, e -> copy(e, from -> new Column.Redacted(from, rules(e))));
        made.put(Operation.HASH_HMAC, e -> copy(e, Column.Hashed::new));
        return made;
    }

    private Node split(Expression e, long result, Node text) {
        return graph.strict(OpCode.SPLIT, 0, result, null, text, graph.text(string(e, 0)));
    }

    /** The instruction that an operation is, of its arguments and these texts. */
    Node strict(OpCode code, Expression e, Node... operands) {
        List<Node> read = new ArrayList<>(List.of(operands));
        Iterator<Serializable> arguments = e.arguments().iterator();
        int count = 0;
        long number = 0;
        Object constant = null;
        for (OpCode.Field field : code.fields()) {
            switch (field) {
                case SEPARATOR -> read.add(graph.text((String) arguments.next()));
                case COUNT -> count = (Integer) arguments.next();
                case POSITION -> number = (Integer) arguments.next();
                case AUTOMATON -> constant = matcher((String) arguments.next(), e);
                case TEXT_A, TEXT_B -> {}
                case NUMBER_X, NUMBER_Y, CONDITION_X, CONDITION_Y, SELECTOR, COLUMN, WORD, TRUTH ->
                        throw new IllegalArgumentException("no field of an operation: " + field);
            }
        }
        return graph.strict(code, count, number, constant, read.toArray(Node[]::new));
    }

    private WholeMatcher matcher(String regex, Expression e) {
        try {
            return matchers.computeIfAbsent(regex, WholeMatcher::compile);
        } catch (IllegalArgumentException error) {
            throw new IllegalArgumentException(
                    error.getMessage() + ": expression=" + e.shown(), error);
        }
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

    private static String string(Expression e, int argument) {
        return (String) e.arguments().get(argument);
    }
}

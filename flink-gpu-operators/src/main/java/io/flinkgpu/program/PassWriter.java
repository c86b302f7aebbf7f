package io.flinkgpu.program;

import io.flinkgpu.api.ColumnType;
import io.flinkgpu.program.OpCode.Bank;
import io.flinkgpu.program.OpCode.Field;
import io.flinkgpu.text.WholeMatcher;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

import static java.nio.charset.StandardCharsets.UTF_8;

/** Writes the pass that computes some columns. */
final class PassWriter {

    private final Map<Column, Integer> numbers;
    private final Set<Node> needed = new HashSet<>();
    private final Map<List<Node>, Node[]> splits = new HashMap<>();
    private final Map<Node, Integer> registers = new HashMap<>();
    private final int[] used = new int[Bank.values().length];
    private final List<Instruction> instructions = new ArrayList<>();
    private final Pool<String> literals = new Pool<>();
    private final Pool<WholeMatcher> automata = new Pool<>();

    private PassWriter(Map<Column, Integer> numbers) {
        this.numbers = numbers;
    }

    /**
     * Writes a pass.
     *
     * @param columns written ones, in this order
     * @param numbers of the columns there are before
     */
    static Pass write(List<Column> columns, Map<Column, Integer> numbers) throws PassFullException {
        PassWriter writer = new PassWriter(numbers);
        columns.forEach(writer::need);
        List<PassOutput> outputs = new ArrayList<>();
        for (Column column : columns) {
            outputs.add(writer.output(column));
        }
        return writer.pass(outputs);
    }

    private Pass pass(List<PassOutput> outputs) throws PassFullException {
        int texts = used[Bank.TEXT.ordinal()];
        int values = used[Bank.NUMBER.ordinal()];
        int conditions = used[Bank.CONDITION.ordinal()];
        int parts = outputs.stream().mapToInt(output -> output.parts().size()).sum();
        limit("instructions", instructions.size(), Pass.MAX_INSTRUCTIONS);
        limit("textRegisters", texts, Pass.MAX_TEXT_REGISTERS);
        limit("numberRegisters", values, Pass.MAX_NUMBER_REGISTERS);
        limit("conditionRegisters", conditions, Pass.MAX_CONDITION_REGISTERS);
        limit("literals", literals.values().size(), Pass.MAX_LITERALS);
        limit("outputs", outputs.size(), Pass.MAX_OUTPUTS);
        limit("parts", parts, Pass.MAX_PARTS);
        List<byte[]> utf8 = literals.values().stream().map(text -> text.getBytes(UTF_8)).toList();
        return new Pass(instructions, utf8, automata.values(), texts, values, conditions, outputs);
    }

    private static void limit(String limit, int value, int max) throws PassFullException {
        if (value > max) {
            throw new PassFullException(limit, max);
        }
    }

    private void need(Column column) {
        if (column instanceof Column.WrittenValue written) {
            need(written.value());
        } else if (column instanceof Column.WrittenText written) {
            for (Piece piece : written.pieces()) {
                need(piece.slice().node());
                if (piece.guard() != null) {
                    need(piece.guard());
                }
            }
        }
    }

    private void need(Node node) {
        if (!needed.add(node)) {
            return;
        }
        node.operands().forEach(this::need);
        if (node.code() == OpCode.SPLIT) {
            splits.computeIfAbsent(node.operands(), operands -> new Node[2])[(int) node.number()] =
                    node;
        }
    }

    private PassOutput output(Column column) {
        if (column instanceof Column.WrittenValue written) {
            return new PassOutput(column.type(), List.of(), register(written.value()));
        }
        List<TextPart> parts = new ArrayList<>();
        for (Piece piece : ((Column.WrittenText) column).pieces()) {
            Text.Slice slice = piece.slice();
            boolean replaces = slice.change() == TextPart.Change.REPLACE;
            parts.add(
                    new TextPart(
                            piece.guard() == null ? -1 : register(piece.guard()),
                            piece.whenTrue(),
                            text(slice.node()),
                            slice.change(),
                            replaces ? literals.index(slice.what()) : -1,
                            replaces ? literals.index(slice.with()) : -1));
        }
        return new PassOutput(ColumnType.TEXT, parts, -1);
    }

    private Operand text(Node node) {
        if (node.isTextLiteral()) {
            return new Operand(Operand.Kind.LITERAL, literals.index((String) node.constant()));
        }
        return node.isTextColumn()
                ? new Operand(Operand.Kind.COLUMN, numbers.get(node.constant()))
                : new Operand(Operand.Kind.REGISTER, register(node));
    }

    private int register(Node node) {
        Integer known = registers.get(node);
        if (known != null) {
            return known;
        }
        if (node.code() == OpCode.SPLIT) {
            split(node);
        } else {
            instructions.add(instruction(node));
        }
        return registers.get(node);
    }

    private int newRegister(Node node) {
        int register = used[node.bank().ordinal()]++;
        registers.put(node, register);
        return register;
    }

    /** Both results of a split, where both are needed, come from one instruction. */
    private void split(Node node) {
        Operand a = text(node.operand(0));
        Operand b = text(node.operand(1));
        Node[] results = splits.get(node.operands());
        int to = results[0] == null ? -1 : newRegister(results[0]);
        int toSecond = results[1] == null ? -1 : newRegister(results[1]);
        instructions.add(new Instruction(OpCode.SPLIT, to, toSecond, a, b, 0, 0, 0, 0, 0));
    }

    private Instruction instruction(Node node) {
        Operand[] texts = new Operand[2];
        int[] values = new int[2];
        int condition = 0;
        int atText = 0;
        int atValue = 0;
        for (int i = 0; i < node.operands().size(); i++) {
            Node operand = node.operand(i);
            if (operand.bank() == Bank.TEXT) {
                texts[atText++] = text(operand);
            } else if (i == 0 && node.code().uses(Field.SELECTOR)) {
                condition = register(operand);
            } else {
                values[atValue++] = register(operand);
            }
        }
        return new Instruction(
                node.code(),
                newRegister(node),
                -1,
                texts[0],
                texts[1],
                values[0],
                values[1],
                condition,
                count(node),
                node.number());
    }

    private int count(Node node) {
        if (node.code().uses(Field.AUTOMATON)) {
            return automata.index((WholeMatcher) node.constant());
        }
        return node.code().uses(Field.COLUMN) ? numbers.get(node.constant()) : node.count();
    }

    /** Constants, each once. */
    private static final class Pool<T> {

        private final Map<T, Integer> indexes = new HashMap<>();
        private final List<T> values = new ArrayList<>();

        int index(T value) {
            return indexes.computeIfAbsent(
                    value,
                    added -> {
                        values.add(added);
                        return values.size() - 1;
                    });
        }

        List<T> values() {
            return values;
        }
    }
}

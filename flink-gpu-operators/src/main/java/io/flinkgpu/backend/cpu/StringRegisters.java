package io.flinkgpu.backend.cpu;

import io.flinkgpu.program.Operand;
import io.flinkgpu.program.Pass;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** What the instructions of a pass read and write for one row; as {@link Registers} for a block. */
final class StringRegisters {

    final Numbers[] numbers;
    final byte[][] conditions;

    private final List<String> literals;
    private final StringSlice[] literalSlices;
    private final StringSlice[] texts;
    private final StringSlice unread = new StringSlice();
    private final Map<Integer, StringSlice> columns = new TreeMap<>();

    /**
     * @param firstLiteral where the literals are among the row's Strings
     */
    StringRegisters(Pass pass, int firstLiteral) {
        numbers = new Numbers[pass.numberRegisters()];
        Arrays.setAll(numbers, i -> new Numbers(1));
        conditions = new byte[pass.conditionRegisters()][1];
        texts = new StringSlice[pass.textRegisters()];
        Arrays.setAll(texts, i -> new StringSlice());
        literals =
                pass.literals().stream()
                        .map(literal -> new String(literal, StandardCharsets.UTF_8))
                        .toList();
        literalSlices = new StringSlice[literals.size()];
        for (int i = 0; i < literalSlices.length; i++) {
            literalSlices[i] = new StringSlice();
            literalSlices[i].putAll(firstLiteral + i, literals.get(i));
        }
    }

    /** The register that an operand stands for. */
    StringSlice text(Operand operand) {
        return switch (operand.kind()) {
            case REGISTER -> texts[operand.index()];
            case LITERAL -> literalSlices[operand.index()];
            case COLUMN -> columns.computeIfAbsent(operand.index(), column -> new StringSlice());
        };
    }

    /** A text register, or one that nothing reads. */
    StringSlice text(int register) {
        return register < 0 ? unread : texts[register];
    }

    String literal(int index) {
        return literals.get(index);
    }

    List<String> literals() {
        return literals;
    }
}

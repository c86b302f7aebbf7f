package io.flinkgpu.backend.cpu.row;

import io.flinkgpu.backend.cpu.transform.Numbers;
import io.flinkgpu.backend.cpu.transform.Registers;
import io.flinkgpu.program.Operand;
import io.flinkgpu.program.Pass;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** What the instructions of a pass read and write for one row; as {@link Registers} for a block. */
final class StringRegisters {

    final Numbers[] numbers;
    final byte[][] conditions;

    private final int firstLiteral;
    private final List<String> literals;
    private final StringSlice[] literalSlices;
    private final List<String> sliced = new ArrayList<>();
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
        this.firstLiteral = firstLiteral;
    }

    /** The register that an operand stands for. */
    StringSlice text(Operand operand) {
        return switch (operand.kind()) {
            case REGISTER -> texts[operand.index()];
            case LITERAL -> slicedLiteral(operand.index());
            case COLUMN -> columns.computeIfAbsent(operand.index(), column -> new StringSlice());
        };
    }

    private StringSlice slicedLiteral(int index) {
        if (literalSlices[index] == null) {
            String literal = literals.get(index);
            literalSlices[index] = new StringSlice();
            literalSlices[index].putAll(firstLiteral + sliced.size(), literal);
            sliced.add(literal);
        }
        return literalSlices[index];
    }

    /** A text register, or one that nothing reads. */
    StringSlice text(int register) {
        return register < 0 ? unread : texts[register];
    }

    String literal(int index) {
        return literals.get(index);
    }

    /** Literals that slices are of, which every row's Strings have; complete once the pass is bound. */
    List<String> slicedLiterals() {
        return sliced;
    }
}

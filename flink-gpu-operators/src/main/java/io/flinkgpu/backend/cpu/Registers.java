package io.flinkgpu.backend.cpu;

import io.flinkgpu.program.Operand;
import io.flinkgpu.program.Pass;

import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.util.MemoryUtil;

import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;

/**
 * What the instructions of a pass read and write for one block of rows. Columns and literals are loaded
 * into registers of their own, so that all texts look alike.
 */
final class Registers implements AutoCloseable {

    final Numbers[] numbers;
    final byte[][] conditions;

    private final int rows;
    private final Slices[] texts;
    private final Slices[] literals;
    private final Map<Integer, Slices> columns = new TreeMap<>();
    private final ArrowBuf literalBytes;

    /**
     * @param rows of a block
     * @param allocator for the literals
     */
    Registers(Pass pass, int rows, BufferAllocator allocator) {
        this.rows = rows;
        numbers = new Numbers[pass.numberRegisters()];
        Arrays.setAll(numbers, i -> new Numbers(rows));
        conditions = new byte[pass.conditionRegisters()][rows];
        texts = new Slices[pass.textRegisters()];
        Arrays.setAll(texts, i -> new Slices(rows));
        literals = new Slices[pass.literals().size()];
        long bytes = pass.literals().stream().mapToLong(literal -> literal.length).sum();
        literalBytes = allocator.buffer(Math.max(1, bytes));
        long address = literalBytes.memoryAddress();
        for (int i = 0; i < literals.length; i++) {
            byte[] literal = pass.literals().get(i);
            MemoryUtil.copyToMemory(literal, 0, address, literal.length);
            literals[i] = new Slices(rows);
            Arrays.fill(literals[i].starts, address);
            Arrays.fill(literals[i].lengths, literal.length);
            address += literal.length;
        }
    }

    /** The register that an operand stands for. */
    Slices text(Operand operand) {
        return switch (operand.kind()) {
            case REGISTER -> texts[operand.index()];
            case LITERAL -> literal(operand.index());
            case COLUMN -> columns.computeIfAbsent(operand.index(), column -> new Slices(rows));
        };
    }

    Slices literal(int index) {
        return literals[index];
    }

    /** A text register, or null where there is none. */
    Slices text(int register) {
        return register < 0 ? null : texts[register];
    }

    /** Loads the text columns that were asked for. */
    void loadColumns(InputColumn[] batch, int firstRow, int blockRows) {
        for (Map.Entry<Integer, Slices> column : columns.entrySet()) {
            batch[column.getKey()].load(firstRow, blockRows, column.getValue());
        }
    }

    @Override
    public void close() {
        literalBytes.close();
    }
}

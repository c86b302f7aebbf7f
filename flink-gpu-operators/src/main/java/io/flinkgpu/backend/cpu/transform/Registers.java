package io.flinkgpu.backend.cpu.transform;

import io.flinkgpu.backend.cpu.bytes.Bytes;
import io.flinkgpu.program.Operand;
import io.flinkgpu.program.Pass;

import org.apache.flink.annotation.Internal;

import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.util.MemoryUtil;

import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;

/**
 * What the instructions of a pass read and write for one block of rows. Columns and literals are loaded
 * into registers of their own, so that all texts are read alike.
 */
@Internal
public final class Registers implements AutoCloseable {

    final Numbers[] numbers;
    final byte[][] conditions;

    private final int rows;
    private final Slices[] texts;
    private final Slices unread;
    private final Slices[] literals;
    private final Map<Integer, Slices> columns = new TreeMap<>();
    private final ArrowBuf literalBytes;
    private final byte[] always;
    private boolean isSlackBehind;

    /**
     * @param rows of a block
     * @param allocator for the literals
     */
    Registers(Pass pass, int rows, BufferAllocator allocator) {
        this.rows = rows;
        numbers = new Numbers[pass.numberRegisters()];
        Arrays.setAll(numbers, i -> new Numbers(rows));
        conditions = new byte[pass.conditionRegisters()][rows];
        always = new byte[rows];
        Arrays.fill(always, Conditions.TRUE);
        literals = new Slices[pass.literals().size()];
        long bytes = pass.literals().stream().mapToLong(literal -> literal.length).sum();
        literalBytes = allocator.buffer(bytes + Bytes.SLACK);
        literalBytes.setZero(0, literalBytes.capacity());
        long address = literalBytes.memoryAddress();
        texts = new Slices[pass.textRegisters()];
        Arrays.setAll(texts, i -> newSlices());
        unread = newSlices();
        for (int i = 0; i < literals.length; i++) {
            byte[] literal = pass.literals().get(i);
            MemoryUtil.copyToMemory(literal, 0, address, literal.length);
            literals[i] = newSlices();
            literals[i].fill(address, literal.length);
            address += literal.length;
        }
    }

    /** The register that an operand stands for. */
    Slices text(Operand operand) {
        return switch (operand.kind()) {
            case REGISTER -> texts[operand.index()];
            case LITERAL -> literal(operand.index());
            case COLUMN -> columns.computeIfAbsent(operand.index(), column -> newSlices());
        };
    }

    Slices literal(int index) {
        return literals[index];
    }

    /** A text register, or one that nothing reads. */
    Slices text(int register) {
        return register < 0 ? unread : texts[register];
    }

    /** A condition that is always true. */
    byte[] always() {
        return always;
    }

    /** Loads the text columns that were asked for. */
    void loadColumns(InputColumn[] batch, int firstRow, int blockRows) {
        isSlackBehind = true;
        for (Map.Entry<Integer, Slices> column : columns.entrySet()) {
            InputColumn from = batch[column.getKey()];
            from.load(firstRow, blockRows, column.getValue());
            isSlackBehind &= from.isSlackBehind(firstRow + blockRows);
        }
    }

    /**
     * Whether {@link Bytes#SLACK} bytes may be read from any start of a text on, and from any end, in
     * this block.
     */
    boolean isSlackBehind() {
        return isSlackBehind;
    }

    private Slices newSlices() {
        return new Slices(rows, literalBytes.memoryAddress());
    }

    @Override
    public void close() {
        literalBytes.close();
    }
}

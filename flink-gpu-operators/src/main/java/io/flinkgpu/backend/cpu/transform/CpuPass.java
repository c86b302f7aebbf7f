package io.flinkgpu.backend.cpu.transform;

import io.flinkgpu.api.ColumnType;
import io.flinkgpu.column.Vectors;
import io.flinkgpu.program.Pass;
import io.flinkgpu.program.PassOutput;

import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.FieldVector;

import java.util.ArrayList;
import java.util.List;

/**
 * A pass, bound to registers that hold a block of rows: each instruction is one loop over the block
 * (vectorised interpretation: Boncz, Zukowski, Nes, CIDR 2005). Not thread-safe.
 */
final class CpuPass implements AutoCloseable {

    /** A multiple of 8; the registers of a usual pass stay in the first-level cache. */
    static final int BLOCK_ROWS = 512;

    private final BufferAllocator allocator;
    private final Registers registers;
    private final List<BlockOp> instructions;
    private final List<OutputColumn.Factory> outputs = new ArrayList<>();
    private InputColumn[] batch;

    CpuPass(Pass pass, BufferAllocator allocator) {
        this.allocator = allocator;
        registers = new Registers(pass, BLOCK_ROWS, allocator);
        try {
            TextSearch search = new TextSearch();
            BlockOps ops = new BlockOps(pass, registers, search, new BatchColumns());
            instructions = pass.instructions().stream().map(ops::bind).toList();
            for (PassOutput output : pass.outputs()) {
                outputs.add(factory(output, search));
            }
        } catch (RuntimeException e) {
            registers.close();
            throw e;
        }
    }

    private OutputColumn.Factory factory(PassOutput output, TextSearch search) {
        ColumnType type = output.type();
        if (type == ColumnType.TEXT) {
            Part[] parts =
                    output.parts().stream()
                            .map(part -> new Part(part, registers))
                            .toArray(Part[]::new);
            return new TextOutputs(parts, registers, search);
        }
        if (type == ColumnType.BOOLEAN) {
            byte[] from = registers.conditions[output.register()];
            return (to, rows, separatorBytes) -> new ConditionOutput(from, to, rows);
        }
        Numbers from = registers.numbers[output.register()];
        return (to, rows, separatorBytes) -> new NumberOutput(type, from, to, rows);
    }

    /**
     * Runs over a batch.
     *
     * @param separatorBytes behind each row of the texts that are written
     * @return the columns written, the caller's to close
     */
    List<FieldVector> run(InputColumn[] columns, int batchRows, int separatorBytes) {
        batch = columns;
        List<OutputColumn> open = new ArrayList<>();
        List<FieldVector> finished = new ArrayList<>();
        boolean done = false;
        try {
            for (OutputColumn.Factory output : outputs) {
                open.add(output.open(allocator, batchRows, separatorBytes));
            }
            for (int first = 0; first < batchRows; first += BLOCK_ROWS) {
                runBlock(first, Math.min(BLOCK_ROWS, batchRows - first), open);
            }
            for (OutputColumn output : open) {
                finished.add(output.finish());
            }
            done = true;
        } finally {
            batch = null;
            open.forEach(OutputColumn::close);
            if (!done) {
                Vectors.close(finished);
            }
        }
        return finished;
    }

    private void runBlock(int first, int rows, List<OutputColumn> to) {
        registers.loadColumns(batch, first, rows);
        for (BlockOp instruction : instructions) {
            instruction.run(first, rows);
        }
        for (OutputColumn output : to) {
            output.append(rows);
        }
    }

    @Override
    public void close() {
        registers.close();
    }

    /** The columns of the batch that is worked on. */
    private final class BatchColumns implements BlockOps.Columns {

        @Override
        public void load(int column, int firstRow, int rows, Numbers to) {
            batch[column].load(firstRow, rows, to);
        }

        @Override
        public void load(int column, int firstRow, int rows, byte[] to) {
            batch[column].load(firstRow, rows, to);
        }
    }
}

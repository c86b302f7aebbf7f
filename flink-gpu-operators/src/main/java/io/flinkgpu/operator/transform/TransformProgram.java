package io.flinkgpu.operator.transform;

import io.flinkgpu.backend.Backend;
import io.flinkgpu.backend.BackendException;
import io.flinkgpu.backend.BackendFactory;
import io.flinkgpu.backend.CompiledProgram;
import io.flinkgpu.backend.RowProgram;
import io.flinkgpu.backend.plan.TransformedBatch;
import io.flinkgpu.column.ColumnBatch;
import io.flinkgpu.operator.BackendProgram;
import io.flinkgpu.program.Program;

import org.apache.flink.api.common.functions.RuntimeContext;

import java.util.Arrays;
import java.util.Optional;

/** Expressions on one backend. */
final class TransformProgram extends BackendProgram<TransformedBatch> {

    private final Program program;
    private final byte[] hashKey;
    private Optional<RowProgram> rowProgram = Optional.empty();

    /**
     * @param hashKey empty when the program needs none; filled with zeros at the end
     */
    TransformProgram(
            BackendFactory factory,
            BackendFactory fallbackFactory,
            long memoryLimitBytes,
            RuntimeContext context,
            Program program,
            byte[] hashKey) {
        super(factory, fallbackFactory, memoryLimitBytes, context);
        this.program = program;
        this.hashKey = hashKey;
    }

    @Override
    public Backend open() throws BackendException {
        Backend backend = super.open();
        rowProgram = backend.compileRows(program);
        return backend;
    }

    /** Where the backend prefers records one at a time. To be asked for once it is open. */
    Optional<RowProgram> rowProgram() {
        return rowProgram;
    }

    @Override
    protected CompiledProgram<TransformedBatch> compile(Backend on) throws BackendException {
        return on.compile(program, hashKey);
    }

    @Override
    protected String defectOf(TransformedBatch result, ColumnBatch batch) {
        return defectOfRows(result.columns().rows(), batch);
    }

    @Override
    protected String remedyForOneRow() {
        return "raise memoryLimitBytes, or shorten the texts or what replaces them";
    }

    @Override
    public void close() {
        try {
            super.close();
        } finally {
            Arrays.fill(hashKey, (byte) 0);
        }
    }
}

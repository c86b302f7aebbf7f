package io.flinkgpu.operator.transform;

import io.flinkgpu.backend.Backend;
import io.flinkgpu.backend.BackendException;
import io.flinkgpu.backend.CompiledProgram;
import io.flinkgpu.backend.RowProgram;
import io.flinkgpu.backend.plan.TransformedBatch;
import io.flinkgpu.column.ColumnBatch;
import io.flinkgpu.operator.BackendProgram;
import io.flinkgpu.operator.BatchContext;
import io.flinkgpu.program.Program;

import java.util.Arrays;
import java.util.Optional;

/** Expressions on one backend. */
final class TransformProgram extends BackendProgram<TransformedBatch> {

    private final Program program;
    private final byte[] hashKey;
    private Optional<RowProgram> rowProgram = Optional.empty();

    TransformProgram(BatchContext<?, ?> context, Program program) {
        super(
                context.backend(),
                context.fallback(),
                context.options().memoryLimitBytes(),
                context.runtime());
        this.program = program;
        this.hashKey = context.hashKey(program.needsHashKey());
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

package io.flinkgpu.backend;

import io.flinkgpu.column.ColumnBatch;

import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;

/**
 * Does what another program does, for tests that change some of it. Owns the other.
 *
 * @param <R> result of a batch
 */
public class ForwardingProgram<R extends AutoCloseable> implements CompiledProgram<R> {

    private final CompiledProgram<R> program;

    public ForwardingProgram(CompiledProgram<R> program) {
        this.program = program;
    }

    @Override
    public boolean findsLines() {
        return program.findsLines();
    }

    @Override
    public List<Resident> residents() {
        return program.residents();
    }

    @Override
    public Map<String, LongSupplier> gauges() {
        return program.gauges();
    }

    @Override
    public Submission<R> submit(ColumnBatch batch) throws BackendException {
        return program.submit(batch);
    }

    @Override
    public void close() {
        program.close();
    }
}

package io.flinkgpu.backend;

import io.flinkgpu.program.Program;

/** Runs the steps of a program on a backend, one behind the other. */
public final class Steps {

    private Steps() {}

    /**
     * Prepares a program. One that is a single run of passes goes to the backend as it is; between other
     * steps the columns come back to the host.
     *
     * @param hashKey for hashes and hash actions; empty when the program needs none
     * @return the program; the caller closes it before the backend
     */
    public static CompiledProgram<TransformedBatch> compile(
            Backend backend, Program program, byte[] hashKey) throws BackendException {
        throw new UnsupportedOperationException();
    }
}

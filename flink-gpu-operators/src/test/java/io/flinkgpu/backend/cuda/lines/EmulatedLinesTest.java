package io.flinkgpu.backend.cuda.lines;

import io.flinkgpu.backend.Backend;
import io.flinkgpu.backend.LinesContract;
import io.flinkgpu.backend.cuda.redact.EmulatedBackend;

/**
 * The contract of lines, kept by the kernels' own source on the CPU.
 *
 * <p>Covers: CudaLines.
 */
class EmulatedLinesTest extends LinesContract {

    @Override
    protected Backend open() throws Exception {
        return new EmulatedBackend();
    }
}

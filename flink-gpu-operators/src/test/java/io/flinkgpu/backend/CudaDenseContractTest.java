package io.flinkgpu.backend;

import io.flinkgpu.api.dense.DensePlan;
import io.flinkgpu.backend.cuda.CudaBackend;
import io.flinkgpu.backend.cuda.lookup.DeviceDense;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;

/**
 * Covers: DenseRun.
 */
@Tag("gpu")
class CudaDenseContractTest extends DenseContract {

    private Backend backend;

    @BeforeEach
    void open() throws BackendException {
        backend = CudaRedactionContractTest.openOrSkip();
    }

    @AfterEach
    void close() {
        if (backend != null) {
            backend.close();
        }
    }

    @Override
    float[][] run(DensePlan plan, float[][] rows) throws Exception {
        try (DeviceDense dense = new DeviceDense((CudaBackend) backend, plan, rows)) {
            dense.nanos();
            float[] all = dense.outputs();
            int width = plan.outputWidth();
            float[][] outputs = new float[rows.length][width];
            for (int i = 0; i < all.length; i++) {
                outputs[i / width][i % width] = all[i];
            }
            return outputs;
        }
    }
}

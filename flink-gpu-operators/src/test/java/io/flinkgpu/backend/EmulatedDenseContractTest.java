package io.flinkgpu.backend;

import io.flinkgpu.api.dense.DensePlan;
import io.flinkgpu.backend.cuda.dense.EmulatedDense;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** The contract of networks, kept by the kernels' own source on the CPU. */
class EmulatedDenseContractTest extends DenseContract {

    private EmulatedDense device;

    @BeforeEach
    void open() throws Exception {
        device = new EmulatedDense();
    }

    @AfterEach
    void close() {
        device.close();
    }

    @Override
    float[][] run(DensePlan plan, float[][] rows) throws Exception {
        return device.run(plan, rows);
    }
}

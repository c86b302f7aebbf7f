package io.flinkgpu.backend;

import io.flinkgpu.api.dense.DensePlan;
import io.flinkgpu.api.dense.DensePrecision;
import io.flinkgpu.backend.cuda.dense.EmulatedDense;
import io.flinkgpu.testkit.DenseModel;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.util.Random;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The contract of networks, kept by the kernels' own source on the CPU.
 *
 * <p>Covers: DenseRun, DenseArgs, DenseBuffers, DenseWeights.
 */
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

    /** Else the bound would say nothing of the tensor cores' kernel. */
    @Test
    void onlyADeviceWithTensorCoresIsFast() throws Exception {
        DensePlan plan = fastLinear(new Random(3), 40, 7).plan();
        float[][] rows = {DenseModel.some(new Random(4), 40)};
        float[] exact = run(plan, rows)[0];
        DensePlan fast = plan.withPrecision(DensePrecision.FAST);
        assertThat(device.run(fast, 75, rows)[0]).isEqualTo(exact);
        assertThat(run(fast, rows)[0]).isNotEqualTo(exact);
    }
}

package io.flinkgpu.backend;

import io.flinkgpu.api.dense.DensePlan;
import io.flinkgpu.backend.cpu.dense.CpuDense;

import java.util.Arrays;

/**
 * Covers: CpuDense.
 */
class CpuDenseContractTest extends DenseContract {

    @Override
    float[][] run(DensePlan plan, float[][] rows) {
        CpuDense dense = new CpuDense(plan);
        float[][] outputs = new float[rows.length][];
        for (int from = 0; from < rows.length; from += CpuDense.BLOCK_ROWS) {
            int count = Math.min(CpuDense.BLOCK_ROWS, rows.length - from);
            for (int row = 0; row < count; row++) {
                System.arraycopy(rows[from + row], 0, dense.input(row), 0, plan.inputWidth());
            }
            dense.run(count);
            for (int row = 0; row < count; row++) {
                outputs[from + row] = Arrays.copyOf(dense.output(row), plan.outputWidth());
            }
        }
        return outputs;
    }
}

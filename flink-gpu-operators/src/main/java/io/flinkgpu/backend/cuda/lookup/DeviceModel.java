package io.flinkgpu.backend.cuda.lookup;

import io.flinkgpu.backend.cuda.dense.DenseWeights;
import io.flinkgpu.backend.plan.ScorePlan;

/**
 * A model whose weights are on the device.
 *
 * @param address where they are
 */
record DeviceModel(ScorePlan plan, DenseWeights weights, long address) {}

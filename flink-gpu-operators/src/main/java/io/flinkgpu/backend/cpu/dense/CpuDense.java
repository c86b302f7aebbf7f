package io.flinkgpu.backend.cpu.dense;

import io.flinkgpu.api.dense.DenseLayer;
import io.flinkgpu.api.dense.DensePlan;
import io.flinkgpu.api.dense.DenseSlots;

import org.apache.flink.annotation.Internal;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A {@link DensePlan} on a core, a block of rows at a time: whoever has the rows writes them to {@link #input},
 * runs the block, and reads {@link #output}. Not thread-safe.
 */
@Internal
public final class CpuDense {

    /** The most rows of a block. */
    public static final int BLOCK_ROWS = 64;

    private static final int LANES = 32;

    private final List<CpuStep> steps = new ArrayList<>();
    private final float[][][] buffers;
    private final float[][] output;

    public CpuDense(DensePlan plan) {
        DenseSlots slots = new DenseSlots(plan);
        buffers = new float[slots.count()][BLOCK_ROWS][];
        for (int slot = 0; slot < buffers.length; slot++) {
            for (int row = 0; row < BLOCK_ROWS; row++) {
                buffers[slot][row] = new float[slots.width(slot)];
            }
        }
        List<DenseLayer> layers = plan.layers();
        for (int i = 0; i < layers.size(); i++) {
            if (!(layers.get(i) instanceof DenseLayer.Constant)) {
                steps.add(step(plan, slots, layers.get(i), i + 1));
            }
        }
        output = buffers[slots.of(layers.size())];
    }

    /** Where a row of the block comes in: an array of the plan's {@code inputWidth}, to be written over. */
    public float[] input(int row) {
        return buffers[0][row];
    }

    /** Computes the first rows of the block. */
    public void run(int rows) {
        for (CpuStep step : steps) {
            step.run(rows);
        }
    }

    /** What a row gave: an array of the plan's {@code outputWidth}, valid until the next run. */
    public float[] output(int row) {
        return output[row];
    }

    private CpuStep step(DensePlan plan, DenseSlots slots, DenseLayer layer, int value) {
        float[][] to = buffers[slots.of(value)];
        int width = plan.width(value);
        if (layer instanceof DenseLayer.Linear linear) {
            float[][] from = buffer(slots, linear.input());
            return width == 1 ? dot(linear, from, to) : new CpuLinear(linear, from, to);
        } else if (layer instanceof DenseLayer.Cross cross) {
            return cross(cross, buffer(slots, cross.first()), buffer(slots, cross.input()), to);
        } else if (layer instanceof DenseLayer.Combine combine) {
            return combine(plan, slots, combine, to, width);
        } else if (layer instanceof DenseLayer.Activate activate) {
            float[][] from = buffer(slots, activate.input());
            return rows -> {
                for (int row = 0; row < rows; row++) {
                    System.arraycopy(from[row], 0, to[row], 0, width);
                    ExactMath.activate(activate.activation(), to[row], width);
                }
            };
        } else if (layer instanceof DenseLayer.Slice slice) {
            float[][] from = buffer(slots, slice.input());
            return copy(from, slice.from(), to, 0, width);
        }
        return concat(plan, slots, layer, to);
    }

    private float[][] buffer(DenseSlots slots, int value) {
        return buffers[slots.of(value)];
    }

    private static CpuStep dot(DenseLayer.Linear layer, float[][] from, float[][] to) {
        float[] weights = layer.weights().column(0);
        float[] lanes = new float[LANES];
        return rows -> {
            for (int row = 0; row < rows; row++) {
                float sum = ExactMath.dot(from[row], weights, lanes);
                to[row][0] = layer.bias() == null ? sum : sum + layer.bias().get(0);
                ExactMath.activate(layer.activation(), to[row], 1);
            }
        };
    }

    private static CpuStep cross(
            DenseLayer.Cross layer, float[][] first, float[][] input, float[][] to) {
        float[] weights = layer.weights().toArray();
        float[] bias = layer.bias().toArray();
        float[] lanes = new float[LANES];
        return rows -> {
            for (int row = 0; row < rows; row++) {
                float dot = ExactMath.dot(input[row], weights, lanes);
                cross(first[row], input[row], dot, bias, to[row]);
            }
        };
    }

    private static void cross(float[] first, float[] input, float dot, float[] bias, float[] to) {
        for (int i = 0; i < bias.length; i++) {
            to[i] = first[i] * dot + bias[i] + input[i];
        }
    }

    private CpuStep combine(
            DensePlan plan, DenseSlots slots, DenseLayer.Combine layer, float[][] to, int width) {
        float[][] left = operand(plan, slots, layer.left());
        float[][] right = operand(plan, slots, layer.right());
        int leftStep = plan.width(layer.left()) == 1 ? 0 : 1;
        int rightStep = plan.width(layer.right()) == 1 ? 0 : 1;
        return rows -> {
            for (int row = 0; row < rows; row++) {
                float[] a = left[row];
                float[] b = right[row];
                for (int i = 0; i < width; i++) {
                    float x = a[i * leftStep];
                    float y = b[i * rightStep];
                    to[row][i] = layer.multiplies() ? x * y : x + y;
                }
            }
        };
    }

    /** A value's buffer; of a constant the same array for all rows. */
    private float[][] operand(DensePlan plan, DenseSlots slots, int value) {
        if (slots.of(value) != DenseSlots.NONE) {
            return buffer(slots, value);
        }
        float[] numbers = ((DenseLayer.Constant) plan.layers().get(value - 1)).values().toArray();
        float[][] same = new float[BLOCK_ROWS][];
        Arrays.fill(same, numbers);
        return same;
    }

    private CpuStep concat(DensePlan plan, DenseSlots slots, DenseLayer layer, float[][] to) {
        List<CpuStep> copies = new ArrayList<>();
        int at = 0;
        for (int input : layer.inputs()) {
            copies.add(copy(buffer(slots, input), 0, to, at, plan.width(input)));
            at += plan.width(input);
        }
        return rows -> copies.forEach(copy -> copy.run(rows));
    }

    private static CpuStep copy(float[][] from, int start, float[][] to, int at, int width) {
        return rows -> {
            for (int row = 0; row < rows; row++) {
                System.arraycopy(from[row], start, to[row], at, width);
            }
        };
    }
}

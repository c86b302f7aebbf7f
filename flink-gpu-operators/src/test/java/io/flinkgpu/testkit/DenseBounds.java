package io.flinkgpu.testkit;

import io.flinkgpu.api.dense.DensePrecision;
import io.flinkgpu.testkit.DenseModel.Kind;
import io.flinkgpu.testkit.DenseModel.Step;

import java.util.ArrayList;
import java.util.List;

/**
 * What a network gives for a row without rounding, in double precision, and by how much a {@link
 * DensePrecision#FAST} backend may differ: what its linear layers are allowed, carried on through all steps.
 */
public final class DenseBounds {

    /** Of a step in single precision, generously. */
    private static final double STEP = 0x1p-22;

    private static final double ROUNDED = 0x1p-7 + 0x1p-16;

    private final double[] values;
    private final double[] bounds;

    private DenseBounds(int width) {
        values = new double[width];
        bounds = new double[width];
    }

    public static DenseBounds of(DenseModel model, float[] row) {
        DenseBounds input = new DenseBounds(row.length);
        for (int i = 0; i < row.length; i++) {
            input.values[i] = row[i];
        }
        List<DenseBounds> all = new ArrayList<>(List.of(input));
        for (Step step : model.steps()) {
            all.add(run(step, step.inputs().stream().map(all::get).toList()));
        }
        return all.get(model.steps().size());
    }

    public double value(int index) {
        return values[index];
    }

    public double bound(int index) {
        return bounds[index];
    }

    private static DenseBounds run(Step step, List<DenseBounds> in) {
        DenseBounds out = new DenseBounds(step.width());
        if (step.kind() == Kind.CONCAT) {
            int at = 0;
            for (DenseBounds part : in) {
                System.arraycopy(part.values, 0, out.values, at, part.values.length);
                System.arraycopy(part.bounds, 0, out.bounds, at, part.values.length);
                at += part.values.length;
            }
            return out;
        }
        DenseBounds dot = step.kind() == Kind.CROSS ? products(in.get(1), step, 0, 1, STEP) : null;
        for (int j = 0; j < step.width(); j++) {
            switch (step.kind()) {
                case LINEAR -> {
                    double rounded = step.width() == 1 ? 0 : ROUNDED;
                    DenseBounds sum = products(in.get(0), step, j, step.width(), rounded);
                    out.set(j, sum, 0);
                    if (step.bias() != null) {
                        out.values[j] += step.bias()[j];
                        out.bounds[j] += STEP * (Math.abs(out.values[j]) + out.bounds[j]);
                    }
                }
                case CROSS -> {
                    DenseBounds first = in.get(0);
                    double size = first.size(j) * dot.size(0);
                    out.values[j] =
                            first.values[j] * dot.values[0] + step.bias()[j] + in.get(1).values[j];
                    out.bounds[j] =
                            first.bounds[j] * dot.size(0)
                                    + Math.abs(first.values[j]) * dot.bounds[0]
                                    + in.get(1).bounds[j]
                                    + STEP * (size + Math.abs(step.bias()[j]) + in.get(1).size(j));
                }
                case ADD, MULTIPLY -> {
                    DenseBounds left = in.get(0);
                    DenseBounds right = in.get(1);
                    int a = left.values.length == 1 ? 0 : j;
                    int b = right.values.length == 1 ? 0 : j;
                    boolean adds = step.kind() == Kind.ADD;
                    double x = left.values[a];
                    double y = right.values[b];
                    out.values[j] = adds ? x + y : x * y;
                    double bound =
                            adds
                                    ? left.bounds[a] + right.bounds[b]
                                    : left.bounds[a] * right.size(b)
                                            + Math.abs(x) * right.bounds[b];
                    out.bounds[j] = bound + STEP * (Math.abs(out.values[j]) + bound);
                }
                case RELU -> {
                    out.values[j] = Math.max(0, in.get(0).values[j]);
                    out.bounds[j] = in.get(0).bounds[j];
                }
                case SIGMOID -> {
                    out.values[j] = 1 / (1 + Math.exp(-in.get(0).values[j]));
                    out.bounds[j] = in.get(0).bounds[j] / 4 + STEP;
                }
                case SLICE -> out.set(j, in.get(0), step.from() + j);
                case CONSTANT -> out.values[j] = step.weights()[j];
                case CONCAT -> {}
            }
        }
        return out;
    }

    /** A sum of products with one column of weights. */
    private static DenseBounds products(
            DenseBounds x, Step step, int column, int columns, double rounded) {
        DenseBounds sum = new DenseBounds(1);
        double size = 0;
        for (int k = 0; k < x.values.length; k++) {
            double weight = step.weights()[k * columns + column];
            sum.values[0] += x.values[k] * weight;
            sum.bounds[0] += x.bounds[k] * Math.abs(weight);
            size += x.size(k) * Math.abs(weight);
        }
        sum.bounds[0] += (rounded + x.values.length * STEP) * size;
        return sum;
    }

    private double size(int index) {
        return Math.abs(values[index]) + bounds[index];
    }

    private void set(int index, DenseBounds from, int of) {
        values[index] = from.values[of];
        bounds[index] = from.bounds[of];
    }
}

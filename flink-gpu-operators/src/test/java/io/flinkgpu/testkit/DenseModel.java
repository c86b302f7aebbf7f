package io.flinkgpu.testkit;

import io.flinkgpu.api.dense.DenseBuilder;
import io.flinkgpu.api.dense.DenseMatrix;
import io.flinkgpu.api.dense.DensePlan;
import io.flinkgpu.api.dense.DenseValue;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * A network as a list of single steps, and what it gives for a row, by the definition in {@link DensePlan} and
 * nothing else. It knows no layers that were joined.
 */
public final class DenseModel {

    /** What a step does. */
    public enum Kind {
        LINEAR,
        CROSS,
        ADD,
        MULTIPLY,
        RELU,
        SIGMOID,
        CONCAT,
        SLICE,
        CONSTANT
    }

    /**
     * A step, which gives the value after the one before; value 0 is the input.
     *
     * @param weights row after row; null where there are none, as bias
     * @param from where a slice begins
     */
    public record Step(
            Kind kind, List<Integer> inputs, float[] weights, float[] bias, int from, int width) {}

    private final int inputWidth;
    private final List<Step> steps = new ArrayList<>();
    private final List<Integer> widths = new ArrayList<>();

    public DenseModel(int inputWidth) {
        this.inputWidth = inputWidth;
        widths.add(inputWidth);
    }

    public List<Step> steps() {
        return steps;
    }

    public int inputWidth() {
        return inputWidth;
    }

    public int width(int value) {
        return widths.get(value);
    }

    public int add(Kind kind, int width, List<Integer> inputs) {
        return add(kind, width, inputs, null, null, 0);
    }

    public int linear(int input, int outputs, float[] weights, float[] bias) {
        return add(Kind.LINEAR, outputs, List.of(input), weights, bias, 0);
    }

    public int cross(int first, int input, float[] weights, float[] bias) {
        return add(Kind.CROSS, width(input), List.of(first, input), weights, bias, 0);
    }

    public int constant(float... values) {
        return add(Kind.CONSTANT, values.length, List.of(), values, null, 0);
    }

    public int slice(int input, int from, int width) {
        return add(Kind.SLICE, width, List.of(input), null, null, from);
    }

    private int add(
            Kind kind, int width, List<Integer> inputs, float[] weights, float[] bias, int from) {
        steps.add(new Step(kind, inputs, weights, bias, from, width));
        widths.add(width);
        return steps.size();
    }

    /** Built in code; the last step is the output. */
    public DensePlan plan() {
        DenseBuilder builder = DensePlan.builder(inputWidth);
        List<DenseValue> values = new ArrayList<>(List.of(builder.input()));
        for (Step step : steps) {
            List<DenseValue> in = step.inputs().stream().map(values::get).toList();
            values.add(
                    switch (step.kind()) {
                        case LINEAR ->
                                builder.linear(
                                        in.get(0),
                                        DenseMatrix.of(
                                                in.get(0).width(), step.width(), step.weights()),
                                        step.bias());
                        case CROSS ->
                                builder.cross(in.get(0), in.get(1), step.weights(), step.bias());
                        case ADD -> builder.sum(in.get(0), in.get(1));
                        case MULTIPLY -> builder.product(in.get(0), in.get(1));
                        case RELU -> builder.relu(in.get(0));
                        case SIGMOID -> builder.sigmoid(in.get(0));
                        case CONCAT -> builder.concat(in.toArray(DenseValue[]::new));
                        case SLICE -> builder.slice(in.get(0), step.from(), step.width());
                        case CONSTANT -> builder.constant(step.weights());
                    });
        }
        return builder.build(values.get(steps.size()));
    }

    /** What the last step gives for a row. */
    public float[] run(float[] row) {
        List<float[]> values = new ArrayList<>(List.of(row));
        for (Step step : steps) {
            values.add(run(step, step.inputs().stream().map(values::get).toList()));
        }
        return values.get(steps.size());
    }

    private static float[] run(Step step, List<float[]> in) {
        float[] out = new float[step.width()];
        int at = 0;
        float dot = step.kind() == Kind.CROSS ? dot(in.get(1), step.weights()) : 0;
        for (int j = 0; j < out.length; j++) {
            switch (step.kind()) {
                case LINEAR -> {
                    out[j] = out.length == 1 ? dot(in.get(0), step.weights()) : 0;
                    for (int k = 0; k < in.get(0).length && out.length > 1; k++) {
                        float weight = step.weights()[k * out.length + j];
                        out[j] = Math.fma(in.get(0)[k], weight, out[j]);
                    }
                    out[j] = step.bias() == null ? out[j] : out[j] + step.bias()[j];
                }
                case CROSS -> {
                    float product = in.get(0)[j] * dot;
                    float sum = product + step.bias()[j];
                    out[j] = sum + in.get(1)[j];
                }
                case ADD -> out[j] = at(in.get(0), j) + at(in.get(1), j);
                case MULTIPLY -> out[j] = at(in.get(0), j) * at(in.get(1), j);
                case RELU -> out[j] = in.get(0)[j] <= 0 ? 0 : in.get(0)[j];
                case SIGMOID -> out[j] = sigmoid(in.get(0)[j]);
                case SLICE -> out[j] = in.get(0)[step.from() + j];
                case CONSTANT -> out[j] = step.weights()[j];
                case CONCAT -> {}
            }
        }
        if (step.kind() == Kind.CONCAT) {
            for (float[] part : in) {
                System.arraycopy(part, 0, out, at, part.length);
                at += part.length;
            }
        }
        return out;
    }

    private static float at(float[] values, int index) {
        return values[values.length == 1 ? 0 : index];
    }

    private static float dot(float[] x, float[] w) {
        float[] p = new float[32];
        for (int lane = 0; lane < 32; lane++) {
            for (int k = lane; k < w.length; k += 32) {
                p[lane] = Math.fma(x[k], w[k], p[lane]);
            }
        }
        for (int d : new int[] {16, 8, 4, 2, 1}) {
            float[] sums = new float[32];
            for (int lane = 0; lane < 32; lane++) {
                sums[lane] = p[lane] + p[lane ^ d];
            }
            p = sums;
        }
        return p[0];
    }

    private static final float[] TAYLOR = {
        1f / 5040, 1f / 720, 1f / 120, 1f / 24, 1f / 6, 1f / 2, 1f, 1f
    };

    static float sigmoid(float x) {
        if (Float.isNaN(x)) {
            return x;
        }
        float a = x < 0 ? x : -x;
        float e = 0;
        if (a >= -104) {
            float n = Math.fma(a, 0x1.715476p0f, 12582912f) - 12582912f;
            float r = Math.fma(n, -0x1.7f7d1cp-20f, Math.fma(n, -0x1.62e4p-1f, a));
            float p = TAYLOR[0];
            for (int i = 1; i < TAYLOR.length; i++) {
                p = Math.fma(r, p, TAYLOR[i]);
            }
            int half = Math.floorDiv((int) n, 2);
            e = Math.scalb(Math.scalb(p, half), (int) n - half);
        }
        return x < 0 ? e / (1 + e) : 1 / (1 + e);
    }

    /** A network of up to 12 random steps, all kinds of them, whose numbers stay moderate. */
    public static DenseModel random(Random random) {
        DenseModel model = new DenseModel(1 + random.nextInt(70));
        List<Integer> varying = new ArrayList<>(List.of(0));
        for (int i = 1 + random.nextInt(12); i > 0; i--) {
            varying.add(model.addRandom(random, varying));
        }
        int last = varying.get(varying.size() - 1);
        int outputs = 1 + random.nextInt(3);
        float[] weights = some(random, model.width(last) * outputs);
        last = model.linear(last, outputs, weights, some(random, outputs));
        if (random.nextBoolean()) {
            model.add(Kind.SIGMOID, outputs, List.of(last));
        }
        return model;
    }

    private int addRandom(Random random, List<Integer> varying) {
        int value = varying.get(varying.size() - 1 - random.nextInt(Math.min(3, varying.size())));
        int width = width(value);
        int other =
                varying.stream()
                        .filter(v -> width(v) == width || width(v) == 1)
                        .skip(random.nextInt(2))
                        .findFirst()
                        .orElse(value);
        switch (random.nextInt(11)) {
            case 0:
            case 1:
                int outputs = random.nextInt(4) == 0 ? 1 : 1 + random.nextInt(150);
                return linear(
                        value,
                        outputs,
                        some(random, width * outputs),
                        random.nextBoolean() ? some(random, outputs) : null);
            case 2:
                return add(Kind.RELU, width, List.of(value));
            case 3:
                return add(Kind.SIGMOID, width, List.of(value));
            case 4:
                return add(Kind.ADD, width, List.of(value, other));
            case 5:
                return add(Kind.MULTIPLY, width, List.of(other, value));
            case 6:
                int constant = constant(some(random, random.nextBoolean() ? width : 1));
                return add(
                        random.nextBoolean() ? Kind.ADD : Kind.MULTIPLY,
                        width,
                        random.nextBoolean() ? List.of(value, constant) : List.of(constant, value));
            case 7:
                int from = random.nextInt(width);
                return slice(value, from, 1 + random.nextInt(width - from));
            case 8:
                int cut = width / 2;
                return width > 1
                        ? add(
                                Kind.CONCAT,
                                width,
                                List.of(slice(value, 0, cut), slice(value, cut, width - cut)))
                        : value;
            case 9:
                return add(Kind.CONCAT, width + width(other), List.of(value, other));
            default:
                return random.nextBoolean() && width(other) == width
                        ? cross(other, value, some(random, width), some(random, width))
                        : crossInSteps(random, width(other) == width ? other : value, value);
        }
    }

    /** As frameworks export it. */
    private int crossInSteps(Random random, int first, int input) {
        int width = width(input);
        int dot = linear(input, 1, some(random, width), null);
        int scaled =
                add(
                        Kind.MULTIPLY,
                        width,
                        random.nextBoolean() ? List.of(first, dot) : List.of(dot, first));
        int biased = add(Kind.ADD, width, List.of(scaled, constant(some(random, width))));
        return add(
                Kind.ADD,
                width,
                random.nextBoolean() ? List.of(biased, input) : List.of(input, biased));
    }

    /** Numbers whose squares sum up to about 1. */
    public static float[] some(Random random, int count) {
        float[] numbers = new float[count];
        for (int i = 0; i < count; i++) {
            numbers[i] = (float) (random.nextGaussian() / Math.sqrt(count));
        }
        return numbers;
    }

    /** Rows of a network's input, now and then with numbers that are special. */
    public float[][] rows(Random random, int count, boolean special) {
        float[] specials = {
            0f,
            -0f,
            Float.NaN,
            Float.POSITIVE_INFINITY,
            Float.NEGATIVE_INFINITY,
            Float.MIN_VALUE,
            -Float.MIN_NORMAL,
            Float.MAX_VALUE,
            -104.5f,
            88f
        };
        float[][] rows = new float[count][inputWidth];
        for (float[] row : rows) {
            boolean isSpecial = special && random.nextInt(4) == 0;
            for (int i = 0; i < row.length; i++) {
                row[i] =
                        isSpecial && random.nextInt(row.length) == 0
                                ? specials[random.nextInt(specials.length)]
                                : (float) random.nextGaussian();
            }
        }
        return rows;
    }
}

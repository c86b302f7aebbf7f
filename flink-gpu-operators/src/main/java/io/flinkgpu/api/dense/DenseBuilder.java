package io.flinkgpu.api.dense;

import org.apache.flink.annotation.PublicEvolving;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Makes a {@link DensePlan} layer by layer. Every method throws {@link IllegalArgumentException} if sizes
 * do not match, naming them, or if a value is of another builder. Arrays are copied. Not thread-safe.
 */
@PublicEvolving
public final class DenseBuilder {

    private final List<DenseLayer> layers = new ArrayList<>();
    private final List<DenseValue> values = new ArrayList<>();

    DenseBuilder(int inputWidth) {
        if (inputWidth < 1) {
            throw new IllegalArgumentException(
                    "a model reads at least one number a row: inputWidth="
                            + inputWidth
                            + "; give more");
        }
        values.add(new DenseValue(this, 0, inputWidth));
    }

    /** What comes in: looked-up values and dense numbers. */
    public DenseValue input() {
        return values.get(0);
    }

    /**
     * {@code input * weights + bias}.
     *
     * @param bias null: none
     */
    public DenseValue linear(DenseValue input, DenseMatrix weights, float[] bias) {
        int from = varying(input);
        match("input", input.width(), "rows of weights", weights.rows());
        if (bias != null) {
            match("columns of weights", weights.columns(), "bias", bias.length);
        }
        return add(
                new DenseLayer.Linear(
                        from,
                        weights,
                        bias == null ? null : new DenseVector(bias),
                        DenseActivation.NONE),
                weights.columns());
    }

    /**
     * A cross layer of the deep &amp; cross network (Wang et al., "Deep &amp; Cross Network for Ad Click
     * Predictions", 2017): {@code first * (input . weights) + bias + input}.
     */
    public DenseValue cross(DenseValue first, DenseValue input, float[] weights, float[] bias) {
        int x0 = varying(first);
        int x = varying(input);
        match("first", first.width(), "input", input.width());
        match("input", input.width(), "weights", weights.length);
        match("input", input.width(), "bias", bias.length);
        return add(
                new DenseLayer.Cross(x0, x, new DenseVector(weights), new DenseVector(bias)),
                input.width());
    }

    /**
     * A cross layer with a matrix (Wang et al., "DCN V2", 2021): {@code first * (input * weights + bias) +
     * input}, the first product number by number.
     */
    public DenseValue cross(DenseValue first, DenseValue input, DenseMatrix weights, float[] bias) {
        match("rows of weights", weights.rows(), "columns of weights", weights.columns());
        return sum(product(first, linear(input, weights, bias)), input);
    }

    /** Sums of two values of the same width, or where one has width 1 of each number and that. */
    public DenseValue sum(DenseValue left, DenseValue right) {
        return combine(false, left, right);
    }

    /** The same for products. */
    public DenseValue product(DenseValue left, DenseValue right) {
        return combine(true, left, right);
    }

    private DenseValue combine(boolean multiplies, DenseValue left, DenseValue right) {
        int a = indexOf(left);
        int b = indexOf(right);
        if (left.width() != 1 && right.width() != 1) {
            match("left", left.width(), "right", right.width());
        }
        if (isConstant(a) && isConstant(b)) {
            throw new IllegalArgumentException(
                    "both sides are constants: left=" + a + ", right=" + b + "; compute it before");
        }
        return add(new DenseLayer.Combine(multiplies, a, b), Math.max(left.width(), right.width()));
    }

    /** Numbers that are the same for each row, for {@link #sum} and {@link #product}. */
    public DenseValue constant(float... numbers) {
        if (numbers.length == 0) {
            throw new IllegalArgumentException("a constant has no numbers; give at least one");
        }
        return add(new DenseLayer.Constant(new DenseVector(numbers)), numbers.length);
    }

    /** {@link DenseActivation#RELU} of each number. */
    public DenseValue relu(DenseValue input) {
        return add(new DenseLayer.Activate(varying(input), DenseActivation.RELU), input.width());
    }

    /** {@link DenseActivation#SIGMOID} of each number. */
    public DenseValue sigmoid(DenseValue input) {
        return add(new DenseLayer.Activate(varying(input), DenseActivation.SIGMOID), input.width());
    }

    /** Values one after the other. */
    public DenseValue concat(DenseValue... parts) {
        if (parts.length == 0) {
            throw new IllegalArgumentException("nothing to concatenate; give at least one value");
        }
        List<Integer> inputs = Arrays.stream(parts).map(this::varying).toList();
        long width = Arrays.stream(parts).mapToLong(DenseValue::width).sum();
        return add(new DenseLayer.Concat(inputs), Math.toIntExact(width));
    }

    /** Some numbers of a value. */
    public DenseValue slice(DenseValue input, int from, int width) {
        int of = varying(input);
        if (from < 0 || width < 1 || from > input.width() - width) {
            throw new IllegalArgumentException(
                    "a slice is a part of its input: from="
                            + from
                            + ", width="
                            + width
                            + ", input="
                            + input.width()
                            + "; ask for less");
        }
        return add(new DenseLayer.Slice(of, from, width), width);
    }

    /** The plan that gives a value, of those layers that it needs. */
    public DensePlan build(DenseValue output) {
        varying(output);
        int[] widths = values.stream().mapToInt(DenseValue::width).toArray();
        List<DenseLayer> needed = DenseFusion.of(layers, widths, output.index);
        if (needed.isEmpty()) {
            throw new IllegalArgumentException(
                    "a model that gives back its input: layers=0; add a layer");
        }
        return DensePlan.of(input().width(), needed);
    }

    private DenseValue add(DenseLayer layer, int width) {
        layers.add(layer);
        DenseValue value = new DenseValue(this, layers.size(), width);
        values.add(value);
        return value;
    }

    private boolean isConstant(int value) {
        return value > 0 && layers.get(value - 1) instanceof DenseLayer.Constant;
    }

    private int varying(DenseValue value) {
        int index = indexOf(value);
        if (isConstant(index)) {
            throw new IllegalArgumentException(
                    "a constant goes into sums and products only: value="
                            + index
                            + "; compute what it gives before");
        }
        return index;
    }

    private int indexOf(DenseValue value) {
        if (value.owner != this) {
            throw new IllegalArgumentException(
                    "a value of another builder: width=" + value.width() + "; use one builder");
        }
        return value.index;
    }

    private static void match(String one, int width, String other, int otherWidth) {
        if (width != otherWidth) {
            throw new IllegalArgumentException(
                    "sizes of a layer do not match: "
                            + one
                            + "="
                            + width
                            + ", "
                            + other
                            + "="
                            + otherWidth
                            + "; make them equal");
        }
    }
}

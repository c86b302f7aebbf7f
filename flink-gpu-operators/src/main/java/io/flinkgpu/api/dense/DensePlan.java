package io.flinkgpu.api.dense;

import org.apache.flink.annotation.Internal;
import org.apache.flink.annotation.PublicEvolving;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;

/**
 * A network of dense layers: so many floats a row come in, so many go out. Immutable, and travels in the job
 * graph. Made by a {@link DenseBuilder}, or read from an ONNX file.
 *
 * <p>What it computes is defined bit by bit, so that every backend gives the same bits; only NaNs may differ
 * in theirs. All arithmetic is IEEE single precision, rounded to nearest even, with denormals:
 *
 * <ul>
 *   <li>A linear layer of several outputs: for each output {@code c = +0.0}, then {@code c = fma(x[k],
 *       w[k][j], c)} for k ascending, then {@code c + bias[j]} if there is a bias.
 *   <li>A linear layer of one output is a dot product: 32 lanes that start as {@code +0.0}; lane l takes k = l,
 *       l + 32, l + 64, ... ascending, {@code p[l] = fma(x[k], w[k], p[l])}. Then for d = 16, 8, 4, 2, 1 all
 *       lanes at once become {@code p[l] + p[l ^ d]}; the result is {@code p[0]}, and the bias is added.
 *   <li>A cross layer: s is the dot product of input and weights as above; then {@code ((first[i] * s) +
 *       bias[i]) + input[i]}, each step rounded.
 *   <li>A sigmoid: {@code e = exp(-|x|)}, then {@code 1 / (1 + e)}, or {@code e / (1 + e)} if x is less than
 *       0; NaN gives NaN. The exponential of a is {@code +0.0} below -104; else {@code n = fma(a, 0x1.715476p0,
 *       0x1.8p23) - 0x1.8p23}, {@code r = fma(n, -0x1.7f7d1cp-20, fma(n, -0x1.62e4p-1, a))}, and by Horner's
 *       rule in fma {@code 1 + r (1 + r (1/2 + r (1/6 + r (1/24 + r (1/120 + r (1/720 + r/5040))))))}, the
 *       constants rounded to single precision, times 2 to the power of the floor of n / 2, times 2 to the power
 *       of the rest of n. A sigmoid is within 2.5 units in the last place of the exact value where that is no
 *       denormal.
 * </ul>
 *
 * <p>Layers that follow each other may run as one; that changes no bit.
 *
 * <p>That is {@link DensePrecision#EXACT}, the default. {@link #withPrecision} lets a backend be faster and less
 * exact.
 */
@PublicEvolving
public final class DensePlan implements Serializable {

    private static final long serialVersionUID = 1L;

    private final List<DenseLayer> layers;
    private final int[] widths;
    private final DensePrecision precision;
    private final long nanWeights;

    private DensePlan(List<DenseLayer> layers, int[] widths, DensePrecision precision) {
        this.layers = layers;
        this.widths = widths;
        this.precision = precision;
        this.nanWeights = layers.stream().mapToLong(DensePlan::nans).sum();
    }

    /** Begins a network that reads so many numbers a row. */
    public static DenseBuilder builder(int inputWidth) {
        return new DenseBuilder(inputWidth);
    }

    static DensePlan of(int inputWidth, List<DenseLayer> layers) {
        List<Integer> widths = new ArrayList<>(List.of(inputWidth));
        for (DenseLayer layer : layers) {
            widths.add(width(layer, widths));
        }
        return new DensePlan(
                List.copyOf(layers),
                widths.stream().mapToInt(Integer::intValue).toArray(),
                DensePrecision.EXACT);
    }

    /** The same network, computed with another precision. */
    public DensePlan withPrecision(DensePrecision other) {
        return new DensePlan(layers, widths, Objects.requireNonNull(other, "precision"));
    }

    private static int width(DenseLayer layer, List<Integer> widths) {
        if (layer instanceof DenseLayer.Linear linear) {
            return linear.weights().columns();
        } else if (layer instanceof DenseLayer.Slice slice) {
            return slice.width();
        } else if (layer instanceof DenseLayer.Constant constant) {
            return constant.values().size();
        }
        IntStream inputs = layer.inputs().stream().mapToInt(widths::get);
        return layer instanceof DenseLayer.Concat ? inputs.sum() : inputs.max().orElseThrow();
    }

    private static long nans(DenseLayer layer) {
        if (layer instanceof DenseLayer.Linear linear) {
            DenseMatrix weights = linear.weights();
            return IntStream.range(0, weights.rows()).mapToLong(row -> nans(weights.row(row))).sum()
                    + (linear.bias() == null ? 0 : nans(linear.bias().toArray()));
        } else if (layer instanceof DenseLayer.Cross cross) {
            return nans(cross.weights().toArray()) + nans(cross.bias().toArray());
        } else if (layer instanceof DenseLayer.Constant constant) {
            return nans(constant.values().toArray());
        }
        return 0;
    }

    private static long nans(float[] values) {
        long count = 0;
        for (float value : values) {
            count += Float.isNaN(value) ? 1 : 0;
        }
        return count;
    }

    /** How many floats of a row come in. */
    public int inputWidth() {
        return widths[0];
    }

    /** How many floats of a row go out. */
    public int outputWidth() {
        return widths[layers.size()];
    }

    /** How exactly it is computed. */
    public DensePrecision precision() {
        return precision;
    }

    /** How many of its weights, biases and constants are NaN: allowed, but seldom meant. */
    public long nanWeights() {
        return nanWeights;
    }

    /** In an order in which each comes after what it reads; the last one gives the output. */
    @Internal
    public List<DenseLayer> layers() {
        return layers;
    }

    /** The width of a value, see {@link DenseLayer}. */
    @Internal
    public int width(int value) {
        return widths[value];
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof DensePlan that
                && inputWidth() == that.inputWidth()
                && precision == that.precision
                && layers.equals(that.layers);
    }

    @Override
    public int hashCode() {
        return Objects.hash(inputWidth(), precision.name(), layers);
    }

    /** Shows sizes and a precision that is not the default, no weights. */
    @Override
    public String toString() {
        return "DensePlan{inputWidth="
                + inputWidth()
                + ", layers="
                + layers.size()
                + ", outputWidth="
                + outputWidth()
                + (precision == DensePrecision.EXACT ? "" : ", precision=" + precision)
                + "}";
    }
}

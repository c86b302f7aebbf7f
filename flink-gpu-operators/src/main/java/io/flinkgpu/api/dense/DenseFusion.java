package io.flinkgpu.api.dense;

import io.flinkgpu.api.dense.DenseLayer.Activate;
import io.flinkgpu.api.dense.DenseLayer.Combine;
import io.flinkgpu.api.dense.DenseLayer.Concat;
import io.flinkgpu.api.dense.DenseLayer.Constant;
import io.flinkgpu.api.dense.DenseLayer.Cross;
import io.flinkgpu.api.dense.DenseLayer.Linear;
import io.flinkgpu.api.dense.DenseLayer.Slice;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Leaves out the layers that an output does not need, and makes one layer of several where that changes no
 * bit: a bias and an activation join their linear layer, sums and products become a cross layer, and slices
 * that are put together again are what they were cut from.
 */
final class DenseFusion {

    private final List<DenseLayer> layers;
    private final int[] widths;
    private final int[] readers;
    private int output;

    private DenseFusion(List<DenseLayer> layers, int[] widths, int output) {
        this.layers = new ArrayList<>(layers);
        this.widths = widths;
        this.output = output;
        readers = new int[widths.length];
    }

    /**
     * The layers that give a value, which the last of them does; none if it is the input.
     *
     * @param widths of all values
     */
    static List<DenseLayer> of(List<DenseLayer> layers, int[] widths, int output) {
        DenseFusion fusion = new DenseFusion(layers, widths, output);
        fusion.run();
        return fusion.needed();
    }

    private void run() {
        countReaders();
        for (int i = 0; i < layers.size(); i++) {
            int same = sameAs(layers.get(i));
            if (same >= 0) {
                replace(i + 1, same);
            }
            DenseLayer joined = join(layers.get(i));
            if (!joined.equals(layers.get(i))) {
                layers.set(i, joined);
                countReaders();
            }
        }
    }

    private void countReaders() {
        Arrays.fill(readers, 0);
        for (int value : reachable()) {
            if (value > 0) {
                layers.get(value - 1).inputs().forEach(input -> readers[input]++);
            }
        }
    }

    /** The value that a layer only repeats; -1 if it does more. */
    private int sameAs(DenseLayer layer) {
        if (!(layer instanceof Concat concat)) {
            return layer instanceof Slice slice && slice.width() == widths[slice.input()]
                    ? slice.input()
                    : -1;
        }
        List<Integer> parts = concat.inputs();
        if (parts.size() == 1) {
            return parts.get(0);
        }
        int from = 0;
        for (int part : parts) {
            if (!(layer(part) instanceof Slice slice)
                    || slice.from() != from
                    || slice.input() != layer(parts.get(0)).inputs().get(0)) {
                return -1;
            }
            from += slice.width();
        }
        int whole = layer(parts.get(0)).inputs().get(0);
        return from == widths[whole] ? whole : -1;
    }

    private void replace(int value, int by) {
        layers.replaceAll(
                layer ->
                        layer.withInputs(
                                layer.inputs().stream()
                                        .map(input -> input == value ? by : input)
                                        .toList()));
        output = output == value ? by : output;
        countReaders();
    }

    private DenseLayer join(DenseLayer layer) {
        if (layer instanceof Activate activate
                && onlyReader(activate.input()) instanceof Linear linear
                && linear.activation() == DenseActivation.NONE) {
            return new Linear(
                    linear.input(), linear.weights(), linear.bias(), activate.activation());
        } else if (layer instanceof Combine sum && !sum.multiplies()) {
            DenseLayer joined = withBias(sum.left(), sum.right());
            joined = joined == null ? withBias(sum.right(), sum.left()) : joined;
            joined = joined == null ? cross(sum.left(), sum.right()) : joined;
            joined = joined == null ? cross(sum.right(), sum.left()) : joined;
            return joined == null ? layer : joined;
        }
        return layer;
    }

    private DenseLayer withBias(int value, int bias) {
        return onlyReader(value) instanceof Linear linear
                        && linear.bias() == null
                        && linear.activation() == DenseActivation.NONE
                        && layer(bias) instanceof Constant constant
                        && constant.values().size() == linear.weights().columns()
                ? new Linear(
                        linear.input(), linear.weights(), constant.values(), DenseActivation.NONE)
                : null;
    }

    /** {@code (first * dot + bias) + input}, where the dot product is of the same input. */
    private DenseLayer cross(int biased, int input) {
        if (!(onlyReader(biased) instanceof Combine sum) || sum.multiplies()) {
            return null;
        }
        DenseLayer one = cross(sum.left(), sum.right(), input);
        return one == null ? cross(sum.right(), sum.left(), input) : one;
    }

    private DenseLayer cross(int product, int bias, int input) {
        if (!(onlyReader(product) instanceof Combine scaled)
                || !scaled.multiplies()
                || !(layer(bias) instanceof Constant constant)) {
            return null;
        }
        DenseLayer one = cross(scaled.left(), scaled.right(), constant.values(), input);
        return one == null ? cross(scaled.right(), scaled.left(), constant.values(), input) : one;
    }

    private DenseLayer cross(int first, int dot, DenseVector bias, int input) {
        boolean isDot =
                onlyReader(dot) instanceof Linear linear
                        && linear.input() == input
                        && linear.weights().columns() == 1
                        && linear.weights().rows() == bias.size()
                        && linear.bias() == null
                        && linear.activation() == DenseActivation.NONE;
        return isDot && !(layer(first) instanceof Constant) && widths[first] == bias.size()
                ? new Cross(
                        first,
                        input,
                        new DenseVector(((Linear) layer(dot)).weights().column(0)),
                        bias)
                : null;
    }

    /** The layer that gives a value; null for the input. */
    private DenseLayer layer(int value) {
        return value == 0 ? null : layers.get(value - 1);
    }

    /** The layer that gives a value that only one layer reads; else null. */
    private DenseLayer onlyReader(int value) {
        return readers[value] == 1 && value != output ? layer(value) : null;
    }

    private Set<Integer> reachable() {
        Set<Integer> found = new HashSet<>();
        List<Integer> open = new ArrayList<>(List.of(output));
        while (!open.isEmpty()) {
            int value = open.remove(open.size() - 1);
            if (found.add(value) && value > 0) {
                open.addAll(layers.get(value - 1).inputs());
            }
        }
        return found;
    }

    private List<DenseLayer> needed() {
        Set<Integer> reachable = reachable();
        Map<Integer, Integer> numbers = new HashMap<>(Map.of(0, 0));
        List<DenseLayer> kept = new ArrayList<>();
        for (int value = 1; value <= layers.size(); value++) {
            if (reachable.contains(value)) {
                DenseLayer layer = layers.get(value - 1);
                kept.add(layer.withInputs(layer.inputs().stream().map(numbers::get).toList()));
                numbers.put(value, kept.size());
            }
        }
        return kept;
    }
}

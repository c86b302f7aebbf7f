package io.flinkgpu.api.dense;

import org.apache.flink.annotation.Internal;

import java.io.Serializable;
import java.util.List;

/**
 * A layer of a {@link DensePlan}. Its inputs are numbers of values: 0 is the plan's input, and layer
 * {@code i} gives value {@code i + 1}.
 */
@Internal
public sealed interface DenseLayer extends Serializable {

    /** The values it reads. */
    List<Integer> inputs();

    /** The same layer with other inputs, as many. */
    DenseLayer withInputs(List<Integer> inputs);

    /**
     * Products with weights.
     *
     * @param bias null: none
     */
    record Linear(int input, DenseMatrix weights, DenseVector bias, DenseActivation activation)
            implements DenseLayer {

        @Override
        public List<Integer> inputs() {
            return List.of(input);
        }

        @Override
        public DenseLayer withInputs(List<Integer> inputs) {
            return new Linear(inputs.get(0), weights, bias, activation);
        }
    }

    /** A cross layer: {@code first * (input . weights) + bias + input}. */
    record Cross(int first, int input, DenseVector weights, DenseVector bias)
            implements DenseLayer {

        @Override
        public List<Integer> inputs() {
            return List.of(first, input);
        }

        @Override
        public DenseLayer withInputs(List<Integer> inputs) {
            return new Cross(inputs.get(0), inputs.get(1), weights, bias);
        }
    }

    /** Sums, or products, of two values; one of width 1 goes with each number of the other. */
    record Combine(boolean multiplies, int left, int right) implements DenseLayer {

        @Override
        public List<Integer> inputs() {
            return List.of(left, right);
        }

        @Override
        public DenseLayer withInputs(List<Integer> inputs) {
            return new Combine(multiplies, inputs.get(0), inputs.get(1));
        }
    }

    /** An activation by itself. */
    record Activate(int input, DenseActivation activation) implements DenseLayer {

        @Override
        public List<Integer> inputs() {
            return List.of(input);
        }

        @Override
        public DenseLayer withInputs(List<Integer> inputs) {
            return new Activate(inputs.get(0), activation);
        }
    }

    /** Values one after the other. */
    record Concat(List<Integer> inputs) implements DenseLayer {

        public Concat {
            inputs = List.copyOf(inputs);
        }

        @Override
        public DenseLayer withInputs(List<Integer> inputs) {
            return new Concat(inputs);
        }
    }

    /** A part of a value. */
    record Slice(int input, int from, int width) implements DenseLayer {

        @Override
        public List<Integer> inputs() {
            return List.of(input);
        }

        @Override
        public DenseLayer withInputs(List<Integer> inputs) {
            return new Slice(inputs.get(0), from, width);
        }
    }

    /** The same for each row; read by {@link Combine} only. */
    record Constant(DenseVector values) implements DenseLayer {

        @Override
        public List<Integer> inputs() {
            return List.of();
        }

        @Override
        public DenseLayer withInputs(List<Integer> inputs) {
            return this;
        }
    }
}

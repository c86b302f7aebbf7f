package io.flinkgpu.testkit;

import io.flinkgpu.program.Program;

import java.util.List;

/** Anything that runs programs, to be compared with the oracle. */
@FunctionalInterface
public interface Transformer {

    /**
     * Runs a program over rows.
     *
     * @param shape how the rows become a batch
     * @return the values of each result, as {@link TransformInput} holds them
     */
    List<List<Object>> transform(Program program, TransformInput input, Shape shape)
            throws Exception;

    /**
     * A batch for rows.
     *
     * @param separatorBytes 1 if a {@code '\n'} follows each text
     * @param cutFrom the first row, where the batch is a slice of one of all rows; its last row is not in
     *     the slice then; else 0
     */
    record Shape(int separatorBytes, int cutFrom) {

        public static final Shape PLAIN = new Shape(0, 0);
    }
}

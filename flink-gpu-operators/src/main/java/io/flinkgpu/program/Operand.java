package io.flinkgpu.program;

import org.apache.flink.annotation.Internal;

import java.io.Serializable;

/**
 * A text that an instruction reads.
 *
 * @param kind where it is
 * @param index register, column of the batch, or literal of the pass
 */
@Internal
public record Operand(Kind kind, int index) implements Serializable {

    private static final long serialVersionUID = 1L;

    /** Where a text is. */
    public enum Kind {
        REGISTER,
        COLUMN,
        LITERAL
    }
}

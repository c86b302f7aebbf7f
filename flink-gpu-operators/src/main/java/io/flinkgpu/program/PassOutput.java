package io.flinkgpu.program;

import io.flinkgpu.api.ColumnType;

import org.apache.flink.annotation.Internal;

import java.io.Serializable;
import java.util.List;

/**
 * A column that a pass writes.
 *
 * @param type of the column
 * @param parts a text's pieces in order; a row with none of them written is the empty text
 * @param register of the number or condition otherwise, else -1
 */
@Internal
public record PassOutput(ColumnType type, List<TextPart> parts, int register)
        implements Serializable {

    private static final long serialVersionUID = 1L;

    public PassOutput {
        parts = List.copyOf(parts);
    }
}

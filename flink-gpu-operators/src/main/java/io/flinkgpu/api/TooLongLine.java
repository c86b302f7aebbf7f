package io.flinkgpu.api;

import org.apache.flink.annotation.PublicEvolving;

import java.util.Objects;

/**
 * Where a line is that is longer than {@link FilePolicy#maxLineBytes()}; not what it says.
 *
 * @param file where it is
 * @param offsetBytes of its first byte in the file
 * @param lineBytes of the line without its {@code '\n'}
 */
@PublicEvolving
public record TooLongLine(String file, long offsetBytes, long lineBytes) {

    public TooLongLine {
        Objects.requireNonNull(file, "file");
    }
}

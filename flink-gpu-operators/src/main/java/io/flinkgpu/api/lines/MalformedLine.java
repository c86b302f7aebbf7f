package io.flinkgpu.api.lines;

import org.apache.flink.annotation.PublicEvolving;

import java.util.Arrays;
import java.util.Objects;

/**
 * A line that does not have the fields of its format. Equal if its bytes are.
 *
 * @param file where it is
 * @param offsetBytes of its first byte in the file
 * @param line its bytes without the {@code '\n'}; a {@code '\r'} is one of them. Not to be written to
 * @param reason one line that names the field and what is wrong with it, and shows its text as far as
 *     {@link io.flinkgpu.api.ErrorDetail} has it
 */
@PublicEvolving
public record MalformedLine(String file, long offsetBytes, byte[] line, String reason) {

    public MalformedLine {
        Objects.requireNonNull(file, "file");
        Objects.requireNonNull(line, "line");
        Objects.requireNonNull(reason, "reason");
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof MalformedLine that
                && offsetBytes == that.offsetBytes
                && file.equals(that.file)
                && Arrays.equals(line, that.line)
                && reason.equals(that.reason);
    }

    @Override
    public int hashCode() {
        return 31 * Objects.hash(file, offsetBytes, reason) + Arrays.hashCode(line);
    }

    @Override
    public String toString() {
        return "MalformedLine[%s@%d, %d bytes, %s]"
                .formatted(file, offsetBytes, line.length, reason);
    }
}

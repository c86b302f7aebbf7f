package io.flinkgpu.backend.cpu.lines.group;

import org.apache.flink.annotation.Internal;

/** Takes the lines of a text into groups. */
@Internal
public interface TextScanner {

    /**
     * Takes all lines.
     *
     * @param start where the first line starts
     * @param end after the last line's {@code '\n'}; {@value ByteArena#PADDING} bytes from there on can
     *     be read
     */
    void scan(long start, long end);
}

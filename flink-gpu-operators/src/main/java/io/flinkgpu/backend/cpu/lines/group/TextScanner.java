package io.flinkgpu.backend.cpu.lines.group;

import org.apache.flink.annotation.Internal;

/** Takes the lines of a text, block by block: so its loop is called often, and soon compiled. */
@Internal
public interface TextScanner {

    /** The most bytes of a block, but for the rest of its last line. */
    int BLOCK_BYTES = 384 << 10;

    /**
     * Takes all lines of a block.
     *
     * @param start where the first line starts
     * @param end after the last line's {@code '\n'}; {@value ByteArena#PADDING} bytes from there on can
     *     be read
     */
    void scan(long start, long end);
}

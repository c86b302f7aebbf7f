package io.flinkgpu.examples;

import io.flinkgpu.api.LineChunk;

import org.apache.flink.api.common.functions.MapFunction;
import org.apache.flink.core.fs.Path;

import java.util.Arrays;
import java.util.List;

/**
 * Ends the last line of each file but the last one with a newline where it lacks it, so that records
 * of two files do not become one in the output. The last file, and so a single one, stays as it is.
 */
final class LineChunkEnds implements MapFunction<LineChunk, LineChunk> {

    private static final long serialVersionUID = 1L;

    private final String lastFile;

    /**
     * @param files the files of the job in their order, at least one
     */
    LineChunkEnds(List<Path> files) {
        lastFile = files.get(files.size() - 1).getPath();
    }

    @Override
    public LineChunk map(LineChunk chunk) {
        byte[] bytes = chunk.bytes();
        boolean ended = bytes.length == 0 || bytes[bytes.length - 1] == '\n';
        if (ended || new Path(chunk.file()).getPath().equals(lastFile)) {
            return chunk;
        }
        byte[] withEnd = Arrays.copyOf(bytes, bytes.length + 1);
        withEnd[bytes.length] = '\n';
        return chunk.withBytes(withEnd);
    }
}

package io.flinkgpu.source;

import io.flinkgpu.api.Errors;
import io.flinkgpu.api.LineChunk;

import org.apache.flink.annotation.PublicEvolving;
import org.apache.flink.api.common.serialization.Encoder;
import org.apache.flink.connector.file.sink.FileSink;
import org.apache.flink.core.fs.Path;
import org.apache.flink.streaming.api.functions.sink.filesystem.PartFileInfo;
import org.apache.flink.streaming.api.functions.sink.filesystem.RollingPolicy;
import org.apache.flink.streaming.api.functions.sink.filesystem.bucketassigners.BasePathBucketAssigner;

import java.io.IOException;
import java.io.OutputStream;

/**
 * Writes chunks to files in a directory, byte for byte and exactly once.
 *
 * <p>Each sink subtask writes one file at a time, in the order that its chunks come. A file is named
 * {@code part-<id>-<number>}: the id is of the subtask since the job's last start, and the numbers of an
 * id rise in the order of the content. A file has a hidden name until it is complete and the next
 * checkpoint, or the end of the input, has covered it.
 */
@PublicEvolving
public final class LineFileSinks {

    /** Lent lines are copied, and the JDK copies what is written once more: this many bytes stay in the L2 cache. */
    private static final int STEP_BYTES = 128 << 10;

    private LineFileSinks() {}

    /**
     * One file for each subtask, which gets its name at the end of the input. For a bounded input with
     * parallelism 1 that is one file in input order.
     */
    public static FileSink<LineChunk> onePerSubtask(Path directory) {
        return sink(directory, new Rolling(Long.MAX_VALUE, false));
    }

    /**
     * A new file once one has a size, for inputs that do not end.
     *
     * @param rollBytes a file ends with the chunk that gives it this many bytes
     */
    public static FileSink<LineChunk> rollingBySize(Path directory, long rollBytes) {
        return sink(directory, new Rolling(rollBytes, false));
    }

    /**
     * A new file at each checkpoint, and once one has a size: what a checkpoint has covered can be read.
     * No process continues another's file, so one that stood still, was replaced and goes on can spoil
     * none; on local file systems the other sinks are not safe from that.
     *
     * @param rollBytes a file ends with the chunk that gives it this many bytes
     */
    public static FileSink<LineChunk> rollingAtCheckpoints(Path directory, long rollBytes) {
        return sink(directory, new Rolling(rollBytes, true));
    }

    private static FileSink<LineChunk> sink(Path directory, Rolling rolling) {
        Errors.present("directory", directory);
        return FileSink.<LineChunk>forRowFormat(directory, new Chunks())
                .withBucketAssigner(new BasePathBucketAssigner<>())
                .withRollingPolicy(rolling)
                .build();
    }

    /** Writes chunks as they are. Each subtask has its own. */
    private static final class Chunks implements Encoder<LineChunk> {

        private static final long serialVersionUID = 1L;

        private transient byte[] step;

        @Override
        public void encode(LineChunk chunk, OutputStream stream) throws IOException {
            if (step == null) {
                step = new byte[STEP_BYTES];
            }
            chunk.writeTo(stream, step);
        }
    }

    private record Rolling(long rollBytes, boolean atCheckpoints)
            implements RollingPolicy<LineChunk, String> {

        private static final long serialVersionUID = 1L;

        Rolling {
            if (rollBytes < 1) {
                throw new IllegalArgumentException(
                        "a file has at least a byte: rollBytes=" + rollBytes);
            }
        }

        @Override
        public boolean shouldRollOnCheckpoint(PartFileInfo<String> file) {
            return atCheckpoints;
        }

        @Override
        public boolean shouldRollOnEvent(PartFileInfo<String> file, LineChunk chunk)
                throws IOException {
            return file.getSize() >= rollBytes;
        }

        @Override
        public boolean shouldRollOnProcessingTime(PartFileInfo<String> file, long timeMillis) {
            return false;
        }
    }
}

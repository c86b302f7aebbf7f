package io.flinkgpu.state;

import org.apache.flink.annotation.Internal;
import org.apache.flink.core.memory.DataOutputSerializer;

import java.io.IOException;

/** Writes the groups of a {@link GroupRun}, and then of the next one. Not thread-safe. */
@Internal
public final class RunWriter {

    private final PartialSerializer format;
    private final DataOutputSerializer target = new DataOutputSerializer(256);

    public RunWriter(PartialSerializer format) {
        this.format = format;
    }

    /** How many bytes there are so far. */
    public int bytes() {
        return target.length();
    }

    /** Adds a group, whose key is the first bytes of an array. */
    public void add(byte[] key, int length, Partial partial) throws IOException {
        PartialFormat.writeLength(length, target);
        target.write(key, 0, length);
        format.serialize(partial, target);
    }

    /** The run; the next group starts another. */
    public GroupRun take() {
        GroupRun run = new GroupRun(format, target.getCopyOfBuffer());
        target.clear();
        return run;
    }
}

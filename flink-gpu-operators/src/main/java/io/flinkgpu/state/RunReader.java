package io.flinkgpu.state;

import io.flinkgpu.api.CountedBytes;

import org.apache.flink.annotation.Internal;
import org.apache.flink.core.memory.DataInputDeserializer;

import java.io.IOException;

/** Reads the groups of a {@link GroupRun}, one at a time: first {@link #next()}. Not thread-safe. */
@Internal
public final class RunReader {

    private final DataInputDeserializer source = new DataInputDeserializer();
    private PartialSerializer format;
    private byte[] bytes;
    private int keyAt;
    private int keyLength;
    private Partial partial;

    /** Begins with a run. */
    public RunReader open(GroupRun run) {
        format = run.format();
        bytes = run.bytes();
        source.setBuffer(bytes);
        return this;
    }

    /** Goes to the next group; false if there is none. */
    public boolean next() throws IOException {
        if (source.available() == 0) {
            return false;
        }
        keyLength = PartialFormat.readLength(source);
        keyAt = source.getPosition();
        if (keyLength > source.available()) {
            throw CountedBytes.corrupt(
                    "a run of groups",
                    "keyBytes=" + keyLength + ", bytes=" + source.available(),
                    null);
        }
        source.skipBytesToRead(keyLength);
        partial = format.deserialize(source);
        return true;
    }

    /** The array that the key is in. */
    public byte[] bytes() {
        return bytes;
    }

    public int keyAt() {
        return keyAt;
    }

    public int keyLength() {
        return keyLength;
    }

    /** What the group keeps. */
    public Partial partial() {
        return partial;
    }
}

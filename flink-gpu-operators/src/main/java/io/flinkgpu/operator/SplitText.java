package io.flinkgpu.operator;

import org.apache.flink.annotation.Internal;

import java.io.ByteArrayOutputStream;

/** The text of a record whose rows lie in several parts of a result. Task thread only. */
@Internal
public final class SplitText {

    /** Null while there is none. */
    private ByteArrayOutputStream earlier;

    public boolean isEmpty() {
        return earlier == null;
    }

    /** Adds what an earlier part has. */
    public void add(byte[] text) {
        if (earlier == null) {
            earlier = new ByteArrayOutputStream();
        }
        earlier.writeBytes(text);
    }

    /** All that was added, and what the last part has. Forgets it. */
    public byte[] take(byte[] last) {
        if (earlier == null) {
            return last;
        }
        earlier.writeBytes(last);
        byte[] all = earlier.toByteArray();
        clear();
        return all;
    }

    /** Forgets what was added. */
    public void clear() {
        earlier = null;
    }
}

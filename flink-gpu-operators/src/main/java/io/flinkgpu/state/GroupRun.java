package io.flinkgpu.state;

import org.apache.flink.annotation.Internal;

/**
 * Some groups of one key group as bytes, as they are in state: for each the number of its key's bytes
 * (unsigned, 7 bits a byte), the key, and the partial as {@link PartialSerializer} writes it.
 *
 * @param format how the partials are written
 * @param bytes not to be changed
 */
@Internal
public record GroupRun(PartialSerializer format, byte[] bytes) {

    @Override
    public String toString() {
        return "GroupRun[bytes=" + bytes.length + "]";
    }
}

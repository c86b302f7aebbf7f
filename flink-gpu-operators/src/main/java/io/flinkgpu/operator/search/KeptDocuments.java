package io.flinkgpu.operator.search;

import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.runtime.state.KeyedStateBackend;
import org.apache.flink.runtime.state.heap.HeapKeyedStateBackend;

import java.io.IOException;

/**
 * The documents of a shard, in keyed state. Where state is on the heap a document's new version is written over
 * the one before, if there is room: a new array in an old table would be found, copied and kept by the garbage
 * collector in a pause, as many as changes came since the last one. Task thread only.
 */
final class KeptDocuments {

    private final ValueState<byte[]> state;
    private final boolean isOnHeap;

    /**
     * @param backend that has the state
     */
    KeptDocuments(ValueState<byte[]> state, KeyedStateBackend<?> backend) {
        this.state = state;
        isOnHeap = backend instanceof HeapKeyedStateBackend;
    }

    /**
     * Puts a document, in place of an earlier one, at the current key.
     *
     * @param packed is copied
     */
    void put(byte[] packed) throws IOException {
        // What a snapshot still needs the state makes a copy of before it gives it.
        byte[] kept = isOnHeap ? state.value() : null;
        if (kept == null || !KeptDocument.replace(kept, packed)) {
            state.update(KeptDocument.of(packed));
        }
    }

    /** Takes out the document at the current key. */
    void remove() {
        state.clear();
    }
}

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

    /** One part in so many of a document is left free, for the next version of it. */
    private static final int SPARE_PARTS = 8;

    /** Arrays take whole words, however many bytes they have. */
    private static final int WORD = Long.BYTES;

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
     * @param packed stays as it is; on the heap it is copied
     */
    void put(byte[] packed) throws IOException {
        if (!isOnHeap) {
            state.update(packed);
            return;
        }
        // What a snapshot still needs the state makes a copy of before it gives it.
        byte[] kept = state.value();
        if (kept != null
                && packed.length <= kept.length
                && kept.length <= room(2 * packed.length)) {
            System.arraycopy(packed, 0, kept, 0, packed.length);
            return;
        }
        byte[] own = new byte[room(packed.length)];
        System.arraycopy(packed, 0, own, 0, packed.length);
        state.update(own);
    }

    private static int room(int bytes) {
        return bytes + bytes / SPARE_PARTS + WORD - 1 & -WORD;
    }

    /** Takes out the document at the current key. */
    void remove() {
        state.clear();
    }
}

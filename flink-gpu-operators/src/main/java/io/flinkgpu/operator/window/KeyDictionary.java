package io.flinkgpu.operator.window;

import org.apache.flink.api.common.typeutils.TypeSerializer;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Numbers keys from 0. Keeps copies, so that keys may be changed afterwards. Task thread only. */
final class KeyDictionary<K> {

    private final TypeSerializer<K> serializer;
    private final Map<K, Integer> ids = new HashMap<>();
    private final List<K> keys = new ArrayList<>();

    KeyDictionary(TypeSerializer<K> serializer) {
        this.serializer = serializer;
    }

    int size() {
        return keys.size();
    }

    /** The number of a key, which is a new one if the key is. */
    int id(K key) {
        Integer id = ids.get(key);
        return id != null ? id : add(key);
    }

    /** The key of a number; not to be changed. */
    K key(int id) {
        return keys.get(id);
    }

    private int add(K key) {
        K kept = serializer.copy(key);
        int id = keys.size();
        keys.add(kept);
        ids.put(kept, id);
        return id;
    }
}

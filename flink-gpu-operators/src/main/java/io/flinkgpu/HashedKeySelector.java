package io.flinkgpu;

import io.flinkgpu.api.HashKey;
import io.flinkgpu.text.KeyedHash;

import org.apache.flink.api.java.functions.KeySelector;

import java.nio.charset.StandardCharsets;

/** The keyed hash of a text of each record, in hex; the key is read where records are. Used by one thread at a time. */
final class HashedKeySelector<T> implements KeySelector<T, String> {

    private static final long serialVersionUID = 1L;

    private final KeySelector<T, String> selector;
    private final HashKey hashKey;
    private final int hexDigits;

    private transient KeyedHash hash;
    private transient byte[] digits;

    HashedKeySelector(KeySelector<T, String> selector, HashKey hashKey, int hexDigits) {
        this.selector = selector;
        this.hashKey = hashKey;
        this.hexDigits = hexDigits;
    }

    @Override
    public String getKey(T value) throws Exception {
        String key = selector.getKey(value);
        if (key == null) {
            return null;
        }
        if (hash == null) {
            hash = new KeyedHash(hashKey.load());
            digits = new byte[hexDigits];
        }
        byte[] bytes = key.getBytes(StandardCharsets.UTF_8);
        hash.write(bytes, 0, bytes.length, hexDigits, digits, 0);
        return new String(digits, StandardCharsets.US_ASCII);
    }
}

package io.flinkgpu.groups;

import io.flinkgpu.column.Utf8;

import org.apache.flink.annotation.Internal;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.api.common.typeutils.base.IntSerializer;
import org.apache.flink.api.common.typeutils.base.LongSerializer;
import org.apache.flink.api.common.typeutils.base.StringSerializer;
import org.apache.flink.core.memory.DataInputDeserializer;
import org.apache.flink.core.memory.DataOutputSerializer;

import java.io.IOException;
import java.io.UncheckedIOException;

/**
 * Keys to bytes and back. Two keys are the same if all their bytes are, as in RocksDB's state. The bytes
 * are part of savepoints: longs and ints little-endian, texts in UTF-8 with unpaired surrogates as in
 * WTF-8, others as their serializer writes them. Not thread-safe.
 *
 * @param <K> the key
 */
@Internal
public abstract class KeyCodec<K> {

    /** The codec for keys of a serializer, which becomes the codec's own. */
    @SuppressWarnings("unchecked") // Each serializer stands for the class that is cast to.
    public static <K> KeyCodec<K> of(TypeSerializer<K> serializer) {
        if (serializer instanceof LongSerializer) {
            return (KeyCodec<K>) new Longs();
        }
        if (serializer instanceof IntSerializer) {
            return (KeyCodec<K>) new Ints();
        }
        if (serializer instanceof StringSerializer) {
            return (KeyCodec<K>) new Texts();
        }
        return new Serialized<>(serializer);
    }

    /** Sets the bytes of a key that is not null. */
    public abstract void write(K key, KeyBytes to);

    /** The key of some bytes, after which {@value KeyBytes#PADDING} more can be read. */
    public abstract K read(byte[] bytes, int at, int length);

    private static final class Longs extends KeyCodec<Long> {

        @Override
        public void write(Long key, KeyBytes to) {
            to.setLong(key);
        }

        @Override
        public Long read(byte[] bytes, int at, int length) {
            return (long) KeyBytes.LONGS.get(bytes, at);
        }
    }

    private static final class Ints extends KeyCodec<Integer> {

        @Override
        public void write(Integer key, KeyBytes to) {
            to.setLength(Integer.BYTES);
            KeyBytes.INTS.set(to.array(), 0, (int) key);
        }

        @Override
        public Integer read(byte[] bytes, int at, int length) {
            return (int) KeyBytes.INTS.get(bytes, at);
        }
    }

    private static final class Texts extends KeyCodec<String> {

        private final byte[] room = Utf8.shortTextRoom();

        @Override
        public void write(String key, KeyBytes to) {
            int length = Utf8.encodeShortAscii(key, room);
            if (length >= 0) {
                to.set(room, 0, length);
            } else {
                byte[] bytes = Utf8.encode(key);
                to.set(bytes, 0, bytes.length);
            }
        }

        @Override
        public String read(byte[] bytes, int at, int length) {
            return Utf8.decode(bytes, at, length);
        }
    }

    private static final class Serialized<K> extends KeyCodec<K> {

        private final TypeSerializer<K> serializer;
        private final DataOutputSerializer output = new DataOutputSerializer(64);
        private final DataInputDeserializer input = new DataInputDeserializer();

        Serialized(TypeSerializer<K> serializer) {
            this.serializer = serializer;
        }

        @Override
        public void write(K key, KeyBytes to) {
            output.clear();
            try {
                serializer.serialize(key, output);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            to.set(output.getSharedBuffer(), 0, output.length());
        }

        @Override
        public K read(byte[] bytes, int at, int length) {
            input.setBuffer(bytes, at, length);
            try {
                return serializer.deserialize(input);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}

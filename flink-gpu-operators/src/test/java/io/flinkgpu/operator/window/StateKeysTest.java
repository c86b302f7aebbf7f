package io.flinkgpu.operator.window;

import org.apache.flink.api.common.typeinfo.PrimitiveArrayTypeInfo;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.common.typeutils.SerializerTestBase;
import org.apache.flink.api.common.typeutils.TypeSerializer;

import org.junit.jupiter.api.Test;

import java.util.concurrent.TimeUnit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * Keys in state, and the serializer of those that are bytes.
 *
 * <p>Covers: StateKeys.
 */
class StateKeysTest extends SerializerTestBase<BytesKey> {

    @Test
    void bytesAreComparedByContent() throws Exception {
        StateKeys<byte[], ?> keys =
                StateKeys.of(PrimitiveArrayTypeInfo.BYTE_PRIMITIVE_ARRAY_TYPE_INFO);
        byte[] bytes = {1, 2, -1};
        Object key = stable(keys, bytes);
        bytes[0] = 9;
        assertThat(key)
                .isEqualTo(stable(keys, new byte[] {1, 2, -1}))
                .hasToString("BytesKey[bytes=3]");
        assertThat(key).hasSameHashCodeAs(stable(keys, new byte[] {1, 2, -1}));
        assertThat(key).isNotEqualTo(stable(keys, new byte[] {1, 2}));
        byte[] back = back(keys, key);
        assertThat(back).containsExactly(1, 2, -1);
        back[0] = 9;
        assertThat(back(keys, key)).containsExactly(1, 2, -1);
    }

    @Test
    void enumsAreTheirNames() throws Exception {
        StateKeys<TimeUnit, ?> keys = StateKeys.of(Types.ENUM(TimeUnit.class));
        assertThat(keys.stateType()).isEqualTo(Types.STRING);
        assertThat(stable(keys, TimeUnit.DAYS)).isEqualTo("DAYS");
        assertThat(back(keys, "DAYS")).isEqualTo(TimeUnit.DAYS);
        assertThatThrownBy(() -> back(keys, "FORTNIGHTS"))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("enum=java.util.concurrent.TimeUnit, name=FORTNIGHTS");
    }

    @Test
    void othersStayAsTheyAre() throws Exception {
        StateKeys<String, ?> keys = StateKeys.of(Types.STRING);
        assertThat(keys.stateType()).isSameAs(Types.STRING);
        assertThat(stable(keys, "a")).isEqualTo("a");
        assertThat(stable(keys, null)).isNull();
    }

    @Override
    protected TypeSerializer<BytesKey> createSerializer() {
        return BytesKeySerializer.INSTANCE;
    }

    @Override
    protected int getLength() {
        return -1;
    }

    @Override
    protected Class<BytesKey> getTypeClass() {
        return BytesKey.class;
    }

    @Override
    protected BytesKey[] getTestData() {
        return new BytesKey[] {
            BytesKey.of(new byte[0]), BytesKey.of(new byte[] {0}), BytesKey.of(new byte[1000])
        };
    }

    private static <K, S> Object stable(StateKeys<K, S> keys, K key) throws Exception {
        return keys.<K>selector(record -> record).getKey(key);
    }

    @SuppressWarnings("unchecked") // The key came out of these.
    private static <K, S> K back(StateKeys<K, S> keys, Object key) {
        return keys.fromState((S) key);
    }
}

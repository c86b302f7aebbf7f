package io.flinkgpu.operator.window;

import io.flinkgpu.groups.KeyCodec;
import io.flinkgpu.state.Partial;

import org.apache.flink.api.common.serialization.SerializerConfigImpl;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.api.common.typeutils.base.StringSerializer;
import org.apache.flink.core.memory.DataInputDeserializer;
import org.apache.flink.core.memory.DataOutputSerializer;
import org.apache.flink.util.InstantiationUtil;

import org.junit.jupiter.api.Test;

import java.io.IOException;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * Covers: WindowInputSerializer.
 */
class WindowInputSerializerTest {

    private static final WindowInputTypeInfo<String, Reading> TYPE =
            new WindowInputTypeInfo<>(Types.STRING, Reading.TYPE);

    private final TypeSerializer<WindowInput<String, Reading>> serializer =
            TYPE.createSerializer(new SerializerConfigImpl());

    @Test
    void rawRecordsAndBlocksComeBack() throws Exception {
        DataOutputSerializer bytes = new DataOutputSerializer(64);
        serializer.serialize(WindowInput.raw(new Reading("a", 1, null)), bytes);
        serializer.serialize(block("key", 5), bytes);
        DataOutputSerializer copied = new DataOutputSerializer(64);
        DataInputDeserializer source = new DataInputDeserializer(bytes.getCopyOfBuffer());
        serializer.copy(source, copied);
        serializer.copy(source, copied);
        assertThat(copied.getCopyOfBuffer()).isEqualTo(bytes.getCopyOfBuffer());
        DataInputDeserializer back = new DataInputDeserializer(copied.getCopyOfBuffer());
        WindowInput<String, Reading> raw = serializer.duplicate().deserialize(back);
        assertThat(raw.isRaw()).isTrue();
        assertThat(raw.record()).isEqualTo(new Reading("a", 1, null));
        assertThat(serializer.deserialize(raw, back)).isEqualTo(block("key", 5));
        assertThat(back.available()).isZero();
    }

    @Test
    void copiesAreIndependent() {
        WindowInput<String, Reading> block = block("key", 5);
        assertThat(serializer.copy(block)).isEqualTo(block).isNotEqualTo(block("key", 6));
        Reading reading = new Reading("a", 1, null);
        WindowInput<String, Reading> raw = serializer.copy(WindowInput.raw(reading));
        reading.number = 2;
        assertThat(raw.record()).isEqualTo(new Reading("a", 1, null));
    }

    @Test
    void anotherKindIsRefused() {
        DataInputDeserializer source = new DataInputDeserializer(new byte[] {7});
        assertThatThrownBy(() -> serializer.deserialize(source))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("kind=7");
    }

    @Test
    void cannotBeInState() {
        assertThatThrownBy(serializer::snapshotConfiguration)
                .isInstanceOf(UnsupportedOperationException.class);
    }

    @Test
    void typesTravelInTheJobGraphAndCompareByContent() throws Exception {
        assertThat(InstantiationUtil.clone(TYPE)).isEqualTo(TYPE).hasSameHashCodeAs(TYPE);
        assertThat(InstantiationUtil.clone(serializer))
                .isEqualTo(serializer)
                .hasSameHashCodeAs(serializer);
        assertThat(new WindowInputTypeInfo<>(Types.LONG, Reading.TYPE)).isNotEqualTo(TYPE);
    }

    private static WindowInput<String, Reading> block(String key, long number) {
        Partial partial = new Partial(Reading.AGGREGATES.specs());
        partial.add(0, number);
        partial.add(1, Double.doubleToLongBits(0.1));
        return SentGroup.block(
                key,
                -10,
                20,
                partial,
                KeyCodec.of(StringSerializer.INSTANCE),
                128,
                Reading.AGGREGATES.specs());
    }
}

package io.flinkgpu.operator.window;

import io.flinkgpu.state.Partial;

import org.apache.flink.api.common.serialization.SerializerConfigImpl;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.core.memory.DataInputDeserializer;
import org.apache.flink.core.memory.DataOutputSerializer;
import org.apache.flink.util.InstantiationUtil;

import org.junit.jupiter.api.Test;

import java.io.IOException;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class WindowInputSerializerTest {

    private static final WindowInputTypeInfo<String, Reading> TYPE =
            new WindowInputTypeInfo<>(Types.STRING, Reading.TYPE, Reading.AGGREGATES.specs());

    private final TypeSerializer<WindowInput<String, Reading>> serializer =
            TYPE.createSerializer(new SerializerConfigImpl());

    @Test
    void rawRecordsAndPartialsComeBack() throws Exception {
        DataOutputSerializer bytes = new DataOutputSerializer(64);
        serializer.serialize(WindowInput.raw(new Reading("a", 1, null)), bytes);
        serializer.serialize(partial(), bytes);
        DataOutputSerializer copied = new DataOutputSerializer(64);
        DataInputDeserializer source = new DataInputDeserializer(bytes.getCopyOfBuffer());
        serializer.copy(source, copied);
        serializer.copy(source, copied);
        assertThat(copied.getCopyOfBuffer()).isEqualTo(bytes.getCopyOfBuffer());
        DataInputDeserializer back = new DataInputDeserializer(copied.getCopyOfBuffer());
        WindowInput<String, Reading> raw = serializer.duplicate().deserialize(back);
        assertThat(raw.isRaw()).isTrue();
        assertThat(raw.record()).isEqualTo(new Reading("a", 1, null));
        assertSame(serializer.deserialize(raw, back), partial());
        assertThat(back.available()).isZero();
    }

    @Test
    void copiesAreIndependent() {
        WindowInput<String, Reading> partial = partial();
        WindowInput<String, Reading> copy = serializer.copy(partial);
        partial.partial().add(0, 100);
        assertSame(copy, partial());
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
        assertThat(new WindowInputTypeInfo<>(Types.LONG, Reading.TYPE, Reading.AGGREGATES.specs()))
                .isNotEqualTo(TYPE);
    }

    private static WindowInput<String, Reading> partial() {
        Partial partial = new Partial(Reading.AGGREGATES.specs());
        partial.add(0, 5);
        partial.add(1, Double.doubleToLongBits(0.1));
        return WindowInput.partial("key", -10, 20, partial);
    }

    private static void assertSame(
            WindowInput<String, Reading> actual, WindowInput<String, Reading> expected) {
        assertThat(actual).hasToString(expected.toString());
        assertThat(LocalHarness.results(actual)).isEqualTo(LocalHarness.results(expected));
    }
}

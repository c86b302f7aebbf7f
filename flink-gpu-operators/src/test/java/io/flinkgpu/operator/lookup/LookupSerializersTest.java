package io.flinkgpu.operator.lookup;

import io.flinkgpu.api.lookup.BaseFile;
import io.flinkgpu.api.lookup.ElementType;
import io.flinkgpu.api.lookup.LookupResult;
import io.flinkgpu.api.lookup.LookupResultTypeInfo;
import io.flinkgpu.api.lookup.LookupValues;

import org.apache.flink.api.common.serialization.SerializerConfigImpl;
import org.apache.flink.api.common.typeinfo.TypeHint;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.api.common.typeutils.TypeSerializerSnapshot;
import org.apache.flink.api.common.typeutils.base.StringSerializer;
import org.apache.flink.core.memory.DataInputDeserializer;
import org.apache.flink.core.memory.DataOutputSerializer;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * What crosses the network and is in savepoints.
 *
 * <p>Covers: TableRequestSerializer, TableStateSerializer.
 */
class LookupSerializersTest {

    /** Written and read by the serializer that a savepoint restores. */
    private static <T> T restored(TypeSerializer<T> serializer, T value) throws IOException {
        DataOutputSerializer snapshot = new DataOutputSerializer(64);
        TypeSerializerSnapshot.writeVersionedSnapshot(snapshot, serializer.snapshotConfiguration());
        TypeSerializer<T> restored =
                TypeSerializerSnapshot.<T>readVersionedSnapshot(
                                new DataInputDeserializer(snapshot.getCopyOfBuffer()),
                                LookupSerializersTest.class.getClassLoader())
                        .restoreSerializer();
        assertThat(restored).isEqualTo(serializer);
        DataOutputSerializer target = new DataOutputSerializer(64);
        serializer.serialize(value, target);
        DataInputDeserializer source = new DataInputDeserializer(target.getCopyOfBuffer());
        T read = restored.duplicate().deserialize(source);
        assertThat(source.available()).isZero();
        return read;
    }

    private static <T> void assertRestored(TypeSerializer<T> serializer, T value)
            throws IOException {
        assertThat(restored(serializer, value)).usingRecursiveComparison().isEqualTo(value);
    }

    @Test
    void requests() throws IOException {
        TableRequestSerializer<String> serializer =
                new TableRequestSerializer<>(StringSerializer.INSTANCE);
        TableRequest<String> without =
                new TableRequest<>(
                        "a", new byte[8], new byte[4], new byte[4], null, new byte[0], 32);
        TableRequest<String> with =
                new TableRequest<>(
                        "b",
                        new byte[] {1, 2},
                        new byte[0],
                        new byte[] {3},
                        new byte[4],
                        new byte[] {4},
                        Long.MAX_VALUE);
        for (TableRequest<String> request : List.of(without, with)) {
            assertRestored(serializer, request);
            assertRestored(
                    new TimedRequestSerializer<>(serializer), new TimedRequest<>(-1, 7, request));
        }
    }

    @Test
    void changes() throws IOException {
        for (byte[] vector : new byte[][] {null, {}, {1, -2, 3}}) {
            TableChange change = new TableChange(3, Long.MIN_VALUE, vector);
            assertRestored(TableChangeSerializer.INSTANCE, change);
            assertRestored(
                    TimedTableChangeSerializer.INSTANCE, new TimedTableChange(-5, 9, change));
            assertRestored(DeltaSerializer.INSTANCE, new Delta(Long.MAX_VALUE, vector));
        }
    }

    @Test
    void tables() throws IOException {
        BaseFile tensors = BaseFile.safetensors("/models/é", "weight").withChecksum(5);
        for (BaseFile base :
                new BaseFile[] {
                    null,
                    BaseFile.raw("/models/a").withChecksum(0xffff_ffffL),
                    tensors,
                    tensors.withIds("ids"),
                    tensors.withScaleAndBias("s", "b")
                }) {
            TableState state = new TableState(2, ElementType.INT8, 65_536, base, -1);
            assertThat(restored(TableStateSerializer.INSTANCE, state)).isEqualTo(state);
        }
    }

    @Test
    void aTableOfAnUnknownTypeIsCorrupt() throws IOException {
        DataOutputSerializer target = new DataOutputSerializer(64);
        target.writeInt(0);
        target.writeByte(ElementType.values().length);
        target.writeInt(1);
        target.writeLong(1);
        target.writeByte(0);
        assertThatThrownBy(
                        () ->
                                TableStateSerializer.INSTANCE.deserialize(
                                        new DataInputDeserializer(target.getCopyOfBuffer())))
                .isInstanceOf(IOException.class)
                .hasMessageStartingWith("a table must be as it was written: type=4, format=0;");
    }

    @Test
    void results() throws IOException {
        TypeInformation<LookupResult<String>> type =
                TypeInformation.of(new TypeHint<LookupResult<String>>() {});
        assertThat(type).isEqualTo(new LookupResultTypeInfo<>(Types.STRING));
        LookupValues values =
                new LookupValues(new float[] {-0f, Float.NaN, Float.MIN_VALUE}, new int[] {0, 3});
        LookupResult<String> result = new LookupResult<>("a", values);
        assertThat(restored(type.createSerializer(new SerializerConfigImpl()), result))
                .isEqualTo(result);
        assertThat(result.toString()).isEqualTo("LookupResult[String, bags=2]");
    }
}

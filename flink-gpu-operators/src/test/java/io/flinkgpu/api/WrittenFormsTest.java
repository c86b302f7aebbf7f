package io.flinkgpu.api;

import org.apache.flink.api.common.serialization.SerializerConfigImpl;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.api.common.typeutils.TypeSerializerSnapshot;
import org.apache.flink.api.common.typeutils.base.StringSerializer;
import org.apache.flink.core.memory.DataInputDeserializer;
import org.apache.flink.core.memory.DataOutputSerializer;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.io.InputStream;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The library's own types as an earlier commit wrote them, which users may have in state. The file is written
 * once, by {@link #main}, and stays: another form needs another snapshot, or another version of it.
 */
class WrittenFormsTest {

    private static final String FILE = "forms-7c61f22.bin";

    private static final List<ValueSpec> SPECS =
            List.of(
                    new ValueSpec(
                            "v",
                            ColumnType.DOUBLE,
                            List.of(
                                    Aggregate.COUNT,
                                    Aggregate.MEAN,
                                    new CellAggregate(
                                            CellAggregate.Kind.TOP, "top", ColumnType.TEXT, 3))),
                    new ValueSpec("m", ColumnType.decimal(18, 1), List.of(Aggregate.SUM)));

    private record Form<T>(TypeSerializer<T> serializer, T value) {}

    private static List<Form<?>> forms() {
        ResultSchema schema = new ResultSchema(SPECS);
        Object[] values = {3L, 0.25, Arrays.asList("a", null, "\u00e9"), new BigDecimal("-0.5")};
        return List.of(
                new Form<>(
                        LineChunkSerializer.INSTANCE,
                        new LineChunk(
                                "file:/a.log",
                                7,
                                "one\ntwo\n".getBytes(StandardCharsets.US_ASCII))),
                new Form<>(
                        LineRangeSerializer.INSTANCE,
                        new LineRange("file:/b.log", 1L << 33, 5, 1L << 34, true)),
                new Form<>(
                        new DeadLetterSerializer<>(StringSerializer.INSTANCE),
                        new DeadLetter<>("record", "a reason: x=\u00e9")),
                new Form<>(
                        new WindowResultTypeInfo<>(Types.STRING, SPECS)
                                .createSerializer(new SerializerConfigImpl()),
                        new WindowResult<>(
                                "key", 60_000, 120_000, new AggregateValues(schema, values))));
    }

    @Test
    void areRead() throws IOException {
        DataInputDeserializer source = new DataInputDeserializer(file());
        for (Form<?> form : forms()) {
            TypeSerializer<?> restored =
                    TypeSerializerSnapshot.readVersionedSnapshot(
                                    source, WrittenFormsTest.class.getClassLoader())
                            .restoreSerializer();
            assertThat(restored).isEqualTo(form.serializer);
            assertThat(restored.deserialize(source)).isEqualTo(form.value);
        }
        assertThat(source.available()).isZero();
    }

    @Test
    void areWritten() throws IOException {
        assertThat(written()).isEqualTo(file());
    }

    private static byte[] file() throws IOException {
        try (InputStream file = WrittenFormsTest.class.getResourceAsStream(FILE)) {
            return file.readAllBytes();
        }
    }

    private static byte[] written() throws IOException {
        DataOutputSerializer target = new DataOutputSerializer(1024);
        for (Form<?> form : forms()) {
            write(form, target);
        }
        return target.getCopyOfBuffer();
    }

    private static <T> void write(Form<T> form, DataOutputSerializer target) throws IOException {
        TypeSerializerSnapshot.writeVersionedSnapshot(
                target, form.serializer.snapshotConfiguration());
        form.serializer.serialize(form.value, target);
    }

    /** Writes the file into the folder that is given. */
    public static void main(String[] args) throws IOException {
        Files.write(Path.of(args[0], FILE), written());
    }
}

package io.flinkgpu.state;

import io.flinkgpu.api.ColumnType;
import io.flinkgpu.api.ValueSpec;

import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.api.common.typeutils.TypeSerializerSchemaCompatibility;
import org.apache.flink.api.common.typeutils.TypeSerializerSnapshot;
import org.apache.flink.core.memory.DataInputDeserializer;
import org.apache.flink.core.memory.DataOutputSerializer;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import static io.flinkgpu.api.Aggregate.COUNT;
import static io.flinkgpu.api.Aggregate.MAX;
import static io.flinkgpu.api.Aggregate.MEAN;
import static io.flinkgpu.api.Aggregate.MIN;
import static io.flinkgpu.api.Aggregate.POPULATION_STANDARD_DEVIATION;
import static io.flinkgpu.api.Aggregate.SUM;
import static io.flinkgpu.api.Aggregate.VARIANCE;
import static io.flinkgpu.state.PartialTest.spec;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * Reads a savepoint's bytes that an earlier build wrote, and asks which jobs they fit. The file of a
 * format is written once, by {@link #main}, and stays.
 *
 * <p>Covers: Partial, PartialSerializerSnapshot.
 */
class PartialUpgradeTest {

    private static final String FILE = "partials-format-2.bin";
    private static final String FILE_1 = "partials-format-1.bin";

    private static final List<ValueSpec> SPECS =
            List.of(
                    spec("temperature", ColumnType.DOUBLE, MIN, MEAN, MAX, SUM, COUNT),
                    spec("price", ColumnType.decimal(9, 2), SUM, MAX),
                    spec("hits", ColumnType.LONG, COUNT, MEAN),
                    spec("load", ColumnType.FLOAT, MIN, MAX),
                    spec("errors", ColumnType.INT, COUNT));

    /** With squares, which format 1 has not. */
    private static final List<ValueSpec> SPECS_2 =
            List.of(
                    SPECS.get(0),
                    spec("price", ColumnType.decimal(9, 2), SUM, MAX, VARIANCE),
                    SPECS.get(2),
                    spec("load", ColumnType.FLOAT, MIN, MAX, POPULATION_STANDARD_DEVIATION),
                    SPECS.get(4));

    @Test
    void format1IsRead() throws IOException {
        assertRead(FILE_1, SPECS);
    }

    @Test
    void format2IsRead() throws IOException {
        assertRead(FILE, SPECS_2);
    }

    private static void assertRead(String name, List<ValueSpec> specs) throws IOException {
        DataInputDeserializer file = file(name);
        TypeSerializer<Partial> serializer = readSnapshot(file).restoreSerializer();
        for (Partial expected : partials(specs)) {
            assertThat(serializer.deserialize(file)).isEqualTo(expected);
        }
        assertThat(file.available()).isZero();
    }

    /** Another format needs another number. */
    @Test
    void format1IsWrittenWhereItDoes() throws IOException {
        assertWritten(FILE_1, SPECS);
    }

    @Test
    void format2IsWritten() throws IOException {
        assertWritten(FILE, SPECS_2);
    }

    private static void assertWritten(String name, List<ValueSpec> specs) throws IOException {
        try (InputStream file = PartialUpgradeTest.class.getResourceAsStream(name)) {
            assertThat(written(specs)).isEqualTo(file.readAllBytes());
        }
    }

    /** A job that asks for nothing new goes on with what an earlier version kept. */
    @Test
    void whatFormat1KeptFitsAsItIs() throws IOException {
        assertThat(compatibility(SPECS).isCompatibleAsIs()).isTrue();
    }

    @Test
    void otherNamesOrderPrecisionAndEquallyKeptAggregatesFitAsTheyAre() throws IOException {
        List<ValueSpec> same =
                List.of(
                        spec("t", ColumnType.DOUBLE, SUM, MAX),
                        spec("p", ColumnType.decimal(18, 2), MEAN, MIN, COUNT),
                        spec("h", ColumnType.LONG, SUM),
                        spec("l", ColumnType.FLOAT, MAX, COUNT),
                        spec("e", ColumnType.INT, COUNT));
        assertThat(compatibility(same).isCompatibleAsIs()).isTrue();
    }

    @Test
    void fewerAggregatesAreMigrated() throws IOException {
        List<ValueSpec> fewer =
                List.of(
                        spec("temperature", ColumnType.DOUBLE, MEAN),
                        spec("price", ColumnType.decimal(9, 2), MIN),
                        spec("hits", ColumnType.LONG, COUNT),
                        spec("load", ColumnType.FLOAT, MIN, MAX),
                        spec("errors", ColumnType.INT, COUNT));
        assertThat(compatibility(fewer).isCompatibleAfterMigration()).isTrue();

        DataInputDeserializer file = file(FILE_1);
        TypeSerializer<Partial> before = readSnapshot(file).restoreSerializer();
        TypeSerializer<Partial> after = new PartialSerializer(fewer);
        for (Partial expected : partials(SPECS)) {
            DataOutputSerializer migrated = new DataOutputSerializer(64);
            after.serialize(before.deserialize(file), migrated);
            Partial read = after.deserialize(new DataInputDeserializer(migrated.getCopyOfBuffer()));
            assertThat(read.results(fewer)).isEqualTo(expected.results(fewer));
        }
    }

    @Test
    void whatWasNotKeptIsRefused() throws IOException {
        assertRefused(3, spec("load", ColumnType.FLOAT, MIN, MAX, MEAN));
        assertRefused(2, spec("hits", ColumnType.LONG, MIN));
        assertRefused(4, spec("errors", ColumnType.INT, SUM));
        assertRefused(0, spec("temperature", ColumnType.DOUBLE, MEAN, VARIANCE));
    }

    @Test
    void otherTypesAreRefused() throws IOException {
        assertRefused(0, spec("temperature", ColumnType.FLOAT, MEAN));
        assertRefused(1, spec("price", ColumnType.decimal(9, 3), SUM));
        assertRefused(2, spec("hits", ColumnType.INT, COUNT));
        assertThat(compatibility(SPECS.subList(0, 4)).isIncompatible()).isTrue();
    }

    @Test
    void anUnknownFormatIsNamed() throws IOException {
        byte[] bytes = written(SPECS_2);
        byte[] name = PartialSerializerSnapshot.class.getName().getBytes("US-ASCII");
        int version = new String(bytes, "ISO-8859-1").indexOf(new String(name, "US-ASCII"));
        bytes[version + name.length + 3] = 9;
        assertThatThrownBy(() -> readSnapshot(new DataInputDeserializer(bytes)))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("format=9, known=1 to 2");
    }

    private static void assertRefused(int column, ValueSpec spec) throws IOException {
        List<ValueSpec> specs = new ArrayList<>(SPECS);
        specs.set(column, spec);
        assertThat(compatibility(specs).isIncompatible()).as("%s", spec).isTrue();
    }

    private static TypeSerializerSchemaCompatibility<Partial> compatibility(List<ValueSpec> specs)
            throws IOException {
        return new PartialSerializer(specs)
                .snapshotConfiguration()
                .resolveSchemaCompatibility(readSnapshot(file(FILE_1)));
    }

    private static TypeSerializerSnapshot<Partial> readSnapshot(DataInputDeserializer source)
            throws IOException {
        return TypeSerializerSnapshot.readVersionedSnapshot(
                source, PartialUpgradeTest.class.getClassLoader());
    }

    private static DataInputDeserializer file(String name) throws IOException {
        try (InputStream file = PartialUpgradeTest.class.getResourceAsStream(name)) {
            return new DataInputDeserializer(file.readAllBytes());
        }
    }

    private static List<Partial> partials(List<ValueSpec> specs) {
        return List.of(
                new Partial(specs),
                partial(specs, 20.5, 19.75, -3.1),
                partial(specs, 1e300, -1e-300, Double.MIN_VALUE),
                partial(
                        specs,
                        Double.NaN,
                        Double.NEGATIVE_INFINITY,
                        Long.MIN_VALUE,
                        Long.MIN_VALUE));
    }

    private static Partial partial(List<ValueSpec> specs, double... values) {
        Partial partial = new Partial(specs);
        for (double value : values) {
            partial.add(0, Double.doubleToLongBits(value));
            partial.add(1, (long) (value % 1e9));
            partial.add(2, (long) value);
            partial.add(3, Double.doubleToLongBits((float) value));
            partial.add(4, (int) value);
        }
        return partial;
    }

    private static byte[] written(List<ValueSpec> specs) throws IOException {
        DataOutputSerializer target = new DataOutputSerializer(1024);
        TypeSerializer<Partial> serializer = new PartialSerializer(specs);
        TypeSerializerSnapshot.writeVersionedSnapshot(target, serializer.snapshotConfiguration());
        for (Partial partial : partials(specs)) {
            serializer.serialize(partial, target);
        }
        return target.getCopyOfBuffer();
    }

    /** Writes the file of the current format into the folder that is given. */
    public static void main(String[] args) throws IOException {
        Files.write(Path.of(args[0], FILE), written(SPECS_2));
    }
}

package io.flinkgpu.state;

import io.flinkgpu.api.Aggregate;
import io.flinkgpu.api.CellAggregate;
import io.flinkgpu.api.CellAggregate.Kind;
import io.flinkgpu.api.ColumnType;
import io.flinkgpu.api.LineChunk;
import io.flinkgpu.api.LineChunkSerializer;
import io.flinkgpu.api.LineRange;
import io.flinkgpu.api.LineRangeSerializer;
import io.flinkgpu.api.ValueSpec;
import io.flinkgpu.cells.DistinctSketch;
import io.flinkgpu.cells.RowCells;
import io.flinkgpu.column.RowValues;
import io.flinkgpu.groups.GroupBlock;

import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.api.common.typeutils.TypeSerializerSnapshot;
import org.apache.flink.core.memory.DataInputDeserializer;
import org.apache.flink.core.memory.DataOutputSerializer;

import com.sun.management.ThreadMXBean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.io.InputStream;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * Bytes of state that a disk or a network changed: they give other values, as they do in Flink, or an {@code
 * IOException}, and never need more memory than a few steps of reading.
 *
 * <p>Covers: PartialFormat.
 */
class CorruptStateTest {

    private static final int ROUNDS = 5000;
    private static final long MOST_BYTES = 64 << 20;

    /** A file's name, which Flink reads. */
    private static final int NAME_BYTES = 5;

    private static final List<ValueSpec> CELLS =
            List.of(
                    new ValueSpec(
                            "v",
                            ColumnType.DOUBLE,
                            List.of(
                                    Aggregate.SUM,
                                    new CellAggregate(Kind.ARG_MAX, "a", ColumnType.TEXT, 0),
                                    new CellAggregate(Kind.TOP, "t", ColumnType.LONG, 3),
                                    new CellAggregate(
                                            Kind.APPROX_DISTINCT,
                                            "d",
                                            null,
                                            DistinctSketch.DEFAULT_LG_K),
                                    new CellAggregate(Kind.APPROX_QUANTILE, "q", null, 500))));

    @ParameterizedTest
    @ValueSource(strings = {"partials-format-1.bin", "partials-format-2.bin"})
    void goldenPartials(String name) throws IOException {
        try (InputStream file = CorruptStateTest.class.getResourceAsStream(name)) {
            corrupt(file.readAllBytes(), CorruptStateTest::readPartials);
        }
    }

    @Test
    void partialsWithCells() throws IOException {
        corrupt(written(), CorruptStateTest::readPartials);
    }

    @Test
    void runsOfGroups() throws IOException {
        PartialSerializer format = new PartialSerializer(CELLS);
        DataOutputSerializer run = new DataOutputSerializer(64);
        for (int key = 0; key < 5; key++) {
            PartialFormat.writeLength(3, run);
            run.write(new byte[] {1, 2, (byte) key});
            format.serialize(partial(key), run);
        }
        DataOutputSerializer target = new DataOutputSerializer(64);
        GroupRunSerializer serializer = new GroupRunSerializer(format);
        serializer.serialize(new GroupRun(format, run.getCopyOfBuffer()), target);
        corrupt(
                target.getCopyOfBuffer(),
                bytes -> {
                    RunReader reader =
                            new RunReader()
                                    .open(serializer.deserialize(new DataInputDeserializer(bytes)));
                    while (reader.next()) {
                        assertThat(reader.keyAt() + reader.keyLength())
                                .isLessThanOrEqualTo(reader.bytes().length);
                    }
                });
    }

    /** Never in state, but on the network between two operators. */
    @Test
    void blocksOfGroups() throws IOException {
        DataOutputSerializer target = new DataOutputSerializer(64);
        new GroupBlock(3, 2, new byte[40], 32).write(target);
        corrupt(
                target.getCopyOfBuffer(),
                bytes -> {
                    GroupBlock block = GroupBlock.read(new DataInputDeserializer(bytes));
                    assertThat(block.records()).isBetween(1, block.length());
                    GroupBlock.copy(new DataInputDeserializer(bytes), new DataOutputSerializer(64));
                });
    }

    @Test
    void chunks() throws IOException {
        DataOutputSerializer target = new DataOutputSerializer(64);
        LineChunkSerializer.INSTANCE.serialize(
                new LineChunk("file", 7, "two\nlines\n".getBytes("US-ASCII")), target);
        corrupt(
                target.getCopyOfBuffer(),
                NAME_BYTES,
                bytes -> {
                    LineChunkSerializer.INSTANCE.deserialize(new DataInputDeserializer(bytes));
                    LineChunkSerializer.INSTANCE.copy(
                            new DataInputDeserializer(bytes), new DataOutputSerializer(64));
                });
    }

    @Test
    void ranges() throws IOException {
        DataOutputSerializer target = new DataOutputSerializer(64);
        LineRangeSerializer.INSTANCE.serialize(new LineRange("file", 7, 20, 100), target);
        corrupt(
                target.getCopyOfBuffer(),
                NAME_BYTES,
                bytes ->
                        LineRangeSerializer.INSTANCE.deserialize(new DataInputDeserializer(bytes)));
    }

    @Test
    void theErrorNamesWhatItWasAndTheRemedy() {
        assertThatThrownBy(
                        () ->
                                new GroupRunSerializer(new PartialSerializer(CELLS))
                                        .deserialize(
                                                new DataInputDeserializer(
                                                        new byte[] {127, -1, -1, -1, 5})))
                .isInstanceOf(IOException.class)
                .hasMessage(
                        "a run of groups must be as it was written: bytes=2147483647, of which not all"
                                + " are there; the file or the connection gave other bytes: restore an"
                                + " earlier checkpoint or savepoint");
    }

    private interface Read {
        void read(byte[] bytes) throws IOException;
    }

    private static void corrupt(byte[] golden, Read read) throws IOException {
        corrupt(golden, 0, read);
    }

    /**
     * Changes and cuts bytes, mostly where counts are likely to be: at the beginning.
     *
     * @param from what is before stays
     */
    private static void corrupt(byte[] golden, int from, Read read) throws IOException {
        read.read(golden);
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long thread = Thread.currentThread().getId();
        long seed = System.nanoTime();
        Random random = new Random(seed);
        int refused = 0;
        for (int round = 0; round < ROUNDS; round++) {
            String what = "seed " + seed + ", round " + round;
            byte[] bytes = golden.clone();
            for (int changes = 1 + random.nextInt(3); changes > 0; changes--) {
                int range = bytes.length - from;
                int at = from + random.nextInt(random.nextBoolean() ? range : range / 4 + 1);
                bytes[at] = (byte) (random.nextInt(3) == 0 ? 0xff : random.nextInt(256));
            }
            if (random.nextInt(4) == 0) {
                bytes = Arrays.copyOf(bytes, random.nextInt(bytes.length + 1));
            }
            long before = threads.getThreadAllocatedBytes(thread);
            try {
                read.read(bytes);
            } catch (IOException e) {
                refused++;
            } catch (RuntimeException | Error e) {
                throw new AssertionError(what, e);
            }
            assertThat(threads.getThreadAllocatedBytes(thread) - before)
                    .as(what)
                    .isLessThan(MOST_BYTES);
        }
        assertThat(refused).as("seed " + seed).isPositive();
    }

    private static void readPartials(byte[] bytes) throws IOException {
        DataInputDeserializer source = new DataInputDeserializer(bytes);
        TypeSerializerSnapshot<Partial> snapshot =
                TypeSerializerSnapshot.readVersionedSnapshot(
                        source, CorruptStateTest.class.getClassLoader());
        TypeSerializer<Partial> serializer = snapshot.restoreSerializer();
        while (source.available() > 0) {
            int before = source.available();
            serializer.deserialize(source);
            if (source.available() == before) {
                return; // No columns.
            }
        }
    }

    private static byte[] written() throws IOException {
        PartialSerializer serializer = new PartialSerializer(CELLS);
        DataOutputSerializer target = new DataOutputSerializer(64);
        TypeSerializerSnapshot.writeVersionedSnapshot(target, serializer.snapshotConfiguration());
        for (int i = 0; i < 4; i++) {
            serializer.serialize(partial(i), target);
        }
        return target.getCopyOfBuffer();
    }

    private static Partial partial(int rows) {
        RowCells cells = new RowCells(CELLS);
        RowValues row = cells.newRow();
        Partial partial = new Partial(CELLS);
        for (int i = 0; i < rows; i++) {
            row.putWord(0, Double.doubleToLongBits(i + 0.5));
            for (int column = 1; column < row.columns(); column++) {
                row.putText(column, "text " + i);
                row.putWord(column, i);
            }
            cells.fill(row, i);
            partial.add(row);
        }
        return partial;
    }
}

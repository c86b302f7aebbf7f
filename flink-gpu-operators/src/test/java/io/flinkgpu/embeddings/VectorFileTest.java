package io.flinkgpu.embeddings;

import io.flinkgpu.api.lookup.BaseFile;
import io.flinkgpu.api.lookup.ElementType;
import io.flinkgpu.api.lookup.EmbeddingTable;

import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.memory.util.MemoryUtil;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * Base files, right and wrong.
 *
 * <p>Covers: VectorFile, BaseFile, DiskReads, EmbeddingTables, RawHeader, Rebase, SafetensorsHeader, StoredTable,
 * VectorFileWriter.
 */
class VectorFileTest {

    private static final int VECTORS = 5;

    @TempDir Path directory;

    private Path path() {
        return directory.resolve("vectors");
    }

    private static EmbeddingTable table(ElementType type) {
        return EmbeddingTable.of("t", 3, type);
    }

    private static byte[] vector(ElementType type, int number) {
        byte[] vector = new byte[type.vectorBytes(3)];
        new Random(number).nextBytes(vector);
        return vector;
    }

    private EmbeddingTable writeRaw(ElementType type, long... ids) throws IOException {
        try (VectorFileWriter writer = new VectorFileWriter(path(), type, 3)) {
            for (int i = 0; i < ids.length; i++) {
                writer.add(ids[i], vector(type, i));
            }
            writer.finish(42);
        }
        return table(type).withBase(BaseFile.raw(path().toString()));
    }

    /** The vectors of a file by ids. */
    private static Map<Long, byte[]> read(EmbeddingTable table) throws IOException {
        Map<Long, byte[]> vectors = new TreeMap<>();
        try (RootAllocator allocator = new RootAllocator();
                VectorFile file = VectorFile.open(table, allocator, Workers.ofCaller());
                ArrowBuf all =
                        allocator.buffer(Math.max(1, file.vectors() * table.vectorBytes()))) {
            file.readVectors(0, file.vectors(), all.memoryAddress());
            file.readIds(
                    allocator,
                    (number, id) -> {
                        byte[] vector = new byte[table.vectorBytes()];
                        all.getBytes(number * vector.length, vector);
                        vectors.put(id, vector);
                    });
        }
        return vectors;
    }

    @ParameterizedTest
    @EnumSource
    void whatWasWrittenIsRead(ElementType type) throws IOException {
        EmbeddingTable table = writeRaw(type, 9, -1, Long.MIN_VALUE);
        Map<Long, byte[]> vectors = read(table);
        assertThat(vectors).hasSize(3);
        assertThat(vectors.get(9L)).isEqualTo(vector(type, 0));
        assertThat(vectors.get(-1L)).isEqualTo(vector(type, 1));
        assertThat(vectors.get(Long.MIN_VALUE)).isEqualTo(vector(type, 2));
        assertThat(Files.size(path())).isEqualTo(4_096 + 3 * (8L + type.vectorBytes(3)));
        try (RootAllocator allocator = new RootAllocator();
                VectorFile file = VectorFile.open(table, allocator, Workers.ofCaller())) {
            assertThat(file.version()).isEqualTo(42);
        }
        assertThat(directory).isDirectoryNotContaining("glob:**.unfinished");
    }

    @Test
    void aFileThatIsNotFinishedIsNotThere() throws IOException {
        try (VectorFileWriter writer = new VectorFileWriter(path(), ElementType.F32, 3)) {
            writer.add(1, vector(ElementType.F32, 1));
        }
        assertThat(directory).isEmptyDirectory();
    }

    @Test
    void aFileThatWouldHaveTooManyVectorsIsRefused() throws IOException {
        try (VectorFileWriter writer = new VectorFileWriter(path(), ElementType.F32, 3, 2)) {
            writer.add(1, vector(ElementType.F32, 1));
            writer.add(2, vector(ElementType.F32, 2));
            assertThatThrownBy(() -> writer.add(3, vector(ElementType.F32, 3)))
                    .isInstanceOf(IOException.class)
                    .hasMessage(
                            "a file of vectors has at most 2, as their ids are in memory while it is"
                                    + " written: file="
                                    + path()
                                    + "; spread them over several tables");
        }
        assertThat(directory).isEmptyDirectory();
    }

    private static void assertRefused(EmbeddingTable table, String message) {
        assertThatThrownBy(() -> read(table)).isInstanceOf(IOException.class).hasMessage(message);
    }

    @Test
    void aRawFileThatIsWrongIsRefusedInOneLine() throws IOException {
        EmbeddingTable table = writeRaw(ElementType.F32, 1, 2);
        byte[] right = Files.readAllBytes(path());
        assertRefused(
                table(ElementType.F16).withBase(table.base().orElseThrow()),
                "a base file has elements of its table's type: table=t, file="
                        + path()
                        + ", in=header, type=F32, needed=F16; declare the table so, or name another"
                        + " file");
        assertRefused(
                EmbeddingTable.of("t", 4, ElementType.F32).withBase(table.base().orElseThrow()),
                "a base file has vectors of its table's dimension: table=t, file="
                        + path()
                        + ", in=header, dimension=3, needed=4; declare the table so, or name another"
                        + " file");
        Files.write(path(), Arrays.copyOf(right, right.length - 1));
        assertRefused(
                table,
                "a base file is as long as its header says: table=t, file="
                        + path()
                        + ", bytes=4135, needed=4136; it was cut or is still being written: copy it"
                        + " again");
        byte[] damaged = right.clone();
        damaged[4_100] ^= 1;
        Files.write(path(), damaged);
        assertRefused(
                table,
                "the checksum of a raw file of vectors is that of its content: table=t, file="
                        + path()
                        + "; it was damaged: copy it again");
        Files.write(path(), new byte[5_000]);
        assertRefused(
                table,
                "a raw file of vectors starts with its header: table=t, file="
                        + path()
                        + ", bytes=5000; write it with EmbeddingFiles.write(..), or name the format"
                        + " that it has");
        Files.delete(path());
        assertRefused(
                table,
                "a base file must be there on every machine: table=t, file="
                        + path()
                        + "; copy it there, or name another path");
    }

    @Test
    void anIdThatIsThereTwiceIsRefused() throws IOException {
        EmbeddingTable table = writeRaw(ElementType.F32, 1, 2, 1);
        try (RootAllocator allocator = new RootAllocator()) {
            assertThatThrownBy(
                            () ->
                                    new EmbeddingTables(
                                            List.of(table),
                                            1 << 20,
                                            allocator,
                                            directory.toString()))
                    .hasMessage(
                            "each vector of a base file has an id of its own: table=t, file="
                                    + path()
                                    + ", vector=2; write each id once");
        }
    }

    /** Nothing is made up in place of what is gone. */
    @Test
    void aFileThatShrinksWhileItIsReadFails() throws IOException {
        EmbeddingTable table = writeRaw(ElementType.F32, 1, 2);
        try (RootAllocator allocator = new RootAllocator();
                EmbeddingTables tables =
                        new EmbeddingTables(List.of(table), 0, allocator, directory.toString());
                ArrowBuf target = allocator.buffer(12)) {
            Files.write(path(), new byte[4_100]);
            long[] second = {tables.table(0).index().find(2)};
            assertThatThrownBy(() -> tables.read(0, second, 1, target))
                    .isInstanceOf(IOException.class)
                    .hasMessageStartingWith(
                            "a file of vectors must not shrink while it is read: bytes=")
                    .hasMessageEndingWith("; restore it and restart the job");
        }
    }

    /** Tensors one after another, as their names say. */
    private EmbeddingTable writeTensors(ElementType type, String header, ByteBuffer... tensors)
            throws IOException {
        byte[] json = header.getBytes(StandardCharsets.UTF_8);
        int bytes = 8 + json.length;
        for (ByteBuffer tensor : tensors) {
            bytes += tensor.capacity();
        }
        ByteBuffer file = little(bytes).putLong(json.length).put(json);
        for (ByteBuffer tensor : tensors) {
            file.put(tensor.array());
        }
        Files.write(path(), file.array());
        return table(type).withBase(BaseFile.safetensors(path().toString(), "weight"));
    }

    private static ByteBuffer little(int bytes) {
        return ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }

    @ParameterizedTest
    @CsvSource({"F32, 4", "F16, 2", "BF16, 2"})
    void tensorsAreRowsWithTheirNumbersAsIds(ElementType type, int elementBytes)
            throws IOException {
        int bytes = 3 * elementBytes * VECTORS;
        ByteBuffer weights = little(bytes);
        for (int i = 0; i < VECTORS; i++) {
            weights.put(vector(type, i));
        }
        EmbeddingTable table =
                writeTensors(
                        type,
                        "{\"__metadata__\":{\"version\":\"8\"},\"weight\":{\"dtype\":\"%s\",\"shape\":[5,3],"
                                        .formatted(type)
                                + "\"data_offsets\":[0,%d]}}   ".formatted(bytes),
                        weights);
        Map<Long, byte[]> vectors = read(table);
        assertThat(vectors).hasSize(VECTORS);
        for (int i = 0; i < VECTORS; i++) {
            assertThat(vectors.get((long) i)).isEqualTo(vector(type, i));
        }
        try (RootAllocator allocator = new RootAllocator();
                VectorFile file = VectorFile.open(table, allocator, Workers.ofCaller())) {
            assertThat(file.version()).isEqualTo(8);
        }
    }

    /** In memory and on disk a vector of bytes has its scale and bias before them. */
    @ParameterizedTest
    @CsvSource({"1000", "0", "25"})
    void bytesHaveScalesBiasesAndIdsInOtherTensors(long hostBytes) throws IOException {
        ByteBuffer scales = little(4 * VECTORS);
        ByteBuffer biases = little(4 * VECTORS);
        ByteBuffer weights = little(3 * VECTORS);
        ByteBuffer ids = little(8 * VECTORS);
        for (int i = 0; i < VECTORS; i++) {
            byte[] vector = vector(ElementType.INT8, i);
            scales.put(vector, 0, 4);
            biases.put(vector, 4, 4);
            weights.put(vector, 8, 3);
            ids.putLong(100L - i);
        }
        EmbeddingTable unnamed =
                writeTensors(
                        ElementType.INT8,
                        "{\"ids\":{\"dtype\":\"I64\",\"shape\":[5],\"data_offsets\":[0,40]},"
                                + "\"weight\":{\"dtype\":\"I8\",\"shape\":[5,3],\"data_offsets\":[40,55]},"
                                + "\"s\":{\"dtype\":\"F32\",\"shape\":[5],\"data_offsets\":[55,75]},"
                                + "\"b\":{\"dtype\":\"F32\",\"shape\":[5],\"data_offsets\":[75,95]}}",
                        ids,
                        weights,
                        scales,
                        biases);
        BaseFile base = unnamed.base().orElseThrow();
        assertRefused(
                unnamed,
                "vectors of INT8 have scales and biases: table=t, file="
                        + path()
                        + "; name their tensors with withScaleAndBias(..)");
        EmbeddingTable table = unnamed.withBase(base.withIds("ids").withScaleAndBias("s", "b"));
        Map<Long, byte[]> vectors = read(table);
        try (RootAllocator allocator = new RootAllocator();
                EmbeddingTables tables =
                        new EmbeddingTables(
                                List.of(table), hostBytes, allocator, directory.toString());
                ArrowBuf target = allocator.buffer(11)) {
            for (int i = 0; i < VECTORS; i++) {
                byte[] expected = vector(ElementType.INT8, i);
                assertThat(vectors.get(100L - i)).isEqualTo(expected);
                long location = tables.table(0).index().find(100 - i);
                byte[] found = new byte[11];
                if (Location.tier(location) == Location.MEMORY) {
                    long address = tables.table(0).address(Location.place(location));
                    for (int k = 0; k < found.length; k++) {
                        found[k] = MemoryUtil.getByte(address + k);
                    }
                } else {
                    tables.read(0, new long[] {location}, 1, target);
                    target.getBytes(0, found);
                }
                assertThat(found).isEqualTo(expected);
            }
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "{\"w\":{\"dtype\":\"F32\",\"shape\":[1,3],\"data_offsets\":[0,12]}}|a tensor must be in"
                        + " its file: table=t, file=FILE, tensor=weight; name one that is there",
                "{\"weight\":{\"dtype\":\"F64\",\"shape\":[1,3],\"data_offsets\":[0,12]}}|a base file has"
                        + " elements of its table's type: table=t, file=FILE, in=weight, type=F64,"
                        + " needed=F32; declare the table so, or name another file",
                "{\"weight\":{\"dtype\":\"F32\",\"shape\":[3],\"data_offsets\":[0,12]}}|a tensor of"
                        + " vectors has two dimensions: table=t, file=FILE, tensor=weight, dimensions=1;"
                        + " name another one",
                "{\"weight\":{\"dtype\":\"F32\",\"shape\":[1,2],\"data_offsets\":[0,8]}}|a base file has"
                        + " vectors of its table's dimension: table=t, file=FILE, in=weight,"
                        + " dimension=2, needed=3; declare the table so, or name another file",
                "{\"weight\":{\"dtype\":\"F32\",\"shape\":[1,3],\"data_offsets\":[0,8]}}|the offsets of a"
                        + " tensor are those of its shape: table=t, file=FILE, tensor=weight, bytes=8,"
                        + " needed=12; write the file again",
                "{\"weight\":{\"dtype\":\"F32\",\"shape\":[2,3],\"data_offsets\":[0,24]}}|a base file is as"
                        + " long as its header says: table=t, file=FILE, bytes=82, needed=94; it was cut"
                        + " or is still being written: copy it again",
                "{\"weight\":{\"dtype\":\"F32\",\"shape\":[1,3],\"data_offsets\":"
                        + "[9223372036854775795,9223372036854775807]}}|a base file is as long as its"
                        + " header says: table=t, file=FILE, bytes=117, needed=9223372036854775807; it"
                        + " was cut or is still being written: copy it again",
                "{\"weight\":{\"dtype\":\"F32\",\"shape\":{\"rows\":1,\"columns\":3},"
                        + "\"data_offsets\":[0,12]}}|a base file has vectors of its table's dimension:"
                        + " table=t, file=FILE, in=weight, dimension=0, needed=3; declare the table so,"
                        + " or name another file",
                "{\"weight\":|a safetensors file starts with a header in JSON: table=t, file=FILE; it was"
                        + " cut, or has another format",
            })
    void aFileOfTensorsThatIsWrongIsRefusedInOneLine(String header, String message)
            throws IOException {
        EmbeddingTable table = writeTensors(ElementType.F32, header, little(12));
        assertRefused(table, message.replace("FILE", path().toString()));
    }

    @Test
    void aDirectoryIsNamed() {
        for (BaseFile base :
                List.of(
                        BaseFile.raw(directory.toString()),
                        BaseFile.safetensors(directory.toString(), "weight"))) {
            assertRefused(
                    table(ElementType.F32).withBase(base),
                    "a base file can be read: table=t, file="
                            + directory
                            + ", reason=Is a directory; make it readable, or name another path");
        }
    }

    /** The same changes give the same file, which has what the old one has, in its order, and then more. */
    @Test
    void aRebasedFileHasTheChanges() throws IOException {
        EmbeddingTable table = writeRaw(ElementType.F32, 5, 3, 8);
        List<Long> order = new ArrayList<>();
        Map<Long, byte[]> changes = new TreeMap<>();
        changes.put(3L, null);
        changes.put(8L, vector(ElementType.F32, 80));
        changes.put(7L, vector(ElementType.F32, 70));
        changes.put(-2L, vector(ElementType.F32, 20));
        changes.put(6L, null);
        EmbeddingTable checked =
                table.withBase(table.base().orElseThrow().withChecksum(checksum(table)));
        Path written = new Rebase(checked, changes).write(directory.resolve("new"), 43);
        assertThat(written.getFileName().toString()).startsWith("t-43-").endsWith(".vectors");
        EmbeddingTable rebased = table.withBase(BaseFile.raw(written.toString()));
        Map<Long, byte[]> vectors = read(rebased);
        assertThat(vectors.keySet()).containsExactly(-2L, 5L, 7L, 8L);
        assertThat(vectors.get(5L)).isEqualTo(vector(ElementType.F32, 0));
        assertThat(vectors.get(8L)).isEqualTo(vector(ElementType.F32, 80));
        try (RootAllocator allocator = new RootAllocator();
                VectorFile file = VectorFile.open(rebased, allocator, Workers.ofCaller())) {
            file.readIds(allocator, (number, id) -> order.add(id));
            assertThat(file.version()).isEqualTo(43);
        }
        assertThat(order).containsExactly(5L, 8L, -2L, 7L);
        assertThat(new Rebase(checked, changes).write(directory.resolve("new"), 43))
                .isEqualTo(written);
    }

    /** A vector is not taken for the id of one that was deleted. */
    @Test
    void otherChangesGiveAnotherFile() throws IOException {
        EmbeddingTable table = EmbeddingTable.of("t", 2, ElementType.F32);
        Map<Long, byte[]> changed = new TreeMap<>();
        changed.put(1L, new byte[] {5, 0, 0, 0, 0, 0, 0, 0});
        Map<Long, byte[]> deleted = new TreeMap<>();
        deleted.put(1L, null);
        deleted.put(5L, null);
        assertThat(new Rebase(table, changed).write(directory, 2))
                .isNotEqualTo(new Rebase(table, deleted).write(directory, 2));
    }

    private static long checksum(EmbeddingTable table) throws IOException {
        try (RootAllocator allocator = new RootAllocator();
                VectorFile file = VectorFile.open(table, allocator, Workers.ofCaller())) {
            return file.checksum();
        }
    }
}

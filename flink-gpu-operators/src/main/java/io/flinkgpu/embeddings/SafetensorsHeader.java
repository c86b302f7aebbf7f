package io.flinkgpu.embeddings;

import io.flinkgpu.api.Errors;
import io.flinkgpu.api.lookup.BaseFile;
import io.flinkgpu.api.lookup.ElementType;
import io.flinkgpu.api.lookup.EmbeddingTable;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;

/**
 * The header of a safetensors file: its length as 8 bytes, then JSON with type, shape and offsets of each tensor,
 * counted from its end.
 */
final class SafetensorsHeader {

    /** What the format's own readers allow. */
    private static final long MAX_BYTES = 100_000_000;

    private final EmbeddingTable table;
    private final BaseFile base;
    private final JsonNode tensors;
    private final long dataAt;
    private final long fileBytes;

    private SafetensorsHeader(
            EmbeddingTable table, BaseFile base, JsonNode tensors, long dataAt, long fileBytes) {
        this.table = table;
        this.base = base;
        this.tensors = tensors;
        this.dataAt = dataAt;
        this.fileBytes = fileBytes;
    }

    /** The layout of a file that has the tensors it should. */
    static FileLayout read(
            EmbeddingTable table, BaseFile base, FileChannel channel, Workers workers)
            throws IOException {
        long size = channel.size();
        ByteBuffer length = ByteBuffer.allocate(Long.BYTES).order(ByteOrder.LITTLE_ENDIAN);
        if (size >= Long.BYTES) {
            VectorFile.readFully(channel, 0, length);
        }
        long bytes = length.getLong(0);
        if (bytes <= 0 || bytes > Math.min(MAX_BYTES, size - Long.BYTES)) {
            throw noHeader(table, base, null);
        }
        byte[] json = new byte[(int) bytes];
        VectorFile.readFully(channel, Long.BYTES, ByteBuffer.wrap(json));
        JsonNode tensors;
        try {
            tensors = new ObjectMapper().readTree(json);
        } catch (JsonProcessingException e) {
            throw noHeader(table, base, e);
        }
        long checksum = FileChecksum.of(channel, 0, size, workers);
        return new SafetensorsHeader(table, base, tensors, Long.BYTES + bytes, size)
                .layout(checksum);
    }

    private static IOException noHeader(EmbeddingTable table, BaseFile base, Exception cause) {
        IOException failure =
                Errors.io(
                        "a safetensors file starts with a header in JSON: table=%s, file=%s; it was cut, or"
                                + " has another format",
                        table.name(), base.path());
        if (cause != null) {
            failure.initCause(cause);
        }
        return failure;
    }

    private FileLayout layout(long checksum) throws IOException {
        JsonNode vectors = tensor(base.vectors());
        boolean isQuantized = table.type() == ElementType.INT8;
        String type = vectors.path("dtype").asText("?");
        FileChecks.requireType(table, base, base.vectors(), type.equals("I8") ? "INT8" : type);
        JsonNode shape = vectors.path("shape");
        if (shape.size() != 2) {
            throw Errors.io(
                    "a tensor of vectors has two dimensions: table=%s, file=%s, tensor=%s, dimensions=%s;"
                            + " name another one",
                    table.name(), base.path(), base.vectors(), shape.size());
        }
        FileChecks.requireDimension(table, base, base.vectors(), shape.path(1).asLong());
        if (isQuantized && base.scales().isEmpty()) {
            throw Errors.io(
                    "vectors of INT8 have scales and biases: table=%s, file=%s; name their tensors with"
                            + " withScaleAndBias(..)",
                    table.name(), base.path());
        }
        long count = shape.path(0).asLong();
        if (count < 0 || count > fileBytes) {
            throw FileChecks.truncated(table, base, fileBytes, count);
        }
        long elementBytes = table.type().bytes();
        return new FileLayout(
                count,
                tensors.path("__metadata__").path("version").asLong(0),
                checksum,
                start(base.vectors(), count * table.dimension() * elementBytes),
                base.ids().isPresent()
                        ? column(base.ids().get(), "I64", count, Long.BYTES)
                        : FileLayout.NOWHERE,
                isQuantized
                        ? column(base.scales().get(), "F32", count, Float.BYTES)
                        : FileLayout.NOWHERE,
                isQuantized
                        ? column(base.biases().get(), "F32", count, Float.BYTES)
                        : FileLayout.NOWHERE);
    }

    private JsonNode tensor(String name) throws IOException {
        JsonNode tensor = tensors.path(name);
        if (!tensor.isObject()) {
            throw Errors.io(
                    "a tensor must be in its file: table=%s, file=%s, tensor=%s; name one that is there",
                    table.name(), base.path(), name);
        }
        return tensor;
    }

    /** Where a tensor of one number for each vector starts. */
    private long column(String name, String type, long count, int bytes) throws IOException {
        JsonNode tensor = tensor(name);
        JsonNode shape = tensor.path("shape");
        if (!tensor.path("dtype").asText().equals(type)
                || shape.size() != 1
                || shape.path(0).asLong() != count) {
            throw Errors.io(
                    "a tensor beside the vectors has a number for each: table=%s, file=%s, tensor=%s,"
                            + " type=%s, shape=%s, needed=%s[%s]; name another one",
                    table.name(),
                    base.path(),
                    name,
                    tensor.path("dtype").asText(),
                    shape,
                    type,
                    count);
        }
        return start(name, count * bytes);
    }

    /** Where a tensor of so many bytes starts, all of which are in the file. */
    private long start(String name, long bytes) throws IOException {
        JsonNode offsets = tensor(name).path("data_offsets");
        long from = offsets.path(0).asLong(-1);
        long to = offsets.path(1).asLong(-1);
        if (from < 0 || to - from != bytes) {
            throw Errors.io(
                    "the offsets of a tensor are those of its shape: table=%s, file=%s, tensor=%s,"
                            + " bytes=%s, needed=%s; write the file again",
                    table.name(), base.path(), name, to - from, bytes);
        }
        if (to > fileBytes - dataAt) {
            long needed = dataAt + Math.min(to, Long.MAX_VALUE - dataAt);
            throw FileChecks.truncated(table, base, fileBytes, needed);
        }
        return dataAt + from;
    }
}

package io.flinkgpu.embeddings;

import io.flinkgpu.api.Errors;
import io.flinkgpu.api.lookup.BaseFile;
import io.flinkgpu.api.lookup.ElementType;
import io.flinkgpu.api.lookup.EmbeddingTable;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.util.zip.CRC32C;

/**
 * The header of a file in the library's format, little-endian, in 4,096 bytes that end with zeros:
 *
 * <pre>
 *   offset  bytes
 *        0      8  "FGPUVEC1"
 *        8      4  type of the elements: the ordinal of {@link ElementType}
 *       12      4  dimension
 *       16      8  version
 *       24      8  number of vectors
 *       32      4  CRC-32C of all after the header, then of its first 32 bytes
 * </pre>
 *
 * The vectors follow, {@link ElementType#vectorBytes} each, then the ids, 8 bytes each.
 */
record RawHeader(ElementType type, int dimension, long version, long vectors) {

    static final int BYTES = 4_096;

    private static final long MAGIC = magic();
    private static final int FIELD_BYTES = 32;
    private static final ElementType[] TYPES = ElementType.values();

    private static long magic() {
        long magic = 0;
        String text = "FGPUVEC1";
        for (int i = 0; i < text.length(); i++) {
            magic |= (long) text.charAt(i) << Byte.SIZE * i;
        }
        return magic;
    }

    /** The layout of a file, whose checksum is right. */
    static FileLayout read(
            EmbeddingTable table, BaseFile base, FileChannel channel, Workers workers)
            throws IOException {
        long size = channel.size();
        ByteBuffer header = ByteBuffer.allocate(BYTES).order(ByteOrder.LITTLE_ENDIAN);
        if (size >= BYTES) {
            VectorFile.readFully(channel, 0, header);
        }
        header.rewind();
        if (size < BYTES || header.getLong() != MAGIC) {
            throw Errors.io(
                    "a raw file of vectors starts with its header: table=%s, file=%s, bytes=%s; write it"
                            + " with EmbeddingFiles.write(..), or name the format that it has",
                    table.name(), base.path(), size);
        }
        int type = header.getInt();
        int dimension = header.getInt();
        long version = header.getLong();
        long vectors = header.getLong();
        FileChecks.requireType(
                table, base, "header", type >= 0 && type < TYPES.length ? TYPES[type].name() : "?");
        FileChecks.requireDimension(table, base, "header", dimension);
        long needed = BYTES + vectors * (table.vectorBytes() + (long) Long.BYTES);
        if (vectors < 0 || vectors > size || size != needed) {
            throw FileChecks.truncated(table, base, size, needed);
        }
        long content = FileChecksum.of(channel, BYTES, size, workers);
        long checksum = checksum(content, header);
        if (header.getInt() != (int) checksum) {
            throw Errors.io(
                    "the checksum of a raw file of vectors is that of its content: table=%s, file=%s; it"
                            + " was damaged: copy it again",
                    table.name(), base.path());
        }
        long idsAt = BYTES + vectors * table.vectorBytes();
        return new FileLayout(
                vectors, version, checksum, BYTES, idsAt, FileLayout.NOWHERE, FileLayout.NOWHERE);
    }

    private static long checksum(long content, ByteBuffer header) {
        CRC32C fields = new CRC32C();
        fields.update(header.array(), 0, FIELD_BYTES);
        return FileChecksum.joined(content, fields.getValue(), FIELD_BYTES);
    }

    /**
     * The header as bytes.
     *
     * @param content the checksum of all after it
     */
    ByteBuffer bytes(long content) {
        ByteBuffer header = ByteBuffer.allocate(BYTES).order(ByteOrder.LITTLE_ENDIAN);
        header.putLong(MAGIC).putInt(type.ordinal()).putInt(dimension);
        header.putLong(version).putLong(vectors);
        header.putInt((int) checksum(content, header));
        return header.rewind();
    }
}

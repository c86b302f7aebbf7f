package io.flinkgpu.embeddings;

import io.flinkgpu.api.Errors;
import io.flinkgpu.api.lookup.BaseFile;
import io.flinkgpu.api.lookup.EmbeddingTable;

import java.io.IOException;

/** What is wrong with base files, in one line each. */
final class FileChecks {

    private FileChecks() {}

    /**
     * @param part of the file that says so
     */
    static void requireType(EmbeddingTable table, BaseFile base, String part, String type)
            throws IOException {
        if (!type.equals(table.type().name())) {
            throw Errors.io(
                    "a base file has elements of its table's type: table=%s, file=%s, in=%s, type=%s,"
                            + " needed=%s; declare the table so, or name another file",
                    table.name(), base.path(), part, type, table.type());
        }
    }

    static void requireDimension(EmbeddingTable table, BaseFile base, String part, long dimension)
            throws IOException {
        if (dimension != table.dimension()) {
            throw Errors.io(
                    "a base file has vectors of its table's dimension: table=%s, file=%s, in=%s,"
                            + " dimension=%s, needed=%s; declare the table so, or name another file",
                    table.name(), base.path(), part, dimension, table.dimension());
        }
    }

    static IOException truncated(EmbeddingTable table, BaseFile base, long bytes, long needed) {
        return Errors.io(
                "a base file is as long as its header says: table=%s, file=%s, bytes=%s, needed=%s; it was"
                        + " cut or is still being written: copy it again",
                table.name(), base.path(), bytes, needed);
    }
}

package io.flinkgpu;

import io.flinkgpu.api.lookup.BadVectorException;
import io.flinkgpu.api.lookup.BaseFile;
import io.flinkgpu.api.lookup.ElementType;
import io.flinkgpu.api.lookup.EmbeddingTable;
import io.flinkgpu.api.lookup.VectorChange;
import io.flinkgpu.embeddings.Elements;
import io.flinkgpu.embeddings.VectorFileWriter;

import org.apache.flink.annotation.PublicEvolving;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Iterator;

/** Base files of tables in the library's format. */
@PublicEvolving
public final class EmbeddingFiles {

    private EmbeddingFiles() {}

    /**
     * Writes vectors to a file, in their order: those that are asked for most should come first. The file has its
     * name only once it is whole; the ids are in memory until then.
     *
     * @param table of which type and dimension are used
     * @param vectors upserts, each id once
     * @param version that the state of a job remembers
     * @return what {@link EmbeddingTable#withBase} takes
     * @throws IllegalArgumentException if a change is a deletion, or a vector not one of the table
     */
    public static BaseFile write(
            Path path, EmbeddingTable table, Iterator<VectorChange> vectors, long version)
            throws IOException {
        JobChecks.present("path", path);
        JobChecks.present("table", table);
        JobChecks.present("vectors", vectors);
        try (VectorFileWriter writer =
                new VectorFileWriter(path, table.type(), table.dimension())) {
            while (vectors.hasNext()) {
                VectorChange vector = vectors.next();
                writer.add(vector.id(), elements(table, vector));
            }
            writer.finish(version);
        }
        return BaseFile.raw(path.toAbsolutePath().toString());
    }

    private static byte[] elements(EmbeddingTable table, VectorChange vector) {
        if (vector.values() != null
                && table.type() != ElementType.INT8
                && vector.values().length == table.dimension()) {
            return Elements.narrow(table.type(), vector.values());
        }
        if (vector.elements() == null || vector.elements().length != table.vectorBytes()) {
            throw new BadVectorException(
                    "a base file has whole vectors of its table: table=%s, dimension=%s, type=%s; give"
                            + " upserts of that many values, or of elements",
                    table.name(), table.dimension(), table.type());
        }
        return vector.elements();
    }
}

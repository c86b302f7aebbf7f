package io.flinkgpu.backend.plan;

import io.flinkgpu.api.ColumnType;
import io.flinkgpu.api.lookup.BaseFile;
import io.flinkgpu.api.lookup.EmbeddingTable;
import io.flinkgpu.backend.BackendException;
import io.flinkgpu.backend.Resident;
import io.flinkgpu.column.ColumnBatch;
import io.flinkgpu.column.RowBatchBuilder;
import io.flinkgpu.column.RowValues;

import org.apache.arrow.memory.BufferAllocator;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/**
 * The tables of a lookup made small, for backends to be measured without loading them: each has some made-up vectors,
 * with ids from 0 on. On a core most of these are in its caches, so it seems faster than it will be.
 *
 * @param tables as they are
 */
record SmallTables(EmbeddingTablesPlan tables) {

    /** Of the vectors of all tables, and the most that a table has. */
    private static final long ALL_BYTES = 16L << 20;

    private static final int MOST_VECTORS = 1 << 16;

    /** Of vectors in memory, with all that they are padded by. */
    private static final long ROOM_BYTES = 8 * ALL_BYTES;

    private static final int LINE_BYTES = 128;

    /** How long a GPU takes at most to read a line of host memory that any of many lines may be. */
    private static final double LINE_NANOS = 50;

    /** Any number whose bytes are all this one is a usual one. */
    private static final byte USUAL = 0x3c;

    /** The plan for them. */
    EmbeddingTablesPlan plan() {
        List<EmbeddingTable> small =
                tables.tables().stream()
                        .map(
                                table ->
                                        EmbeddingTable.of(
                                                        table.name(),
                                                        table.dimension(),
                                                        table.type())
                                                .withMissing(table.missing()))
                        .toList();
        return new EmbeddingTablesPlan(small, ROOM_BYTES, ROOM_BYTES, tables.scratch());
    }

    /** How many vectors a table has. */
    int vectors(int table) {
        long most = ALL_BYTES / tables.tables().size() / bytes(table);
        return (int) Math.max(1, Math.min(MOST_VECTORS, most));
    }

    private int bytes(int table) {
        return tables.tables().get(table).vectorBytes();
    }

    /** Inserts the vectors into tables that have none. */
    void fill(Resident resident, BufferAllocator allocator, int maxRows, int maxBytes)
            throws BackendException {
        List<ColumnType> types = tables.changes();
        List<String> names = types.stream().map(ColumnType::toString).toList();
        RowValues row = new RowValues(types.size());
        try (RowBatchBuilder builder =
                new RowBatchBuilder(allocator, maxRows, maxBytes, names, types)) {
            for (int table = 0; table < tables.tables().size(); table++) {
                byte[] vector = new byte[bytes(table)];
                Arrays.fill(vector, USUAL);
                row.putWord(EmbeddingTablesPlan.TABLE_COLUMN, table);
                row.putText(EmbeddingTablesPlan.VECTOR_COLUMN, vector);
                for (int id = 0; id < vectors(table); id++) {
                    row.putWord(EmbeddingTablesPlan.ID_COLUMN, id);
                    if (!builder.append(row)) {
                        apply(builder, resident);
                        builder.append(row);
                    }
                }
            }
            apply(builder, resident);
        }
    }

    private static void apply(RowBatchBuilder builder, Resident resident) throws BackendException {
        try (ColumnBatch changes = builder.build()) {
            resident.apply(changes);
        }
    }

    /**
     * How much longer an id may take on a GPU with the tables as they are: where its memory cannot hold all of a
     * table, if its vectors are read from host memory and each only once.
     */
    double moreNanos(int table) {
        if (baseBytes(table) <= tables.deviceBytes() / tables.tables().size()) {
            return 0;
        }
        return LINE_NANOS * ((bytes(table) + LINE_BYTES - 1) / LINE_BYTES);
    }

    /** 0 for a file that is not there: that is an error once it is loaded. */
    private long baseBytes(int table) {
        BaseFile base = tables.tables().get(table).base().orElse(null);
        try {
            return base == null ? 0 : Files.size(Path.of(base.path()));
        } catch (IOException e) {
            return 0;
        }
    }
}

package io.flinkgpu.backend.plan;

import io.flinkgpu.api.ColumnType;
import io.flinkgpu.api.Errors;
import io.flinkgpu.api.lookup.EmbeddingTable;
import io.flinkgpu.backend.ResidentPlan;

import org.apache.flink.annotation.Internal;

import java.util.List;

/**
 * Tables of vectors. Unlike other residents they are not empty when they are compiled, but have the vectors of
 * their base files. A change is the number of a table, an id, neither ever null, and the bytes of a vector as its
 * table has them, or null for one that is deleted, if it is there.
 *
 * @param tables in the order of their numbers; at least one, each with a name of its own
 * @param hostBytes the most memory of the host that vectors may take, those on a device aside; what has no
 *     room is read from files
 * @param deviceBytes the most memory of a device that vectors may take, where the backend is one
 * @param scratch a directory for files of changed vectors that memory has no room for
 */
@Internal
public record EmbeddingTablesPlan(
        List<EmbeddingTable> tables, long hostBytes, long deviceBytes, String scratch)
        implements ResidentPlan {

    private static final long serialVersionUID = 1L;

    public static final int TABLE_COLUMN = 0;
    public static final int ID_COLUMN = 1;
    public static final int VECTOR_COLUMN = 2;

    public EmbeddingTablesPlan {
        tables = List.copyOf(tables);
        if (tables.isEmpty()) {
            throw Errors.argument("a lookup has a table: tables=[]; add one with tables(..)");
        }
        long names = tables.stream().map(EmbeddingTable::name).distinct().count();
        if (names < tables.size()) {
            throw Errors.argument(
                    "each table has a name of its own: tables=%s, names=%s; rename one",
                    tables.size(), names);
        }
    }

    @Override
    public String name() {
        return "tables";
    }

    @Override
    public List<ColumnType> changes() {
        return List.of(ColumnType.INT, ColumnType.LONG, ColumnType.BYTES);
    }

    /** Of vectors; what finds them by their ids comes on top. */
    @Override
    public long bytes() {
        return hostBytes;
    }

    /** The same with other tables, as their base files are known from a savepoint. */
    public EmbeddingTablesPlan withTables(List<EmbeddingTable> others) {
        return new EmbeddingTablesPlan(others, hostBytes, deviceBytes, scratch);
    }

    /** The same with another directory. */
    public EmbeddingTablesPlan withScratch(String directory) {
        return new EmbeddingTablesPlan(tables, hostBytes, deviceBytes, directory);
    }
}

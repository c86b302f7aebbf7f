package io.flinkgpu.backend.plan;

import io.flinkgpu.api.ColumnType;
import io.flinkgpu.backend.ResidentPlan;

import org.apache.flink.annotation.Internal;

import java.util.List;

/**
 * A table of texts, any bytes, each with a number. A change is a text, never null, and its new number, or
 * null to take the text out. What was taken out keeps its place, for when it comes back.
 *
 * @param maxKeys how many texts may ever be put in
 * @param maxKeyBytes how many bytes these may have together
 */
@Internal
public record TablePlan(String name, int maxKeys, long maxKeyBytes) implements ResidentPlan {

    private static final long serialVersionUID = 1L;

    public static final int KEY_COLUMN = 0;
    public static final int NUMBER_COLUMN = 1;

    /** What a text takes besides its bytes: two slots, of which one stays free. */
    private static final int ENTRY_BYTES = 64;

    /** What a table takes besides its texts. */
    private static final int HEADER_BYTES = 256;

    public TablePlan {
        if (maxKeys < 1 || maxKeyBytes < 0) {
            throw new IllegalArgumentException(
                    "a table has room for at least one text: maxKeys="
                            + maxKeys
                            + ", maxKeyBytes="
                            + maxKeyBytes);
        }
    }

    @Override
    public List<ColumnType> changes() {
        return List.of(ColumnType.TEXT, ColumnType.LONG);
    }

    @Override
    public long bytes() {
        return HEADER_BYTES + (long) ENTRY_BYTES * maxKeys + maxKeyBytes;
    }

    /** Why a change cannot be made after which so much has been put in; null if it can. */
    public String defectOf(long keys, long keyBytes) {
        return keys <= maxKeys && keyBytes <= maxKeyBytes
                ? null
                : "a table has no room for its changes: name="
                        + name
                        + ", keys="
                        + keys
                        + ", maxKeys="
                        + maxKeys
                        + ", keyBytes="
                        + keyBytes
                        + ", maxKeyBytes="
                        + maxKeyBytes
                        + "; ask for more keys or bytes";
    }
}

package io.flinkgpu.backend.plan;

import io.flinkgpu.api.ColumnType;
import io.flinkgpu.backend.ResidentPlan;

import java.util.List;

/**
 * A table of texts, any bytes, each with a number. A change is a text, never null, and its new number, or
 * null to take the text out.
 *
 * @param maxKeys how many texts it may have at a time
 * @param maxKeyBytes how many bytes these may have together
 */
public record TablePlan(String name, int maxKeys, long maxKeyBytes) implements ResidentPlan {

    private static final long serialVersionUID = 1L;

    public static final int KEY_COLUMN = 0;
    public static final int NUMBER_COLUMN = 1;

    /** What a text takes besides its bytes. */
    private static final int ENTRY_BYTES = 64;

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
        return (long) ENTRY_BYTES * maxKeys + maxKeyBytes;
    }

    /** Why a change cannot be made that would leave so much in the table; null if it can. */
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

package io.flinkgpu.sql.aggregate;

import io.flinkgpu.groups.GroupCursor;
import io.flinkgpu.groups.GroupTable;
import io.flinkgpu.groups.KeyBytes;

/**
 * The groups that are sent, one at a time, in the order in which their first rows came: first {@link #next()}.
 * Reused from sending to sending.
 */
final class SentGroups {

    private final GroupTable table;
    private final SliceNumbers slices;
    private final KeyBytes key = new KeyBytes();
    private GroupCursor cursor;
    private long slice;

    SentGroups(GroupTable table, SliceNumbers slices) {
        this.table = table;
        this.slices = slices;
    }

    /** Begins with the first group. */
    SentGroups first() {
        cursor = table.cursor();
        return this;
    }

    /** Goes to the next group; false if there is none. */
    boolean next() {
        if (!cursor.next()) {
            return false;
        }
        cursor.key(key);
        slice = slices.end(SlicedKey.takeSlice(key.array()));
        return true;
    }

    /** An array of which the first bytes are the key, a binary row. */
    byte[] key() {
        return key.array();
    }

    int keyLength() {
        return key.length();
    }

    /** The end of the slice. */
    long slice() {
        return slice;
    }

    /** What is kept of the group's rows. */
    GroupCursor values() {
        return cursor;
    }
}

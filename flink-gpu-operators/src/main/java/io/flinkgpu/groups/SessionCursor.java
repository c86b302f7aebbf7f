package io.flinkgpu.groups;

import org.apache.flink.annotation.Internal;

/**
 * Goes through the sessions of a {@link SessionTable}: first {@link #next()}. Valid until a session is
 * added to the table. Not thread-safe.
 */
@Internal
public final class SessionCursor {

    private final SessionTable sessions;
    private final GroupCursor group;

    SessionCursor(SessionTable sessions) {
        this.sessions = sessions;
        this.group = sessions.groups().cursor();
    }

    /** Goes to the next session; false if there is none. */
    public boolean next() {
        while (group.next()) {
            if (sessions.isSession(group.group())) {
                return true;
            }
        }
        return false;
    }

    /** The number of the session. */
    public int session() {
        return group.group();
    }

    /** What it keeps, with its key. */
    public GroupCursor group() {
        return group;
    }
}

package io.flinkgpu.groups;

import io.flinkgpu.api.ValueSpec;
import io.flinkgpu.state.Partial;

import org.apache.flink.annotation.Internal;

import java.util.List;

/**
 * The sessions of keys, each a group with a span of time: those of a key that touch become one. A session
 * has a number until it is removed or becomes part of another one. The latest session of a key is found
 * by its hash; it leads to the one before it, and so on. So a record in order costs one search, whatever
 * the number of sessions that its key has.
 *
 * <p>The rows of sessions that are gone stay until the table is copied to another; that of a key's only
 * session is used again. Not thread-safe.
 */
@Internal
public final class SessionTable implements AutoCloseable {

    /** The spare words of a row. Of a row without a session, start and end are the same. */
    static final int WORDS = 4;

    private static final int START = 0;
    private static final int END = 1;

    /** A time that the caller keeps with the session. */
    private static final int DUE = 2;

    /** The number of the session before it, and one more, in 32 bits; {@link #TWIN}, {@link #FIRED}. */
    private static final int LINK = 3;

    /** The key finds another session. */
    private static final long TWIN = 1L << 32;

    private static final long FIRED = 1L << 33;

    private static final int NONE = -1;

    private final GroupTable groups;
    private final List<ValueSpec> values;
    private final PartialSource source;
    private final KeyBytes key = new KeyBytes();
    private long rows;
    private int size;

    SessionTable(GroupTable groups, List<ValueSpec> values) {
        this.groups = groups;
        this.values = values;
        this.source = new PartialSource(values.size());
    }

    /** What the sessions keep of their values, by their numbers. */
    public GroupTable groups() {
        return groups;
    }

    /** How many sessions there are. */
    public int size() {
        return size;
    }

    /** How many rows have no session. */
    public long freeRows() {
        return rows - size;
    }

    /** Whether a session of a key touches a span. */
    public boolean touches(KeyBytes of, long start, long end) {
        int session = groups.find(of.array(), 0, of.length());
        while (session != NONE && groups.spare(session, START) > end) {
            session = before(session);
        }
        return session != NONE && isSession(session) && groups.spare(session, END) >= start;
    }

    /**
     * The session of a key that a span belongs to, which is made of the span and of all sessions that
     * it touches.
     *
     * @param of after which 8 bytes more can be read
     * @param keyGroup Flink's key group of the key
     * @param end after {@code start}
     * @param fired whether the span has fired; a session has if all that it is made of have
     */
    public int join(KeyBytes of, int keyGroup, long start, long end, boolean fired) {
        long hashed = groups.hash(of.array(), 0, of.length());
        return join(hashed, of.array(), 0, of.length(), keyGroup, start, end, fired);
    }

    int join(
            long hashed,
            byte[] bytes,
            int at,
            int length,
            int keyGroup,
            long start,
            long end,
            boolean fired) {
        int latest = groups.find(hashed, bytes, at, length);
        if (latest == NONE) {
            int first = groups.group(hashed, bytes, at, length, keyGroup);
            rows++;
            return begin(first, start, end, 0, fired);
        }
        if (!isSession(latest)) {
            return begin(latest, start, end, 0, fired);
        }
        int after = NONE;
        int session = latest;
        while (session != NONE && groups.spare(session, START) > end) {
            after = session;
            session = before(session);
        }
        if (session != NONE && groups.spare(session, END) >= start) {
            extend(session, start, end, fired);
            return session;
        }
        int twin = groups.addTwin(latest);
        rows++;
        if (after == NONE) {
            groups.findInstead(hashed, latest, twin);
            setLink(latest, link(latest) | TWIN);
            return begin(twin, start, end, latest + 1, fired);
        }
        begin(twin, start, end, session + 1 | TWIN, fired);
        setBefore(after, twin);
        return twin;
    }

    private int begin(int session, long start, long end, long link, boolean fired) {
        groups.setSpare(session, START, start);
        groups.setSpare(session, END, end);
        groups.setSpare(session, DUE, Long.MAX_VALUE);
        setLink(session, fired ? link | FIRED : link);
        size++;
        return session;
    }

    /** Those after it do not touch the span, as they do not touch the session. */
    private void extend(int session, long start, long end, boolean fired) {
        int before = before(session);
        while (before != NONE
                && groups.spare(before, END) >= Math.min(start, groups.spare(session, START))) {
            // A group of the same table may move while it is merged.
            Partial partial = new Partial(values);
            PartialSource.add(groups.cursor().move(before), values.size(), partial);
            groups.merge(session, source.open(partial));
            // At once, as there may be no memory for the next.
            include(session, groups.spare(before, START), isFired(before));
            setBefore(session, before(before));
            free(before);
            before = before(session);
        }
        include(session, start, fired);
        groups.setSpare(session, END, Math.max(end, groups.spare(session, END)));
    }

    private void include(int session, long start, boolean fired) {
        groups.setSpare(session, START, Math.min(start, groups.spare(session, START)));
        setFired(session, fired && isFired(session));
    }

    /** Whether a number is that of a session. */
    public boolean isSession(int session) {
        return groups.spare(session, START) != groups.spare(session, END);
    }

    /** Its first millisecond. */
    public long start(int session) {
        return groups.spare(session, START);
    }

    /** The first millisecond after it. */
    public long end(int session) {
        return groups.spare(session, END);
    }

    /** The time that {@link #setDue} set; {@code Long.MAX_VALUE} if none has been. */
    public long due(int session) {
        return groups.spare(session, DUE);
    }

    public void setDue(int session, long time) {
        groups.setSpare(session, DUE, time);
    }

    public boolean isFired(int session) {
        return (link(session) & FIRED) != 0;
    }

    public void setFired(int session, boolean fired) {
        setLink(session, fired ? link(session) | FIRED : link(session) & ~FIRED);
    }

    /** Removes a session. */
    public void remove(int session) {
        int before = before(session);
        if (before == NONE && (link(session) & TWIN) == 0) {
            free(session);
            return;
        }
        groups.cursor().move(session).key(key);
        long hashed = groups.hash(key.array(), 0, key.length());
        int after = groups.find(hashed, key.array(), 0, key.length());
        if (after == session) {
            groups.findInstead(hashed, session, before);
            setLink(before, link(before) & ~TWIN);
        } else {
            while (before(after) != session) {
                after = before(after);
            }
            setBefore(after, before);
        }
        free(session);
    }

    private void free(int session) {
        groups.reset(session);
        groups.setSpare(session, END, groups.spare(session, START));
        setLink(session, 0);
        size--;
    }

    /** A cursor over the sessions, in no order; valid while none is added. */
    public SessionCursor cursor() {
        return new SessionCursor(this);
    }

    private int before(int session) {
        return (int) link(session) - 1;
    }

    private void setBefore(int session, int before) {
        setLink(session, link(session) & ~0xffff_ffffL | before + 1);
    }

    private long link(int session) {
        return groups.spare(session, LINK);
    }

    private void setLink(int session, long link) {
        groups.setSpare(session, LINK, link);
    }

    /** Forgets all sessions and gives their memory back. */
    @Override
    public void close() {
        groups.close();
        rows = 0;
        size = 0;
    }
}

package io.flinkgpu.operator.window.session;

import io.flinkgpu.groups.GroupBlock;
import io.flinkgpu.groups.GroupTable;
import io.flinkgpu.groups.GroupTables;
import io.flinkgpu.groups.KeyBytes;
import io.flinkgpu.groups.SessionCursor;
import io.flinkgpu.groups.SessionTable;
import io.flinkgpu.operator.window.WindowReceiver;

import org.apache.flink.streaming.api.windowing.windows.TimeWindow;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;

/**
 * The sessions of all keys that a watermark still has to end, or that are kept for late records. Instead
 * of a timer each has an entry in {@link Deadlines}, which stays where it is while the session grows: once
 * the watermark has reached the entry, it is moved to the session's end of then.
 *
 * <p>Sessions that were moved to state for lack of memory are pieces, to which records that come later are
 * not added: a session is put together of its pieces, a key group at a time, before a watermark or a late
 * record makes a difference to it. Task thread only.
 *
 * @param <S> the key in state
 */
final class SessionGroups<S> implements AutoCloseable {

    /** Buckets of deadlines between now and the time when the last session is forgotten. */
    private static final long BUCKETS = 1024;

    /** For fewer rows or deadlines that have no session a table is not copied. */
    private static final int FEW = 1024;

    private static final int NONE = -1;

    private final long gapMillis;
    private final long latenessMillis;
    private final GroupTables tables;
    private final SessionStore<S> store;
    private final BooleanSupplier isFull;
    private final Deadlines deadlines;
    private final KeyBytes key = new KeyBytes();

    /** The pieces in state, by key group. */
    private Map<Integer, List<SessionRun<S>>> stored = new TreeMap<>();

    /** The earliest time at which something is to be done with one of them. */
    private long storedDue = Long.MAX_VALUE;

    /** What the sessions took when they were too much for memory; 0 once all would take half of it. */
    private long fullBytes;

    private SessionTable sessions;
    private long watermark = Long.MIN_VALUE;

    /**
     * @param isFull whether sessions in memory take more than they may
     */
    SessionGroups(
            long gapMillis,
            long latenessMillis,
            GroupTables tables,
            SessionStore<S> store,
            BooleanSupplier isFull) {
        this.gapMillis = gapMillis;
        this.latenessMillis = latenessMillis;
        this.tables = tables;
        this.store = store;
        this.isFull = isFull;
        this.sessions = tables.newSessionTable();
        long kept = gapMillis + latenessMillis;
        this.deadlines = new Deadlines(kept < 0 ? Long.MAX_VALUE : kept / BUCKETS + 1);
    }

    /** The sessions in memory, to be read only. */
    SessionTable sessions() {
        return sessions;
    }

    /** Whether the watermark has passed the session that a record alone would make. */
    boolean isBehind(long timestamp) {
        return timestamp + gapMillis - 1 <= watermark;
    }

    /** How many entries there are for the times when sessions are due. */
    long deadlines() {
        return deadlines.size();
    }

    long watermark() {
        return watermark;
    }

    /**
     * The group of the session that a record belongs to; {@link #added} is to be called once the record
     * was added to it.
     *
     * @return -1 if the record is late, or so near to the end of time that its session would not end
     */
    int find(KeyBytes of, int keyGroup, long timestamp) throws Exception {
        long end = timestamp + gapMillis;
        if (end <= timestamp) {
            return NONE;
        }
        if (end - 1 <= watermark) {
            load(keyGroup);
            if (cleanupTime(end - 1) <= watermark && !sessions.touches(of, timestamp, end)) {
                return NONE;
            }
        }
        return sessions.join(of, keyGroup, timestamp, end, false);
    }

    /** The groups of the sessions in memory. */
    GroupTable groups() {
        return sessions.groups();
    }

    /** Fires a session that the watermark has reached, to which a record was added. */
    void added(int session, WindowReceiver to) throws Exception {
        if (sessions.end(session) - 1 <= watermark) {
            fire(session, to);
        }
        expect(session);
    }

    /**
     * Adds the records of a block.
     *
     * @throws IllegalStateException if some are late: sessions may have been without them
     */
    void add(GroupBlock block) {
        tables.add(block, sessions, this::addedInTime);
    }

    private void addedInTime(int session, long startMillis) {
        if (startMillis - 1 <= watermark) {
            throw new IllegalStateException(
                    "records that were aggregated before the shuffle came behind the watermark, and"
                            + " cannot be told apart again: start=%d, watermark=%d;"
                                    .formatted(startMillis, watermark)
                            + " use localAggregation(false)");
        }
        expect(session);
    }

    /** Sees to an entry for a session that is not after the time when it is due. */
    void expect(int session) {
        long due = dueTime(session);
        if (due < sessions.due(session)) {
            expect(session, due);
        }
    }

    private void expect(int session, long due) {
        sessions.setDue(session, due);
        deadlines.add(due, session);
    }

    private long dueTime(int session) {
        long last = sessions.end(session) - 1;
        return sessions.isFired(session) ? cleanupTime(last) : last;
    }

    private long cleanupTime(long lastMillisecond) {
        long cleanupTime = lastMillisecond + latenessMillis;
        return cleanupTime >= lastMillisecond ? cleanupTime : Long.MAX_VALUE;
    }

    /**
     * Fires the sessions that a watermark has passed, those that end first first; forgets those that no
     * record may join.
     */
    void advance(long newWatermark, WindowReceiver to) throws Exception {
        watermark = Math.max(watermark, newWatermark);
        if (stored.isEmpty()) {
            fireDue(watermark, to);
        } else if (watermark >= Math.min(storedDue, deadlines.earliest())) {
            moveToState();
            fireStored(to);
        }
        copyIfSparse();
    }

    /**
     * Puts the sessions in state together, a key group at a time, and fires them. They go back at once if all
     * are too much for memory: the table of one key group stays in the processor's cache.
     */
    private void fireStored(WindowReceiver to) throws Exception {
        boolean tooMuch = fullBytes > 0;
        long bytes = 0;
        // Of those that go back to state it is found anew.
        storedDue = Long.MAX_VALUE;
        for (int keyGroup : List.copyOf(stored.keySet())) {
            load(keyGroup);
            fireDue(watermark, to);
            if (tooMuch) {
                bytes += sessions.groups().bytes();
                moveToState();
            } else {
                keepWithin();
            }
        }
        if (2 * bytes < fullBytes && tooMuch) {
            fullBytes = 0;
        }
    }

    /** Moves the sessions to state if there is too much. */
    void keepWithin() throws Exception {
        if (isFull.getAsBoolean()) {
            fullBytes = sessions.groups().bytes();
            moveToState();
        }
    }

    /** Fires and forgets all sessions that are in memory, with no watermark. */
    void endAll(WindowReceiver to) throws Exception {
        fireDue(Long.MAX_VALUE, to);
    }

    private void fireDue(long upTo, WindowReceiver to) throws Exception {
        for (int session; (session = deadlines.poll(upTo)) >= 0; ) {
            // Other entries are of sessions that were merged, or that became due earlier.
            if (!sessions.isSession(session) || sessions.due(session) != deadlines.time()) {
                continue;
            }
            long due = dueTime(session);
            if (due <= deadlines.time() && !sessions.isFired(session)) {
                fire(session, to);
                due = dueTime(session);
            }
            if (due <= deadlines.time()) {
                sessions.remove(session);
            } else {
                expect(session, due);
            }
        }
    }

    private void fire(int session, WindowReceiver to) throws Exception {
        to.receive(
                new TimeWindow(sessions.start(session), sessions.end(session)),
                sessions.groups().cursor().move(session));
        sessions.setFired(session, true);
    }

    /** Copies the sessions where most rows or deadlines are of none. */
    private void copyIfSparse() {
        int few = sessions.size() + FEW;
        if (sessions.freeRows() <= few && deadlines.size() - sessions.size() <= few) {
            return;
        }
        SessionTable sparse = sessions;
        sessions = tables.newSessionTable();
        deadlines.clear();
        try (sparse) {
            SessionCursor each = sparse.cursor();
            while (each.next()) {
                each.group().key(key);
                int from = each.session();
                int session =
                        sessions.join(
                                key,
                                each.group().keyGroup(),
                                sparse.start(from),
                                sparse.end(from),
                                sparse.isFired(from));
                sessions.groups().merge(session, each.group());
                expect(session);
            }
        }
    }

    private void moveToState() throws Exception {
        long due = Long.MAX_VALUE;
        SessionCursor each = sessions.cursor();
        while (each.next()) {
            due = Math.min(due, dueTime(each.session()));
        }
        for (SessionRun<S> run : store.write(sessions)) {
            addStored(run, due);
        }
        sessions.close();
        deadlines.clear();
    }

    /**
     * Takes note of a run of pieces in state.
     *
     * @param due at most the time when something is to be done with one of them
     */
    void addStored(SessionRun<S> run, long due) {
        stored.computeIfAbsent(run.keyGroup(), keyGroup -> new ArrayList<>()).add(run);
        storedDue = Math.min(storedDue, due);
    }

    /** Adds the pieces of a run to the sessions in memory. */
    void load(SessionRun<S> run) throws Exception {
        store.load(run, sessions, this::expect);
    }

    /** Puts the sessions of a key group together in memory. */
    private void load(int keyGroup) throws Exception {
        List<SessionRun<S>> runs = stored.remove(keyGroup);
        if (runs == null) {
            return;
        }
        for (SessionRun<S> run : runs) {
            load(run);
        }
        store.delete(runs);
        if (stored.isEmpty()) {
            storedDue = Long.MAX_VALUE;
        }
    }

    /** Gives all memory back; state stays. */
    @Override
    public void close() {
        sessions.close();
    }
}

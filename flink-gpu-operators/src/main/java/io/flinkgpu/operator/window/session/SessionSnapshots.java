package io.flinkgpu.operator.window.session;

import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;

/**
 * Brings the sessions in memory into Flink's keyed state before a snapshot of it, all of them each time,
 * and back after a restore. Where state is on the heap they are taken out again after the snapshot, which
 * has them; elsewhere with the next one. Task thread only.
 *
 * @param <S> the key in state
 */
final class SessionSnapshots<S> {

    private final SessionGroups<S> groups;
    private final SessionStore<S> store;

    /** Of sessions that were in memory at the last snapshot. */
    private List<SessionRun<S>> copies = new ArrayList<>();

    SessionSnapshots(SessionGroups<S> groups, SessionStore<S> store) {
        this.groups = groups;
        this.store = store;
    }

    /** Brings state up to date. */
    void write() throws Exception {
        forgetCopies();
        copies = store.write(groups.sessions());
    }

    /** Whether {@link #settle()} has something to do. */
    boolean isUnsettled() {
        return !copies.isEmpty() && store.isOnHeap();
    }

    /**
     * Called before anything changes after a snapshot: takes out of the heap what is in memory. Changes the
     * current key.
     */
    void settle() {
        if (store.isOnHeap()) {
            forgetCopies();
        }
    }

    private void forgetCopies() {
        store.delete(copies);
        copies = new ArrayList<>();
    }

    /**
     * Loads what is in state.
     *
     * @param isFull whether no more is to be loaded into memory; the rest stays in state
     */
    void restore(BooleanSupplier isFull) throws Exception {
        for (SessionRun<S> run : store.stored()) {
            if (isFull.getAsBoolean()) {
                groups.addStored(run, Long.MIN_VALUE);
            } else {
                groups.load(run);
                copies.add(run);
            }
        }
        settle();
    }
}

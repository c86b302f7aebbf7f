package io.flinkgpu.operator.window.keyed;

import io.flinkgpu.operator.window.MergePartials;
import io.flinkgpu.operator.window.WindowShape;
import io.flinkgpu.state.Partial;

import org.apache.flink.api.java.tuple.Tuple2;
import org.apache.flink.runtime.state.VoidNamespace;
import org.apache.flink.runtime.state.internal.InternalAggregatingState;
import org.apache.flink.runtime.state.internal.InternalListState;
import org.apache.flink.streaming.api.operators.InternalTimerService;
import org.apache.flink.streaming.api.windowing.assigners.MergingWindowAssigner;
import org.apache.flink.streaming.api.windowing.assigners.WindowAssigner;
import org.apache.flink.streaming.api.windowing.windows.GlobalWindow;
import org.apache.flink.streaming.api.windowing.windows.TimeWindow;
import org.apache.flink.streaming.api.windowing.windows.Window;
import org.apache.flink.streaming.runtime.operators.windowing.MergingWindowSet;

import java.util.Collection;
import java.util.List;

/**
 * The windows of the current key, in keyed state and timers: what Flink's window operator does with its
 * default triggers, for partials instead of records. The caller sets the key context. Not thread-safe.
 */
final class KeyedWindows<K, W extends Window> {

    private final WindowAssigner<Object, W> assigner;
    private final WindowShape shape;
    private final long latenessMillis;
    private final InternalTimerService<W> timers;
    private final InternalAggregatingState<K, W, Partial, Partial, Partial> contents;
    private final MergePartials mergePartials;
    private final InternalListState<K, VoidNamespace, Tuple2<W, W>> mergingSets;
    private final boolean restored;
    private final Firing<W> firing;

    /**
     * @param contents with this {@code mergePartials} as its function
     * @param mergingSets null unless windows are sessions
     * @param restored whether state may have windows that have fired before this attempt
     */
    KeyedWindows(
            WindowAssigner<Object, W> assigner,
            WindowShape shape,
            long latenessMillis,
            InternalTimerService<W> timers,
            InternalAggregatingState<K, W, Partial, Partial, Partial> contents,
            MergePartials mergePartials,
            InternalListState<K, VoidNamespace, Tuple2<W, W>> mergingSets,
            boolean restored,
            Firing<W> firing) {
        this.assigner = assigner;
        this.shape = shape;
        this.latenessMillis = latenessMillis;
        this.timers = timers;
        this.contents = contents;
        this.mergePartials = mergePartials;
        this.mergingSets = mergingSets;
        this.restored = restored;
        this.firing = firing;
    }

    /** Takes the contents of a window that fires. */
    interface Firing<W> {

        /**
         * @param contents the state's: to be read only, and now
         */
        void fire(W window, Partial contents);
    }

    /**
     * Adds what is in one record to the windows that it was assigned to, and fires those that the
     * watermark has passed.
     *
     * @param partial stays the caller's
     * @return whether a window took it; not so if all are late, or there are none
     */
    boolean add(Collection<W> windows, Partial partial) throws Exception {
        boolean taken = false;
        MergingWindowSet<W> sessions = sessions();
        for (W window : windows) {
            taken |= addTo(sessions, window, partial, false);
            registerProcessingTimeTimer(window);
        }
        if (sessions != null) {
            sessions.persist();
        }
        return taken;
    }

    /**
     * Takes over some records of a window, which are not late.
     *
     * @param fired whether the window has fired with them, and is kept for late ones only
     */
    void takeOver(TimeWindow window, Partial partial, boolean fired) throws Exception {
        W taker = flinkWindow(window);
        MergingWindowSet<W> sessions = sessions();
        if (sessions != null) {
            sessions.addWindow(taker, this::mergeSessions);
            sessions.persist();
        }
        contents.setCurrentNamespace(taker);
        mergePartials.expect(false);
        contents.add(partial);
        if (shape.isProcessingTime()) {
            timers.registerProcessingTimeTimer(taker, taker.maxTimestamp());
        } else if (!fired) {
            timers.registerEventTimeTimer(taker, taker.maxTimestamp());
        }
        if (shape.isEventTime()
                && cleanupTime(taker) != taker.maxTimestamp()
                && cleanupTime(taker) != Long.MAX_VALUE) {
            timers.registerEventTimeTimer(taker, cleanupTime(taker));
        }
    }

    /**
     * Adds slices to all their windows, to each window once.
     *
     * @param slices may be changed; their partials may be state afterwards
     */
    void add(SliceList slices) throws Exception {
        MergingWindowSet<W> sessions = sessions();
        for (int i = 0; i < slices.size(); i++) {
            addFirstOf(slices, i, sessions);
        }
        if (sessions != null) {
            sessions.persist();
        }
    }

    /** Registers the timers of a slice's windows of processing time, of which each fires once. */
    void registerProcessingTimeTimers(long sliceStart, long sliceEnd) {
        for (TimeWindow window : shape.windows(sliceStart, sliceEnd)) {
            registerProcessingTimeTimer(flinkWindow(window));
        }
    }

    /** Fires a window, or removes it, or both, as a timer of event time says. */
    void onEventTime(W window, long time) throws Exception {
        onTimer(window, time, time == window.maxTimestamp(), shape.isEventTime());
    }

    /** Fires and removes a window of processing time. */
    void onProcessingTime(W window, long time) throws Exception {
        onTimer(window, time, true, !shape.isEventTime());
    }

    /** Adds to the windows of a slice in which it is the first, with the slices after it. */
    private void addFirstOf(SliceList slices, int index, MergingWindowSet<W> sessions)
            throws Exception {
        List<TimeWindow> windows = shape.windows(slices.start(index), slices.end(index));
        Partial sum = slices.partial(index);
        int next = index + 1;
        for (int i = windows.size() - 1; i >= 0; i--) {
            TimeWindow window = windows.get(i);
            if (index == 0 || slices.start(index - 1) < window.getStart()) {
                while (next < slices.size() && slices.start(next) < window.getEnd()) {
                    sum.merge(slices.partial(next++));
                }
                addTo(sessions, flinkWindow(window), sum, i == 0);
            }
        }
    }

    private boolean addTo(
            MergingWindowSet<W> sessions, W window, Partial partial, boolean givesAway)
            throws Exception {
        W grown = window;
        W stateWindow = window;
        if (sessions != null) {
            // Flink's set takes a window that it has for a new one, and forgets where its state
            // is. A session of several records can be such; one of a record could not.
            if (sessions.getStateWindow(window) == null) {
                grown = sessions.addWindow(window, this::mergeSessions);
            }
            stateWindow = sessions.getStateWindow(grown);
        }
        if (isLate(grown)) {
            if (sessions != null) {
                sessions.retireWindow(grown);
            }
            return false;
        }
        contents.setCurrentNamespace(stateWindow);
        mergePartials.expect(givesAway);
        contents.add(partial);
        // A window of a former attempt may have fired, and have no timer to fire again.
        boolean register = restored || sessions != null || mergePartials.wasFirst();
        if (shape.isEventTime()) {
            fireOrRegister(grown, register);
        } else if (shape.isGlobal() && register) {
            timers.registerEventTimeTimer(grown, grown.maxTimestamp());
        }
        return true;
    }

    private void fireOrRegister(W window, boolean register) throws Exception {
        if (window.maxTimestamp() <= timers.currentWatermark()) {
            firing.fire(window, contents.get());
        } else if (register) {
            timers.registerEventTimeTimer(window, window.maxTimestamp());
        }
        long cleanupTime = cleanupTime(window);
        if (register && cleanupTime != window.maxTimestamp() && cleanupTime != Long.MAX_VALUE) {
            timers.registerEventTimeTimer(window, cleanupTime);
        }
    }

    private void mergeSessions(
            W merged, Collection<W> windows, W stateWindow, Collection<W> otherStateWindows)
            throws Exception {
        if (isLate(merged)) {
            throw new UnsupportedOperationException(
                    "a session cannot end at or before the watermark once it is merged: window="
                            + merged
                            + ", watermark="
                            + timers.currentWatermark()
                            + ", latenessMillis="
                            + latenessMillis);
        }
        if (merged.maxTimestamp() > timers.currentWatermark()) {
            timers.registerEventTimeTimer(merged, merged.maxTimestamp());
        }
        for (W window : windows) {
            timers.deleteEventTimeTimer(window, window.maxTimestamp());
            if (cleanupTime(window) != Long.MAX_VALUE) {
                timers.deleteEventTimeTimer(window, cleanupTime(window));
            }
        }
        contents.mergeNamespaces(stateWindow, otherStateWindows);
    }

    private void onTimer(W window, long time, boolean fires, boolean cleansUp) throws Exception {
        MergingWindowSet<W> sessions = sessions();
        W stateWindow = sessions == null ? window : sessions.getStateWindow(window);
        if (stateWindow == null) {
            return;
        }
        contents.setCurrentNamespace(stateWindow);
        if (fires) {
            Partial inState = contents.get();
            if (inState != null) {
                firing.fire(window, inState);
            }
        }
        if (cleansUp && time == cleanupTime(window)) {
            contents.clear();
            if (time != window.maxTimestamp()) {
                timers.deleteEventTimeTimer(window, window.maxTimestamp());
            }
            if (sessions != null) {
                sessions.retireWindow(window);
                sessions.persist();
            }
        }
    }

    private void registerProcessingTimeTimer(W window) {
        if (shape.isProcessingTime()) {
            timers.registerProcessingTimeTimer(window, window.maxTimestamp());
        }
    }

    private boolean isLate(W window) {
        return shape.isEventTime() && cleanupTime(window) <= timers.currentWatermark();
    }

    private long cleanupTime(W window) {
        long last = window.maxTimestamp();
        if (!shape.isEventTime()) {
            return last;
        }
        long cleanupTime = last + latenessMillis;
        return cleanupTime >= last ? cleanupTime : Long.MAX_VALUE;
    }

    private MergingWindowSet<W> sessions() throws Exception {
        return mergingSets == null
                ? null
                : new MergingWindowSet<>((MergingWindowAssigner<?, W>) assigner, mergingSets);
    }

    @SuppressWarnings("unchecked") // Assigners other than the global one give time windows.
    private W flinkWindow(TimeWindow window) {
        return (W) (shape.isGlobal() ? GlobalWindow.get() : window);
    }
}

package io.flinkgpu.operator.search;

import io.flinkgpu.operator.Waiting;

import org.apache.flink.api.common.state.BroadcastState;
import org.apache.flink.api.common.state.ListState;
import org.apache.flink.api.java.tuple.Tuple3;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Changes and queries of a shard that wait for the watermark: in state when a checkpoint is taken, changes with
 * their documents' keys, queries in each shard. Task thread only.
 */
final class WaitingState<Q> {

    private final Waiting<TimedChange, TimedQuery<Q>> waiting =
            new Waiting<>(TimedChange::compareTo, TimedQuery.order());

    /** Documents whose changes are in state. */
    private final Set<Long> stored = new HashSet<>();

    private long arrivals;

    Waiting<TimedChange, TimedQuery<Q>> waiting() {
        return waiting;
    }

    void add(long timestamp, DocumentChange change) {
        waiting.addChange(new TimedChange(timestamp, arrivals++, change));
    }

    void add(long timestamp, NumberedQuery<Q> query) {
        waiting.addRequest(new TimedQuery<>(timestamp, query));
    }

    /**
     * Writes all there is.
     *
     * @param setKey has the state of changes be that of a document
     */
    void store(
            Consumer<Long> setKey,
            ListState<TimedChange> changeState,
            BroadcastState<Tuple3<Long, Integer, Long>, NumberedQuery<Q>> queryState)
            throws Exception {
        Map<Long, List<TimedChange>> byDocument = new HashMap<>();
        for (TimedChange timed : waiting.changes()) {
            byDocument.computeIfAbsent(timed.change().id(), id -> new ArrayList<>()).add(timed);
        }
        for (Long id : stored) {
            if (!byDocument.containsKey(id)) {
                setKey.accept(id);
                changeState.clear();
            }
        }
        stored.clear();
        for (Map.Entry<Long, List<TimedChange>> entry : byDocument.entrySet()) {
            setKey.accept(entry.getKey());
            changeState.update(entry.getValue());
            stored.add(entry.getKey());
        }
        queryState.clear();
        for (TimedQuery<Q> timed : waiting.requests()) {
            NumberedQuery<Q> query = timed.query();
            queryState.put(Tuple3.of(timed.timestamp(), query.origin(), query.number()), query);
        }
    }

    /** Takes what is in state of a document. */
    void restoreChanges(Long document, Iterable<TimedChange> ofDocument) {
        stored.add(document);
        for (TimedChange timed : ofDocument) {
            waiting.addChange(timed);
            arrivals = Math.max(arrivals, timed.arrival() + 1);
        }
    }

    /** Takes the queries that are in state. */
    void restoreQueries(
            Iterable<Map.Entry<Tuple3<Long, Integer, Long>, NumberedQuery<Q>>> entries) {
        for (Map.Entry<Tuple3<Long, Integer, Long>, NumberedQuery<Q>> entry : entries) {
            add(entry.getKey().f0, entry.getValue());
        }
    }
}

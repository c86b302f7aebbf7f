package io.flinkgpu.operator.search;

import org.apache.flink.api.common.state.BroadcastState;
import org.apache.flink.api.common.state.ListState;
import org.apache.flink.api.java.tuple.Tuple3;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Changes and queries of a shard that wait for the watermark to reach their timestamps, in the order in which
 * they are applied: by timestamp, changes first, then by document or by the number of the query, then as they
 * came. In memory, and in state when a checkpoint is taken: changes with their documents' keys, queries in
 * each shard. Task thread only.
 */
final class Waiting<Q> {

    private final PriorityQueue<TimedChange> changes = new PriorityQueue<>();
    private final PriorityQueue<TimedQuery<Q>> queries =
            new PriorityQueue<>(
                    Comparator.<TimedQuery<Q>>comparingLong(TimedQuery::timestamp)
                            .thenComparingInt(timed -> timed.query().origin())
                            .thenComparingLong(timed -> timed.query().number()));

    /** Documents whose changes are in state. */
    private final Set<Long> stored = new HashSet<>();

    private long arrivals;
    private long bytes;

    /** A query that waits. */
    record TimedQuery<Q>(long timestamp, NumberedQuery<Q> query) {}

    /** What is done with that which waits no longer. */
    interface Receiver<Q> {

        void apply(DocumentChange change) throws Exception;

        void ask(long timestamp, NumberedQuery<Q> query) throws Exception;
    }

    void add(long timestamp, DocumentChange change) {
        add(new TimedChange(timestamp, arrivals++, change));
    }

    private void add(TimedChange timed) {
        changes.add(timed);
        bytes += bytes(timed.change());
    }

    void add(long timestamp, NumberedQuery<Q> query) {
        queries.add(new TimedQuery<>(timestamp, query));
        bytes += bytes(query);
    }

    private static long bytes(DocumentChange change) {
        return change.isDelete() ? 0 : change.packed().length;
    }

    private static long bytes(NumberedQuery<?> query) {
        return (long) Integer.BYTES * query.query().elements().length;
    }

    int changes() {
        return changes.size();
    }

    int queries() {
        return queries.size();
    }

    /** The memory of the sets of all of them, which are most of it but for the records of queries. */
    long bytes() {
        return bytes;
    }

    /** Gives up all that has a timestamp of at most this. */
    void release(long watermark, Receiver<Q> receiver) throws Exception {
        while (true) {
            long nextChange = changes.isEmpty() ? Long.MAX_VALUE : changes.peek().timestamp();
            long nextQuery = queries.isEmpty() ? Long.MAX_VALUE : queries.peek().timestamp();
            if (!changes.isEmpty() && nextChange <= watermark && nextChange <= nextQuery) {
                DocumentChange change = changes.remove().change();
                bytes -= bytes(change);
                receiver.apply(change);
            } else if (!queries.isEmpty() && nextQuery <= watermark) {
                TimedQuery<Q> timed = queries.remove();
                bytes -= bytes(timed.query());
                receiver.ask(timed.timestamp(), timed.query());
            } else {
                return;
            }
        }
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
        for (TimedChange timed : changes) {
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
        for (TimedQuery<Q> timed : queries) {
            NumberedQuery<Q> query = timed.query();
            queryState.put(Tuple3.of(timed.timestamp(), query.origin(), query.number()), query);
        }
    }

    /** Takes what is in state of a document. */
    void restoreChanges(Long document, Iterable<TimedChange> ofDocument) {
        stored.add(document);
        for (TimedChange timed : ofDocument) {
            add(timed);
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

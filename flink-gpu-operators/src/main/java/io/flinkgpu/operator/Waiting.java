package io.flinkgpu.operator;

import org.apache.flink.annotation.Internal;

import java.util.Collection;
import java.util.Comparator;
import java.util.PriorityQueue;

/**
 * Changes and requests that wait for the watermark to reach their timestamps, in the order in which they are
 * applied: by timestamp, changes first, then as they are compared. In memory; what of it survives is its owner's.
 * Task thread only.
 *
 * @param <C> a change
 * @param <Q> a request
 */
@Internal
public final class Waiting<C extends Waiting.Timed, Q extends Waiting.Timed> {

    private final PriorityQueue<C> changes;
    private final PriorityQueue<Q> requests;
    private long bytes;

    /** What waits. */
    public interface Timed {

        long timestamp();

        /** Most of its memory. */
        long bytes();
    }

    /** What is done with that which waits no longer. */
    public interface Receiver<C, Q> {

        void apply(C change) throws Exception;

        void ask(Q request) throws Exception;
    }

    /**
     * @param ofChanges by timestamp, then in any order that no two have in common
     * @param ofRequests likewise
     */
    public Waiting(Comparator<? super C> ofChanges, Comparator<? super Q> ofRequests) {
        changes = new PriorityQueue<>(ofChanges);
        requests = new PriorityQueue<>(ofRequests);
    }

    public void addChange(C change) {
        changes.add(change);
        bytes += change.bytes();
    }

    public void addRequest(Q request) {
        requests.add(request);
        bytes += request.bytes();
    }

    /** In no order; not to be changed. */
    public Collection<C> changes() {
        return changes;
    }

    /** In no order; not to be changed. */
    public Collection<Q> requests() {
        return requests;
    }

    /** The memory of all of them, but for the records of requests. */
    public long bytes() {
        return bytes;
    }

    /** Gives up all that has a timestamp of at most this. */
    public void release(long watermark, Receiver<? super C, ? super Q> receiver) throws Exception {
        while (true) {
            long nextChange = changes.isEmpty() ? Long.MAX_VALUE : changes.peek().timestamp();
            long nextRequest = requests.isEmpty() ? Long.MAX_VALUE : requests.peek().timestamp();
            if (!changes.isEmpty() && nextChange <= watermark && nextChange <= nextRequest) {
                C change = changes.remove();
                bytes -= change.bytes();
                receiver.apply(change);
            } else if (!requests.isEmpty() && nextRequest <= watermark) {
                Q request = requests.remove();
                bytes -= request.bytes();
                receiver.ask(request);
            } else {
                return;
            }
        }
    }
}

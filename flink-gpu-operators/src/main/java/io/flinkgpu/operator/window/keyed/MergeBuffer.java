package io.flinkgpu.operator.window.keyed;

import io.flinkgpu.operator.window.WindowShape;
import io.flinkgpu.state.Partial;

import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/**
 * Partials that are not in state yet, by key and slice. Counts slices, and knows the watermark from
 * which on they may make a difference. Not thread-safe.
 *
 * @param <K> the key
 */
final class MergeBuffer<K> {

    private final WindowShape shape;
    private final UnaryOperator<K> copy;
    private Map<K, SliceList> keys = new HashMap<>();
    private int slices;
    private long threshold = Long.MAX_VALUE;

    /**
     * @param copy of a key, to be kept: a selector may change and give again the object that it gave
     */
    MergeBuffer(WindowShape shape, UnaryOperator<K> copy) {
        this.shape = shape;
        this.copy = copy;
    }

    /** How many slices of how many keys, in all. */
    int slices() {
        return slices;
    }

    /** Whether this watermark reaches the threshold of a slice. */
    boolean isDue(long watermark) {
        return slices > 0 && watermark >= threshold;
    }

    /**
     * The partial of a slice that is in a window, to be added to.
     *
     * @param ifNone gives the partial that the buffer keeps if it has none for the slice
     */
    Partial partial(K key, long start, long end, Supplier<Partial> ifNone) {
        SliceList list = keys.get(key);
        if (list == null) {
            list = new SliceList(shape.isSession());
            keys.put(copy.apply(key), list);
        }
        int before = list.size();
        Partial partial = list.partial(start, end, ifNone);
        slices += list.size() - before;
        // The threshold of a slice that was there is known; a session may have become longer.
        if (list.size() > before || shape.isSession()) {
            threshold = Math.min(threshold, shape.threshold(start, end));
        }
        return partial;
    }

    /** Removes all slices of a key, and gives them; null if there are none. */
    SliceList take(K key) {
        SliceList list = keys.remove(key);
        if (list != null) {
            slices -= list.size();
        }
        return list;
    }

    /** Removes all slices, and gives them. */
    Map<K, SliceList> takeAll() {
        Map<K, SliceList> all = keys;
        keys = new HashMap<>();
        slices = 0;
        threshold = Long.MAX_VALUE;
        return all;
    }

    /** Removes the slices whose thresholds this watermark reaches, and gives them. */
    Map<K, SliceList> takeDue(long watermark) {
        Map<K, SliceList> taken = new HashMap<>();
        threshold = Long.MAX_VALUE;
        for (Iterator<Map.Entry<K, SliceList>> all = keys.entrySet().iterator(); all.hasNext(); ) {
            Map.Entry<K, SliceList> entry = all.next();
            SliceList list = entry.getValue();
            int due = due(list, watermark);
            slices -= due;
            if (due == list.size()) {
                taken.put(entry.getKey(), list);
                all.remove();
            } else {
                if (due > 0) {
                    taken.put(entry.getKey(), list.removeFirst(due));
                }
                threshold = Math.min(threshold, shape.threshold(list.start(0), list.end(0)));
            }
        }
        return taken;
    }

    /** Thresholds rise with the slices. */
    private int due(SliceList list, long watermark) {
        int due = 0;
        while (due < list.size() && shape.threshold(list.start(due), list.end(due)) <= watermark) {
            due++;
        }
        return due;
    }
}

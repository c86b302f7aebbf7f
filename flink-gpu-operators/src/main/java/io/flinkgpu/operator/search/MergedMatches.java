package io.flinkgpu.operator.search;

import io.flinkgpu.api.search.SetMatches;
import io.flinkgpu.sets.SetScores;

import java.util.List;

/** The best documents of several shards. */
final class MergedMatches {

    private MergedMatches() {}

    /**
     * Merges what shards found for one query: by {@link SetScores#key}, the largest first, then by id.
     *
     * @param ofShards of each shard the best first; no document is in two
     * @param k how many at most
     */
    static SetMatches of(List<SetMatches> ofShards, int k) {
        int found = 0;
        for (SetMatches matches : ofShards) {
            found += Math.min(k, matches.count());
        }
        int count = Math.min(k, found);
        long[] ids = new long[count];
        int[] pairs = new int[count];
        int[] next = new int[ofShards.size()];
        int[] keys = new int[ofShards.size()];
        for (int shard = 0; shard < keys.length; shard++) {
            keys[shard] = key(ofShards.get(shard), 0);
        }
        for (int i = 0; i < count; i++) {
            int best = best(ofShards, next, keys);
            SetMatches from = ofShards.get(best);
            int index = next[best]++;
            ids[i] = from.id(index);
            pairs[i] = SetMatches.pair(from.common(index), from.size(index));
            keys[best] = key(from, next[best]);
        }
        SetMatches any = ofShards.get(0);
        return SetMatches.ofPairs(any.similarity(), any.querySize(), ids, pairs);
    }

    private static int best(List<SetMatches> ofShards, int[] next, int[] keys) {
        int best = 0;
        for (int shard = 1; shard < keys.length; shard++) {
            if (keys[shard] > keys[best]
                    || keys[shard] == keys[best]
                            && keys[shard] >= 0
                            && ofShards.get(shard).id(next[shard])
                                    < ofShards.get(best).id(next[best])) {
                best = shard;
            }
        }
        return best;
    }

    /** Of a document's similarity; -1 after the last one. */
    private static int key(SetMatches matches, int index) {
        return index == matches.count()
                ? -1
                : SetScores.key(
                        matches.similarity(),
                        matches.common(index),
                        matches.querySize(),
                        matches.size(index));
    }
}

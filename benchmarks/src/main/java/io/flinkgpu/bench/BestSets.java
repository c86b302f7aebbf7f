package io.flinkgpu.bench;

import io.flinkgpu.api.search.SetQuery;

/** The best documents so far of a query: a heap. One thread's. */
final class BestSets {

    private final byte[] sizes;
    private final long[] ids;
    private final int querySize;
    private final int[] documents;
    private final int[] common;

    /** The fewest elements in common that a document of each size needs to be among them. */
    private final int[] needed = new int[1 << Byte.SIZE];

    private long leastKey;
    private int count;

    /**
     * @param sizes of all documents, below 256
     * @param ids of all documents
     */
    BestSets(SetQuery query, byte[] sizes, long[] ids) {
        this.sizes = sizes;
        this.ids = ids;
        querySize = query.elements().length;
        documents = new int[query.k()];
        common = new int[query.k()];
    }

    /** A document, by its place among all, each once. */
    void offer(int doc, int inCommon) {
        if (inCommon < needed[sizes[doc] & 0xff]) {
            return;
        }
        if (count < documents.length) {
            up(count++, doc, inCommon);
        } else if (isBetter(doc, inCommon, documents[0], common[0])) {
            down(doc, inCommon);
        } else {
            return;
        }
        long least = count == documents.length ? key(documents[0], common[0]) : 0;
        if (least > leastKey) {
            leastKey = least;
            for (int size = 0; size < needed.length; size++) {
                int most = Math.max(querySize, size);
                needed[size] = (int) ((least * most + (1 << 14) - 1) >>> 14);
            }
        }
    }

    private long key(int doc, int inCommon) {
        return SearchAnswers.key(inCommon, querySize, sizes[doc] & 0xff);
    }

    private boolean isBetter(int doc, int inCommon, int than, int thanInCommon) {
        long left = key(doc, inCommon);
        long right = key(than, thanInCommon);
        return left > right || left == right && ids[doc] < ids[than];
    }

    /** Lets a document rise from a free place in the heap, whose top is the worst. */
    private void up(int from, int doc, int inCommon) {
        int at = from;
        while (at > 0) {
            int parent = (at - 1) >>> 1;
            if (isBetter(doc, inCommon, documents[parent], common[parent])) {
                break;
            }
            documents[at] = documents[parent];
            common[at] = common[parent];
            at = parent;
        }
        documents[at] = doc;
        common[at] = inCommon;
    }

    /** Lets a document sink from the top. */
    private void down(int doc, int inCommon) {
        int at = 0;
        while (2 * at + 1 < count) {
            int child = 2 * at + 1;
            if (child + 1 < count
                    && isBetter(
                            documents[child],
                            common[child],
                            documents[child + 1],
                            common[child + 1])) {
                child++;
            }
            if (!isBetter(doc, inCommon, documents[child], common[child])) {
                break;
            }
            documents[at] = documents[child];
            common[at] = common[child];
            at = child;
        }
        documents[at] = doc;
        common[at] = inCommon;
    }

    /** The sum of the answer. */
    long sum() {
        long sum = 0;
        for (int i = 0; i < count; i++) {
            sum +=
                    SearchAnswers.part(
                            common[i], querySize, sizes[documents[i]] & 0xff, ids[documents[i]]);
        }
        return sum;
    }
}

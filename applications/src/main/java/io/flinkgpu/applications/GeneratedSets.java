package io.flinkgpu.applications;

/**
 * Made-up documents and queries. Each depends on the seeds and its number alone, so that they are the same
 * whatever the threads.
 *
 * @param documents how many there are
 * @param sorted whether the shortest come first; else they come in any order
 * @param documentSeed of documents
 * @param querySeed of queries
 */
record GeneratedSets(
        long documents,
        ElementDraws draws,
        SetLengths lengths,
        boolean sorted,
        QueryKind queryKind,
        long documentSeed,
        long querySeed) {

    /** What a query is like. */
    enum QueryKind {
        /** Elements drawn alike, 1 to 128 of them. */
        UNIFORM,

        /** Like a document, but never empty. */
        DRAWN,

        /** A document of which about 3 of 10 elements were drawn again. */
        CHANGED
    }

    static final int MAX_UNIFORM = 128;

    private static final long LENGTH_SEED = 0x6c656e;
    private static final long QUERY_SEED = 0x71756572;
    private static final int KEPT_PERCENT = 70;

    /** Elements of the longest set. */
    int longest() {
        return Math.max(MAX_UNIFORM, lengths.longest());
    }

    DrawnSet newSet() {
        return new DrawnSet(draws.count(), longest());
    }

    /** Draws the document with this number, from 0. */
    void document(long number, DrawnSet target) {
        target.clear();
        SplitMix random = new SplitMix(SplitMix.mix(documentSeed + number * SplitMix.GAMMA));
        target.complete(draws, documentLength(number), random);
    }

    private int documentLength(long number) {
        return sorted
                ? lengths.inOrder(number, documents)
                : lengths.random(SplitMix.mix(documentSeed ^ LENGTH_SEED ^ number << 20) >>> 32);
    }

    /** Draws the query with this number, from 0. */
    void query(long number, DrawnSet target) {
        SplitMix random = new SplitMix(SplitMix.mix(querySeed ^ QUERY_SEED ^ number << 24));
        switch (queryKind) {
            case UNIFORM -> uniform(random, target);
            case DRAWN -> {
                target.clear();
                int length = Math.max(1, lengths.random(random.upper()));
                target.complete(draws, length, random);
            }
            case CHANGED -> changed(random, target);
        }
    }

    private void uniform(SplitMix random, DrawnSet target) {
        target.clear();
        int length = 1 + random.below(MAX_UNIFORM);
        target.complete(new ElementDraws(draws.count(), 0, 0), length, random);
    }

    private void changed(SplitMix random, DrawnSet target) {
        long number;
        do {
            number = random.upper() * documents >>> 32;
        } while (documentLength(number) == 0);
        document(number, target);
        int length = target.size();
        int[] elements = new int[length];
        for (int i = 0; i < length; i++) {
            elements[i] = target.get(i);
        }
        target.clear();
        for (int element : elements) {
            if (random.below(100) < KEPT_PERCENT) {
                target.add(element);
            }
        }
        target.complete(draws, length, random);
    }
}

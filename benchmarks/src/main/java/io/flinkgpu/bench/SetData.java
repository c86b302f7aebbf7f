package io.flinkgpu.bench;

import java.util.Arrays;

/**
 * Documents and queries by public generators, the same in every language: each is made of its number alone.
 * Immutable.
 *
 * @param lengths of a real corpus, which those of the documents follow
 * @param draws of elements
 * @param documents how many
 * @param sorted whether documents come in the order of their lengths
 */
record SetData(SetLengths lengths, SetElementDraws draws, long documents, boolean sorted) {

    private static final long DOCUMENTS_SEED = 7;
    private static final long QUERIES_SEED = 99;
    private static final long DOCUMENT_STEP = 0x9E3779B97F4A7C15L;
    private static final long LENGTHS = 0x6c656eL;
    private static final long QUERIES = 0x71756572L;
    private static final int MOST_ELEMENTS_OF_QUERY = 128;

    /** What queries are like. */
    enum QueryKind {
        /** 1 to 128 elements, all as frequent. */
        UNIFORM,
        /** Like documents. */
        DOCUMENT_LIKE
    }

    /** What a thread needs to draw sets. */
    static final class Room {

        private final int[] seen = new int[SetElementDraws.ELEMENTS];
        private int sets;

        /** Starts a set. */
        void start() {
            sets++;
        }

        /** Whether the set has not had this element. */
        boolean add(int element) {
            boolean isNew = seen[element] != sets;
            seen[element] = sets;
            return isNew;
        }
    }

    /** The same in no order of lengths: each document is then the same whatever the number of all. */
    SetData shuffled() {
        return new SetData(lengths, draws, documents, false);
    }

    /** How many elements a document has. */
    int length(long document) {
        return lengths.length(
                sorted
                        ? document * lengths.documents() / documents
                        : (SplitMix.mix64(DOCUMENTS_SEED ^ LENGTHS ^ document << 20) >>> 32)
                                        * lengths.documents()
                                >>> 32);
    }

    /**
     * Writes the elements of a document in order.
     *
     * @return where they end
     */
    int document(long document, Room room, int[] elements) {
        return document(document, document, room, elements, 0);
    }

    /**
     * The same for a later version of a document: its length is another one's, below the number of documents.
     */
    int document(long version, long likeLong, Room room, int[] elements, int from) {
        SplitMix random = new SplitMix(SplitMix.mix64(DOCUMENTS_SEED + version * DOCUMENT_STEP));
        return draw(draws, length(likeLong), random, room, elements, from);
    }

    /** The elements of a query in order. */
    int[] query(QueryKind kind, long query, Room room) {
        SplitMix random = new SplitMix(SplitMix.mix64(QUERIES_SEED ^ QUERIES ^ query << 24));
        int length =
                kind == QueryKind.UNIFORM
                        ? 1 + random.below(MOST_ELEMENTS_OF_QUERY)
                        : Math.max(
                                1, lengths.length(random.nextHigh() * lengths.documents() >>> 32));
        int[] elements = new int[length];
        draw(
                kind == QueryKind.UNIFORM ? SetElementDraws.of(0) : draws,
                length,
                random,
                room,
                elements,
                0);
        return elements;
    }

    private static int draw(
            SetElementDraws draws,
            int length,
            SplitMix random,
            Room room,
            int[] elements,
            int from) {
        room.start();
        int to = from;
        while (to < from + length) {
            int element = draws.draw(random);
            if (room.add(element)) {
                elements[to++] = element;
            }
        }
        Arrays.sort(elements, from, to);
        return to;
    }
}

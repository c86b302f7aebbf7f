package io.flinkgpu.embeddings;

import org.apache.flink.annotation.Internal;

/** An empty index of ids by open addressing that {@link IdLoader} fills, each thread a range of its slots. */
@Internal
public interface IdSlots {

    /** What became of an id. */
    enum Added {
        NEW,
        /** It is there already. */
        TWICE,
        /** No slot that it may have is free. */
        NO_ROOM
    }

    /** How many slots there are: a power of two, of which at least one stays free. */
    long slots();

    /** The slot where the search for an id starts. */
    long home(long id);

    /** Something of a slot, which has it fetched. */
    long fetch(long slot);

    /**
     * Adds an id in the first free slot, if it is not in one before that. Others use slots out of these meanwhile.
     *
     * @param from the first slot that it may have
     * @param to the first after those that it may have
     * @param word what the index says of the id
     */
    Added add(long from, long to, long id, long word);

    /** Says how many ids were added. */
    void added(long count);
}

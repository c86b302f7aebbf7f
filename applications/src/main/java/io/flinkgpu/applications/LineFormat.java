package io.flinkgpu.applications;

import java.io.Serializable;

/**
 * What the lines of a file mean. Travels in the job graph.
 *
 * @param <T> what a line asks for
 */
interface LineFormat<T> extends Serializable {

    /** A reader of one thread. */
    Reader<T> open();

    /** Reads lines. */
    interface Reader<T> {

        /**
         * What a line asks for.
         *
         * @param line its number; the first is 0
         * @throws IllegalArgumentException if it is malformed, with the reason and nothing that it holds
         */
        T read(long line, byte[] bytes, int from, int to);
    }
}

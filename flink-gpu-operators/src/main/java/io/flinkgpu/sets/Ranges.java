package io.flinkgpu.sets;

import org.apache.flink.annotation.Internal;

import java.util.stream.IntStream;

/** Work on the parts of an array that do not depend on each other, by all cores that have nothing to do. */
@Internal
public final class Ranges {

    /** For fewer parts other threads are not woken. */
    private static final int FEW = 4;

    private Ranges() {}

    /** Does something with the indexes from one on up to another. */
    @FunctionalInterface
    public interface Body {
        void run(int from, int to);
    }

    /**
     * Does something with all indexes below a count, and returns when it is done.
     *
     * @param atOnce how many indexes a call gets at most
     */
    public static void each(int count, int atOnce, Body body) {
        int parts = (count + atOnce - 1) / atOnce;
        if (parts < FEW) {
            body.run(0, count);
            return;
        }
        IntStream.range(0, parts)
                .parallel()
                .forEach(part -> body.run(part * atOnce, Math.min(count, (part + 1) * atOnce)));
    }
}

package io.flinkgpu.windows;

/** What happens to a running job, one thing at a time. */
sealed interface Event {

    /**
     * A record.
     *
     * @param bad whether it cannot be aggregated
     */
    record Arrives(int channel, Reading reading, long timestamp, boolean bad) implements Event {}

    record Watermark(int channel, long timestamp) implements Event {}

    record Status(int channel, boolean idle) implements Event {}

    /** The processing time moves on. */
    record Clock(long millis) implements Event {}

    /** The mails that wait in every task are run. */
    record Mails() implements Event {}

    /** A checkpoint that the job goes on after. */
    record Checkpoint() implements Event {}

    /**
     * A savepoint, after which the job is started again from it.
     *
     * @param parallelism of the window operator from here on
     * @param swap whether the other engine goes on
     * @param canonical whether the state backend may change, and does
     */
    record Restart(int parallelism, boolean swap, boolean canonical) implements Event {}

    /** The end of all inputs. */
    record End() implements Event {}
}

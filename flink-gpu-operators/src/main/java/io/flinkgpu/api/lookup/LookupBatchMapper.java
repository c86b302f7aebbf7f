package io.flinkgpu.api.lookup;

import org.apache.flink.annotation.PublicEvolving;

import java.io.Serializable;

/**
 * Makes records of what was found for many requests at once, without an object for each result. Travels in the job
 * graph, so it must be serializable.
 *
 * @param <Q> a request's record
 * @param <R> what is made
 */
@FunctionalInterface
@PublicEvolving
public interface LookupBatchMapper<Q, R> extends Serializable {

    /**
     * Emits any number of records. Which requests come together is no part of the input: what all calls together emit
     * should not depend on it.
     *
     * @param batch valid during the call
     * @param output likewise
     */
    void map(LookupBatch<Q> batch, Output<R> output);

    /**
     * Where records go, at once.
     *
     * @param <R> what is emitted
     */
    @FunctionalInterface
    @PublicEvolving
    interface Output<R> {

        /**
         * Emits a record with the timestamp of a request.
         *
         * @param request its number in the batch
         * @param result null for none
         */
        void collect(int request, R result);
    }
}

package io.flinkgpu.api.lookup;

import org.apache.flink.annotation.PublicEvolving;

import org.apache.arrow.vector.complex.ListVector;

/**
 * Requests that were answered together, with what was found for them as Arrow vectors: row i is that of request i.
 * How many requests are in a batch depends on {@code BatchPolicy}, time, marks and memory.
 *
 * <p>Valid during the call that gets it, on the task thread; the vectors are read-only, on the host, and closed after the
 * call: copy what is to stay. Whoever keeps the batch gets an {@link IllegalStateException} from it.
 *
 * @param <Q> a request's record
 */
@PublicEvolving
public interface LookupBatch<Q> {

    /** How many requests there are, at least 1. */
    int requests();

    /**
     * The record of a request.
     *
     * @param request from 0 on, in the order in which results leave
     */
    Q record(int request);

    /**
     * The values of all bags of a request, one after another, or what the model gave: {@code list(FLOAT)}, a {@code
     * Float4Vector} within. Neither lists nor values are null.
     */
    ListVector values();

    /**
     * Where the values of each bag of a request end, counted from the request's first value: {@code list(INT)}, an
     * {@code IntVector} within. Neither lists nor ends are null.
     */
    ListVector ends();
}

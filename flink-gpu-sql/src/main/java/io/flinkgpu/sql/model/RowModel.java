package io.flinkgpu.sql.model;

import org.apache.flink.table.data.RowData;

import java.util.Collection;

/**
 * A model whose requests and answers are rows.
 *
 * @param <Q> a request
 * @param <A> its answer
 * @param <R> result of a batch
 */
interface RowModel<Q, A, R extends AutoCloseable> extends ModelWork<Q, A, R> {

    /** The request of a row of inputs, with nothing of the row's; null if there is nothing to ask. */
    Q request(RowData inputs);

    /**
     * The rows of outputs that go with a row of inputs.
     *
     * @param answer null if nothing was asked
     */
    Collection<RowData> rows(A answer);
}

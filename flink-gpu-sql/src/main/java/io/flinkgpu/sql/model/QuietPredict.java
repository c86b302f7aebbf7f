package io.flinkgpu.sql.model;

import org.apache.flink.annotation.Internal;
import org.apache.flink.table.data.GenericRowData;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.functions.AsyncPredictFunction;
import org.apache.flink.util.ExceptionUtils;

import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * Fails where an answer is read that is not there. A future that fails would have Flink's operator write the row
 * into its message, and keep the room that the row has: many rows that fail before the task is canceled would leave
 * it waiting for room that nobody gives back, whatever interrupts it.
 */
@Internal
public abstract class QuietPredict extends AsyncPredictFunction {

    private static final long serialVersionUID = 1L;

    @Override
    public final void eval(CompletableFuture<Collection<RowData>> future, Object... args) {
        CompletableFuture<Collection<RowData>> answer;
        try {
            answer = asyncPredict(GenericRowData.of(args));
        } catch (RuntimeException e) {
            answer = CompletableFuture.failedFuture(e);
        }
        answer.whenComplete(
                (rows, failure) ->
                        future.complete(
                                failure == null
                                        ? rows
                                        : List.of(
                                                MissingAnswer.of(
                                                        ExceptionUtils.stripCompletionException(
                                                                failure)))));
    }
}

package io.flinkgpu.operator.search;

import io.flinkgpu.api.search.SetMatches;
import io.flinkgpu.api.search.Similarity;
import io.flinkgpu.backend.plan.SearchedBatch;
import io.flinkgpu.operator.BatchEmitter;
import io.flinkgpu.operator.DeviceTime;

import org.apache.flink.streaming.api.operators.Output;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;

/** Emits what a shard found. Task thread only. */
final class AnswerEmitter<Q, OUT> implements BatchEmitter<NumberedQuery<Q>, SearchedBatch> {

    private final Similarity similarity;
    private final AnswerForm<Q, OUT> form;
    private final Output<StreamRecord<OUT>> output;
    private final DeviceTime deviceTime;
    private SearchedBatch part;

    AnswerEmitter(
            Similarity similarity,
            AnswerForm<Q, OUT> form,
            Output<StreamRecord<OUT>> output,
            DeviceTime deviceTime) {
        this.similarity = similarity;
        this.form = form;
        this.output = output;
        this.deviceTime = deviceTime;
    }

    @Override
    public int start(SearchedBatch started) {
        part = started;
        deviceTime.add(started.deviceNanos());
        return started.queries();
    }

    @Override
    public void emit(StreamRecord<NumberedQuery<Q>> record, int firstRow, int rows, boolean last) {
        NumberedQuery<Q> query = record.getValue();
        int querySize = query.query().elements().length;
        SetMatches matches = part.matches(firstRow, similarity, querySize);
        long timestamp = record.hasTimestamp() ? record.getTimestamp() : PartialAnswer.NO_TIMESTAMP;
        OUT answer = form.of(query, timestamp, matches);
        if (answer != null) {
            output.collect(record.replace(answer));
        }
    }
}

package io.flinkgpu.operator.lookup;

import io.flinkgpu.api.lookup.LookupBatch;
import io.flinkgpu.api.lookup.LookupBatchMapper;
import io.flinkgpu.backend.plan.EmbeddingPlan;
import io.flinkgpu.backend.plan.TransformedBatch;
import io.flinkgpu.operator.BatchEmitter;
import io.flinkgpu.operator.DeviceTime;
import io.flinkgpu.operator.PartRecords;

import org.apache.flink.streaming.api.operators.Output;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;

import org.apache.arrow.vector.complex.ListVector;

/**
 * Gives a mapper the results of a batch at once, before its first watermark or other mark is forwarded: so none
 * overtakes a record. Task thread only.
 */
final class BatchesEmitter<Q, OUT> implements BatchEmitter<Q, TransformedBatch> {

    private final BatchResultMapper<Q, OUT> mapper;
    private final Output<StreamRecord<OUT>> output;
    private final DeviceTime deviceTime;
    private TransformedBatch part;

    BatchesEmitter(
            BatchResultMapper<Q, OUT> mapper,
            Output<StreamRecord<OUT>> output,
            DeviceTime deviceTime) {
        this.mapper = mapper;
        this.output = output;
        this.deviceTime = deviceTime;
    }

    @Override
    public int start(TransformedBatch started) {
        part = started;
        deviceTime.add(started.deviceNanos());
        return started.columns().rows();
    }

    @Override
    public void records(PartRecords<Q> records) {
        Call call = new Call(part, records);
        part = null;
        if (records.count() == 0) {
            return;
        }
        try {
            mapper.mapper().map(call, call);
        } catch (RuntimeException e) {
            if (e != call.failure) {
                throw new IllegalStateException(
                        "a mapper must not throw: error="
                                + mapper.errors().thrown(e)
                                + mapper.errors().remedy(),
                        mapper.errors().cause(e));
            }
        } finally {
            call.records = null;
        }
        if (call.failure != null) {
            throw call.failure;
        }
    }

    /** The mapper has had all rows. */
    @Override
    public void emit(StreamRecord<Q> record, int firstRow, int rows, boolean last) {}

    /** What the mapper gets, for one call. */
    private final class Call implements LookupBatch<Q>, LookupBatchMapper.Output<OUT> {

        private final StreamRecord<OUT> emitted = new StreamRecord<>(null);
        private final ListVector values;
        private final ListVector ends;

        /** Null after the call. */
        private PartRecords<Q> records;

        /** Of whoever gets the records, which is none of the mapper's. */
        private RuntimeException failure;

        Call(TransformedBatch part, PartRecords<Q> records) {
            this.values = (ListVector) part.columns().vector(EmbeddingPlan.VALUES_COLUMN);
            this.ends = (ListVector) part.columns().vector(EmbeddingPlan.ENDS_COLUMN);
            this.records = records;
        }

        private PartRecords<Q> valid() {
            if (records == null) {
                throw new IllegalStateException(
                        "a batch of results and its output are valid during the call that gets them:"
                                + " copy what is to stay");
            }
            return records;
        }

        @Override
        public int requests() {
            return valid().count();
        }

        @Override
        public Q record(int request) {
            return valid().record(request).getValue();
        }

        @Override
        public ListVector values() {
            valid();
            return values;
        }

        @Override
        public ListVector ends() {
            valid();
            return ends;
        }

        @Override
        public void collect(int request, OUT result) {
            StreamRecord<Q> asked = valid().record(request);
            if (result == null) {
                return;
            }
            if (asked.hasTimestamp()) {
                emitted.replace(result, asked.getTimestamp());
            } else {
                emitted.replace(result);
                emitted.eraseTimestamp();
            }
            try {
                output.collect(emitted);
            } catch (RuntimeException e) {
                failure = e;
                throw e;
            }
        }
    }
}

package io.flinkgpu;

import io.flinkgpu.api.GpuOptions;
import io.flinkgpu.api.RefusedRecord;
import io.flinkgpu.api.ValueGetter;
import io.flinkgpu.backend.BackendFactory;
import io.flinkgpu.operator.RecordReader;

import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.util.OutputTag;

/**
 * A stream of requests and one of changes of what answers them, and what is asked of both. Immutable.
 *
 * @param backend opens what the options ask for
 * @param parallelism 0 for that of the job
 * @param deadLetters null if there are none
 */
record ResidentStreams<Q, S, C, D>(
        DataStream<Q> requests,
        ValueGetter<Q, S> request,
        DataStream<C> changes,
        ValueGetter<C, D> change,
        GpuOptions options,
        BackendFactory backend,
        boolean isEventTime,
        int parallelism,
        OutputTag<RefusedRecord> deadLetters) {

    /**
     * In the order of arrival.
     *
     * @param name of the getter of requests, for errors
     */
    static <Q, S, C, D> ResidentStreams<Q, S, C, D> of(
            String name,
            DataStream<Q> requests,
            ValueGetter<Q, S> request,
            DataStream<C> changes,
            ValueGetter<C, D> change,
            GpuOptions options,
            BackendFactory backend) {
        StreamExecutionEnvironment environment = requests.getExecutionEnvironment();
        return new ResidentStreams<>(
                requests,
                JobChecks.cleaned(environment, name, request),
                JobChecks.present("changes", changes),
                JobChecks.cleaned(environment, "change", change),
                options,
                backend,
                false,
                0,
                null);
    }

    ResidentStreams<Q, S, C, D> withEventTime() {
        return with(true, parallelism, deadLetters);
    }

    ResidentStreams<Q, S, C, D> withParallelism(int subtasks) {
        return with(isEventTime, subtasks, deadLetters);
    }

    ResidentStreams<Q, S, C, D> withDeadLetters(OutputTag<RefusedRecord> tag) {
        return with(isEventTime, parallelism, JobChecks.copy(tag));
    }

    private ResidentStreams<Q, S, C, D> with(
            boolean eventTime, int subtasks, OutputTag<RefusedRecord> tag) {
        return new ResidentStreams<>(
                requests, request, changes, change, options, backend, eventTime, subtasks, tag);
    }

    /** What reads the records of one of the streams. */
    <T, V> RecordReader<T, V> reader(
            RecordReader.Purpose purpose, String stream, ValueGetter<T, V> getter) {
        return new RecordReader<>(
                purpose, stream, getter, isEventTime, deadLetters, options.errorValues());
    }

    /** A mapper of results without the enclosing object that it does not use. */
    <F> F cleaned(F mapper) {
        return JobChecks.cleaned(requests.getExecutionEnvironment(), "mapper", mapper);
    }
}

package io.flinkgpu;

import io.flinkgpu.api.GpuOptions;
import io.flinkgpu.api.RefusedRecord;
import io.flinkgpu.api.lookup.EmbeddingTable;
import io.flinkgpu.api.lookup.Scoring;
import io.flinkgpu.backend.BackendFactory;
import io.flinkgpu.operator.lookup.RebasePolicy;

import org.apache.flink.util.OutputTag;

import java.util.List;

/**
 * All that is asked of a lookup but its streams. Immutable.
 *
 * @param backend opens what the options ask for
 * @param scoring null if there is none
 * @param parallelism 0 for that of the job
 * @param deadLetters null if there are none
 */
record LookupSettings(
        GpuOptions options,
        BackendFactory backend,
        List<EmbeddingTable> tables,
        long hostBytes,
        long deviceBytes,
        RebasePolicy rebase,
        Scoring scoring,
        boolean isEventTime,
        int parallelism,
        OutputTag<RefusedRecord> deadLetters) {

    LookupSettings withTables(List<EmbeddingTable> changed) {
        return new LookupSettings(
                options,
                backend,
                List.copyOf(changed),
                hostBytes,
                deviceBytes,
                rebase,
                scoring,
                isEventTime,
                parallelism,
                deadLetters);
    }

    LookupSettings withBytes(long host, long device) {
        return new LookupSettings(
                options,
                backend,
                tables,
                host,
                device,
                rebase,
                scoring,
                isEventTime,
                parallelism,
                deadLetters);
    }

    LookupSettings withRebase(RebasePolicy changed) {
        return new LookupSettings(
                options,
                backend,
                tables,
                hostBytes,
                deviceBytes,
                changed,
                scoring,
                isEventTime,
                parallelism,
                deadLetters);
    }

    LookupSettings withScoring(Scoring changed) {
        return new LookupSettings(
                options,
                backend,
                tables,
                hostBytes,
                deviceBytes,
                rebase,
                changed,
                isEventTime,
                parallelism,
                deadLetters);
    }

    LookupSettings withEventTime() {
        return new LookupSettings(
                options,
                backend,
                tables,
                hostBytes,
                deviceBytes,
                rebase,
                scoring,
                true,
                parallelism,
                deadLetters);
    }

    LookupSettings withParallelism(int changed) {
        return new LookupSettings(
                options,
                backend,
                tables,
                hostBytes,
                deviceBytes,
                rebase,
                scoring,
                isEventTime,
                changed,
                deadLetters);
    }

    LookupSettings withDeadLetters(OutputTag<RefusedRecord> tag) {
        return new LookupSettings(
                options,
                backend,
                tables,
                hostBytes,
                deviceBytes,
                rebase,
                scoring,
                isEventTime,
                parallelism,
                tag);
    }
}

package io.flinkgpu;

import io.flinkgpu.api.GpuOptions;
import io.flinkgpu.api.RefusedRecord;
import io.flinkgpu.api.search.Similarity;
import io.flinkgpu.backend.BackendFactory;
import io.flinkgpu.backend.plan.CorpusPlan;
import io.flinkgpu.backend.plan.SearchPlan;

import org.apache.flink.util.OutputTag;

/**
 * All that is asked of a search but its streams. Immutable.
 *
 * @param backend opens what the options ask for
 * @param shards 0 for the parallelism of the job
 * @param deadLetters null if there are none
 */
record SearchSettings(
        GpuOptions options,
        BackendFactory backend,
        SearchPlan plan,
        boolean isEventTime,
        int shards,
        OutputTag<RefusedRecord> deadLetters) {

    SearchSettings withSimilarity(Similarity similarity) {
        return withPlan(new SearchPlan(plan.corpus(), similarity));
    }

    SearchSettings withCorpus(CorpusPlan corpus) {
        return withPlan(new SearchPlan(corpus, plan.similarity()));
    }

    private SearchSettings withPlan(SearchPlan changed) {
        return new SearchSettings(options, backend, changed, isEventTime, shards, deadLetters);
    }

    SearchSettings withEventTime() {
        return new SearchSettings(options, backend, plan, true, shards, deadLetters);
    }

    SearchSettings withShards(int changed) {
        return new SearchSettings(options, backend, plan, isEventTime, changed, deadLetters);
    }

    SearchSettings withDeadLetters(OutputTag<RefusedRecord> tag) {
        return new SearchSettings(options, backend, plan, isEventTime, shards, tag);
    }
}

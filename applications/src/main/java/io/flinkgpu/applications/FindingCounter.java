package io.flinkgpu.applications;

import io.flinkgpu.api.Finding;

import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.functions.RichFilterFunction;

/** Counts findings in an accumulator, and passes none on. */
final class FindingCounter extends RichFilterFunction<Finding> {

    private static final long serialVersionUID = 1L;

    private final String accumulator;
    private transient FindingCounts counts;

    FindingCounter(String accumulator) {
        this.accumulator = accumulator;
    }

    @Override
    public void open(OpenContext context) {
        counts = new FindingCounts();
        getRuntimeContext().addAccumulator(accumulator, counts);
    }

    @Override
    public boolean filter(Finding finding) {
        counts.add(finding);
        return false;
    }
}

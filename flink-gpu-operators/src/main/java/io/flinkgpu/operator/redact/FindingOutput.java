package io.flinkgpu.operator.redact;

import io.flinkgpu.api.Finding;
import io.flinkgpu.api.RuleSet;
import io.flinkgpu.backend.plan.RowFinding;
import io.flinkgpu.operator.BatchContext;

import org.apache.flink.annotation.Internal;
import org.apache.flink.streaming.api.operators.Output;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.util.OutputTag;

import java.io.Serializable;
import java.util.Objects;

/** Sends findings to a side output. Task thread only. */
@Internal
public final class FindingOutput {

    private final OutputTag<Finding> tag;
    private final Output<?> output;
    private final RuleSet rules;
    private final int subtask;

    /**
     * Where findings go.
     *
     * @param tag of the side output
     * @param every of so many records with findings one has them there
     */
    public record Target(OutputTag<Finding> tag, int every) implements Serializable {
        private static final long serialVersionUID = 1L;

        public Target {
            Objects.requireNonNull(tag, "tag");
        }
    }

    private FindingOutput(OutputTag<Finding> tag, BatchContext<?, ?> context, RuleSet rules) {
        this.tag = tag;
        output = context.output();
        this.rules = rules;
        subtask = context.runtime().getTaskInfo().getIndexOfThisSubtask();
    }

    /** The output of a target; null for none. */
    public static FindingOutput of(Target target, BatchContext<?, ?> context, RuleSet rules) {
        return target == null ? null : new FindingOutput(target.tag(), context, rules);
    }

    /** Sends one. */
    public void send(RowFinding found, String source, long record, Long timestampMillis) {
        StreamRecord<Finding> finding =
                new StreamRecord<>(
                        new Finding(
                                rules.rule(found.rule()).name(),
                                source,
                                record,
                                found.offset(),
                                found.length(),
                                found.hash(),
                                subtask,
                                timestampMillis,
                                System.currentTimeMillis()));
        if (timestampMillis != null) {
            finding.setTimestamp(timestampMillis);
        }
        output.collect(tag, finding);
    }
}

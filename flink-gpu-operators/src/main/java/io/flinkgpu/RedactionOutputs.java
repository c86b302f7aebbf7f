package io.flinkgpu;

import io.flinkgpu.api.Finding;
import io.flinkgpu.api.RefusedRecord;
import io.flinkgpu.api.TooLongLine;
import io.flinkgpu.operator.redact.FindingOutput;

import org.apache.flink.annotation.PublicEvolving;
import org.apache.flink.util.OutputTag;

/** The side outputs of a redaction. Immutable. */
@PublicEvolving
public final class RedactionOutputs {

    private static final RedactionOutputs NONE = new RedactionOutputs(null, null, null, 0);

    private final OutputTag<RefusedRecord> refused;
    private final OutputTag<TooLongLine> longLines;
    private final OutputTag<Finding> findings;
    private final int every;

    private RedactionOutputs(
            OutputTag<RefusedRecord> refused,
            OutputTag<TooLongLine> longLines,
            OutputTag<Finding> findings,
            int every) {
        this.refused = refused;
        this.longLines = longLines;
        this.findings = findings;
        this.every = every;
    }

    /** No side output. */
    public static RedactionOutputs none() {
        return NONE;
    }

    /** One for the places of records that cannot be redacted, which fail the job else. Not for lines of files. */
    public RedactionOutputs refused(OutputTag<RefusedRecord> tag) {
        return new RedactionOutputs(JobChecks.present("tag", tag), longLines, findings, every);
    }

    /** One for the places of lines that are too long, as {@link GpuStreams#redactLines} has it. Only for lines of files. */
    public RedactionOutputs longLines(OutputTag<TooLongLine> tag) {
        return new RedactionOutputs(refused, JobChecks.present("tag", tag), findings, every);
    }

    /** One for what is found in each record. A {@link io.flinkgpu.api.HashKey} is needed for its hashes. */
    public RedactionOutputs findings(OutputTag<Finding> tag) {
        return findings(tag, 1);
    }

    /**
     * One for what is found in a sample of the records. Metrics count the matches of each rule in all of them.
     *
     * @param every of so many records in which something is found, of each subtask, one is in the sample
     * @throws IllegalArgumentException if that is less than 1
     */
    public RedactionOutputs findings(OutputTag<Finding> tag, int every) {
        if (every < 1) {
            throw new IllegalArgumentException(
                    "one of at least 1 records is in a sample: every=" + every + "; use 1 for all");
        }
        return new RedactionOutputs(refused, longLines, JobChecks.present("tag", tag), every);
    }

    OutputTag<RefusedRecord> refused() {
        return refused;
    }

    OutputTag<TooLongLine> longLines() {
        return longLines;
    }

    /** Null for none. */
    FindingOutput.Target findingTarget() {
        return findings == null ? null : new FindingOutput.Target(JobChecks.copy(findings), every);
    }
}

package io.flinkgpu;

import io.flinkgpu.api.Action;
import io.flinkgpu.api.BatchPolicy;
import io.flinkgpu.api.Errors;
import io.flinkgpu.api.GpuOptions;
import io.flinkgpu.api.LineChunk;
import io.flinkgpu.api.Lines;
import io.flinkgpu.api.Rule;
import io.flinkgpu.api.RuleSet;
import io.flinkgpu.text.CompiledRules;
import io.flinkgpu.text.RuleWarnings;

import org.apache.flink.api.common.InvalidProgramException;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.util.OutputTag;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.time.Duration;

/** What is checked while a job is built, and made fit to travel in it. */
final class JobChecks {

    private static final Logger LOG = LoggerFactory.getLogger(JobChecks.class);

    private JobChecks() {}

    /** Logs what rules say that is hardly meant. */
    static void warn(CompiledRules rules) {
        rules.warnings().forEach(LOG::warn);
        RuleWarnings.of(rules.ruleSet()).forEach(LOG::warn);
    }

    /** Checks that there is a key if a rule needs one. */
    static void requireHashKey(RuleSet rules, GpuOptions options) {
        for (Rule rule : rules.rules()) {
            if (rule.action() instanceof Action.Hash) {
                requireHashKey("a rule with a hash action", "rule='" + rule.name() + "'", options);
            } else if (rule.action() instanceof Action.FormatMask) {
                requireHashKey("a mask of a form", "rule='" + rule.name() + "'", options);
            }
        }
    }

    /** Checks that there is a key. */
    static void requireHashKey(String what, String which, GpuOptions options) {
        if (options.hashKey().isEmpty()) {
            throw Errors.argument(
                    "%s needs a key: %s; set one with"
                            + " GpuOptions.withHashKey(HashKey.fromFile(...))",
                    what, which);
        }
    }

    /** Checks the memory limit against the columns of batches on their way. */
    static void requireMemory(GpuOptions options, long neededBytes) {
        if (options.memoryLimitBytes() < neededBytes) {
            BatchPolicy policy = options.batchPolicy();
            throw Errors.argument(
                    "the memory limit must hold the batches on their way and their results:"
                            + " memoryLimitBytes=%s, needed=%s for maxRows=%s and maxBytes=%s;"
                            + " raise the limit or lower the batch policy",
                    options.memoryLimitBytes(), neededBytes, policy.maxRows(), policy.maxBytes());
        }
    }

    /** A function without the enclosing object that it does not use, as Flink's streams clean theirs. */
    static <F> F cleaned(StreamExecutionEnvironment environment, String name, F function) {
        present(name, function);
        try {
            return environment.clean(function);
        } catch (InvalidProgramException e) {
            throw new IllegalArgumentException(
                    "functions travel in the job graph, so they must be serializable: "
                            + name
                            + "="
                            + function.getClass().getName()
                            + "; capture only serializable values, or use a method reference",
                    e);
        }
    }

    /** Checks an argument that must be there. */
    static <X> X present(String name, X value) {
        return Errors.present(name, value);
    }

    /** Checks that a lateness is not negative, and fits a long. */
    static void requireLateness(Duration lateness) {
        present("lateness", lateness);
        if (lateness.compareTo(Duration.ofMillis(Long.MAX_VALUE)) > 0) {
            throw Errors.argument(
                    "the allowed lateness is at most 2^63 - 1 ms: lateness=%s; use GlobalWindows for"
                            + " windows that stay for ever",
                    lateness);
        }
        if (lateness.isNegative()) {
            throw Errors.argument(
                    "the allowed lateness must not be negative: lateness=%s; use Duration.ZERO for"
                            + " none",
                    lateness);
        }
    }

    /** The same tag without the object that an anonymous subclass of a tag is in. */
    static <X> OutputTag<X> copy(OutputTag<X> tag) {
        present("tag", tag);
        return new OutputTag<>(tag.getId(), tag.getTypeInfo());
    }

    /** Likewise; null if there is none. */
    static <X> OutputTag<X> copyIfAny(OutputTag<X> tag) {
        return tag == null ? null : copy(tag);
    }

    /** Checks that lines are read where they are redacted, so that what is known of them is known there. */
    static void requireRanges(DataStream<? extends Lines> stream) {
        Class<?> type = present("stream", stream).getType().getTypeClass();
        if (type == LineChunk.class) {
            throw Errors.argument(
                    "places of lines that are too long need ranges of files, as chunks are read by"
                            + " their source: type=%s; read with LineFiles.ranges(), or leave out"
                            + " the side output",
                    type.getSimpleName());
        }
    }
}

package io.flinkgpu.operator.redact;

import io.flinkgpu.api.Action;
import io.flinkgpu.api.BatchPolicy;
import io.flinkgpu.api.GpuOptions;
import io.flinkgpu.api.LineChunk;
import io.flinkgpu.api.LineChunkSerializer;
import io.flinkgpu.api.RefusedRecord;
import io.flinkgpu.api.Rule;
import io.flinkgpu.api.RuleSet;
import io.flinkgpu.backend.BackendFactory;
import io.flinkgpu.backend.ScriptedBackend.Script;
import io.flinkgpu.column.BatchCodec;
import io.flinkgpu.column.LineChunkCodec;
import io.flinkgpu.column.StringFieldCodec;
import io.flinkgpu.column.StringFieldsCodec;
import io.flinkgpu.operator.BatchHarness;
import io.flinkgpu.operator.BatchOperatorFactory;
import io.flinkgpu.operator.FakeBackend;
import io.flinkgpu.operator.OperatorEnvironment;
import io.flinkgpu.text.RuleCompiler;

import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.api.common.typeutils.base.StringSerializer;
import org.apache.flink.util.OutputTag;

import java.time.Duration;
import java.util.List;

/** Flink's operator harness around redaction on a {@link FakeBackend}. */
public final class RedactHarness<T> extends BatchHarness<T, T> {

    static final RuleSet RULES = RuleSet.of(Rule.of("secret", "secret", Action.label("[X]")));

    public static final BatchPolicy NEVER_FULL =
            new BatchPolicy(1 << 16, 1 << 20, Duration.ofMinutes(10));

    private RedactHarness(
            BatchCodec<T> codec,
            TypeSerializer<T> serializer,
            GpuOptions options,
            Script script,
            Script fallback,
            OperatorEnvironment environment)
            throws Exception {
        this(
                new BatchOperatorFactory<>(
                        spec(codec, RULES, null),
                        options,
                        request -> FakeBackend.open(request, script),
                        request -> FakeBackend.open(request, fallback)),
                serializer,
                environment);
    }

    private RedactHarness(
            BatchOperatorFactory<T, T> factory,
            TypeSerializer<T> serializer,
            OperatorEnvironment environment)
            throws Exception {
        super(factory, serializer, serializer, environment);
    }

    private static <T> RedactSpec<T> spec(
            BatchCodec<T> codec, RuleSet rules, OutputTag<RefusedRecord> quarantine) {
        return new RedactSpec<>(codec, RuleCompiler.compile(rules), quarantine, List.of(), null);
    }

    /** Redaction on these backends. */
    public static <T> RedactHarness<T> of(
            BatchCodec<T> codec,
            TypeSerializer<T> serializer,
            RuleSet rules,
            GpuOptions options,
            BackendFactory backend,
            BackendFactory fallback)
            throws Exception {
        return new RedactHarness<>(
                new BatchOperatorFactory<>(spec(codec, rules, null), options, backend, fallback),
                serializer,
                new OperatorEnvironment());
    }

    /** Redaction on a backend; what cannot be redacted goes to a side output. */
    public static <T> RedactHarness<T> of(
            BatchCodec<T> codec,
            TypeSerializer<T> serializer,
            RuleSet rules,
            GpuOptions options,
            OutputTag<RefusedRecord> quarantine,
            BackendFactory backend)
            throws Exception {
        return new RedactHarness<>(
                new BatchOperatorFactory<>(
                        spec(codec, rules, quarantine), options, backend, backend),
                serializer,
                new OperatorEnvironment());
    }

    /** Redaction as a spec says. */
    static <T> RedactHarness<T> of(
            RedactSpec<T> spec,
            TypeSerializer<T> serializer,
            GpuOptions options,
            BackendFactory backend)
            throws Exception {
        return new RedactHarness<>(
                new BatchOperatorFactory<>(spec, options, backend, backend),
                serializer,
                new OperatorEnvironment());
    }

    public static RedactHarness<String> ofStrings(BatchPolicy policy, Script script)
            throws Exception {
        return ofStrings(policy, script, Script.NONE);
    }

    public static RedactHarness<String> ofStrings(
            BatchPolicy policy, Script script, Script fallback) throws Exception {
        return of(
                new StringFieldCodec<>(text -> text, (record, text) -> text),
                StringSerializer.INSTANCE,
                policy,
                script,
                fallback);
    }

    public static RedactHarness<LineChunk> ofChunks(
            BatchPolicy policy, Script script, Script fallback) throws Exception {
        return of(new LineChunkCodec(), LineChunkSerializer.INSTANCE, policy, script, fallback);
    }

    public static <T> RedactHarness<T> of(
            BatchCodec<T> codec,
            TypeSerializer<T> serializer,
            BatchPolicy policy,
            Script script,
            Script fallback)
            throws Exception {
        return new RedactHarness<>(
                codec,
                serializer,
                GpuOptions.DEFAULT.withBatchPolicy(policy),
                script,
                fallback,
                new OperatorEnvironment());
    }

    static RedactHarness<String> ofMemory(long memoryLimitBytes, BatchPolicy policy)
            throws Exception {
        return new RedactHarness<>(
                new StringFieldCodec<>(text -> text, (record, text) -> text),
                StringSerializer.INSTANCE,
                GpuOptions.DEFAULT.withMemoryLimitBytes(memoryLimitBytes).withBatchPolicy(policy),
                Script.NONE,
                Script.NONE,
                new OperatorEnvironment());
    }

    /** Strings of one field, in this memory; what cannot be redacted goes to a side output. */
    static RedactHarness<String> quarantining(
            StringFieldCodec<String> field,
            OutputTag<RefusedRecord> quarantine,
            long memoryLimitBytes,
            BatchPolicy policy)
            throws Exception {
        return of(
                new StringFieldsCodec<>(List.of(field)),
                StringSerializer.INSTANCE,
                RULES,
                GpuOptions.DEFAULT.withMemoryLimitBytes(memoryLimitBytes).withBatchPolicy(policy),
                quarantine,
                request -> FakeBackend.open(request, Script.NONE));
    }

    /** A task on a TaskManager that Flink gave these GPUs, in this order. */
    static RedactHarness<String> ofGpus(Script script, String... gpuIndexes) throws Exception {
        return new RedactHarness<>(
                new StringFieldCodec<>(text -> text, (record, text) -> text),
                StringSerializer.INSTANCE,
                GpuOptions.DEFAULT.withBatchPolicy(NEVER_FULL),
                script,
                Script.NONE,
                new OperatorEnvironment(gpuIndexes));
    }
}

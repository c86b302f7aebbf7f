package io.flinkgpu.operator.window.local;

import io.flinkgpu.api.BatchPolicy;
import io.flinkgpu.api.DeadLetter;
import io.flinkgpu.api.ErrorDetail;
import io.flinkgpu.api.GpuOptions;
import io.flinkgpu.backend.ScriptedBackend;
import io.flinkgpu.backend.ScriptedBackend.Script;
import io.flinkgpu.backend.cpu.CpuBackend;
import io.flinkgpu.groups.KeyCodec;
import io.flinkgpu.operator.BatchOperatorFactory;
import io.flinkgpu.operator.Harnesses;
import io.flinkgpu.operator.OperatorEnvironment;
import io.flinkgpu.operator.window.Reading;
import io.flinkgpu.operator.window.Sent;
import io.flinkgpu.operator.window.SentGroup;
import io.flinkgpu.operator.window.WindowInput;
import io.flinkgpu.operator.window.WindowInputTypeInfo;
import io.flinkgpu.operator.window.WindowShape;

import org.apache.flink.api.common.serialization.SerializerConfigImpl;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.java.functions.KeySelector;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.streaming.util.OneInputStreamOperatorTestHarness;
import org.apache.flink.util.OutputTag;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Flink's operator harness around a local aggregation of {@link Reading}s. */
final class LocalHarness<K>
        extends OneInputStreamOperatorTestHarness<Reading, WindowInput<K, Reading>> {

    static final OutputTag<DeadLetter<Reading>> DEAD =
            new OutputTag<>("dead", TypeInformation.of(new DeadLetterHint()));

    static final BatchPolicy NEVER_FULL = new BatchPolicy(1 << 16, 1 << 24, Duration.ofMillis(1));

    private final OperatorEnvironment environment;
    private final KeyCodec<K> codec;

    private LocalHarness(
            BatchOperatorFactory<Reading, WindowInput<K, Reading>> factory,
            TypeInformation<K> keyType,
            OperatorEnvironment environment)
            throws Exception {
        super(
                factory,
                Reading.TYPE.createSerializer(new SerializerConfigImpl()),
                environment.environment());
        this.environment = environment;
        this.codec = KeyCodec.of(keyType.createSerializer(new SerializerConfigImpl()));
        setup(
                new WindowInputTypeInfo<>(keyType, Reading.TYPE)
                        .createSerializer(new SerializerConfigImpl()));
    }

    static Builder<String> of(WindowShape shape) {
        return new Builder<>(shape, Reading::key, Types.STRING);
    }

    static <K> Builder<K> of(
            WindowShape shape, KeySelector<Reading, K> selector, TypeInformation<K> keyType) {
        return new Builder<>(shape, selector, keyType);
    }

    OperatorEnvironment metrics() {
        return environment;
    }

    void process(String key, long number, Double value, long timestamp) throws Exception {
        processElement(new Reading(key, number, value), timestamp);
    }

    /** What came out: raw inputs, the records of blocks, and marks. */
    List<Object> output() {
        List<Object> all = new ArrayList<>();
        for (Object element : getOutput()) {
            if (!(element instanceof StreamRecord<?> record)) {
                all.add(element);
            } else if (cast(record).getValue().isRaw()) {
                all.add(record.getValue());
            } else {
                all.addAll(partials(cast(record).getValue()));
            }
        }
        return all;
    }

    List<StreamRecord<WindowInput<K, Reading>>> records() {
        List<StreamRecord<WindowInput<K, Reading>>> records = new ArrayList<>();
        for (Object element : getOutput()) {
            if (element instanceof StreamRecord<?> record) {
                records.add(cast(record));
            }
        }
        return records;
    }

    /** The results of a partial, in the order of {@link Reading#AGGREGATES}. */
    static Object[] results(SentGroup<?> partial) {
        return partial.partial().results(Reading.AGGREGATES.specs());
    }

    /** The records of all blocks that came out. */
    List<SentGroup<K>> partials() {
        return records().stream()
                .map(StreamRecord::getValue)
                .filter(input -> !input.isRaw())
                .flatMap(block -> partials(block).stream())
                .toList();
    }

    private List<SentGroup<K>> partials(WindowInput<K, ?> block) {
        return SentGroup.in(block, codec, Reading.AGGREGATES.specs());
    }

    List<Reading> raw() {
        return records().stream()
                .map(StreamRecord::getValue)
                .filter(WindowInput::isRaw)
                .map(WindowInput::record)
                .toList();
    }

    List<String> deadReasons() {
        return getSideOutput(DEAD) == null
                ? List.of()
                : getSideOutput(DEAD).stream().map(dead -> dead.getValue().reason()).toList();
    }

    /** Runs the mails there are, as an idle task does. */
    void runMails() throws Exception {
        Harnesses.runMails(this);
    }

    /** Waits for a mail and runs it. */
    void runNextMail() throws Exception {
        getTaskMailbox().take(0).run();
    }

    /** Closes the operator without an end of its input, as a cancelled task does. */
    @Override
    public void close() {
        Harnesses.cancel(this);
    }

    @SuppressWarnings("unchecked") // The operator's output type.
    private StreamRecord<WindowInput<K, Reading>> cast(StreamRecord<?> record) {
        return (StreamRecord<WindowInput<K, Reading>>) record;
    }

    /** What is not the default. */
    static final class Builder<K> {

        private final WindowShape shape;
        private final KeySelector<Reading, K> selector;
        private final TypeInformation<K> keyType;
        private Sent sent = Sent.GROUPS;
        private OutputTag<DeadLetter<Reading>> deadLetters;
        private BatchPolicy policy = NEVER_FULL;
        private long memoryLimitBytes = GpuOptions.DEFAULT.memoryLimitBytes();
        private ErrorDetail errorDetail = ErrorDetail.NONE;
        private Script script = Script.NONE;
        private Script fallback = Script.NONE;
        private boolean rowByRow;
        private long maxHeldBytes = 1L << 24;
        private long maxHeldMillis;
        private int sampleRows = ReductionMonitor.SAMPLE_ROWS;

        private Builder(
                WindowShape shape, KeySelector<Reading, K> selector, TypeInformation<K> keyType) {
            this.shape = shape;
            this.selector = selector;
            this.keyType = keyType;
        }

        Builder<K> withoutAggregation() {
            sent = Sent.RECORDS;
            return this;
        }

        Builder<K> asRows() {
            sent = Sent.ROWS;
            return this;
        }

        Builder<K> deadLetters() {
            deadLetters = DEAD;
            return this;
        }

        Builder<K> maxRows(int maxRows) {
            policy = policy.withMaxRows(maxRows);
            return this;
        }

        Builder<K> maxBytes(int maxBytes) {
            policy = policy.withMaxBytes(maxBytes);
            return this;
        }

        Builder<K> memoryLimitBytes(long memoryLimitBytes) {
            this.memoryLimitBytes = memoryLimitBytes;
            return this;
        }

        Builder<K> errorDetail(ErrorDetail errorDetail) {
            this.errorDetail = errorDetail;
            return this;
        }

        Builder<K> script(Script script) {
            this.script = script;
            return this;
        }

        Builder<K> fallback(Script fallback) {
            this.fallback = fallback;
            return this;
        }

        /** On the CPU backend, where rows are grouped as they come: without the script. */
        Builder<K> rowByRow() {
            rowByRow = true;
            return this;
        }

        Builder<K> maxHeldBytes(long maxHeldBytes) {
            this.maxHeldBytes = maxHeldBytes;
            return this;
        }

        Builder<K> maxHeldMillis(long maxHeldMillis) {
            this.maxHeldMillis = maxHeldMillis;
            return this;
        }

        Builder<K> sampleRows(int sampleRows) {
            this.sampleRows = sampleRows;
            return this;
        }

        LocalHarness<K> build() throws Exception {
            return build(new OperatorEnvironment());
        }

        LocalHarness<K> build(OperatorEnvironment environment) throws Exception {
            Script onBackend = script;
            Script onFallback = fallback;
            return new LocalHarness<>(
                    new BatchOperatorFactory<>(
                            new LocalAggregateSpec<>(
                                    selector,
                                    keyType,
                                    Reading.AGGREGATES,
                                    shape,
                                    sent,
                                    deadLetters,
                                    maxHeldBytes,
                                    maxHeldMillis,
                                    sampleRows),
                            GpuOptions.DEFAULT
                                    .withBatchPolicy(policy)
                                    .withMemoryLimitBytes(memoryLimitBytes)
                                    .withErrorDetail(errorDetail),
                            rowByRow
                                    ? CpuBackend::open
                                    : request -> ScriptedBackend.openCpu(request, onBackend),
                            request -> ScriptedBackend.openCpu(request, onFallback)),
                    keyType,
                    environment);
        }

        LocalHarness<K> open() throws Exception {
            LocalHarness<K> harness = build();
            harness.open();
            return harness;
        }
    }

    private static final class DeadLetterHint
            extends org.apache.flink.api.common.typeinfo.TypeHint<DeadLetter<Reading>> {}
}

package io.flinkgpu.operator.lines;

import io.flinkgpu.api.Action;
import io.flinkgpu.api.BatchPolicy;
import io.flinkgpu.api.GpuOptions;
import io.flinkgpu.api.LineChunk;
import io.flinkgpu.api.LineChunkSerializer;
import io.flinkgpu.api.LineRangeTypeInfo;
import io.flinkgpu.api.Lines;
import io.flinkgpu.api.Rule;
import io.flinkgpu.api.RuleSet;
import io.flinkgpu.api.TooLongLine;
import io.flinkgpu.backend.Backend;
import io.flinkgpu.backend.BackendException;
import io.flinkgpu.backend.BackendFactory;
import io.flinkgpu.backend.LineFindingBackend;
import io.flinkgpu.backend.OpenRequest;
import io.flinkgpu.backend.ScriptedBackend;
import io.flinkgpu.backend.ScriptedBackend.Script;
import io.flinkgpu.operator.BatchOperatorFactory;
import io.flinkgpu.operator.OperatorEnvironment;
import io.flinkgpu.source.RandomLines;
import io.flinkgpu.text.RuleCompiler;

import org.apache.flink.api.common.serialization.SerializerConfigImpl;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.streaming.util.OneInputStreamOperatorTestHarness;
import org.apache.flink.util.OutputTag;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Queue;

import static org.assertj.core.api.Assertions.assertThat;

/** Flink's operator harness around redaction of lines on a scripted backend. */
final class LineRedactHarness extends OneInputStreamOperatorTestHarness<Lines, LineChunk> {

    static final BatchPolicy NEVER_FULL = new BatchPolicy(1 << 16, 1 << 20, Duration.ofMinutes(10));

    private static final RuleSet RULES = RuleSet.of(Rule.of("ones", "1+", Action.label("[ones]")));

    private static final OutputTag<TooLongLine> LONG_LINES = new OutputTag<>("long") {};

    private final OperatorEnvironment environment;

    /**
     * @param lends whether the lines of a chunk are only there while it is collected
     */
    LineRedactHarness(boolean lends, BatchPolicy policy, Script script) throws Exception {
        this(lends, false, policy, script);
    }

    /**
     * @param findsLines whether the backend does
     */
    LineRedactHarness(boolean lends, boolean findsLines, BatchPolicy policy, Script script)
            throws Exception {
        this(
                lends,
                findsLines,
                lends ? new WrittenChunks() : LineChunkSerializer.INSTANCE,
                policy,
                script);
    }

    /**
     * @param collector copies what is collected
     */
    LineRedactHarness(
            boolean lends,
            boolean findsLines,
            TypeSerializer<LineChunk> collector,
            BatchPolicy policy,
            Script script)
            throws Exception {
        this(
                lends,
                request -> open(request, script, findsLines),
                collector,
                GpuOptions.DEFAULT.withBatchPolicy(policy),
                new OperatorEnvironment());
    }

    private LineRedactHarness(
            boolean lends,
            BackendFactory backend,
            TypeSerializer<LineChunk> collector,
            GpuOptions options,
            OperatorEnvironment environment)
            throws Exception {
        super(
                new BatchOperatorFactory<>(
                        new LineRedactSpec(RuleCompiler.compile(RULES), lends, LONG_LINES, null),
                        options,
                        backend,
                        request -> ScriptedBackend.openCpu(request, Script.NONE)),
                serializer(),
                environment.environment());
        this.environment = environment;
        setup(collector);
    }

    /** A backend that finds lines. */
    static LineRedactHarness findingLines(GpuOptions options, Script script) throws Exception {
        return on(request -> open(request, script, true), options);
    }

    static LineRedactHarness on(BackendFactory backend, GpuOptions options) throws Exception {
        return new LineRedactHarness(
                false, backend, LineChunkSerializer.INSTANCE, options, new OperatorEnvironment());
    }

    private static Backend open(OpenRequest request, Script script, boolean findsLines)
            throws BackendException {
        Backend cpu = ScriptedBackend.openCpu(request, script);
        return findsLines ? new LineFindingBackend(cpu) : cpu;
    }

    @SuppressWarnings({"unchecked", "rawtypes"}) // Ranges are lines.
    private static TypeSerializer<Lines> serializer() {
        return (TypeSerializer)
                LineRangeTypeInfo.INSTANCE.createSerializer(new SerializerConfigImpl());
    }

    @Override
    public void close() {
        try {
            super.close();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    void process(Lines lines) throws Exception {
        processElement(new StreamRecord<>(lines));
    }

    /** Where lines are that are too long. */
    List<TooLongLine> longLines() {
        Queue<StreamRecord<TooLongLine>> places = getSideOutput(LONG_LINES);
        return places == null ? List.of() : places.stream().map(StreamRecord::getValue).toList();
    }

    OperatorEnvironment metrics() {
        return environment;
    }

    List<LineChunk> chunks(String file) {
        List<LineChunk> chunks = extractOutputValues();
        assertThat(chunks).allMatch(chunk -> chunk.file().equals(file));
        assertThat(getOutput()).allMatch(element -> !((StreamRecord<?>) element).hasTimestamp());
        return chunks;
    }

    /** Chunks start where the lines of the one before have ended in the input. */
    void assertOffsets(byte[] file) {
        List<Integer> bounds = RandomLines.bounds(file);
        int line = 0;
        for (LineChunk chunk : extractOutputValues()) {
            assertThat(chunk.offsetBytes()).isEqualTo((long) bounds.get(line));
            String text = new String(chunk.bytes(), StandardCharsets.UTF_8);
            line += (int) text.chars().filter(c -> c == '\n').count();
        }
    }
}

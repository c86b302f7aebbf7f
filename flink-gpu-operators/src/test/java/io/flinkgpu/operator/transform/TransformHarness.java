package io.flinkgpu.operator.transform;

import io.flinkgpu.api.BatchPolicy;
import io.flinkgpu.api.ColumnType;
import io.flinkgpu.api.GpuOptions;
import io.flinkgpu.api.LineChunk;
import io.flinkgpu.api.LineChunkSerializer;
import io.flinkgpu.api.LineChunkTypeInfo;
import io.flinkgpu.api.TransformMapper;
import io.flinkgpu.api.expression.Columns;
import io.flinkgpu.api.expression.Expression;
import io.flinkgpu.api.expression.TextExpression;
import io.flinkgpu.backend.BackendFactory;
import io.flinkgpu.backend.ScriptedBackend;
import io.flinkgpu.backend.ScriptedBackend.Script;
import io.flinkgpu.backend.cpu.CpuBackend;
import io.flinkgpu.operator.BatchHarness;
import io.flinkgpu.operator.BatchOperatorFactory;
import io.flinkgpu.operator.BatchSpec;
import io.flinkgpu.operator.OperatorEnvironment;
import io.flinkgpu.program.Program;
import io.flinkgpu.program.ProgramCompiler;

import org.apache.flink.api.common.serialization.SerializerConfigImpl;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeutils.TypeSerializer;

import java.time.Duration;
import java.util.List;
import java.util.Map;

/** Flink's operator harness around expressions on a {@link ScriptedBackend}. */
final class TransformHarness<IN, OUT> extends BatchHarness<IN, OUT> {

    static final BatchPolicy NEVER_FULL = new BatchPolicy(1 << 16, 1 << 20, Duration.ofMinutes(10));
    static final GpuOptions OPTIONS = GpuOptions.DEFAULT.withBatchPolicy(NEVER_FULL);

    private TransformHarness(
            BatchOperatorFactory<IN, OUT> factory, TypeSerializer<IN> in, TypeSerializer<OUT> out)
            throws Exception {
        super(factory, in, out, new OperatorEnvironment());
    }

    static <T, R> TransformHarness<T, R> of(
            TypeSerializer<T> in,
            Columns<T> columns,
            List<? extends Expression> expressions,
            TransformMapper<T, R> mapper,
            TypeInformation<R> out,
            GpuOptions options,
            Script script,
            Script fallback)
            throws Exception {
        Program program = ProgramCompiler.compile(columns.types(), expressions);
        return of(
                new RowSpec<>(columns, program, names(expressions), mapper),
                in,
                out,
                options,
                script,
                fallback);
    }

    /** On a CPU backend, which prefers records one at a time. */
    static <T, R> TransformHarness<T, R> ofCpu(
            TypeSerializer<T> in,
            Columns<T> columns,
            List<? extends Expression> expressions,
            TransformMapper<T, R> mapper,
            TypeInformation<R> out,
            GpuOptions options)
            throws Exception {
        Program program = ProgramCompiler.compile(columns.types(), expressions);
        BackendFactory cpu = CpuBackend::open;
        return new TransformHarness<>(
                new BatchOperatorFactory<>(
                        new RowSpec<>(columns, program, names(expressions), mapper),
                        options,
                        cpu,
                        cpu),
                in,
                out.createSerializer(new SerializerConfigImpl()));
    }

    private static List<String> names(List<? extends Expression> expressions) {
        return expressions.stream().map(expression -> expression.name().orElseThrow()).toList();
    }

    static TransformHarness<LineChunk, LineChunk> ofLines(
            TextExpression expression, GpuOptions options, Script script) throws Exception {
        return of(
                new LineSpec(
                        ProgramCompiler.compile(
                                Map.of("line", ColumnType.TEXT), List.of(expression))),
                LineChunkSerializer.INSTANCE,
                LineChunkTypeInfo.INSTANCE,
                options,
                script,
                Script.NONE);
    }

    private static <IN, OUT> TransformHarness<IN, OUT> of(
            BatchSpec<IN, OUT, ?> spec,
            TypeSerializer<IN> in,
            TypeInformation<OUT> out,
            GpuOptions options,
            Script script,
            Script fallback)
            throws Exception {
        return new TransformHarness<>(
                new BatchOperatorFactory<>(
                        spec,
                        options,
                        request -> ScriptedBackend.openCpu(request, script),
                        request -> ScriptedBackend.openCpu(request, fallback)),
                in,
                out.createSerializer(new SerializerConfigImpl()));
    }
}

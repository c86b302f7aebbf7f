package io.flinkgpu;

import io.flinkgpu.api.Aggregates;
import io.flinkgpu.api.BatchPolicy;
import io.flinkgpu.api.FilePolicy;
import io.flinkgpu.api.GpuOptions;
import io.flinkgpu.api.IntGetter;
import io.flinkgpu.api.LineChunk;
import io.flinkgpu.api.expression.Columns;
import io.flinkgpu.api.expression.Expressions;
import io.flinkgpu.api.lines.Delimited;
import io.flinkgpu.api.lookup.ElementType;
import io.flinkgpu.api.lookup.EmbeddingTable;
import io.flinkgpu.api.lookup.LookupRequest;
import io.flinkgpu.api.search.SetQuery;
import io.flinkgpu.source.LineFiles;

import org.apache.flink.annotation.PublicEvolving;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.core.fs.Path;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.windowing.assigners.GlobalWindows;
import org.apache.flink.streaming.api.windowing.assigners.TumblingProcessingTimeWindows;

import com.tngtech.archunit.core.domain.JavaClass;
import org.junit.jupiter.api.Test;

import java.lang.reflect.Array;
import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A null where the public API takes none is an error that names the argument, and not whatever the JVM says
 * of the line that happened to use it first. Every method is called with nothing but nulls and zeros.
 *
 * <p>Covers: flink-gpu-operators/src/main/java.
 */
class NullArgumentsTest {

    private final List<String> unnamed = new ArrayList<>();
    private int calls;

    @Test
    void constructorsAndFactoriesNameThem() throws Exception {
        for (JavaClass type : MainClasses.ALL) {
            if (type.isAnnotatedWith(PublicEvolving.class)) {
                callAll(type.reflect());
            }
        }
        assertThat(calls).isGreaterThan(100);
        assertThat(unnamed).isEmpty();
    }

    private void callAll(Class<?> type) throws Exception {
        if (!Modifier.isPublic(type.getModifiers())) {
            return;
        }
        if (!Modifier.isAbstract(type.getModifiers())) {
            for (Constructor<?> constructor : type.getConstructors()) {
                call(constructor, null);
            }
        }
        for (Method method : type.getMethods()) {
            if (Modifier.isStatic(method.getModifiers()) && method.getDeclaringClass() == type) {
                call(method, null);
            }
        }
    }

    @Test
    void buildersNameThem() throws Exception {
        StreamExecutionEnvironment env = StreamExecutionEnvironment.getExecutionEnvironment();
        GpuStream<String> stream = GpuStreams.on(env.fromData("a"));
        KeyedGpuStream<String, String> keyed = stream.keyBy(text -> text, Types.STRING);
        LineStream lines =
                GpuStreams.lines(
                        env.fromData(new LineChunk("f", 0, new byte[] {'\n'})),
                        Delimited.of(';').string("a").longNumber("n"));
        KeyedLineStream keyedLines = lines.keyBy("a");
        IntGetter<String> length = String::length;
        for (Object builder :
                List.of(
                        stream,
                        keyed,
                        keyed.every(Duration.ofSeconds(1)),
                        keyed.window(TumblingProcessingTimeWindows.of(Duration.ofSeconds(1))),
                        lines,
                        keyedLines,
                        keyedLines.window(GlobalWindows.createWithEndOfStreamTrigger()),
                        Aggregates.of(length),
                        GpuOptions.DEFAULT,
                        BatchPolicy.DEFAULT,
                        FilePolicy.DEFAULT,
                        Delimited.of(';'),
                        LineFiles.of(new Path("/none")),
                        Columns.empty(),
                        Expressions.col("a"),
                        Expressions.col("a").length(),
                        Expressions.lit(true),
                        SetQuery.of(1, 1),
                        LookupRequest.of(),
                        EmbeddingTable.of("t", 1, ElementType.F32))) {
            for (Method method : builder.getClass().getMethods()) {
                boolean isEquals = method.getName().equals("equals");
                if (!isEquals && method.getDeclaringClass() == builder.getClass()) {
                    call(method, builder);
                }
            }
        }
        assertThat(calls).isGreaterThan(100);
        assertThat(unnamed).isEmpty();
    }

    private void call(Executable called, Object target) throws Exception {
        Object[] arguments =
                Arrays.stream(called.getParameterTypes())
                        .map(
                                type ->
                                        type.isPrimitive()
                                                ? Array.get(Array.newInstance(type, 1), 0)
                                                : null)
                        .toArray();
        if (arguments.length == 0 || called.isSynthetic()) {
            return;
        }
        calls++;
        try {
            if (called instanceof Method method) {
                method.invoke(target, arguments);
            } else {
                ((Constructor<?>) called).newInstance(arguments);
            }
        } catch (InvocationTargetException e) {
            if (!isNamed(e.getCause())) {
                unnamed.add(called + ": " + e.getCause());
            }
        }
    }

    /** What the JVM says by itself is nothing, or begins like this. */
    private static boolean isNamed(Throwable e) {
        return e instanceof NullPointerException
                ? e.getMessage() != null && !e.getMessage().startsWith("Cannot ")
                : e instanceof IllegalArgumentException;
    }
}

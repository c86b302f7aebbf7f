package io.flinkgpu.bench;

import io.flinkgpu.GpuStreams;
import io.flinkgpu.api.Action;
import io.flinkgpu.api.BackendChoice;
import io.flinkgpu.api.GpuOptions;
import io.flinkgpu.api.Rule;
import io.flinkgpu.api.RuleSet;
import io.flinkgpu.api.expression.Columns;
import io.flinkgpu.api.expression.Expressions;

import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.functions.MapFunction;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.PipelineOptions;
import org.apache.flink.connector.datagen.source.DataGeneratorSource;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;

import com.sun.management.OperatingSystemMXBean;

import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * What operators of batches cost a short record over an empty {@code map} in the same chain: redaction
 * by a rule that can start nowhere, and an expression that is a column as it is, so that next to nothing
 * is left but the operators. Jobs of one task, object reuse on, in turns; processor time of the whole
 * process, the backend's thread, the collector and the JIT included, over the last two thirds of each
 * job's records. The first turns are not counted.
 *
 * <p>Arguments: {@code [backend] [turns] [rows]}; without, CPU, 7 turns of 10 million.
 */
public final class OverheadBench {

    private static final int TEXTS = 1 << 12;
    private static final int WARM_UP_TURNS = 2;
    private static final RuleSet IDLE_RULES =
            RuleSet.of(Rule.of("idle", "\u0001\u0002\u0003", Action.label("-")));
    private static final OperatingSystemMXBean PROCESS =
            (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();

    /** When the counted part of a job began and ended; its tasks are in this process. */
    private static final AtomicLongArray CPU_NANOS = new AtomicLongArray(2);

    private OverheadBench() {}

    public static void main(String[] args) throws Exception {
        BackendChoice backend =
                BackendChoice.valueOf((args.length > 0 ? args[0] : "cpu").toUpperCase(Locale.ROOT));
        int turns = args.length > 1 ? Integer.parseInt(args[1]) : 7;
        long rows = args.length > 2 ? Long.parseLong(args[2]) : 10_000_000;
        for (Overhead overhead : measure(backend, turns, rows)) {
            System.out.printf(
                    Locale.ROOT,
                    "%s, texts of %d bytes, %s: %.0f ns a record (%.0f - %.0f) over an empty map%n",
                    overhead.operator,
                    text(0).length(),
                    backend,
                    overhead.nanos[turns / 2],
                    overhead.nanos[0],
                    overhead.nanos[turns - 1]);
        }
        System.exit(0);
    }

    /**
     * What an operator costs over an empty map.
     *
     * @param nanos processor time a record, of each turn, sorted
     */
    record Overhead(String operator, double[] nanos) {}

    /** The overheads of the operators on a backend. */
    static List<Overhead> measure(BackendChoice backend, int turns, long rows) throws Exception {
        GpuOptions options = GpuOptions.DEFAULT.withBackend(backend);
        Overhead redact = new Overhead("redact", new double[turns]);
        Overhead transform = new Overhead("transform", new double[turns]);
        for (int turn = -WARM_UP_TURNS; turn < turns; turn++) {
            double map = cpuNanos(texts(rows).map(new Same()).returns(Types.STRING), rows);
            double redacted = cpuNanos(redacted(texts(rows), options), rows);
            double transformed = cpuNanos(transformed(texts(rows), options), rows);
            System.out.printf(
                    Locale.ROOT,
                    "%d: map %.0f, redact %.0f, transform %.0f ns a record%n",
                    turn,
                    map,
                    redacted,
                    transformed);
            if (turn >= 0) {
                redact.nanos[turn] = redacted - map;
                transform.nanos[turn] = transformed - map;
            }
        }
        Arrays.sort(redact.nanos);
        Arrays.sort(transform.nanos);
        return List.of(redact, transform);
    }

    private static DataStream<String> redacted(DataStream<String> texts, GpuOptions options) {
        return GpuStreams.redact(texts, text -> text, (record, text) -> text, IDLE_RULES, options);
    }

    private static DataStream<String> transformed(DataStream<String> texts, GpuOptions options) {
        return GpuStreams.on(texts)
                .withOptions(options)
                .transform(
                        Columns.<String>empty().text("text", text -> text),
                        List.of(Expressions.col("text")),
                        (record, row) -> (String) row.getField(0),
                        Types.STRING);
    }

    /** Processor time a record. */
    private static double cpuNanos(DataStream<String> stream, long rows) throws Exception {
        stream.sinkTo(new DiscardingSink<>());
        stream.getExecutionEnvironment().execute();
        return (double) (CPU_NANOS.get(1) - CPU_NANOS.get(0)) / (rows - 1 - rows / 3);
    }

    private static DataStream<String> texts(long rows) {
        Configuration configuration = new Configuration();
        configuration.set(PipelineOptions.OBJECT_REUSE, true);
        StreamExecutionEnvironment environment =
                StreamExecutionEnvironment.createLocalEnvironment(1, configuration);
        String[] texts = new String[TEXTS];
        Arrays.setAll(texts, OverheadBench::text);
        return environment.fromSource(
                new DataGeneratorSource<>(
                        number -> {
                            if (number == rows / 3) {
                                CPU_NANOS.set(0, PROCESS.getProcessCpuTime());
                            } else if (number == rows - 1) {
                                CPU_NANOS.set(1, PROCESS.getProcessCpuTime());
                            }
                            return texts[(int) (number % TEXTS)];
                        },
                        rows,
                        Types.STRING),
                WatermarkStrategy.noWatermarks(),
                "texts");
    }

    private static String text(int number) {
        return String.format(Locale.ROOT, "order %06d accepted in 12 ms", number);
    }

    /** The empty map. */
    private static final class Same implements MapFunction<String, String> {

        private static final long serialVersionUID = 1L;

        @Override
        public String map(String text) {
            return text;
        }
    }
}

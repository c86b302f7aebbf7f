package io.flinkgpu.sql.bench;

import io.flinkgpu.api.Action;
import io.flinkgpu.api.Rule;
import io.flinkgpu.rules.DefaultRules;

import org.apache.flink.api.common.accumulators.LongCounter;
import org.apache.flink.api.common.functions.RichMapFunction;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.PipelineOptions;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;
import org.apache.flink.table.api.Table;
import org.apache.flink.table.api.bridge.java.StreamTableEnvironment;
import org.apache.flink.table.data.RowData;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;

/**
 * What a redaction costs in SQL, in CPU nanoseconds a row of the task's thread and of the model's: the second
 * halves of jobs of one subtask over lines of a file. Each query runs in turn, several times.
 */
public final class RedactionCost {

    private static final int LINES = 200_000;
    private static final int SLOW_LINES = 6_000;
    private static final long SEED = 20_261_126;
    private static final String MODEL_THREAD = "gpu-redact-model-";

    private RedactionCost() {}

    /**
     * @param args how many times each query runs
     */
    public static void main(String[] args) throws Exception {
        int runs = Integer.parseInt(args[0]);
        Path folder = Files.createTempDirectory("redaction-cost-");
        write(folder.resolve("many"), LINES);
        write(folder.resolve("few"), SLOW_LINES);
        for (int run = 0; run < runs; run++) {
            for (boolean reuse : new boolean[] {false, true}) {
                print(folder, "lines alone", "SELECT line FROM many", LINES, reuse);
                print(folder, "REDACT", "SELECT REDACT(line) FROM many", LINES, reuse);
                print(folder, "ML_PREDICT, 1,000 on their way", model(1_000), LINES, reuse);
                print(folder, "ML_PREDICT, 10,000", model(10_000), LINES, reuse);
                print(
                        folder,
                        "REGEXP_REPLACE, one rule",
                        "SELECT REGEXP_REPLACE(line, '%s', '[IP]') FROM many"
                                .formatted(rule("ipv4").regex()),
                        LINES,
                        reuse);
                print(folder, "REGEXP_REPLACE, nested", nested(), SLOW_LINES, reuse);
            }
        }
    }

    private static String model(int onTheirWay) {
        return "SELECT redacted FROM ML_PREDICT(TABLE many, MODEL secrets, DESCRIPTOR(line),"
                + " MAP['async', 'true', 'max-concurrent-operations', '"
                + onTheirWay
                + "'])";
    }

    /** A call of the function for each built-in rule, without validators. */
    private static String nested() {
        String call = "line";
        for (Rule rule : DefaultRules.get().rules()) {
            String label = rule.action() instanceof Action.Label text ? text.text() : "****";
            call =
                    "REGEXP_REPLACE(%s, '%s', '%s')"
                            .formatted(call, rule.regex().replace("'", "''"), label);
        }
        return "SELECT " + call + " FROM few";
    }

    private static Rule rule(String name) {
        return DefaultRules.get().rules().stream()
                .filter(rule -> rule.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    private static void print(Path folder, String name, String query, int rows, boolean reuse)
            throws Exception {
        Configuration config = new Configuration();
        config.set(PipelineOptions.OBJECT_REUSE, reuse);
        StreamExecutionEnvironment env =
                StreamExecutionEnvironment.getExecutionEnvironment(config).setParallelism(1);
        StreamTableEnvironment session = StreamTableEnvironment.create(env);
        session.executeSql("LOAD MODULE gpu");
        for (String table : new String[] {"many", "few"}) {
            session.executeSql(
                    "CREATE TABLE %s (line STRING) WITH ('connector' = 'gpu-lines', 'path' = '%s')"
                            .formatted(table, folder.resolve(table).toUri()));
        }
        session.executeSql(
                "CREATE MODEL secrets INPUT (line STRING) OUTPUT (redacted STRING) WITH ('provider'"
                        + " = 'gpu-redact', 'backend' = 'cpu')");
        Table table = session.sqlQuery(query);
        session.<RowData>toDataStream(
                        table,
                        table.getResolvedSchema().toPhysicalRowDataType().bridgedTo(RowData.class))
                .map(new Meter(rows))
                .sinkTo(new DiscardingSink<>());
        long nanos = env.execute(name).getAccumulatorResult(Meter.NANOS);
        System.out.printf("%-32s reuse=%-5b %,9d ns%n", name, reuse, nanos / (rows - rows / 2));
    }

    /** Counts the CPU time of the second half of the rows. */
    private static final class Meter extends RichMapFunction<RowData, Boolean> {

        static final String NANOS = "nanos";

        private static final long serialVersionUID = 1L;

        private final int rows;
        private int seen;
        private long atHalf;

        Meter(int rows) {
            this.rows = rows;
        }

        @Override
        public Boolean map(RowData row) {
            seen++;
            if (seen == rows / 2) {
                atHalf = cpuNanos();
            } else if (seen == rows) {
                LongCounter nanos = new LongCounter(cpuNanos() - atHalf);
                getRuntimeContext().addAccumulator(NANOS, nanos);
            }
            return true;
        }

        private static long cpuNanos() {
            ThreadMXBean threads = ManagementFactory.getThreadMXBean();
            long nanos = threads.getCurrentThreadCpuTime();
            for (ThreadInfo thread : threads.getThreadInfo(threads.getAllThreadIds())) {
                if (thread != null && thread.getThreadName().startsWith(MODEL_THREAD)) {
                    nanos += threads.getThreadCpuTime(thread.getThreadId());
                }
            }
            return nanos;
        }
    }

    private static void write(Path file, int lines) throws Exception {
        Random random = new Random(SEED);
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < lines; i++) {
            text.append("2026-03-02 08:00:").append(10 + i % 50);
            text.append(" INFO  [http-").append(random.nextInt(16)).append("] OrderService - ");
            switch (random.nextInt(12)) {
                case 0 -> text.append("login of user").append(i).append("@example.com");
                case 1 -> text.append("request from 10.1.").append(i % 256).append(".7 took 41 ms");
                case 2 -> text.append("paid with 4111 1111 1111 1111");
                default ->
                        text.append("request took longer than expected, threshold 250 ms, order ")
                                .append(Integer.toHexString(random.nextInt()))
                                .append(", attempt ")
                                .append(random.nextInt(10));
            }
            text.append(", connection pool active 7, idle 13\n");
        }
        Files.writeString(file, text);
    }
}

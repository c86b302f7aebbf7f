package io.flinkgpu.sql.planner;

import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.MemorySize;
import org.apache.flink.configuration.PipelineOptions;
import org.apache.flink.configuration.TaskManagerOptions;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.table.api.config.AggregatePhaseStrategy;
import org.apache.flink.table.api.config.ExecutionConfigOptions;
import org.apache.flink.table.api.config.OptimizerConfigOptions;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.time.Duration;
import java.util.Map;

/**
 * CPU time a row of whole jobs of one aggregation, by Flink's own plan and by ours, in turns: all threads of the
 * process, or the one that has the source and what is chained to it; second halves of jobs.
 *
 * <pre>{@code AggregateBench JOB KEYS ROWS ROWS_A_SECOND_OF_EVENT_TIME ROUNDS [PHASES [THREADS]]}</pre>
 *
 * <p>of {@code TWO_PHASE}, which is the default, or {@code ONE_PHASE}; of {@code ALL} threads or the {@code SOURCE}'s.
 */
public final class AggregateBench {

    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    private static final Map<String, String> JOBS =
            Map.of(
                    "scan",
                    "SELECT k, x, ts FROM readings",
                    "tumble",
                    "SELECT k, window_end, MIN(x) AS a, AVG(x) AS b, MAX(x) AS c FROM TABLE(TUMBLE("
                            + "TABLE readings, DESCRIPTOR(ts), INTERVAL '10' SECOND)) GROUP BY k,"
                            + " window_start, window_end",
                    "hop",
                    "SELECT k, window_end, SUM(x) AS a, COUNT(*) AS b FROM TABLE(HOP(TABLE readings,"
                            + " DESCRIPTOR(ts), INTERVAL '5' SECOND, INTERVAL '20' SECOND)) GROUP BY k,"
                            + " window_start, window_end",
                    "group",
                    "SELECT k, MIN(x) AS a, AVG(x) AS b, MAX(x) AS c, COUNT(*) FILTER (WHERE x > 0) AS"
                            + " d FROM readings GROUP BY k");

    private AggregateBench() {}

    /** Runs a job both ways, with rows reused and copied. */
    public static void main(String[] args) throws Exception {
        String job = args[0];
        int keys = Integer.parseInt(args[1]);
        AggregatePhaseStrategy phases =
                AggregatePhaseStrategy.valueOf(args.length > 5 ? args[5] : "TWO_PHASE");
        boolean sourceAlone = args.length > 6 && args[6].equals("SOURCE");
        ReadingTables.fill(
                keys, sourceAlone ? THREADS::getCurrentThreadCpuTime : AggregateBench::cpuNanos);
        for (boolean reuse : new boolean[] {false, true}) {
            for (int round = 0; round < Integer.parseInt(args[4]); round++) {
                long flinks = run(job, phases, Long.parseLong(args[2]), args[3], reuse, false);
                long ours = run(job, phases, Long.parseLong(args[2]), args[3], reuse, true);
                System.out.printf(
                        "%s, %,d keys, object reuse %s, ns a row: Flink %,d, ours %,d, ratio %.2f%n",
                        job, keys, reuse, flinks, ours, (double) flinks / ours);
            }
        }
    }

    private static long run(
            String job,
            AggregatePhaseStrategy phases,
            long rows,
            String perSecond,
            boolean reuse,
            boolean enabled)
            throws Exception {
        Configuration configuration = new Configuration();
        configuration.set(TaskManagerOptions.MANAGED_MEMORY_SIZE, MemorySize.parse("1g"));
        StreamExecutionEnvironment env =
                StreamExecutionEnvironment.createLocalEnvironment(1, configuration);
        Plans plans = new Plans(env);
        var config = plans.tables().getConfig();
        config.set(GpuSqlOptions.ENABLED, enabled);
        config.set(PipelineOptions.OBJECT_REUSE, reuse);
        config.set(OptimizerConfigOptions.TABLE_OPTIMIZER_AGG_PHASE_STRATEGY, phases);
        if (job.equals("group")) {
            config.set(ExecutionConfigOptions.TABLE_EXEC_MINIBATCH_ENABLED, true);
            config.set(
                    ExecutionConfigOptions.TABLE_EXEC_MINIBATCH_ALLOW_LATENCY,
                    Duration.ofSeconds(1));
            config.set(ExecutionConfigOptions.TABLE_EXEC_MINIBATCH_SIZE, 50_000L);
        }
        plans.tables()
                .executeSql(
                        "CREATE TABLE readings (k STRING, x BIGINT, ts TIMESTAMP(3), WATERMARK FOR ts AS"
                                + " ts) WITH ('connector' = 'readings', 'count' = '"
                                + rows
                                + "', 'per-second-of-event-time' = '"
                                + perSecond
                                + "')");
        plans.tables()
                .executeSql(
                        "CREATE TABLE nothing WITH ('connector' = 'blackhole') AS " + JOBS.get(job))
                .await();
        return ReadingTables.cpuOfSecondHalf() / (rows / 2);
    }

    private static long cpuNanos() {
        long nanos = 0;
        for (long thread : THREADS.getAllThreadIds()) {
            nanos += Math.max(0, THREADS.getThreadCpuTime(thread));
        }
        return nanos;
    }
}

package io.flinkgpu.sql.planner;

import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.MemorySize;
import org.apache.flink.configuration.PipelineOptions;
import org.apache.flink.configuration.TaskManagerOptions;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.table.api.config.ExecutionConfigOptions;

import com.sun.management.OperatingSystemMXBean;

import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;

/**
 * CPU time an event of the second halves of jobs of Nexmark's queries, by Flink's own plan and by ours, in turns: of the
 * process, with what the JIT and the collector take. Of each query and plan the least of all rounds but the first. The
 * source makes its events as it goes, which {@code scan} alone shows.
 *
 * <pre>{@code NexmarkBench EVENTS ROUNDS OBJECT_REUSE QUERY..}</pre>
 */
public final class NexmarkBench {

    private static final String SCAN = "scan";

    /** Those whose aggregation has a local half only in mini-batches. */
    private static final Set<String> IN_MINI_BATCHES = Set.of("q4", "q17");

    private static final OperatingSystemMXBean PROCESS =
            (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();

    private NexmarkBench() {}

    /** Runs each query both ways. */
    public static void main(String[] args) throws Exception {
        long events = Long.parseLong(args[0]);
        int rounds = Integer.parseInt(args[1]);
        boolean reuse = Boolean.parseBoolean(args[2]);
        List<String> queries = Arrays.asList(args).subList(3, args.length);
        System.out.println("| query | Flink | ours | ratio |\n|---|---|---|---|");
        for (String query : queries) {
            long flinks = Long.MAX_VALUE;
            long ours = Long.MAX_VALUE;
            for (int round = 0; round <= rounds; round++) {
                long first = run(query, events, reuse, false);
                long second = run(query, events, reuse, true);
                if (round > 0) {
                    flinks = Math.min(flinks, first);
                    ours = Math.min(ours, second);
                }
            }
            System.out.printf(
                    "| %s | %,d | %,d | %.2f |%n", query, flinks, ours, (double) flinks / ours);
        }
    }

    private static long run(String query, long events, boolean reuse, boolean enabled)
            throws Exception {
        Configuration configuration = new Configuration();
        configuration.set(TaskManagerOptions.MANAGED_MEMORY_SIZE, MemorySize.parse("512m"));
        StreamExecutionEnvironment env =
                StreamExecutionEnvironment.createLocalEnvironment(1, configuration);
        Plans plans = NexmarkTest.plans(env, events);
        var config = plans.tables().getConfig();
        config.set(GpuSqlOptions.ENABLED, enabled);
        config.set(PipelineOptions.OBJECT_REUSE, reuse);
        if (IN_MINI_BATCHES.contains(query)) {
            config.set(ExecutionConfigOptions.TABLE_EXEC_MINIBATCH_ENABLED, true);
            config.set(
                    ExecutionConfigOptions.TABLE_EXEC_MINIBATCH_ALLOW_LATENCY,
                    Duration.ofSeconds(1));
            config.set(ExecutionConfigOptions.TABLE_EXEC_MINIBATCH_SIZE, 50_000L);
        }
        String select = query.equals(SCAN) ? "SELECT * FROM events" : NexmarkTest.read(query);
        AtomicLong halfway = new AtomicLong();
        NexmarkTables.atHalf(() -> halfway.set(PROCESS.getProcessCpuTime()));
        plans.tables()
                .executeSql("CREATE TABLE nothing WITH ('connector' = 'blackhole') AS " + select)
                .await();
        return (PROCESS.getProcessCpuTime() - halfway.get()) / (events / 2);
    }
}

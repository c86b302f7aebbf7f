package io.flinkgpu.sql.planner;

import io.flinkgpu.api.Action;
import io.flinkgpu.api.Rule;
import io.flinkgpu.rules.DefaultRules;

import org.apache.flink.configuration.PipelineOptions;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

/**
 * CPU time a row of whole jobs of one Calc, by Flink's own plan and by ours: the task's thread and the backend's,
 * second halves of jobs.
 *
 * <pre>{@code CalcBench LINES JOB ROWS ROWS_OF_FLINK}</pre>
 */
public final class CalcBench {

    /** Built-in rules: secrets, which lines of logs hardly have, and personal data and addresses, which they have. */
    private static final Set<String> NESTED =
            Set.of(
                    "private_key",
                    "jwt",
                    "github_token",
                    "slack_token",
                    "aws_key_id",
                    "aws_secret",
                    "url_userinfo",
                    "auth_header",
                    "secret_kv",
                    "email",
                    "card",
                    "iban",
                    "us_ssn",
                    "phone",
                    "mac",
                    "ipv6",
                    "ipv4",
                    "win_sid",
                    "user_path",
                    "birth_date");

    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    private CalcBench() {}

    /** Runs a job both ways, with rows reused and copied. */
    public static void main(String[] args) throws Exception {
        PoolTables.fill(lines(Path.of(args[0])), CalcBench::cpuNanos);
        String query = queries().get(args[1]);
        for (boolean reuse : new boolean[] {false, true}) {
            for (boolean enabled : new boolean[] {false, true}) {
                long rows = Long.parseLong(args[enabled ? 2 : 3]);
                System.out.printf(
                        "%s, object reuse %s, %s: %,d ns a row%n",
                        args[1],
                        reuse,
                        enabled ? "on batches" : "Flink",
                        run(query, rows, reuse, enabled));
            }
        }
    }

    /** Calls of REGEXP_REPLACE, one within the other, of 20 built-in rules at most. */
    private static String nested(Predicate<Rule> chosen) {
        String nested = "message";
        List<Rule> rules = DefaultRules.get().rules();
        for (Rule rule : rules.stream().filter(chosen).limit(20).toList()) {
            if (rule.action() instanceof Action.Label label) {
                nested =
                        "REGEXP_REPLACE(%s, '%s', '%s')"
                                .formatted(nested, rule.regex().replace("'", "''"), label.text());
            }
        }
        return "SELECT " + nested + " FROM pool";
    }

    private static Map<String, String> queries() {
        return Map.of(
                "redact",
                "SELECT REDACT(message) FROM pool",
                "nested",
                nested(rule -> NESTED.contains(rule.name())),
                "secrets",
                nested(rule -> true),
                "names",
                "SELECT CASE WHEN visibility = 'public' THEN"
                        + " CONCAT(LEFT(SPLIT_INDEX(name, ' ', 1), 1), ' ', SPLIT_INDEX(name, ' ', 0))"
                        + " ELSE 'X X' END FROM pool",
                "number",
                "SELECT CASE WHEN CHAR_LENGTH(name) = 10 THEN REDACT(name) ELSE CAST(n AS STRING) END"
                        + " FROM pool",
                "arithmetic",
                "SELECT CASE WHEN CHAR_LENGTH(name) = 10 THEN REDACT(name) ELSE"
                        + " CAST(MOD(n * 31 + 7, 1000003) / 3 AS STRING) END FROM pool",
                "short",
                "SELECT UPPER(TRIM(name)), CONCAT(name, '!') FROM pool");
    }

    private static long run(String query, long rows, boolean reuse, boolean enabled)
            throws Exception {
        StreamExecutionEnvironment env = StreamExecutionEnvironment.getExecutionEnvironment();
        env.setParallelism(1);
        Plans plans = new Plans(env);
        plans.tables().getConfig().set(GpuSqlOptions.ENABLED, enabled);
        plans.tables().getConfig().set(PipelineOptions.OBJECT_REUSE, reuse);
        plans.tables()
                .executeSql(
                        "CREATE TABLE pool (message STRING, name STRING, visibility STRING, n BIGINT)"
                                + " WITH ('connector' = 'pool', 'count' = '"
                                + rows
                                + "')");
        plans.tables()
                .executeSql("CREATE TABLE nothing WITH ('connector' = 'blackhole') AS " + query)
                .await();
        return PoolTables.cpuOfSecondHalf() / (rows / 2);
    }

    /** Of the thread that asks and of the backend's. */
    private static long cpuNanos() {
        long nanos = THREADS.getCurrentThreadCpuTime();
        for (var thread : THREADS.getThreadInfo(THREADS.getAllThreadIds())) {
            if (thread != null && thread.getThreadName().endsWith(" backend")) {
                nanos += THREADS.getThreadCpuTime(thread.getThreadId());
            }
        }
        return nanos;
    }

    private static List<String> lines(Path file) throws IOException {
        List<String> lines = Files.readAllLines(file);
        return lines.subList(0, Math.min(lines.size(), 16_384));
    }
}

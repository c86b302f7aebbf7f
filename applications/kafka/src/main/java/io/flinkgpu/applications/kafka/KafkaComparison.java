package io.flinkgpu.applications.kafka;

import io.flinkgpu.api.BackendChoice;
import io.flinkgpu.api.GpuOptions;
import io.flinkgpu.api.Rule;
import io.flinkgpu.api.RuleSet;
import io.flinkgpu.applications.Arguments;
import io.flinkgpu.applications.Causes;
import io.flinkgpu.applications.CommandLine;
import io.flinkgpu.applications.Environments;
import io.flinkgpu.applications.UsageException;
import io.flinkgpu.rules.DefaultRules;

import org.apache.flink.api.common.functions.RichMapFunction;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.PipelineOptions;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

import com.sun.management.OperatingSystemMXBean;

import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The Kafka job against the same job without redaction, and with one {@code java.util.regex} alternation of
 * the same rules in a map; the three take turns on one broker. Exit codes: 0 done, 1 a job failed, 2 the
 * caller's mistake.
 */
public final class KafkaComparison {

    private static final String NAME = "kafka-comparison";
    private static final int MAX_RECORD_BYTES = 1_000_000;
    private static final int PARTITIONS = 4;
    private static final long WARM_UP_RECORDS = 2_000;
    private static final long MILLIS_BETWEEN = 10;

    private static final String USAGE =
            """
            Usage: examples/run kafka-comparison [options]

            Runs the job of kafka-redaction as it is, without redaction, and with one java.util.regex
            alternation of the same rules in a map instead, in turn, on a broker of its own; prints records
            a second from submission to the last commit, and processor time of Flink and of the broker.

              --records N      made-up records in the input topic (default: 100000)
              --rounds N       that count, after one that does not (default: 3)
              --parallelism N  parallel subtasks (default: the number of cores)
              --backend NAME   of the redaction: auto, cpu or cuda (default: cpu)
              --help           print this
            """;

    private enum Job {
        NO_REDACTION("no redaction"),
        REDACTION("redaction"),
        REGEX("one java.util.regex alternation");

        private final String title;

        Job(String title) {
            this.title = title;
        }
    }

    private record Run(double recordsPerSecond, double flinkSeconds, double brokerSeconds) {}

    private final KafkaBroker broker;
    private final long records;
    private final int parallelism;
    private final GpuOptions options;
    private int runs;

    private KafkaComparison(KafkaBroker broker, Options options) {
        this.broker = broker;
        this.records = options.records();
        this.parallelism = options.parallelism();
        this.options = GpuOptions.DEFAULT.withBackend(options.backend());
    }

    public static void main(String[] args) {
        Environments.exit(NAME, run(args, System.out, System.err));
    }

    /**
     * Runs the whole comparison.
     *
     * @return the exit code
     */
    static int run(String[] args, PrintStream out, PrintStream err) {
        return CommandLine.run(
                NAME,
                out,
                err,
                e -> "a job failed: " + Causes.oneLine(e),
                () -> {
                    Options options = Options.parse(args);
                    try (KafkaBroker broker = KafkaBroker.startTemporary()) {
                        new KafkaComparison(broker, options).compare(options.rounds(), out);
                    }
                });
    }

    /** The command line. */
    record Options(long records, int rounds, int parallelism, BackendChoice backend) {

        /**
         * Reads a command line.
         *
         * @throws UsageException with every error in it
         */
        static Options parse(String... args) throws UsageException {
            Arguments arguments = new Arguments(USAGE, args);
            long records = 100_000;
            int rounds = 3;
            int parallelism = Runtime.getRuntime().availableProcessors();
            BackendChoice backend = BackendChoice.CPU;
            while (arguments.hasNext()) {
                String name = arguments.next();
                switch (name) {
                    case "--records" -> records = arguments.longNumber(name, 1, 1_000_000_000L);
                    case "--rounds" -> rounds = arguments.number(name, 1, 100);
                    case "--parallelism" -> parallelism = arguments.number(name, 1, 1024);
                    case "--backend" -> backend = arguments.backend(name);
                    default -> arguments.unknown(name, "a broker is started");
                }
            }
            arguments.check();
            return new Options(records, rounds, parallelism, backend);
        }
    }

    private void compare(int rounds, PrintStream out) throws Exception {
        Topics few = topics("few", "-of-few");
        Topics all = topics(Topics.DEFAULT.input(), "");
        fill(few, WARM_UP_RECORDS);
        fill(all, records);
        Map<Job, List<Run>> results = new EnumMap<>(Job.class);
        List<Job> turn = new ArrayList<>(List.of(Job.values()));
        for (int round = 0; round <= rounds; round++) {
            for (Job job : turn) {
                Run run = round == 0 ? run(job, few, WARM_UP_RECORDS) : run(job, all, records);
                out.printf(
                        Locale.ROOT,
                        "%s %s: %,.0f records/s%n",
                        round == 0 ? "warm-up," : "round " + round + ",",
                        job.title,
                        run.recordsPerSecond);
                if (round > 0) {
                    results.computeIfAbsent(job, j -> new ArrayList<>()).add(run);
                }
            }
            // Each is the first once.
            Collections.rotate(turn, 1);
        }
        out.printf(
                Locale.ROOT,
                "%n%,d records, %d rules, %d subtasks; median (least - most)%n",
                records,
                DefaultRules.get().size(),
                parallelism);
        out.println("| job | records/s | processor seconds of Flink | of the broker |");
        out.println("|---|---|---|---|");
        results.forEach(
                (job, its) ->
                        out.printf(
                                "| %s | %s | %s | %s |%n",
                                job.title,
                                spread(
                                        its.stream().mapToDouble(Run::recordsPerSecond).toArray(),
                                        0),
                                spread(its.stream().mapToDouble(Run::flinkSeconds).toArray(), 1),
                                spread(its.stream().mapToDouble(Run::brokerSeconds).toArray(), 1)));
    }

    private void fill(Topics topics, long count) throws Exception {
        topics.create(broker.bootstrapServers(), PARTITIONS);
        long first = System.currentTimeMillis() - count * MILLIS_BETWEEN;
        new GeneratedMessages(MAX_RECORD_BYTES, number -> first + number * MILLIS_BETWEEN)
                .send(broker.bootstrapServers(), topics.input(), 0, 0, number -> number < count);
    }

    private static Topics topics(String input, String suffix) {
        return new Topics(input, "redacted" + suffix, "statistics" + suffix, "dead" + suffix);
    }

    private Run run(Job job, Topics in, long count) throws Exception {
        Topics topics = topics(in.input(), "-" + runs++);
        topics.create(broker.bootstrapServers(), PARTITIONS);
        Configuration conf = new Configuration();
        conf.set(PipelineOptions.AUTO_GENERATE_UIDS, false);
        conf.set(CheckpointingOptions.CHECKPOINTING_INTERVAL, Duration.ofSeconds(2));
        StreamExecutionEnvironment env = Environments.of(conf, parallelism, 0);
        KafkaRedactionJob kafka =
                new KafkaRedactionJob(
                        broker.bootstrapServers(),
                        topics,
                        DefaultRules.get(),
                        options,
                        true,
                        Duration.ofSeconds(10),
                        MAX_RECORD_BYTES);
        switch (job) {
            case REDACTION -> kafka.addTo(env);
            case NO_REDACTION -> kafka.addTo(env, messages -> messages.map(m -> m).returns(type()));
            case REGEX ->
                    kafka.addTo(
                            env,
                            messages ->
                                    messages.map(new Alternation(DefaultRules.get()))
                                            .returns(type()));
        }
        double flink = flinkSeconds();
        double brokers = brokerSeconds();
        long start = System.nanoTime();
        env.execute(NAME);
        double seconds = (System.nanoTime() - start) / 1e9;
        return new Run(count / seconds, flinkSeconds() - flink, brokerSeconds() - brokers);
    }

    private static TypeInformation<Message> type() {
        return TypeInformation.of(Message.class);
    }

    private static double flinkSeconds() {
        return ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getProcessCpuTime()
                / 1e9;
    }

    private double brokerSeconds() {
        return ProcessHandle.of(broker.pid())
                .flatMap(process -> process.info().totalCpuDuration())
                .map(duration -> duration.toMillis() / 1e3)
                .orElse(Double.NaN);
    }

    private static String spread(double[] values, int digits) {
        Arrays.sort(values);
        String format = "%,." + digits + "f";
        return String.format(
                Locale.ROOT,
                format + " (" + format + " - " + format + ")",
                values[values.length / 2],
                values[0],
                values[values.length - 1]);
    }

    /** What one would write without the library; validators and allow lists are left out. */
    private static final class Alternation extends RichMapFunction<Message, Message> {

        private static final long serialVersionUID = 1L;

        private final Pattern pattern;

        Alternation(RuleSet rules) {
            pattern =
                    Pattern.compile(
                            rules.rules().stream()
                                    .map(Rule::regex)
                                    .map(regex -> "(?:" + regex + ")")
                                    .collect(Collectors.joining("|")));
        }

        @Override
        public Message map(Message message) {
            return message.text() == null
                    ? message
                    : message.withText(pattern.matcher(message.text()).replaceAll("[REDACTED]"));
        }
    }
}

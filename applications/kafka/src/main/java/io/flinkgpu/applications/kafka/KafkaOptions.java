package io.flinkgpu.applications.kafka;

import io.flinkgpu.api.BackendChoice;
import io.flinkgpu.applications.Arguments;
import io.flinkgpu.applications.UsageException;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/**
 * The command line of {@link KafkaRedaction}. Only its form is checked here.
 *
 * @param bootstrapServers of a broker that runs; without them one is started
 * @param generate how many records to send first; negative for what suits the broker
 * @param parallelism 0 for the environment's own
 * @param webUiPort 0 for no web UI
 * @param metricsPort where Prometheus finds the metrics; 0 for nowhere
 */
record KafkaOptions(
        Optional<String> bootstrapServers,
        Topics topics,
        long generate,
        int rate,
        boolean follow,
        Duration window,
        int maxRecordBytes,
        Duration checkpoints,
        Optional<Path> rules,
        Optional<Path> hashKeyFile,
        BackendChoice backend,
        int parallelism,
        int webUiPort,
        int metricsPort) {

    static final String USAGE =
            """
            Usage: examples/run kafka-redaction [options]

            Redacts a Kafka topic into another, exactly once, and counts the redacted records by key and
            window. Keys, headers and timestamps stay as they are, and are not redacted; so do tombstones.
            A record that is not UTF-8 or too long becomes a dead letter: its place and the reason.
            Without --bootstrap-servers it starts a broker of its own, which goes when the job ends.

              --bootstrap-servers HOST:PORT  a broker that runs
              --input-topic NAME        (default: logs); topics that are missing are made
              --redacted-topic NAME     (default: logs-redacted)
              --statistics-topic NAME   (default: logs-statistics)
              --dead-letter-topic NAME  (default: logs-dead-letters)
              --generate N         send N made-up records to the input topic
                                   (default: 200000, with --bootstrap-servers 0)
              --rate N             of them N a second, while the job runs (default: all before it starts)
              --follow             do not end with the last record, wait for more
              --window DURATION    of the statistics, in time of the records (default: 10s)
              --max-record-bytes N longer records are dead letters (default: 1000000)
              --checkpoints DURATION  outputs become visible that often (default: 10s)
              --rules FILE         rules to use instead of the default ones (.yaml, .yml or .tsv)
              --hash-key-file FILE key of rules with a hash action, at least 16 random bytes
              --backend NAME       auto, cpu or cuda (default: auto)
              --parallelism N      parallel subtasks (default: the number of cores)
              --web-ui [PORT], --ui [PORT]  serve Flink's web UI while the job runs (default port: 8081)
              --metrics [PORT]     serve metrics for Prometheus while the job runs (default port: 9249)
              --help               print this
            """;

    /**
     * Reads a command line.
     *
     * @throws UsageException with every error in it
     */
    static KafkaOptions parse(String... args) throws UsageException {
        Arguments arguments = new Arguments(USAGE, args);
        Parser parser = new Parser(arguments);
        KafkaOptions options = parser.parse();
        if (!options.topics().areDistinct()) {
            arguments.error("two of the four topics have one name: give each its own");
        }
        if (options.rate() > 0 && options.generate() == 0) {
            arguments.error(
                    "--rate=" + options.rate() + " is of generated records: give --generate");
        }
        arguments.check();
        return options;
    }

    private static final class Parser {

        private static final long GENERATED = 200_000;

        private final Arguments arguments;
        private Optional<String> bootstrapServers = Optional.empty();
        private String input = Topics.DEFAULT.input();
        private String redacted = Topics.DEFAULT.redacted();
        private String statistics = Topics.DEFAULT.statistics();
        private String deadLetters = Topics.DEFAULT.deadLetters();
        private long generate = -1;
        private int rate;
        private boolean follow;
        private Duration window = Duration.ofSeconds(10);
        private int maxRecordBytes = 1_000_000;
        private Duration checkpoints = Duration.ofSeconds(10);
        private Optional<Path> rules = Optional.empty();
        private Optional<Path> hashKeyFile = Optional.empty();
        private BackendChoice backend = BackendChoice.AUTO;
        private int parallelism;
        private int webUiPort;
        private int metricsPort;

        Parser(Arguments arguments) {
            this.arguments = arguments;
        }

        KafkaOptions parse() throws UsageException {
            while (arguments.hasNext()) {
                option(arguments.next());
            }
            if (generate < 0) {
                generate = bootstrapServers.isPresent() ? 0 : GENERATED;
            }
            return new KafkaOptions(
                    bootstrapServers,
                    new Topics(input, redacted, statistics, deadLetters),
                    generate,
                    rate,
                    follow,
                    window,
                    maxRecordBytes,
                    checkpoints,
                    rules,
                    hashKeyFile,
                    backend,
                    parallelism,
                    webUiPort,
                    metricsPort);
        }

        private void option(String name) {
            switch (name) {
                case "--bootstrap-servers" -> bootstrapServers = arguments.text(name);
                case "--input-topic" -> input = arguments.text(name).orElse(input);
                case "--redacted-topic" -> redacted = arguments.text(name).orElse(redacted);
                case "--statistics-topic" -> statistics = arguments.text(name).orElse(statistics);
                case "--dead-letter-topic" ->
                        deadLetters = arguments.text(name).orElse(deadLetters);
                case "--generate" -> generate = arguments.longNumber(name, 0, 1_000_000_000_000L);
                case "--rate" -> rate = arguments.number(name, 1, 100_000_000);
                case "--follow" -> follow = true;
                case "--window" -> window = arguments.duration(name, Duration.ofMillis(1));
                case "--max-record-bytes" ->
                        maxRecordBytes = arguments.number(name, 1, 100_000_000);
                case "--checkpoints" ->
                        checkpoints = arguments.duration(name, Duration.ofMillis(10));
                case "--rules" -> rules = arguments.path(name);
                case "--hash-key-file" -> hashKeyFile = arguments.path(name);
                case "--backend" -> backend = arguments.backend(name);
                case "--parallelism" -> parallelism = arguments.number(name, 1, 1024);
                case "--web-ui", "--ui" -> webUiPort = arguments.port(name, 8081);
                case "--metrics" -> metricsPort = arguments.port(name, 9249);
                default -> arguments.unknown(name, "topics are given with --input-topic");
            }
        }
    }
}

package io.flinkgpu.applications.kafka;

import io.flinkgpu.applications.Arguments;
import io.flinkgpu.applications.CommandLine;
import io.flinkgpu.applications.Environments;
import io.flinkgpu.applications.SqlSession;
import io.flinkgpu.applications.UsageException;
import io.flinkgpu.sql.script.SqlStatement;

import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Redacts a Kafka topic into another in SQL. Exit codes: 0 done, 1 a statement failed, 2 the caller's
 * mistake.
 */
public final class KafkaSql {

    static final String USAGE =
            """
            Usage: examples/run kafka-sql [options]

            Prints and runs a script of SQL that redacts the topic logs into logs-redacted, exactly once, and
            counts by key and window into logs-statistics, as JSON. Keys, headers and timestamps stay as they
            are. Without --bootstrap-servers it starts a broker of its own, which goes when the job ends. A
            script of yours with Kafka's tables: examples/run kafka-sql --script FILE.sql

              --bootstrap-servers HOST:PORT  a broker that runs
              --generate N     send N made-up records to the topic logs first
                               (default: 20000, with --bootstrap-servers 0)
              --script FILE    another script; ${bootstrap-servers} in it is the broker
              --parallelism N  parallel subtasks (default: the number of cores)
              --help           print this
            """;

    private static final String NAME = "kafka-sql";
    private static final String SCRIPT = "/kafka-redaction.sql";
    private static final int GENERATED = 20_000;
    private static final int PARTITIONS = 4;
    private static final int SHOWN_RECORDS = 5;
    private static final int MAX_RECORD_BYTES = 100_000;
    private static final long MILLIS_BETWEEN = 10;

    private KafkaSql() {}

    /**
     * The command line.
     *
     * @param generate negative for what suits the broker
     */
    record Options(
            Optional<String> bootstrapServers,
            long generate,
            Optional<Path> script,
            int parallelism) {

        /**
         * Reads a command line.
         *
         * @throws UsageException with every error in it
         */
        static Options parse(String... args) throws UsageException {
            Arguments arguments = new Arguments(USAGE, args);
            Options options = new Options(Optional.empty(), -1, Optional.empty(), 0);
            while (arguments.hasNext()) {
                options = options.with(arguments.next(), arguments);
            }
            arguments.check();
            return options;
        }

        private Options with(String name, Arguments arguments) {
            switch (name) {
                case "--bootstrap-servers":
                    return new Options(arguments.text(name), generate, script, parallelism);
                case "--generate":
                    long count = arguments.longNumber(name, 0, 1_000_000_000L);
                    return new Options(bootstrapServers, count, script, parallelism);
                case "--script":
                    return new Options(
                            bootstrapServers, generate, arguments.path(name), parallelism);
                case "--parallelism":
                    int subtasks = arguments.number(name, 1, 1024);
                    return new Options(bootstrapServers, generate, script, subtasks);
                default:
                    arguments.unknown(name, "topics are named in the script");
                    return this;
            }
        }
    }

    public static void main(String[] args) {
        Environments.exit(NAME, run(args, System.out, System.err));
    }

    /**
     * Runs the whole example.
     *
     * @return the exit code
     */
    static int run(String[] args, PrintStream out, PrintStream err) {
        return CommandLine.run(NAME, out, err, () -> redact(Options.parse(args), out));
    }

    private static void redact(Options options, PrintStream out) throws Exception {
        String script = script(options.script());
        if (options.bootstrapServers().isPresent()) {
            redact(script, options.bootstrapServers().get(), options, out);
        } else {
            out.println("Starting a Kafka broker ...");
            try (KafkaBroker broker = KafkaBroker.startTemporary()) {
                redact(script, broker.bootstrapServers(), options, out);
            }
        }
    }

    private static void redact(
            String script, String bootstrapServers, Options options, PrintStream out)
            throws Exception {
        Topics topics = Topics.DEFAULT;
        topics.create(bootstrapServers, PARTITIONS);
        long count = options.generate();
        if (count < 0) {
            count = options.bootstrapServers().isPresent() ? 0 : GENERATED;
        }
        long end = count;
        // No later than now: brokers refuse the future, and delete what is long ago.
        long first = System.currentTimeMillis() - end * MILLIS_BETWEEN;
        new GeneratedMessages(MAX_RECORD_BYTES, number -> first + number * MILLIS_BETWEEN)
                .send(bootstrapServers, topics.input(), 0, 0, number -> number < end);
        String statements =
                script.replace("${bootstrap-servers}", bootstrapServers.replace("'", "''"));
        out.println(statements);
        SqlSession.run(
                options.script().map(Object::toString).orElse(SCRIPT),
                SqlStatement.split(statements),
                options.parallelism(),
                out);
        new TopicExcerpts(bootstrapServers, out).print(topics, SHOWN_RECORDS);
    }

    private static String script(Optional<Path> given) throws UsageException {
        if (given.isPresent()) {
            try {
                return Files.readString(given.get());
            } catch (IOException e) {
                throw new UsageException(
                        "cannot read script '"
                                + given.get()
                                + "': name a file of SQL statements in UTF-8");
            }
        }
        try (InputStream in = KafkaSql.class.getResourceAsStream(SCRIPT)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

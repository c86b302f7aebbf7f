package io.flinkgpu.applications;

import java.util.List;

/**
 * The commands of the pages that {@link DocCommandsITCase} does not run, by what they begin with.
 *
 * @param begin what these commands begin with
 * @param note the test that runs the same, or why no test does
 */
record CommandsElsewhere(String begin, String note) {

    /** Run by a test of another module, by the name of its class. */
    static final List<CommandsElsewhere> BY_OTHER_TESTS =
            List.of(
                    of("benchmarks/run --help", "ProgramsInDocsTest"),
                    of("examples/run FirstSql", "ExamplesTest"),
                    of("examples/run LinesOfFiles", "ExamplesTest"),
                    of("examples/run RedactLogs", "ExamplesTest"),
                    of("examples/run ScoreClicks", "ExamplesTest"),
                    of("examples/run SearchCorpus", "ExamplesTest"),
                    of("examples/run TransformNames", "ExamplesTest"),
                    of("examples/run WindowSensors", "ExamplesTest"),
                    of("examples/run kafka-comparison", "KafkaComparisonITCase"),
                    of("examples/run kafka-redaction", "KafkaRedactionITCase"),
                    of("examples/run kafka-sql", "KafkaSqlITCase"),
                    of("examples/run sql-qualify", "SqlQualifyTest"));

    /** Run by no test; CONTRIBUTING.md has this list. */
    static final List<CommandsElsewhere> BY_NONE =
            List.of(
                    of("\"$FLINK_HOME/", "needs Flink's distribution"),
                    of("./mvnw -Pfuzz", "takes hours"),
                    of("./mvnw -Pgitleaks", "needs the network: a clone of gitleaks"),
                    of("./mvnw -Pgpu", "needs a GPU"),
                    of("./mvnw -Prelease,sign", "publishes; needs a key and an address"),
                    of("./mvnw -Psoak verify", "is what runs the tests: `.ci/run`"),
                    of("./mvnw -pl flink-gpu-operators -am install", "builds; `.ci/run` does"),
                    of("./mvnw -pl flink-gpu-operators -am test", "is a part of `.ci/run`"),
                    of("./mvnw spotless:apply", "changes sources; `.ci/run` checks them"),
                    of("./mvnw verify", "is what runs the tests: `.ci/run`"),
                    of("./mvnw versions:set", "changes all POMs"),
                    of("benchmarks/run", "measures for minutes or hours"),
                    of("cd docker", "needs a container engine"),
                    of("cp ", "copies logs of yours, or into Flink's distribution"),
                    of("curl ", "needs Flink's distribution: its gateway"),
                    of("docker compose", "needs a container engine"),
                    of("docker/jars.sh", "builds with Maven for minutes"),
                    of("examples/run --pack", "builds with Maven for minutes"),
                    of("flink-gpu-operators/gpu-bundle.sh", "builds for a GPU machine"),
                    of("git clone", "needs the network"),
                    of("java ", "needs Flink's distribution"),
                    of("kubectl ", "needs a cluster"),
                    of("ls out/", "needs a container engine"),
                    of("prometheus ", "needs Prometheus"),
                    of("sh run.sh", "needs a GPU"));

    private static CommandsElsewhere of(String begin, String note) {
        return new CommandsElsewhere(begin, note);
    }

    boolean has(String command) {
        return command.startsWith(begin);
    }

    /** The list of commands that no test runs as lines of a page. */
    static String table() {
        StringBuilder table =
                new StringBuilder("| commands | why no test runs them |\n|---|---|\n");
        for (CommandsElsewhere entry : BY_NONE) {
            table.append("| `%s` | %s |\n".formatted(entry.begin.strip(), entry.note));
        }
        return table.toString();
    }
}

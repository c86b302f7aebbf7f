package io.flinkgpu.applications;

import java.nio.file.Files;
import java.nio.file.Path;

/** What {@code examples/run} starts, by the names that it has there. */
final class Examples {

    /** Where the programs are that have no options. */
    static final Path SHORT = Path.of("../examples/src/main/java/io/flinkgpu/examples");

    private Examples() {}

    /**
     * Reads the options of an example as it does itself.
     *
     * @throws UsageException for options that it does not accept
     * @throws IllegalArgumentException if there is no such example
     */
    static void parse(String example, String... options) throws UsageException {
        try {
            read(example, options);
        } catch (UsageException e) {
            boolean isHelp = e.lines().isEmpty();
            if (!isHelp) {
                throw e;
            }
        }
    }

    private static void read(String example, String... options) throws UsageException {
        switch (example) {
            case "log-redaction" -> Options.parse(options);
            case "check-rules",
                    "kafka-redaction",
                    "kafka-sql",
                    "kafka-comparison",
                    "sql-qualify",
                    "--pack" -> {
                // Tests of their own read the options of these; a script packs.
            }
            case "sensor-windows" -> SensorOptions.parse(options);
            case "near-duplicates" -> DuplicateOptions.parse(options);
            case "name-redaction" -> NameOptions.parse(options);
            case "one-billion-rows" -> BillionOptions.parse(options);
            case "generate-measurements" -> MeasurementOptions.parse(options);
            case "generate-documents" -> DocumentOptions.parse(options);
            case "score-clicks" -> ScoreOptions.parse(options);
            case "set-search" -> SetSearchOptions.parse(options);
            case "lookup" -> LookupOptions.parse(options);
            case "sql-redaction" -> SqlRedactionOptions.parse(options);
            case "sql" -> SqlOptions.parse(options);
            default -> {
                if (!Files.exists(SHORT.resolve(example + ".java"))) {
                    throw new IllegalArgumentException("no such example: " + example);
                }
            }
        }
    }

    /**
     * Runs an example in this JVM, one of those that need no broker and no other planner.
     *
     * @throws IllegalArgumentException if there is no such example
     */
    static Cli run(String example, Object... args) {
        return switch (example) {
            case "log-redaction" -> Cli.run(args);
            case "check-rules" -> Cli.runCheck(args);
            case "sensor-windows" -> Cli.runSensors(args);
            case "near-duplicates" -> Cli.runDuplicates(args);
            case "name-redaction" -> Cli.runNames(args);
            case "one-billion-rows" -> Cli.runBillion(args);
            case "generate-measurements" -> Cli.runMeasurements(args);
            case "generate-documents" -> Cli.runDocuments(args);
            case "score-clicks" -> Cli.runScores(args);
            case "set-search" -> Cli.runSearch(args);
            case "lookup" -> Cli.runLookup(args);
            case "sql-redaction" -> Cli.runSqlRedaction(args);
            case "sql" -> Cli.runSql(args);
            default -> throw new IllegalArgumentException("no such example: " + example);
        };
    }
}

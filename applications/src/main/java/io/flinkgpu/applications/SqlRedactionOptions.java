package io.flinkgpu.applications;

import java.nio.file.Path;
import java.util.Optional;

/**
 * The command line of {@link SqlRedaction}.
 *
 * @param input a file or folder; generated logs if it is empty
 * @param output a folder; a temporary one if it is empty
 * @param parallelism 0 for the environment's own
 */
record SqlRedactionOptions(Optional<Path> input, Optional<Path> output, int parallelism) {

    static final String USAGE =
            """
            Usage: examples/run sql-redaction [options]

            Redacts logs with a script of SQL, which it prints: a table of the lines of files, REDACT, and a
            table of files that are written.

              --input PATH     a file or folder of logs (default: generated ones)
              --output DIR     a new or empty folder (default: a temporary one)
              --parallelism N  parallel subtasks (default: the number of cores)
              --help           print this
            """;

    /**
     * Reads a command line.
     *
     * @throws UsageException with every error in it
     */
    static SqlRedactionOptions parse(String... args) throws UsageException {
        Arguments arguments = new Arguments(USAGE, args);
        Optional<Path> input = Optional.empty();
        Optional<Path> output = Optional.empty();
        int parallelism = 0;
        while (arguments.hasNext()) {
            String name = arguments.next();
            switch (name) {
                case "--input" -> input = arguments.path(name);
                case "--output" -> output = arguments.path(name);
                case "--parallelism" -> parallelism = arguments.number(name, 1, 1024);
                default -> arguments.unknown(name, "see --help");
            }
        }
        arguments.check();
        return new SqlRedactionOptions(input, output, parallelism);
    }
}

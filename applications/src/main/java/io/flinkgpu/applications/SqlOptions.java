package io.flinkgpu.applications;

import java.nio.file.Path;
import java.util.Optional;

/**
 * The command line of {@link SqlScript}.
 *
 * @param script empty only where help is asked for
 * @param parallelism 0 for the environment's own
 */
record SqlOptions(Optional<Path> script, int parallelism) {

    static final String USAGE =
            """
            Usage: examples/run sql FILE.sql [options]

            Runs the statements of a script in turn, and prints what queries give, a line a row. The module
            with REDACT, HASH_HMAC and MASK is loaded unless the script does so; tables of lines are WITH
            ('connector' = 'gpu-lines', ..), models WITH ('provider' = 'gpu-redact', ..).

              --parallelism N  parallel subtasks (default: the number of cores)
              --help           print this
            """;

    /**
     * Reads a command line.
     *
     * @throws UsageException with every error in it
     */
    static SqlOptions parse(String... args) throws UsageException {
        Arguments arguments = new Arguments(USAGE, args);
        Optional<Path> script = Optional.empty();
        int parallelism = 0;
        while (arguments.hasNext()) {
            String name = arguments.next();
            switch (name) {
                case "--parallelism" -> parallelism = arguments.number(name, 1, 1024);
                default -> {
                    if (name.startsWith("-") || script.isPresent()) {
                        arguments.unknown(name, "a script is one file");
                    } else {
                        script = Optional.of(Path.of(name));
                    }
                }
            }
        }
        if (script.isEmpty()) {
            arguments.error("a script is needed: name a file of SQL statements");
        }
        arguments.check();
        return new SqlOptions(script, parallelism);
    }
}

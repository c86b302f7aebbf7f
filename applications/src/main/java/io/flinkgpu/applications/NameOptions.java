package io.flinkgpu.applications;

import io.flinkgpu.api.BackendChoice;

/**
 * The command line of {@link NameRedaction}.
 *
 * @param parallelism 0 for the environment's own
 */
record NameOptions(int rows, BackendChoice backend, int parallelism) {

    static final String USAGE =
            """
            Usage: examples/run name-redaction [options]

            Makes people, and shows their names by who may see them: "D John" for John Doe if that is the
            public, else "X X". Prints the first of them before and after.

              --rows N         people (default: 5000000)
              --backend NAME   auto, cpu or cuda (default: auto)
              --parallelism N  parallel subtasks (default: the number of cores)
              --help           print this
            """;

    /**
     * Reads a command line.
     *
     * @throws UsageException with every error in it
     */
    static NameOptions parse(String... args) throws UsageException {
        Arguments arguments = new Arguments(USAGE, args);
        int rows = 5_000_000;
        BackendChoice backend = BackendChoice.AUTO;
        int parallelism = 0;
        while (arguments.hasNext()) {
            String name = arguments.next();
            switch (name) {
                case "--rows" -> rows = arguments.number(name, 1, 2_000_000_000);
                case "--backend" -> backend = arguments.backend(name);
                case "--parallelism" -> parallelism = arguments.number(name, 1, 1024);
                default -> arguments.unknown(name, "see --help");
            }
        }
        arguments.check();
        return new NameOptions(rows, backend, parallelism);
    }
}

package io.flinkgpu.applications;

import io.flinkgpu.api.BackendChoice;

import java.nio.file.Path;
import java.util.Optional;

/**
 * The command line of {@link Lookup}.
 *
 * @param hostBytes of a subtask
 * @param parallelism 0 for the environment's own
 */
record LookupOptions(
        Optional<Path> tables,
        Optional<Path> operations,
        Optional<Path> output,
        long hostBytes,
        BackendChoice backend,
        int parallelism) {

    private static final long DEFAULT_HOST_BYTES = 1L << 30;

    static final String USAGE =
            """
            Usage: examples/run lookup --tables FILE --operations FILE --output FILE [options]

            Looks ids up in tables of vectors that change, in the order of a file, and writes what was found
            bit by bit. Where the time went is told on standard error.

              --tables FILE      a table a line, tabs between fields: T, name, dimension, f32, f16 or bf16,
                                 and what an id gives that is not there: zero, const:HEX with the 8
                                 hexadecimal digits of a 32-bit float, or skip
              --operations FILE  an operation a line, followed in the order of the file; tabs between fields:
                                 P, table, id, elements: inserts or replaces a vector; elements are their bits
                                 with ',' between, 8 hexadecimal digits of f32, 4 of the others;
                                 X, table, id: deletes it, if it is there;
                                 L, name, table, none, sum, mean or max, ids with ',' between, or nothing: a
                                 lookup; an id is a whole number of 64 bits, with its sign
              --output FILE      a new file, a line for each lookup in the order of the file: its name, a tab,
                                 and the bits of each 32-bit float with ',' between; of none the vectors one
                                 after another
              --host-bytes N     the most memory for the vectors of one of the parallel subtasks; others are
                                 in files (default: 1073741824)
              --backend NAME     auto, cpu or cuda (default: auto, which is the CPU)
              --parallelism N    parallel subtasks, each with all tables (default: the number of cores)
              --help             print this
            """;

    /**
     * Reads a command line.
     *
     * @throws UsageException with every error in it
     */
    static LookupOptions parse(String... args) throws UsageException {
        Arguments arguments = new Arguments(USAGE, args);
        LookupOptions options = new Parser(arguments).parse();
        arguments.check();
        require(arguments, "--tables", "name a file of tables", options.tables);
        require(arguments, "--operations", "name a file of operations", options.operations);
        require(arguments, "--output", "name a new file", options.output);
        arguments.check();
        return options;
    }

    private static void require(
            Arguments arguments, String name, String remedy, Optional<Path> given) {
        if (given.isEmpty()) {
            arguments.error("option " + name + " is needed: " + remedy);
        }
    }

    private static final class Parser {

        private final Arguments arguments;
        private Optional<Path> tables = Optional.empty();
        private Optional<Path> operations = Optional.empty();
        private Optional<Path> output = Optional.empty();
        private long hostBytes = DEFAULT_HOST_BYTES;
        private BackendChoice backend = BackendChoice.AUTO;
        private int parallelism;

        Parser(Arguments arguments) {
            this.arguments = arguments;
        }

        LookupOptions parse() throws UsageException {
            while (arguments.hasNext()) {
                option(arguments.next());
            }
            return new LookupOptions(tables, operations, output, hostBytes, backend, parallelism);
        }

        private void option(String name) {
            switch (name) {
                case "--tables" -> tables = arguments.path(name);
                case "--operations" -> operations = arguments.path(name);
                case "--output" -> output = arguments.path(name);
                case "--host-bytes" -> hostBytes = arguments.longNumber(name, 0, 1L << 50);
                case "--backend" -> backend = arguments.backend(name);
                case "--parallelism" -> parallelism = arguments.number(name, 1, 1024);
                default -> arguments.unknown(name, "files are given with options, see --help");
            }
        }
    }
}

package io.flinkgpu.applications;

import io.flinkgpu.api.BackendChoice;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The command line of {@link OneBillionRows}.
 *
 * @param inputs files and directories
 * @param parallelism 0 for the environment's own
 * @param runs how often the job runs, one after another, in the same Flink
 */
record BillionOptions(
        List<Path> inputs,
        Optional<Path> output,
        BackendChoice backend,
        int parallelism,
        int runs) {

    static final String USAGE =
            """
            Usage: examples/run one-billion-rows --input FILE [options]

            Prints the minimum, mean and maximum temperature of each station in a file of measurements, as
            "The One Billion Row Challenge" wants them: {A=min/mean/max, B=...}, sorted by name, with one
            digit behind the point; means are rounded half up, exactly. Where the time went is told on
            standard error. A line is the name of a station, ';', and a temperature with one digit behind the
            point, or none, which is passed over; examples/run generate-measurements makes files of such lines.

              --input PATH     a file, or a directory: all files below it, but those named .* or _*;
                               may be given more than once
              --output FILE    write the result to a new file instead of standard output
              --backend NAME   auto, cpu or cuda (default: auto)
              --parallelism N  parallel subtasks (default: the number of cores; a GPU is fed by 6 to 8, and
                               more only take longer to start)
              --runs N         run the job N times in the same Flink, as a session cluster would, and tell
                               the time of each (default: 1)
              --help           print this
            """;

    BillionOptions {
        inputs = List.copyOf(inputs);
    }

    /**
     * Reads a command line.
     *
     * @throws UsageException with every error in it
     */
    static BillionOptions parse(String... args) throws UsageException {
        Arguments arguments = new Arguments(USAGE, args);
        BillionOptions options = new Parser(arguments).parse();
        arguments.check();
        if (options.inputs.isEmpty()) {
            throw new UsageException(
                    "option --input is needed: name a file of measurements, or make one with"
                            + " examples/run generate-measurements");
        }
        return options;
    }

    private static final class Parser {

        private final Arguments arguments;
        private final List<Path> inputs = new ArrayList<>();
        private Optional<Path> output = Optional.empty();
        private BackendChoice backend = BackendChoice.AUTO;
        private int parallelism;
        private int runs = 1;

        Parser(Arguments arguments) {
            this.arguments = arguments;
        }

        BillionOptions parse() throws UsageException {
            while (arguments.hasNext()) {
                option(arguments.next());
            }
            return new BillionOptions(inputs, output, backend, parallelism, runs);
        }

        private void option(String name) {
            switch (name) {
                case "--input" -> inputs.addAll(arguments.oneOfPaths(name).stream().toList());
                case "--output" -> output = arguments.path(name);
                case "--backend" -> backend = arguments.backend(name);
                case "--parallelism" -> parallelism = arguments.number(name, 1, 1024);
                case "--runs" -> runs = arguments.number(name, 1, 1000);
                default -> arguments.unknown(name, "see --help");
            }
        }
    }
}

package io.flinkgpu.applications;

import java.nio.file.Path;
import java.util.Optional;

/** The command line of {@link GenerateMeasurements}. */
record MeasurementOptions(long rows, int keys, Path output, long seed) {

    static final String USAGE =
            """
            Usage: examples/run generate-measurements --output FILE [options]

            Writes a file of measurements, one a line, as "The One Billion Row Challenge" has them: the name
            of a station, ';', and a temperature with one digit behind the point. About 14 bytes a row.

              --output FILE    a new file
              --rows N         lines of the file (default: 1000000)
              --keys K         stations (default: 413)
              --seed S         the same seed gives the same file (default: 1)
              --help           print this
            """;

    /**
     * Reads a command line.
     *
     * @throws UsageException with every error in it
     */
    static MeasurementOptions parse(String... args) throws UsageException {
        Arguments arguments = new Arguments(USAGE, args);
        MeasurementOptions options = new Parser(arguments).parse();
        arguments.check();
        if (options.output == null) {
            throw new UsageException("option --output is needed: name a new file");
        }
        return options;
    }

    private static final class Parser {

        private final Arguments arguments;
        private long rows = 1_000_000;
        private int keys = 413;
        private Optional<Path> output = Optional.empty();
        private long seed = 1;

        Parser(Arguments arguments) {
            this.arguments = arguments;
        }

        MeasurementOptions parse() throws UsageException {
            while (arguments.hasNext()) {
                option(arguments.next());
            }
            return new MeasurementOptions(rows, keys, output.orElse(null), seed);
        }

        private void option(String name) {
            switch (name) {
                case "--rows" -> rows = arguments.longNumber(name, 1, 100_000_000_000L);
                case "--keys" -> keys = arguments.number(name, 1, Stations.MAX);
                case "--output" -> output = arguments.path(name);
                case "--seed" -> seed = arguments.longNumber(name, 0, 999_999_999_999L);
                default -> arguments.unknown(name, "see --help");
            }
        }
    }
}

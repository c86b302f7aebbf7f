package io.flinkgpu.applications;

import io.flinkgpu.api.BackendChoice;

import java.time.Duration;

/**
 * The command line of {@link SensorWindows}.
 *
 * @param parallelism 0 for the environment's own
 */
record SensorOptions(
        int rows,
        int sensors,
        Duration window,
        Duration slide,
        Duration lateness,
        BackendChoice backend,
        int parallelism) {

    static final String USAGE =
            """
            Usage: examples/run sensor-windows [options]

            Makes readings of sensors, 10,000 for each second of event time and out of order, and prints
            the first tumbling and sliding windows of them: per sensor the count, exact minimum, mean
            and maximum of the temperature, and the mean of the humidity, which some readings lack.
            Readings of the day before are too late and go to a side output.

              --rows N         readings (default: 2000000)
              --sensors N      sensors (default: 100)
              --window TIME    length of a window, such as 500ms, 10s, 5m or 1h (default: 10s)
              --slide TIME     from one sliding window to the next (default: 2s)
              --lateness TIME  how long a window takes readings after its end (default: 1m)
              --backend NAME   auto, cpu or cuda (default: auto)
              --parallelism N  parallel subtasks of the windows (default: the number of cores)
              --help           print this
            """;

    private static final int MAX_SLIDES = 10_000;

    /**
     * Reads a command line.
     *
     * @throws UsageException with every error in it
     */
    static SensorOptions parse(String... args) throws UsageException {
        Arguments arguments = new Arguments(USAGE, args);
        SensorOptions options = new Parser(arguments).parse();
        arguments.check();
        options.checkSlide(arguments);
        arguments.check();
        return options;
    }

    private void checkSlide(Arguments arguments) {
        if (slide.compareTo(window) > 0) {
            arguments.error(
                    "option --slide is at most the --window, "
                            + window.toMillis()
                            + "ms, not "
                            + slide.toMillis()
                            + "ms: give a shorter slide or a longer window");
        } else if (window.toMillis() / slide.toMillis() > MAX_SLIDES) {
            arguments.error(
                    "a --window has at most "
                            + MAX_SLIDES
                            + " times the --slide, not "
                            + window.toMillis()
                            + "ms for "
                            + slide.toMillis()
                            + "ms: give a longer slide or a shorter window");
        }
    }

    private static final class Parser {

        private final Arguments arguments;
        private int rows = 2_000_000;
        private int sensors = 100;
        private Duration window = Duration.ofSeconds(10);
        private Duration slide = Duration.ofSeconds(2);
        private Duration lateness = Duration.ofMinutes(1);
        private BackendChoice backend = BackendChoice.AUTO;
        private int parallelism;

        Parser(Arguments arguments) {
            this.arguments = arguments;
        }

        SensorOptions parse() throws UsageException {
            while (arguments.hasNext()) {
                option(arguments.next());
            }
            return new SensorOptions(rows, sensors, window, slide, lateness, backend, parallelism);
        }

        private void option(String name) {
            switch (name) {
                case "--rows" -> rows = arguments.number(name, 1, 2_000_000_000);
                case "--sensors" -> sensors = arguments.number(name, 1, 1_000_000);
                case "--window" -> window = arguments.duration(name, Duration.ofMillis(1));
                case "--slide" -> slide = arguments.duration(name, Duration.ofMillis(1));
                case "--lateness" -> lateness = arguments.duration(name, Duration.ZERO);
                case "--backend" -> backend = arguments.backend(name);
                case "--parallelism" -> parallelism = arguments.number(name, 1, 1024);
                default -> arguments.unknown(name, "see --help");
            }
        }
    }
}

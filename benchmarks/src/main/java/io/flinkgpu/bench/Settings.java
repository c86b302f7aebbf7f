package io.flinkgpu.bench;

import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;

/**
 * What a command line says.
 *
 * @param input folder of {@code *.log} files; made-up lines without one
 * @param output folder for the report and the plots
 * @param quick tiny sizes and times, to see that all runs
 * @param axes to run; all if empty
 */
record Settings(Optional<Path> input, Path output, boolean quick, Set<String> axes) {

    /** How long one of the timed runs of a figure takes. */
    long runNanos() {
        return quick ? 2_000_000L : 60_000_000L;
    }

    /** Timed runs of a figure. */
    int runs() {
        return quick ? 1 : 3;
    }

    int pick(int full, int tiny) {
        return quick ? tiny : full;
    }

    /**
     * @param names of the axes there are
     * @throws IllegalArgumentException with what is wrong
     */
    static Settings parse(String[] args, Set<String> names) {
        Optional<Path> input = Optional.empty();
        Path output = Path.of("bench-report");
        boolean quick = false;
        Set<String> axes = new LinkedHashSet<>();
        for (int i = 0; i < args.length; i++) {
            switch (args[i]) {
                case "--input" -> input = Optional.of(Path.of(value(args, ++i)));
                case "--output" -> output = Path.of(value(args, ++i));
                case "--quick" -> quick = true;
                default -> axes.add(axis(args[i], names));
            }
        }
        return new Settings(input, output, quick, axes);
    }

    private static String axis(String name, Set<String> names) {
        if (!names.contains(name)) {
            throw new IllegalArgumentException(
                    "no such axis or option: '" + name + "'; axes are " + names + ", try --help");
        }
        return name;
    }

    private static String value(String[] args, int i) {
        if (i == args.length) {
            throw new IllegalArgumentException(
                    "an option lacks its value: option='" + args[i - 1] + "'; add a folder");
        }
        return args[i];
    }
}

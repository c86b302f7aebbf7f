package io.flinkgpu.examples;

import io.flinkgpu.api.BackendChoice;

import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * The command line of {@link LogRedaction}. Only its form is checked here, not whether files exist.
 *
 * @param inputs files and directories; empty for the generated sample
 * @param parallelism 0 for the environment's own
 * @param webUiPort 0 for no web UI
 * @param sampleMb size of the generated sample in 1,000,000 bytes
 */
record Options(
        List<Path> inputs,
        Optional<Path> rules,
        Optional<Path> output,
        BackendChoice backend,
        int parallelism,
        Optional<Path> hashKeyFile,
        int webUiPort,
        int sampleMb,
        boolean preview,
        boolean help) {

    static final String USAGE =
            """
            Usage: examples/run log-redaction [options]

            Finds secrets and personal data in log files and replaces them. Every byte outside a match
            stays as it is. Without --input it makes a sample of service logs and redacts that.
            Each line is judged alone: of a private key that spans lines, a short last line may stay, and
            lines with other text beside the key do. docs/rules.md says what the default rules miss.

              --input PATH         a log file, or a directory: all files below it, sorted, but
                                   those named .* or _*; may be given more than once
              --output DIR         new or empty directory for the redacted lines
                                   (default: a fresh temporary directory)
              --rules FILE         rules to use instead of the default ones (.yaml, .yml or .tsv)
              --hash-key-file FILE key of rules with a hash action, at least 16 random bytes
              --backend NAME       auto, cpu or cuda (default: auto)
              --parallelism N      parallel subtasks (default: the number of cores); 1 writes one
                                   file in the order of the input
              --sample-mb N        size of the generated sample in MB (default: 64)
              --no-preview         do not print lines before and after redaction
              --web-ui [PORT]      serve Flink's web UI while the job runs (default port: 8081)
              --help               print this
            """;

    private static final String SEE_HELP = "see --help";

    Options {
        inputs = List.copyOf(inputs);
    }

    /**
     * Reads a command line.
     *
     * @throws UsageException with every error in it
     */
    static Options parse(String... args) throws UsageException {
        Parser parser = new Parser(args);
        Options options = parser.parse();
        if (!options.help() && !parser.errors.isEmpty()) {
            throw new UsageException(parser.errors);
        }
        return options;
    }

    private static final class Parser {

        private final Deque<String> rest;
        private final List<String> errors = new ArrayList<>();
        private final List<Path> inputs = new ArrayList<>();
        private Path rules;
        private Path output;
        private BackendChoice backend = BackendChoice.AUTO;
        private int parallelism;
        private Path hashKeyFile;
        private int webUiPort;
        private int sampleMb = 64;
        private boolean preview = true;
        private boolean help;

        Parser(String[] args) {
            rest = new ArrayDeque<>(Arrays.asList(args));
        }

        Options parse() {
            while (!rest.isEmpty()) {
                String arg = rest.pop();
                int equals = arg.startsWith("--") ? arg.indexOf('=') : -1;
                if (equals > 0) {
                    rest.push(arg.substring(equals + 1));
                    arg = arg.substring(0, equals);
                }
                option(arg);
            }
            return new Options(
                    inputs,
                    Optional.ofNullable(rules),
                    Optional.ofNullable(output),
                    backend,
                    parallelism,
                    Optional.ofNullable(hashKeyFile),
                    webUiPort,
                    sampleMb,
                    preview,
                    help);
        }

        private void option(String name) {
            switch (name) {
                case "--input" -> inputs.addAll(path(name).stream().toList());
                case "--rules" -> rules = path(name).orElse(null);
                case "--output" -> output = path(name).orElse(null);
                case "--hash-key-file" -> hashKeyFile = path(name).orElse(null);
                case "--backend" -> backend = backend(name);
                case "--parallelism" -> parallelism = number(name, 1, 1024);
                case "--sample-mb" -> sampleMb = number(name, 1, 100_000);
                case "--no-preview" -> preview = false;
                case "--web-ui" -> webUiPort = port();
                case "--help", "-h" -> help = true;
                default -> unknown(name);
            }
        }

        private void unknown(String name) {
            if (name.startsWith("-")) {
                errors.add("unknown option '" + name + "': " + SEE_HELP);
                if (!rest.isEmpty() && !rest.peek().startsWith("-")) {
                    rest.pop();
                }
            } else {
                errors.add("unexpected argument '" + name + "': files are given with --input");
            }
        }

        private Optional<String> value(String name) {
            if (rest.isEmpty() || rest.peek().startsWith("--") || rest.peek().isEmpty()) {
                if (!rest.isEmpty() && rest.peek().isEmpty()) {
                    rest.pop();
                }
                errors.add("option " + name + " lacks its value: " + SEE_HELP);
                return Optional.empty();
            }
            return Optional.of(rest.pop());
        }

        private Optional<Path> path(String name) {
            return value(name).map(Path::of);
        }

        private BackendChoice backend(String name) {
            Optional<String> value = value(name);
            for (BackendChoice choice : BackendChoice.values()) {
                if (value.isEmpty() || value.get().equals(choice.name().toLowerCase(Locale.ROOT))) {
                    return choice;
                }
            }
            errors.add(
                    "option --backend is auto, cpu or cuda, not '" + value.get() + "': choose one");
            return BackendChoice.AUTO;
        }

        private int port() {
            boolean given = !rest.isEmpty() && rest.peek().matches("[0-9]+");
            return given ? number("--web-ui", 1, 65_535) : 8081;
        }

        private int number(String name, int min, int max) {
            Optional<String> value = value(name);
            if (value.isEmpty()) {
                return min;
            }
            if (value.get().matches("[0-9]{1,9}")) {
                int number = Integer.parseInt(value.get());
                if (number >= min && number <= max) {
                    return number;
                }
            }
            errors.add(
                    String.format(
                            Locale.ROOT,
                            "option %s is a whole number from %d to %d, not '%s'",
                            name,
                            min,
                            max,
                            value.get()));
            return min;
        }
    }
}

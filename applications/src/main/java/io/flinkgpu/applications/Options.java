package io.flinkgpu.applications;

import io.flinkgpu.api.BackendChoice;
import io.flinkgpu.api.Form;
import io.flinkgpu.rules.RuleGroup;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * The command line of {@link LogRedaction}. Only its form is checked here, not whether files exist.
 *
 * @param inputs files and directories; empty for the generated sample
 * @param without rules of a pack that are left out
 * @param groups of the default rules; empty for all
 * @param stats where the latencies found in the lines go, if they are wanted
 * @param report where what was found is reported, if it is wanted
 * @param forms under which lines are searched as well
 * @param startOfRecord what the first line of a record of several lines begins with
 * @param parallelism 0 for the environment's own
 * @param webUiPort 0 for no web UI
 * @param sampleMb size of the generated sample in 1,000,000 bytes
 */
record Options(
        List<Path> inputs,
        Optional<Path> rules,
        List<String> without,
        Set<RuleGroup> groups,
        Optional<Path> output,
        Optional<Path> stats,
        Optional<Path> report,
        List<Form> forms,
        Optional<String> startOfRecord,
        BackendChoice backend,
        int parallelism,
        Optional<Path> hashKeyFile,
        int webUiPort,
        int sampleMb,
        boolean preview) {

    static final String USAGE =
            """
            Usage: examples/run log-redaction [options]

            Finds secrets and personal data in log files and replaces them. Every byte outside a match
            stays as it is. Without --input it makes a sample of service logs and redacts that.
            Each line is judged alone, unless --start-of-record joins them: of a private key that spans lines, a short last line may stay, and
            lines with other text beside the key do. docs/rules.md says what the default rules miss.
            Of a file that grows meanwhile, a last line that is cut where the file ended when it was
            listed is judged as it is there, so a secret that is cut there may stay in part.

              --input PATH         a log file, or a directory: all files below it, sorted, but
                                   those named .* or _*; may be given more than once
              --output DIR         new or empty directory for the redacted lines
                                   (default: a fresh temporary directory)
              --stats DIR          also count the latencies that the redacted lines tell, such as
                                   took=35ms, per service and 10 s of the lines' own time: new or
                                   empty directory for tab-separated rows of service, start, end,
                                   count, min, mean and max in ms
              --rules FILE         rules to use instead of the default ones (.yaml, .yml or .tsv), or a
                                   pack: gitleaks (.toml), secrets-patterns-db or Presidio (.yaml);
                                   see examples/run check-rules
              --without NAMES      rules of that pack to leave out, with commas between them
              --groups NAMES       of the default rules only those of these groups, with commas
                                   between: secrets, credentials, pii, financial, network, us, uk,
                                   br, it, mx
              --report FILE        write what was found as FILE.json and FILE.html: counts by rule, file
                                   and time, and some places with hashes under --hash-key-file,
                                   never the values
              --forms NAMES        search the lines under these forms as well: all, or some of percent,
                                   html, json, ansi, unicode, base64, plus, with commas between them
              --start-of-record REGEX
                                   join lines to records, which are judged as one text: each starts
                                   with a line that begins with the regex, such as
                                   '\\d{4}-\\d\\d-\\d\\d'; 1 MiB and 10,000 lines at most
              --hash-key-file FILE key of rules with a hash action, at least 16 random bytes
              --backend NAME       auto, cpu or cuda (default: auto)
              --parallelism N      parallel subtasks (default: the number of cores); 1 writes one
                                   file in the order of the input
              --sample-mb N        size of the sample made without --input, in MB (default: 64)
              --preview            print some lines before and after redaction, secrets included
              --web-ui [PORT]      serve Flink's web UI while the job runs (default port: 8081); also --ui
              --help               print this
            """;

    Options {
        inputs = List.copyOf(inputs);
        without = List.copyOf(without);
        groups = Set.copyOf(groups);
        forms = List.copyOf(forms);
    }

    /**
     * Reads a command line.
     *
     * @throws UsageException with every error in it
     */
    static Options parse(String... args) throws UsageException {
        Arguments arguments = new Arguments(USAGE, args);
        Options options = new Parser(arguments).parse();
        arguments.check();
        return options;
    }

    private static final class Parser {

        private final Arguments arguments;
        private final List<Path> inputs = new ArrayList<>();
        private Optional<Path> rules = Optional.empty();
        private List<String> without = List.of();
        private final Set<RuleGroup> groups = new TreeSet<>();
        private Optional<Path> output = Optional.empty();
        private Optional<Path> stats = Optional.empty();
        private Optional<Path> report = Optional.empty();
        private List<Form> forms = List.of();
        private Optional<String> startOfRecord = Optional.empty();
        private BackendChoice backend = BackendChoice.AUTO;
        private int parallelism;
        private Optional<Path> hashKeyFile = Optional.empty();
        private int webUiPort;
        private int sampleMb = 64;
        private boolean preview;

        Parser(Arguments arguments) {
            this.arguments = arguments;
        }

        Options parse() throws UsageException {
            while (arguments.hasNext()) {
                option(arguments.next());
            }
            if (rules.isPresent() && !groups.isEmpty()) {
                arguments.error(
                        "--groups is about the default rules, and --rules gives others: in a YAML file"
                                + " write 'include: default' and 'groups: [...]'");
            }
            if (rules.isEmpty() && !without.isEmpty()) {
                arguments.error("--without leaves out rules of a pack: name one with --rules");
            }
            if (report.isPresent() && hashKeyFile.isEmpty()) {
                arguments.error(
                        "a report has keyed hashes of what is found: name a file of at least 16"
                                + " random bytes with --hash-key-file");
            }
            return new Options(
                    inputs,
                    rules,
                    without,
                    groups,
                    output,
                    stats,
                    report,
                    forms,
                    startOfRecord,
                    backend,
                    parallelism,
                    hashKeyFile,
                    webUiPort,
                    sampleMb,
                    preview);
        }

        private void groups(String names) {
            for (String name : names.split(",")) {
                try {
                    groups.add(RuleGroup.of(name.strip()));
                } catch (IllegalArgumentException e) {
                    arguments.error("--groups: " + e.getMessage());
                }
            }
        }

        private void option(String name) {
            switch (name) {
                case "--input" -> inputs.addAll(arguments.oneOfPaths(name).stream().toList());
                case "--rules" -> rules = arguments.path(name);
                case "--without" ->
                        without =
                                arguments
                                        .text(name)
                                        .map(names -> List.of(names.split(",")))
                                        .orElse(List.of());
                case "--groups" -> arguments.text(name).ifPresent(this::groups);
                case "--output" -> output = arguments.path(name);
                case "--stats" -> stats = arguments.path(name);
                case "--report" -> report = arguments.path(name);
                case "--forms" -> forms = arguments.forms(name);
                case "--start-of-record" -> startOfRecord = arguments.text(name);
                case "--hash-key-file" -> hashKeyFile = arguments.path(name);
                case "--backend" -> backend = arguments.backend(name);
                case "--parallelism" -> parallelism = arguments.number(name, 1, 1024);
                case "--sample-mb" -> sampleMb = arguments.number(name, 1, 100_000);
                case "--preview" -> preview = true;
                case "--web-ui", "--ui" -> webUiPort = arguments.port(name, 8081);
                default -> arguments.unknown(name, "files are given with --input");
            }
        }
    }
}

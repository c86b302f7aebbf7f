package io.flinkgpu.applications;

import io.flinkgpu.api.BackendChoice;
import io.flinkgpu.applications.Shingles.Unit;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * The command line of {@link NearDuplicates}.
 *
 * @param input empty for made-up news
 * @param rows items of made-up news
 * @param keep how many earlier lines a line is compared with
 * @param parallelism 0 for the environment's own
 */
record DuplicateOptions(
        Optional<Path> input,
        Optional<Path> output,
        int rows,
        Shingles shingles,
        double minScore,
        int k,
        int keep,
        BackendChoice backend,
        int parallelism) {

    static final String USAGE =
            """
            Usage: examples/run near-duplicates [options]

            Compares each line of a stream with the lines before it and prints an alert where one resembles
            an earlier line: its number, that of the earlier line and the score, with tabs between; the most
            alike first, and of two that are equally alike the older one. Without --input the lines are
            made-up news, one in 100 an edited copy of an item that came at most about 1000 before it.

            A line is the set of its shingles: all runs of so many words or bytes. Words are runs of letters
            and digits, in lower case; take bytes for languages that put no blanks between words. A line that
            is shorter than a shingle is one shingle, and one without words is like no other. The score is the
            Jaccard similarity: what is common of all that is in either set. A line of more than 1024 shingles
            is compared by those 1024 that have the smallest hashes, and its score is an estimate.

              --input FILE     a text file in UTF-8
              --output FILE    a new file for the alerts (default: standard output)
              --min-score S    the least score of an alert, 0 to 1 (default: 0.8)
              --k N            earlier lines of an alert, at most (default: 3)
              --shingle N      words or bytes of a shingle (default: 5)
              --unit NAME      what a shingle is a run of: words or bytes (default: words)
              --hash-bits N    bits of a shingle's hash, 10 to 32: of 15 or fewer the search is faster, and
                               different shingles are taken for one more often (default: 32)
              --keep N         a line is compared with so many before it; older ones are deleted
                               (default: 50000)
              --rows N         items of made-up news (default: 20000)
              --backend NAME   auto, cpu or cuda (default: auto)
              --parallelism N  parallel subtasks of the search (default: the number of cores)
              --help           print this
            """;

    /**
     * Reads a command line.
     *
     * @throws UsageException with every error in it
     */
    static DuplicateOptions parse(String... args) throws UsageException {
        Arguments arguments = new Arguments(USAGE, args);
        Parser parser = new Parser(arguments);
        DuplicateOptions options = parser.parse();
        if (options.input.isPresent() && parser.hasRows) {
            arguments.error("option --rows is for made-up news: leave out --rows or --input");
        }
        arguments.check();
        return options;
    }

    private static final class Parser {

        private final Arguments arguments;
        private Optional<Path> input = Optional.empty();
        private Optional<Path> output = Optional.empty();
        private int rows = 20_000;
        private boolean hasRows;
        private int shingle = 5;
        private Unit unit = Unit.WORDS;
        private int hashBits = 32;
        private double minScore = 0.8;
        private int k = 3;
        private int keep = 50_000;
        private BackendChoice backend = BackendChoice.AUTO;
        private int parallelism;

        Parser(Arguments arguments) {
            this.arguments = arguments;
        }

        DuplicateOptions parse() throws UsageException {
            while (arguments.hasNext()) {
                option(arguments.next());
            }
            return new DuplicateOptions(
                    input,
                    output,
                    rows,
                    new Shingles(shingle, unit, hashBits),
                    minScore,
                    k,
                    keep,
                    backend,
                    parallelism);
        }

        private void option(String name) {
            switch (name) {
                case "--input" -> input = arguments.path(name);
                case "--output" -> output = arguments.path(name);
                case "--rows" -> {
                    rows = arguments.number(name, 1, 1_000_000_000);
                    hasRows = true;
                }
                case "--min-score" -> minScore = arguments.decimal(name, 0, 1);
                case "--k" -> k = arguments.number(name, 1, 1_024);
                case "--shingle" -> shingle = arguments.number(name, 1, 1_000);
                case "--unit" -> unit = arguments.word(name, List.of(Unit.values()));
                case "--hash-bits" -> hashBits = arguments.number(name, 10, 32);
                case "--keep" -> keep = arguments.number(name, 1, 10_000_000);
                case "--backend" -> backend = arguments.backend(name);
                case "--parallelism" -> parallelism = arguments.number(name, 1, 1_024);
                default -> arguments.unknown(name, "a file is given with --input");
            }
        }
    }
}

package io.flinkgpu.bench;

import io.flinkgpu.api.BackendChoice;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * What a command line of {@link SearchBench} says.
 *
 * @param axes that are measured; all that {@link SearchBench} has by default if empty
 * @param backends that are measured; those that are there if empty
 * @param documents numbers of them
 * @param skews exponents of Zipf's law that elements follow; 0: all are as frequent
 * @param queries of a batch; 0 for as many as suit the backend
 * @param ks documents that a query asks for; the first where they are not varied
 * @param shards numbers of programs that divide the documents, a thread each
 * @param repeats measured runs after those to warm up
 * @param seconds of a run that is measured over time
 * @param rate changes a second
 * @param queryRate queries a second that a stream is offered; 0 for what suits the backend
 * @param sorted whether documents come in the order of their lengths
 * @param text whether the champion's own program reads text files, too
 * @param lengths histogram of the lengths of a real corpus
 * @param champion what set-search-champion.sh made; null without it
 * @param folder for large files
 * @param output folder for the report and the plot
 * @param quick whether sizes are tiny
 */
record SearchOptions(
        List<String> axes,
        List<BackendChoice> backends,
        long[] documents,
        double[] skews,
        int queries,
        long[] ks,
        long[] shards,
        int repeats,
        int seconds,
        long rate,
        long queryRate,
        boolean sorted,
        boolean text,
        Path lengths,
        Path champion,
        Path folder,
        Path output,
        boolean quick) {

    private static final int MAX_REPEATS = 1_000;

    /**
     * @throws IllegalArgumentException with what is wrong
     */
    static SearchOptions parse(List<String> args) {
        return new Parser(args).parse();
    }

    /** Whether an axis is to be measured that is so without being asked for. */
    boolean wants(String axis) {
        return axes.isEmpty() || axes.contains(axis);
    }

    /** The number of documents that is not varied. */
    long corpus() {
        return documents.length == 0 ? (quick ? 20_000 : 7_853_052) : documents[0];
    }

    /** The numbers of documents where they are varied. */
    long[] corpora() {
        if (documents.length > 0) {
            return documents;
        }
        return quick
                ? new long[] {10_000, 20_000}
                : new long[] {
                    500_000, 1_000_000, 2_000_000, 4_000_000, 7_853_052, 15_000_000, 30_000_000
                };
    }

    /** Queries of a batch for a backend. */
    int queriesFor(BackendChoice backend) {
        if (queries > 0) {
            return queries;
        }
        return quick ? 128 : backend == BackendChoice.CUDA ? 2_000 : 256;
    }

    /** The skew where it is not varied: 1 if it is asked for. */
    double skew() {
        return Arrays.stream(skews).filter(skew -> skew == 1).findAny().orElse(skews[0]);
    }

    /** Queries a second that a stream with a backend is offered. */
    long queryRate(BackendChoice backend) {
        return queryRate > 0 ? queryRate : backend == BackendChoice.CUDA ? 50_000 : 200;
    }

    /** Takes arguments in turn. */
    private static final class Parser {

        private final List<String> args;
        private int at;

        Parser(List<String> args) {
            this.args = args;
        }

        SearchOptions parse() {
            List<String> axes = new ArrayList<>();
            List<BackendChoice> backends = List.of();
            long[] documents = {};
            double[] skews = {0, 0.8, 1, 1.2};
            int queries = 0;
            long[] k = {100};
            long[] shards = {Runtime.getRuntime().availableProcessors()};
            int repeats = 0;
            int seconds = 0;
            long rate = 50_000;
            long queryRate = 0;
            boolean sorted = true;
            boolean text = false;
            boolean quick = false;
            Path lengths = null;
            Path champion = null;
            Path folder = Path.of("/dev/shm");
            Path output = Path.of("bench-report");
            for (; at < args.size(); at++) {
                switch (args.get(at)) {
                    case "--backends" -> backends = backends();
                    case "--documents" -> documents = numbers();
                    case "--skews" ->
                            skews =
                                    Arrays.stream(value().split(","))
                                            .mapToDouble(this::decimal)
                                            .toArray();
                    case "--queries" -> queries = Math.toIntExact(numbers()[0]);
                    case "--k" -> k = numbers();
                    case "--shards" -> shards = numbers();
                    case "--repeats" -> repeats = Math.toIntExact(numbers()[0]);
                    case "--seconds" -> seconds = Math.toIntExact(numbers()[0]);
                    case "--rate" -> rate = numbers()[0];
                    case "--query-rate" -> queryRate = numbers()[0];
                    case "--shuffled" -> sorted = false;
                    case "--text" -> text = true;
                    case "--quick" -> quick = true;
                    case "--lengths" -> lengths = existing();
                    case "--champion" -> champion = existing();
                    case "--folder" -> folder = existing();
                    case "--output" -> output = Path.of(value());
                    default -> axes.add(positional(args.get(at)));
                }
            }
            if (lengths == null) {
                throw new IllegalArgumentException(
                        "documents need the histogram of their lengths: add --lengths FILE");
            }
            return new SearchOptions(
                    List.copyOf(axes),
                    backends,
                    documents,
                    skews,
                    queries,
                    k,
                    shards,
                    Math.min(MAX_REPEATS, repeats > 0 ? repeats : quick ? 2 : 5),
                    seconds > 0 ? seconds : quick ? 2 : 10,
                    rate,
                    queryRate,
                    sorted,
                    text,
                    lengths,
                    champion,
                    folder,
                    output,
                    quick);
        }

        private static String positional(String argument) {
            if (argument.startsWith("--")) {
                throw new IllegalArgumentException(
                        "no such option: '" + argument + "'; --help has them all");
            }
            return argument.toLowerCase(Locale.ROOT);
        }

        private List<BackendChoice> backends() {
            List<BackendChoice> backends = new ArrayList<>();
            for (String name : value().split(",")) {
                backends.add(
                        switch (name) {
                            case "cpu" -> BackendChoice.CPU;
                            case "cuda" -> BackendChoice.CUDA;
                            default ->
                                    throw new IllegalArgumentException(
                                            "no such backend: '" + name + "'; there are cpu, cuda");
                        });
            }
            return backends;
        }

        private long[] numbers() {
            return Arrays.stream(value().replace("_", "").split(","))
                    .mapToLong(number -> (long) decimal(number))
                    .toArray();
        }

        private double decimal(String number) {
            try {
                return Double.parseDouble(number);
            } catch (NumberFormatException e) {
                throw new IllegalArgumentException(
                        "an option must have numbers, with commas: option='"
                                + args.get(at - 1)
                                + "', value='"
                                + args.get(at)
                                + "'; write them in digits",
                        e);
            }
        }

        private Path existing() {
            Path path = Path.of(value());
            if (!Files.exists(path)) {
                throw new IllegalArgumentException(
                        "no such file or folder: option='"
                                + args.get(at - 1)
                                + "', path='"
                                + path
                                + "'");
            }
            return path;
        }

        private String value() {
            if (at + 1 == args.size()) {
                throw new IllegalArgumentException(
                        "an option lacks its value: option='" + args.get(at) + "'; add it");
            }
            return args.get(++at);
        }
    }
}

package io.flinkgpu.bench;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The peers that are at hand, beside ours in the same run: {@code java.util.regex} with the same rules,
 * plain Flink jobs, libcudf and stand-alone programs of the one billion row challenge. Writes {@value
 * #JSON} after each figure, and says which peers were left out and why. {@code --help} has the options.
 */
public final class Peers {

    static final String JSON = "peers.json";

    private static final String HELP =
            """
            usage: peers [PEER ...] [--input FOLDER] [--output FOLDER] [--quick]
                         [--cudf JAR] [--measurements FILE] [--one-brc FOLDER] [--sql FOLDER]

            Without a PEER all are measured, in this order:
              regex       java.util.regex: the default rules as one alternation
              windows     Flink's own window operator
              lines       the straightforward Flink job on lines of measurements
              expression  methods of String: an expression over single records
              redaction   libcudf's regular expressions, one after the other; needs --cudf
              names       libcudf's string calls; needs --cudf
              groups      libcudf's group-by; needs --cudf
              stations    our job on a file of measurements beside programs of the one billion row
                          challenge, with --one-brc, and libcudf's CSV reader and group-by, with --cudf
              sql         Flink's own plans of a window and of two expressions; needs --sql

              --cudf JAR           ai.rapids:cudf:26.08.1, classifier cuda13, from Maven Central
              --sql FOLDER         of the planner's programs, as the bundle has it
              --one-brc FOLDER     what one-brc.sh made: programs fetched from their public repository
              --measurements FILE  lines station;-12.3; a file of 100 million is made without it
              --input FOLDER       its *.log files are the lines; made-up lines without it
              --output FOLDER      for peers.json; default: bench-report
              --quick              tiny sizes, one run: shows that all works, its figures mean nothing
            """;

    private static final Set<String> NAMES =
            new LinkedHashSet<>(
                    List.of(
                            "regex",
                            "windows",
                            "lines",
                            "expression",
                            "redaction",
                            "names",
                            "groups",
                            "stations",
                            "sql"));

    private static final Set<String> OWN_OPTIONS =
            Set.of("--measurements", "--one-brc", "--cudf", "--sql");

    private static final Set<String> OF_CUDF = Set.of("redaction", "names", "groups", "stations");
    private static final int EXPRESSION_ROUNDS = 9;
    private static final int EXPRESSION_RUNS = 30;

    private final Lab lab;
    private final Map<String, Path> own;
    private final Set<String> wanted;
    private final PrintStream err;
    private int failed;

    private Peers(Lab lab, Map<String, Path> own, PrintStream err) {
        this.lab = lab;
        this.own = own;
        this.err = err;
        wanted = lab.settings().axes().isEmpty() ? NAMES : lab.settings().axes();
    }

    /** Some figures. */
    @FunctionalInterface
    private interface Peer {
        void run() throws Exception;
    }

    /** Ends with 0 when all at hand is measured, 1 when something failed, 2 for a mistake. */
    public static void main(String[] args) {
        System.exit(run(args, System.out, System.err));
    }

    static int run(String[] args, PrintStream out, PrintStream err) {
        try {
            if (List.of(args).contains("--help")) {
                out.print(HELP);
                return 0;
            }
            Map<String, Path> own = new HashMap<>();
            Settings settings = Settings.parse(others(args, own), NAMES);
            Files.createDirectories(settings.output());
            try (Lab lab = new Lab(settings, out)) {
                Report head = Bench.head("peers " + String.join(" ", args), lab);
                out.println(head.hardware());
                lab.keepIn(figures -> head.with(figures).write(settings.output().resolve(JSON)));
                return new Peers(lab, own, err).measure();
            }
        } catch (IllegalArgumentException e) {
            err.println("peers: " + e.getMessage());
            return 2;
        } catch (Exception e) {
            e.printStackTrace(err);
            return 1;
        }
    }

    /** Takes the options that only this command has. */
    private static String[] others(String[] args, Map<String, Path> own) throws IOException {
        List<String> others = new ArrayList<>();
        for (int i = 0; i < args.length; i++) {
            if (!OWN_OPTIONS.contains(args[i])) {
                others.add(args[i]);
            } else if (i + 1 == args.length || !Files.exists(Path.of(args[i + 1]))) {
                throw new IllegalArgumentException(
                        "no such file or folder: " + String.join(" ", args) + ", at " + args[i]);
            } else {
                own.put(args[i], Path.of(args[++i]).toRealPath());
            }
        }
        return others.toArray(new String[0]);
    }

    private int measure() throws Exception {
        attempt("regex", () -> RegexPeer.run(lab));
        attempt("windows", () -> WindowPeer.run(lab));
        attempt("lines", () -> PlainFlinkPeer.run(lab));
        attempt("expression", () -> expression(lab));
        Optional<CudfProcess> cudf =
                wanted.stream().anyMatch(OF_CUDF::contains) ? cudf() : Optional.empty();
        if (cudf.isPresent()) {
            CudfTextPeer text = new CudfTextPeer(lab, cudf.get());
            attempt("redaction", text::redaction);
            attempt("names", text::names);
            attempt("groups", () -> CudfGroupsPeer.run(lab, cudf.get()));
        }
        attempt("stations", () -> stations(cudf));
        if (own.containsKey("--sql")) {
            attempt("sql", new SqlPeer(lab, own.get("--sql"))::run);
        } else if (wanted.contains("sql")) {
            lab.say("left out: SQL; add --sql FOLDER of the bundle");
        }
        return failed;
    }

    /** One name by another and its first letter, of records of two texts. */
    static void expression(Lab lab) throws Exception {
        double[][] nanos =
                TransformRatios.rows(
                        TransformBenchmark.Transform.NAMES,
                        lab.settings().pick(EXPRESSION_ROUNDS, 1),
                        lab.settings().pick(EXPRESSION_RUNS, 1));
        Map<String, Long> at = Map.of("records", (long) RowTransformBenchmark.ROWS);
        lab.add(Figure.of("expression-records", Engines.CPU, at, "ns/record", nanos[0]));
        lab.add(Figure.of("expression-records", "java", at, "ns/record", nanos[1]));
    }

    private void stations(Optional<CudfProcess> cudf) throws Exception {
        Optional<Path> measurements = Optional.ofNullable(own.get("--measurements"));
        Optional<Path> programs = Optional.ofNullable(own.get("--one-brc"));
        if (programs.isEmpty()) {
            lab.say("left out: stand-alone programs; add --one-brc FOLDER of one-brc.sh");
        }
        StationsPeers.run(lab, measurements, programs, cudf);
    }

    private Optional<CudfProcess> cudf() throws Exception {
        if (lab.gpu().isEmpty() || !own.containsKey("--cudf")) {
            lab.say(
                    "left out: libcudf; "
                            + (lab.gpu().isEmpty() ? "there is no GPU" : "add --cudf JAR"));
            return Optional.empty();
        }
        return Optional.of(new CudfProcess(lab, own.get("--cudf")));
    }

    /** Measures a peer that is wanted; what fails does not keep the others from being measured. */
    private void attempt(String name, Peer peer) {
        if (!wanted.contains(name)) {
            return;
        }
        long start = System.nanoTime();
        try {
            peer.run();
        } catch (Exception | AssertionError e) {
            err.println("peers: a peer failed, the others go on: peer=" + name);
            e.printStackTrace(err);
            failed = 1;
        }
        double seconds = (System.nanoTime() - start) / 1e9;
        lab.say(String.format(Locale.ROOT, "peer %s took %.1f s", name, seconds));
    }
}

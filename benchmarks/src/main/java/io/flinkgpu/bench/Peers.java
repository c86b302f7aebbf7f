package io.flinkgpu.bench;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
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
                         [--cudf JAR] [--measurements FILE] [--one-brc FOLDER]

            Without a PEER all are measured, in this order:
              regex     java.util.regex: the default rules as one alternation
              windows   Flink's own window operator
              lines     the straightforward Flink job on lines of measurements
              cudf      libcudf: regular expressions, string calls, group-by; needs --cudf
              stations  our job on a file of measurements beside programs of the one billion row
                        challenge, with --one-brc, and libcudf's CSV reader and group-by, with --cudf

              --cudf JAR           ai.rapids:cudf:26.08.1, classifier cuda13, from Maven Central
              --one-brc FOLDER     what one-brc.sh made: programs fetched from their public repository
              --measurements FILE  lines station;-12.3; a file of 100 million is made without it
              --input FOLDER       its *.log files are the lines; made-up lines without it
              --output FOLDER      for peers.json; default: bench-report
              --quick              tiny sizes, one run: shows that all works, its figures mean nothing
            """;

    private static final Set<String> NAMES =
            new LinkedHashSet<>(List.of("regex", "windows", "lines", "cudf", "stations"));

    private static final Set<String> OWN_OPTIONS = Set.of("--measurements", "--one-brc", "--cudf");

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
            String started = Instant.now().truncatedTo(ChronoUnit.SECONDS).toString();
            try (Lab lab = new Lab(settings, out)) {
                Report head = Bench.head(settings, "peers " + String.join(" ", args), started, lab);
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
        if (wanted.contains("regex")) {
            attempt("regex", () -> RegexPeer.run(lab));
        }
        if (wanted.contains("windows")) {
            attempt("windows", () -> WindowPeer.run(lab));
        }
        if (wanted.contains("lines")) {
            attempt("lines", () -> PlainFlinkPeer.run(lab));
        }
        boolean stations = wanted.contains("stations");
        boolean wantsCudf = wanted.contains("cudf");
        Optional<CudfProcess> cudf = stations || wantsCudf ? cudf() : Optional.empty();
        if (wantsCudf && cudf.isPresent()) {
            CudfTextPeer text = new CudfTextPeer(lab, cudf.get());
            attempt("cudf, redaction", text::redaction);
            attempt("cudf, names", text::names);
            attempt("cudf, groups", () -> CudfGroupsPeer.run(lab, cudf.get()));
        }
        if (stations) {
            Optional<Path> measurements = Optional.ofNullable(own.get("--measurements"));
            Optional<Path> programs = Optional.ofNullable(own.get("--one-brc"));
            if (programs.isEmpty()) {
                lab.say("left out: stand-alone programs; add --one-brc FOLDER of one-brc.sh");
            }
            attempt("stations", () -> StationsPeers.run(lab, measurements, programs, cudf));
        }
        return failed;
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

    /** Measures; what fails does not keep the others from being measured. */
    private void attempt(String name, Peer peer) {
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

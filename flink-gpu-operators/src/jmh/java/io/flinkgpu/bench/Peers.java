package io.flinkgpu.bench;

import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The peers that are at hand, beside ours in the same run: {@code java.util.regex} with the same rules,
 * plain Flink jobs and
 * stand-alone programs of the one billion row challenge. Writes {@value
 * #JSON}, and says which peers were left out and why.
 *
 * <pre>
 *   peers [regex] [windows] [stations] [--input FOLDER] [--output FOLDER] [--quick]
 *         [--measurements FILE] [--one-brc FOLDER]
 * </pre>
 *
 * {@code --one-brc} names what {@code one-brc.sh} made, {@code --measurements} a file of lines {@code
 * station;-12.3}; {@code examples/run generate-measurements} makes them.
 */
public final class Peers {

    static final String JSON = "peers.json";

    private static final Set<String> NAMES =
            new LinkedHashSet<>(List.of("regex", "windows", "stations"));

    private static final Set<String> OWN_OPTIONS = Set.of("--measurements", "--one-brc");

    private Peers() {}

    /** Ends with 0 when all at hand is measured, 1 when something failed, 2 for a mistake. */
    public static void main(String[] args) {
        System.exit(run(args, System.out, System.err));
    }

    private static int run(String[] args, PrintStream out, PrintStream err) {
        try {
            Map<String, Path> own = new HashMap<>();
            Settings settings = Settings.parse(others(args, own), NAMES);
            measure(settings, own, String.join(" ", args), out);
            return 0;
        } catch (IllegalArgumentException e) {
            err.println("peers: " + e.getMessage());
            return 2;
        } catch (Exception e) {
            e.printStackTrace(err);
            return 1;
        }
    }

    /** Takes the options that only this command has. */
    private static String[] others(String[] args, Map<String, Path> own) {
        List<String> others = new ArrayList<>();
        for (int i = 0; i < args.length; i++) {
            if (!OWN_OPTIONS.contains(args[i])) {
                others.add(args[i]);
            } else if (i + 1 == args.length || !Files.exists(Path.of(args[i + 1]))) {
                throw new IllegalArgumentException(
                        "no such file or folder: " + String.join(" ", args) + ", at " + args[i]);
            } else {
                own.put(args[i], Path.of(args[++i]));
            }
        }
        return others.toArray(new String[0]);
    }

    private static void measure(
            Settings settings, Map<String, Path> own, String args, PrintStream out)
            throws Exception {
        Files.createDirectories(settings.output());
        String started = Instant.now().truncatedTo(ChronoUnit.SECONDS).toString();
        try (Lab lab = new Lab(settings, out)) {
            Report head = Bench.head(settings, "peers " + args, started, lab);
            out.println(head.hardware());
            lab.keepIn(figures -> head.with(figures).write(settings.output().resolve(JSON)));
            Set<String> wanted = settings.axes().isEmpty() ? NAMES : settings.axes();
            if (wanted.contains("regex")) {
                RegexPeer.run(lab);
            }
            if (wanted.contains("windows")) {
                WindowPeer.run(lab);
            }
            if (wanted.contains("stations")) {
                new StationsPeers(
                                lab,
                                Optional.ofNullable(own.get("--measurements")),
                                Optional.ofNullable(own.get("--one-brc")))
                        .run();
            }
            out.println("left out: libcudf; kernels/bench/CudfNameRedaction.java shows how to call it");
        }
    }
}

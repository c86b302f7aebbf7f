package io.flinkgpu.applications.kafka;

import org.apache.flink.util.FileUtils;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Random;

/**
 * Everything that may happen to a cluster happens to the Kafka job, at a fixed rate of messages; the answer
 * is a table of what was lost, came twice or was not redacted. Of its own process: {@code main}.
 */
final class FailureMatrix {

    private static final String HELP =
            """
            usage: matrix [RATE [FAULT ..]]  each fault once, RATE messages a second (default: 1000)
                   soak MINUTES [RATE]       a random fault each 30 s
            """;

    private static final int STATE_MEGABYTES = 64;
    private static final Duration BETWEEN_FAULTS = Duration.ofSeconds(30);

    private final Path folder;
    private final PrintStream out;
    private final Random random;

    /**
     * @param folder is there, and empty
     */
    FailureMatrix(Path folder, long seed, PrintStream out) {
        this.folder = folder;
        this.out = out;
        this.random = new Random(seed);
    }

    /** Ends with 0 if all results were right, 2 for a mistake of the caller. */
    public static void main(String[] args) throws Exception {
        boolean soak = args.length >= 2 && args[0].equals("soak");
        if (!soak && (args.length < 1 || !args[0].equals("matrix"))) {
            System.err.print(HELP);
            System.exit(2);
        }
        int rateAt = soak ? 2 : 1;
        int perSecond = args.length > rateAt ? Integer.parseInt(args[rateAt]) : 1000;
        Path folder = Files.createTempDirectory("failures");
        long seed = System.nanoTime();
        System.out.println("seed " + seed + ", logs in " + folder);
        FailureMatrix matrix = new FailureMatrix(folder, seed, System.out);
        boolean right;
        if (soak) {
            right = matrix.soak(Duration.ofMinutes(Integer.parseInt(args[1])), perSecond);
        } else {
            List<Fault> named = Arrays.stream(args).skip(2).map(Fault::valueOf).toList();
            right = matrix.run(named.isEmpty() ? List.of(Fault.values()) : named, perSecond);
        }
        if (right) {
            FileUtils.deleteDirectory(folder.toFile());
        }
        System.exit(right ? 0 : 1);
    }

    /** Each fault once; returns whether nothing was lost, came twice or was not redacted. */
    boolean run(List<Fault> faults, int perSecond) throws Exception {
        try (SmallDisk state = SmallDisk.of(folder.resolve("state"), STATE_MEGABYTES);
                Scene scene = new Scene(folder, state.folder(), 2, perSecond)) {
            scene.awaitFirst();
            out.println(
                    "| fault | messages meanwhile | all out after | lost | twice | unredacted |");
            out.println("|---|---|---|---|---|---|");
            for (Fault fault : faults) {
                if (fault == Fault.DISK_FULL && !state.isSmall()) {
                    out.printf("| %s | skipped: %s |%n", fault.description(), state.problem());
                } else {
                    inject(fault, scene, state.folder());
                }
            }
            return end(scene);
        }
    }

    /** Faults at random, each some time after the other; returns as {@link #run} does. */
    boolean soak(Duration duration, int perSecond) throws Exception {
        try (SmallDisk state = SmallDisk.of(folder.resolve("state"), STATE_MEGABYTES);
                Scene scene = new Scene(folder, state.folder(), 2, perSecond)) {
            scene.awaitFirst();
            List<Fault> faults = new ArrayList<>(List.of(Fault.values()));
            if (!state.isSmall()) {
                faults.remove(Fault.DISK_FULL);
            }
            out.println(
                    "| fault | messages meanwhile | all out after | lost | twice | unredacted |");
            out.println("|---|---|---|---|---|---|");
            long end = System.nanoTime() + duration.toNanos();
            while (System.nanoTime() < end) {
                long next = System.nanoTime() + BETWEEN_FAULTS.toNanos();
                inject(faults.get(random.nextInt(faults.size())), scene, state.folder());
                scene.read(Duration.ofNanos(Math.max(0, next - System.nanoTime())));
            }
            return end(scene);
        }
    }

    private void inject(Fault fault, Scene scene, Path state) throws Exception {
        long before = scene.sent();
        fault.inject(scene, state, random);
        long start = System.nanoTime();
        long sent = scene.sent();
        scene.awaitAll();
        Ledger ledger = scene.ledger();
        out.printf(
                Locale.ROOT,
                "| %s | %,d | %.1f s | %d | %d | %d |%n",
                fault.description(),
                sent - before,
                (System.nanoTime() - start) / 1e9,
                ledger.lost(sent),
                ledger.twice(),
                ledger.unredacted());
    }

    private boolean end(Scene scene) throws Exception {
        scene.end();
        long sent = scene.sent();
        Ledger ledger = scene.ledger();
        boolean counts = ledger.counted().equals(Ledger.counted(sent));
        boolean deadLetters = ledger.deadLetters() == Ledger.deadLetters(sent);
        out.printf(
                Locale.ROOT,
                "%,d messages: %,d redacted, %d lost, %d twice, %d unredacted, %d changed;"
                        + " %d dead letters%s; windows%s%n",
                sent,
                ledger.count(),
                ledger.lost(sent),
                ledger.twice(),
                ledger.unredacted(),
                ledger.changed(),
                ledger.deadLetters(),
                deadLetters ? ", all that there have to be" : ", WRONG",
                counts ? " count each message once" : " WRONG: " + ledger.counted());
        return counts
                && deadLetters
                && ledger.lost(sent) == 0
                && ledger.twice() == 0
                && ledger.unredacted() == 0
                && ledger.changed() == 0;
    }

    /** A folder that can be filled, where the machine allows one to be made. */
    private record SmallDisk(Path folder, String problem) implements AutoCloseable {

        static SmallDisk of(Path folder, int megabytes) throws IOException, InterruptedException {
            Files.createDirectory(folder);
            Process mount =
                    run(
                            "mount",
                            "-t",
                            "tmpfs",
                            "-o",
                            "size=" + megabytes + "m",
                            "none",
                            folder.toString());
            return new SmallDisk(
                    folder, mount.waitFor() == 0 ? null : "no tmpfs can be mounted by this user");
        }

        boolean isSmall() {
            return problem == null;
        }

        @Override
        public void close() throws IOException {
            if (isSmall()) {
                run("umount", "-l", folder.toString()).onExit().join();
            }
        }

        private static Process run(String... command) throws IOException {
            return new ProcessBuilder(command)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
        }
    }
}

package io.flinkgpu.manykeys;

import org.apache.flink.configuration.Configuration;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.core.execution.SavepointFormatType;

import java.io.PrintStream;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;

/** A job with 2 subtasks, then 4, then 1, from three kinds of snapshots. */
final class Rescale {

    private static final int MORE_PARTS = 5;

    private Rescale() {}

    /** A way out of a job. */
    private enum Snapshot {
        CANONICAL,
        NATIVE,
        CHECKPOINT
    }

    static void run(Backend backend, int keys, Path folder, PrintStream out) throws Exception {
        for (Snapshot snapshot : Snapshot.values()) {
            run(backend, snapshot, keys, folder.resolve(snapshot.name()), out);
        }
    }

    private static void run(
            Backend backend, Snapshot snapshot, int keys, Path folder, PrintStream out)
            throws Exception {
        long more = keys / MORE_PARTS;
        // One window, so that all is in state.
        ManyKeys rows =
                new ManyKeys(7, keys, 0, true, "sensor-", keys + 3 * more, 1000, 1 << 30, 1 << 30);
        try (Held held = new Held(rows, backend.cluster(folder))) {
            Configuration config = backend.configuration(folder, Duration.ofDays(1));
            String from = null;
            long[] let = {keys + more, more, more};
            int[] parallelism = {2, 4, 1};
            for (int i = 0; i < let.length; i++) {
                long start = System.nanoTime();
                JobClient job = held.start(config, parallelism[i], from, 2L << 30);
                out.printf(
                        "%s %s keys=%d parallelism=%d: runs after %.2f s%n",
                        backend, snapshot, keys, parallelism[i], seconds(start));
                Gate.open(i == let.length - 1 ? Gate.ALL : let[i]);
                if (i == let.length - 1) {
                    job.getJobExecutionResult().get();
                } else {
                    Gate.await();
                    settle();
                    start = System.nanoTime();
                    try {
                        from = take(held, job, snapshot, folder);
                    } catch (ExecutionException e) {
                        held.throwFailure(job);
                        throw e;
                    }
                    out.printf(
                            "%s %s keys=%d parallelism=%d: snapshot %.2f s, %.1f MB%n",
                            backend,
                            snapshot,
                            keys,
                            parallelism[i],
                            seconds(start),
                            Held.bytes(Path.of(URI.create(from))) / 1e6
                                    + (snapshot == Snapshot.CHECKPOINT
                                            ? shared(Path.of(URI.create(from))) / 1e6
                                            : 0));
                }
            }
            String difference = held.results().differenceFrom(Results.expected(rows));
            out.printf(
                    "%s %s keys=%d: results=%d %s%n",
                    backend, snapshot, keys, held.results().size(), difference);
            if (!difference.isEmpty() || held.results().repeated() > 0) {
                throw new IllegalStateException(difference + held.results().repeated());
            }
        }
    }

    private static long shared(Path checkpoint) throws Exception {
        return Held.bytes(checkpoint.resolveSibling("shared"));
    }

    /** Rows on their way are not to count as time of the snapshot. */
    private static void settle() throws InterruptedException {
        TimeUnit.SECONDS.sleep(2);
    }

    private static String take(Held held, JobClient job, Snapshot snapshot, Path folder)
            throws Exception {
        String to = folder.resolve("savepoints").toUri().toString();
        switch (snapshot) {
            case CANONICAL -> {
                return job.stopWithSavepoint(false, to, SavepointFormatType.CANONICAL).get();
            }
            case NATIVE -> {
                return job.stopWithSavepoint(false, to, SavepointFormatType.NATIVE).get();
            }
            case CHECKPOINT -> {
                String path = held.cluster().triggerCheckpoint(job.getJobID()).get();
                job.cancel().get();
                return path;
            }
        }
        throw new IllegalStateException("no such snapshot: " + snapshot);
    }

    static double seconds(long since) {
        return (System.nanoTime() - since) / 1e9;
    }
}

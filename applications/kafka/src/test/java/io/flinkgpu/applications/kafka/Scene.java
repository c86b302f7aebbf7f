package io.flinkgpu.applications.kafka;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A broker, a cluster of three TaskManagers, the job that runs there, what is sent to it, and the audit of
 * what comes out. Faults happen to it one at a time.
 */
final class Scene implements AutoCloseable {

    private static final Duration LIMIT = Duration.ofMinutes(4);
    private static final int MAX_RECORD_BYTES = 5_000;

    private final Path folder;
    private final KafkaBroker broker;
    private final FlinkCluster cluster;
    private final RunningJob job;
    private final Outputs outputs;
    private final AtomicLong sent = new AtomicLong();
    private final int perSecond;
    private final CompletableFuture<Void> sending;
    private volatile long startNanos;
    private volatile boolean ending;

    /**
     * Starts all of it.
     *
     * @param folder is there, and empty
     * @param state where checkpoints go; there, and empty
     * @param perSecond messages to send
     */
    Scene(Path folder, Path state, int parallelism, int perSecond) throws Exception {
        this.folder = folder;
        this.perSecond = perSecond;
        broker = KafkaBroker.start(Files.createDirectory(folder.resolve("kafka")));
        cluster = new FlinkCluster(Files.createDirectory(folder.resolve("flink")), state);
        try {
            Topics topics = Topics.DEFAULT;
            topics.create(broker.bootstrapServers(), 5);
            for (int i = 0; i < 3; i++) {
                cluster.startTaskManager();
            }
            job = new RunningJob(cluster, broker.bootstrapServers(), topics, MAX_RECORD_BYTES);
            job.submit(parallelism, null);
            outputs = new Outputs(broker.bootstrapServers(), topics);
        } catch (Exception e) {
            cluster.close();
            broker.close();
            throw e;
        }
        sending = CompletableFuture.runAsync(this::send);
    }

    private void send() {
        startNanos = System.nanoTime();
        try {
            new GeneratedMessages(MAX_RECORD_BYTES, Ledger::timestampMillis)
                    .send(
                            broker.bootstrapServers(),
                            Topics.DEFAULT.input(),
                            0,
                            perSecond,
                            number -> {
                                sent.set(number);
                                return !ending;
                            });
        } catch (ExecutionException | InterruptedException e) {
            throw new CompletionException(e);
        }
    }

    KafkaBroker broker() {
        return broker;
    }

    FlinkCluster cluster() {
        return cluster;
    }

    RunningJob job() {
        return job;
    }

    /** Messages that were given to the broker, or are on their way there. */
    long sent() {
        return sent.get();
    }

    /** When a message was to be sent, by the clock of {@link System#nanoTime}. */
    long dueNanos(long number) {
        return startNanos + number * 1_000_000_000L / perSecond;
    }

    Ledger ledger() {
        return outputs.ledger();
    }

    /** Waits until everything is out that was sent up to now; fails if that takes minutes. */
    void awaitAll() throws Exception {
        long end = sent.get();
        boolean out =
                outputs.await(
                        () -> sending.isCompletedExceptionally() || outputs.ledger().hasAll(end),
                        LIMIT);
        if (sending.isCompletedExceptionally()) {
            sending.join();
        }
        if (!out) {
            throw new IOException(
                    outputs.ledger().lost(end)
                            + " messages of "
                            + end
                            + " are not out after "
                            + LIMIT
                            + ", of which the job's topic has "
                            + lostOfInput(end)
                            + ": see the logs in "
                            + folder);
        }
    }

    /** How many messages that are not out were given to the job: the others are the sender's fault. */
    private long lostOfInput(long end) throws Exception {
        AtomicLong count = new AtomicLong();
        try (CommittedRecords input =
                new CommittedRecords(broker.bootstrapServers(), Topics.DEFAULT.input())) {
            input.readToEnd(
                    record -> {
                        int number = Ledger.number(record);
                        if (number < end && outputs.ledger().misses(number)) {
                            count.incrementAndGet();
                        }
                    });
        }
        return count.get();
    }

    /** Waits until something has come out. */
    void awaitFirst() throws IOException {
        if (!outputs.await(() -> outputs.ledger().count() > 0, LIMIT)) {
            throw new IOException("nothing is out after " + LIMIT + ": see the logs in " + folder);
        }
    }

    /** Reads what comes out meanwhile. */
    void read(Duration duration) {
        outputs.await(() -> false, duration);
    }

    /** Moves the job to another parallelism by a savepoint. */
    void rescale(int parallelism) throws Exception {
        job.submit(parallelism, job.stop(folder.resolve("savepoints"), false));
    }

    /** Ends sending, lets all windows fire, and reads everything. */
    void end() throws Exception {
        ending = true;
        sending.get();
        awaitAll();
        job.stop(folder.resolve("savepoints"), true);
        outputs.readToEnd();
    }

    @Override
    public void close() {
        ending = true;
        outputs.close();
        job.close();
        cluster.close();
        broker.close();
    }
}

package io.flinkgpu.applications.kafka;

import org.apache.kafka.clients.consumer.ConsumerRecord;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/**
 * Notes each second what comes out of a {@link Scene}, how late, and the memory of its processes; a thread
 * and a consumer of its own, so that faults do not hold it up. Latency counts from when a message was due to
 * be sent at the fixed rate, so that a broker that is away is counted as well.
 */
final class SoakWatch implements AutoCloseable {

    /**
     * A second.
     *
     * @param second since the watch started
     * @param sent messages that were sent in it
     * @param committed messages that were read in it
     * @param medianMillis latency of those; 0 if there are none, like the next
     * @param maxMillis the longest of them
     * @param jobManagerBytes resident memory, like the next ones
     */
    record Sample(
            long second,
            long sent,
            long committed,
            long medianMillis,
            long maxMillis,
            long taskManagersBytes,
            long jobManagerBytes,
            long brokerBytes) {

        static final String HEADER =
                "second\tsent\tcommitted\tmedianMillis\tmaxMillis\ttaskManagersBytes\tjobManagerBytes\tbrokerBytes";

        String line() {
            return String.format(
                    Locale.ROOT,
                    "%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d",
                    second,
                    sent,
                    committed,
                    medianMillis,
                    maxMillis,
                    taskManagersBytes,
                    jobManagerBytes,
                    brokerBytes);
        }
    }

    /** When something happened. */
    record Mark(long second, Fault fault) {}

    private final Scene scene;
    private final long start = System.nanoTime();
    private final List<Sample> samples = new ArrayList<>();
    private final List<Mark> marks = new ArrayList<>();
    private final CompletableFuture<Void> watching;
    private LongStream.Builder latencies = LongStream.builder();
    private long sentBefore;
    private volatile boolean ending;

    SoakWatch(Scene scene) {
        this.scene = scene;
        watching = CompletableFuture.runAsync(this::watch);
    }

    /** Notes a fault that happens now. */
    void mark(Fault fault) {
        synchronized (marks) {
            marks.add(new Mark(second(), fault));
        }
    }

    private long second() {
        return TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - start);
    }

    private void watch() {
        try (CommittedRecords records =
                new CommittedRecords(
                        scene.broker().bootstrapServers(), Topics.DEFAULT.redacted())) {
            while (!ending) {
                latencies = LongStream.builder();
                long second = second();
                while (second() == second) {
                    records.poll(this::read);
                }
                take(second);
            }
        }
    }

    private void read(ConsumerRecord<byte[], byte[]> record) {
        long number =
                ByteBuffer.wrap(
                                record.headers()
                                        .lastHeader(GeneratedMessages.NUMBER_HEADER)
                                        .value())
                        .getLong();
        long late = System.nanoTime() - scene.dueNanos(number);
        latencies.add(TimeUnit.NANOSECONDS.toMillis(late));
    }

    private void take(long second) {
        long[] millis = latencies.build().sorted().toArray();
        long sent = scene.sent();
        samples.add(
                new Sample(
                        second,
                        sent - sentBefore,
                        millis.length,
                        millis.length == 0 ? 0 : millis[millis.length / 2],
                        Arrays.stream(millis).max().orElse(0),
                        resident(scene.cluster().pids("taskmanager-")),
                        resident(scene.cluster().pids("jobmanager")),
                        resident(List.of(scene.broker().pid()))));
        sentBefore = sent;
    }

    private static long resident(List<Long> pids) {
        return pids.stream().mapToLong(SoakWatch::resident).sum();
    }

    /** 0 for a process that is gone, or where there is no /proc. */
    private static long resident(long pid) {
        Path status = Path.of("/proc/" + pid + "/status");
        try (Stream<String> lines = Files.lines(status)) {
            return lines.filter(line -> line.startsWith("VmRSS:"))
                    .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")) << 10)
                    .sum();
        } catch (IOException | UncheckedIOException e) {
            return 0;
        }
    }

    /** Ends; returns what was noted, but for the last second. */
    List<Sample> samples() {
        ending = true;
        watching.join();
        return samples;
    }

    List<Mark> marks() {
        synchronized (marks) {
            return List.copyOf(marks);
        }
    }

    @Override
    public void close() {
        ending = true;
        watching.exceptionally(failure -> null).join();
    }
}

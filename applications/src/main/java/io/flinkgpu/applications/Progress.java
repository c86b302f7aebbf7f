package io.flinkgpu.applications;

import org.apache.flink.api.common.JobExecutionResult;
import org.apache.flink.core.execution.JobClient;

import java.io.PrintStream;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** One line on a terminal, rewritten while a job runs and removed at the end. */
final class Progress implements AutoCloseable {

    private static final long PERIOD_MILLIS = 250;
    private static final String START_OF_LINE = "\r\u001b[K";

    private final JobClient job;
    private final long totalBytes;
    private final PrintStream terminal;
    private final ScheduledExecutorService timer =
            Executors.newSingleThreadScheduledExecutor(
                    task -> {
                        Thread thread = new Thread(task, "progress");
                        thread.setDaemon(true);
                        return thread;
                    });

    /** When the last look before the first bytes was taken; timer thread only. */
    private long startNanos = System.nanoTime();

    /** Follows a job until {@link #close()}. */
    Progress(JobClient job, long totalBytes, PrintStream terminal) {
        this.job = job;
        this.totalBytes = totalBytes;
        this.terminal = terminal;
        timer.scheduleWithFixedDelay(
                this::update, PERIOD_MILLIS, PERIOD_MILLIS, TimeUnit.MILLISECONDS);
    }

    /** Waits for the end of the job. */
    JobExecutionResult awaitJob() throws InterruptedException, ExecutionException {
        return job.getJobExecutionResult().get();
    }

    private void update() {
        try {
            Map<String, Object> counters =
                    job.getAccumulators().get(PERIOD_MILLIS, TimeUnit.MILLISECONDS);
            long now = System.nanoTime();
            if (counters.get(Counters.BYTES) instanceof Long bytes && bytes > 0) {
                double seconds = (now - startNanos) / 1e9;
                terminal.print(START_OF_LINE + line(bytes, totalBytes, seconds));
                terminal.flush();
            } else {
                startNanos = now;
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException | TimeoutException e) {
            // The job is starting or ending and has no counters to show; its result tells the rest.
            return;
        }
    }

    /** Bytes done, share, mean rate and the time left at that rate. */
    static String line(long bytes, long totalBytes, double seconds) {
        double bytesPerSecond = bytes / seconds;
        long secondsLeft = Math.round(Math.max(0, totalBytes - bytes) / bytesPerSecond);
        return String.format(
                Locale.ROOT,
                "%.1f of %.1f MB  %d%%  %.2f GB/s  ETA %d:%02d",
                bytes / 1e6,
                totalBytes / 1e6,
                Math.min(100, 100 * bytes / Math.max(1, totalBytes)),
                bytesPerSecond / 1e9,
                secondsLeft / 60,
                secondsLeft % 60);
    }

    @Override
    public void close() {
        timer.shutdownNow();
        try {
            timer.awaitTermination(1, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        terminal.print(START_OF_LINE);
        terminal.flush();
    }
}

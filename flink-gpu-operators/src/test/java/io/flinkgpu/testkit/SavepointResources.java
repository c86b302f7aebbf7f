package io.flinkgpu.testkit;

import org.apache.flink.api.common.eventtime.SerializableTimestampAssigner;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.functions.MapFunction;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.MemorySize;
import org.apache.flink.configuration.PipelineOptions;
import org.apache.flink.configuration.StateBackendOptions;
import org.apache.flink.configuration.StateRecoveryOptions;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.core.execution.SavepointFormatType;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Savepoints of jobs that ask while something changes, in event time: taken in the middle, kept as resources of
 * the commit that wrote them, and gone on from. What came out before is beside each. One job at a time.
 */
public final class SavepointResources {

    public static final int DISORDER_MILLIS = 20;

    /** No limit of a rate. */
    public static final int UNLIMITED = 1 << 30;

    private static final int PER_SECOND = 300;

    /** What came out of the job, a text for each question. */
    private static final Queue<String> RESULTS = new ConcurrentLinkedQueue<>();

    private static final AtomicInteger ASKED = new AtomicInteger();

    private SavepointResources() {}

    /** Starts the job. */
    @FunctionalInterface
    public interface Job {

        /**
         * @param perSecond questions a second, at most
         */
        JobClient start(StreamExecutionEnvironment env, int perSecond) throws Exception;
    }

    /**
     * Writes the resources into a folder, which is there and is named as the commit. To be run at the commit that
     * they are of. On rocksdb they are in its own format.
     *
     * @param asked questions that are asked before the savepoint is taken
     */
    public static void write(Path target, int asked, Job job) throws Exception {
        for (String backend : List.of("hashmap", "rocksdb")) {
            RESULTS.clear();
            ASKED.set(0);
            JobClient running = job.start(environment(backend, null), PER_SECOND);
            while (ASKED.get() < asked) {
                Thread.sleep(5);
            }
            SavepointFormatType format =
                    backend.equals("rocksdb")
                            ? SavepointFormatType.NATIVE
                            : SavepointFormatType.CANONICAL;
            Path savepoint = Savepoints.stop(running, target, format);
            assertThat(RESULTS.size()).as("some questions wait").isLessThan(ASKED.get());
            // All state is in this one file, which is small.
            Files.move(savepoint.resolve("_metadata"), target.resolve(backend + ".savepoint"));
            Files.delete(savepoint);
            Files.write(target.resolve(backend + ".results"), RESULTS.stream().sorted().toList());
        }
    }

    /**
     * What came out before a savepoint, and of the job that goes on from it, sorted.
     *
     * @param commit folder of the resources, from the root of resources on
     * @param writtenBy the state backend that wrote it
     * @param folder is empty
     */
    public static List<String> goOn(
            String commit, String writtenBy, String backend, Path folder, Job job)
            throws Exception {
        Path savepoint = Files.createDirectory(folder.resolve("savepoint"));
        Files.write(savepoint.resolve("_metadata"), resource(commit, writtenBy + ".savepoint"));
        RESULTS.clear();
        new String(resource(commit, writtenBy + ".results"), StandardCharsets.US_ASCII)
                .lines()
                .forEach(RESULTS::add);
        assertThat(RESULTS).as("before").isNotEmpty();
        int before = RESULTS.size();
        job.start(environment(backend, savepoint), UNLIMITED).getJobExecutionResult().get();
        assertThat(RESULTS).as("since then, too").hasSizeGreaterThan(before);
        return RESULTS.stream().sorted().toList();
    }

    private static byte[] resource(String commit, String file) throws IOException {
        String name = commit + "/" + file;
        try (InputStream stream = SavepointResources.class.getResourceAsStream(name)) {
            assertThat(stream).as(name).isNotNull();
            return stream.readAllBytes();
        }
    }

    private static StreamExecutionEnvironment environment(String backend, Path savepoint) {
        Configuration config = new Configuration();
        config.set(PipelineOptions.GENERIC_TYPES, false);
        config.set(PipelineOptions.AUTO_GENERATE_UIDS, false);
        config.set(StateBackendOptions.STATE_BACKEND, backend);
        config.set(CheckpointingOptions.FS_SMALL_FILE_THRESHOLD, MemorySize.ofMebiBytes(1));
        if (savepoint != null) {
            config.set(StateRecoveryOptions.SAVEPOINT_PATH, savepoint.toUri().toString());
        }
        StreamExecutionEnvironment env = StreamExecutionEnvironment.getExecutionEnvironment(config);
        env.setParallelism(1);
        env.setMaxParallelism(16);
        return env;
    }

    /** The numbers of questions, which are counted, or of changes; in nearly the order of their times. */
    public static DataStream<Long> numbers(
            StreamExecutionEnvironment env,
            String name,
            boolean areQuestions,
            int count,
            double perSecond,
            SerializableTimestampAssigner<Long> times) {
        return Clusters.numbers(env, name, count, perSecond)
                .map(new Counts(areQuestions))
                .uid(name + "-counts")
                .assignTimestampsAndWatermarks(
                        WatermarkStrategy.<Long>forBoundedOutOfOrderness(
                                        Duration.ofMillis(DISORDER_MILLIS))
                                .withTimestampAssigner(times))
                .uid(name + "-times");
    }

    /** Takes down what came out. No failure makes it see one twice. */
    public static void remember(String result) {
        RESULTS.add(result);
    }

    /** The time of a question: no later ones are more than the disorder before it. */
    public static long questionTime(long question) {
        return question * 2 + mixed(question, DISORDER_MILLIS);
    }

    /** A number below a bound that looks random. */
    public static int mixed(long i, int bound) {
        long mixed = i * 0x9e3779b97f4a7c15L;
        return (int) Math.floorMod(mixed ^ mixed >>> 32, (long) bound);
    }

    private record Counts(boolean areCounted) implements MapFunction<Long, Long> {

        @Override
        public Long map(Long number) {
            if (areCounted) {
                ASKED.incrementAndGet();
            }
            return number;
        }
    }
}

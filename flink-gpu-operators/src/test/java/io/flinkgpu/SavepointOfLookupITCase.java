package io.flinkgpu;

import io.flinkgpu.api.BackendChoice;
import io.flinkgpu.api.BatchPolicy;
import io.flinkgpu.api.GpuOptions;
import io.flinkgpu.api.lookup.Bag;
import io.flinkgpu.api.lookup.Combiner;
import io.flinkgpu.api.lookup.ElementType;
import io.flinkgpu.api.lookup.EmbeddingTable;
import io.flinkgpu.api.lookup.LookupRequest;
import io.flinkgpu.api.lookup.LookupResult;
import io.flinkgpu.api.lookup.LookupValues;
import io.flinkgpu.api.lookup.Missing;
import io.flinkgpu.api.lookup.VectorChange;
import io.flinkgpu.oracle.Clusters;
import io.flinkgpu.oracle.EmbeddingOracle;
import io.flinkgpu.oracle.Savepoints;

import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.functions.MapFunction;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.connector.source.util.ratelimit.RateLimiterStrategy;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.MemorySize;
import org.apache.flink.configuration.PipelineOptions;
import org.apache.flink.configuration.StateBackendOptions;
import org.apache.flink.configuration.StateRecoveryOptions;
import org.apache.flink.connector.datagen.source.DataGeneratorSource;
import org.apache.flink.connector.datagen.source.GeneratorFunction;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.core.execution.SavepointFormatType;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;
import org.apache.flink.test.junit5.MiniClusterExtension;

import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Savepoints of lookups of earlier commits, which are resources of this test, restore with any parallelism: with
 * changed vectors, and with requests and changes that waited for the watermark. The results of before and after are
 * those of a lookup that was never stopped.
 */
@Timeout(120)
class SavepointOfLookupITCase {

    @RegisterExtension static final MiniClusterExtension CLUSTER = Clusters.ofFourSlots();

    private static final int REQUESTS = 600;
    private static final int CHANGES = 1_200;
    private static final int IDS = 300;
    private static final int DISORDER_MILLIS = 20;

    /** Requests that are made before a savepoint is taken. */
    private static final int MADE = 300;

    private static final int PER_SECOND = 300;
    private static final int UNLIMITED = 1 << 30;
    private static final EmbeddingTable FLOATS =
            EmbeddingTable.of("floats", 3, ElementType.F32).withMissing(Missing.constant(0.5f));
    private static final EmbeddingTable HALVES =
            EmbeddingTable.of("halves", 2, ElementType.BF16).withMissing(Missing.skip());
    private static final GpuOptions OPTIONS =
            GpuOptions.DEFAULT
                    .withBackend(BackendChoice.CPU)
                    .withBatchPolicy(new BatchPolicy(50, 1 << 20, Duration.ofMillis(5)));

    /** "request: value value ..." */
    private static final Queue<String> RESULTS = new ConcurrentLinkedQueue<>();

    private static final AtomicInteger SEEN = new AtomicInteger();

    @TempDir Path folder;

    @ParameterizedTest
    @CsvSource({
        "4b18b5d, hashmap, hashmap, 1",
        "4b18b5d, hashmap, rocksdb, 3",
        "4b18b5d, hashmap, hashmap, 4",
        "4b18b5d, rocksdb, rocksdb, 1",
        "4b18b5d, rocksdb, rocksdb, 4"
    })
    void goesOn(String commit, String writtenBy, String backend, int parallelism) throws Exception {
        Path savepoint = Files.createDirectory(folder.resolve("savepoint"));
        Files.write(savepoint.resolve("_metadata"), resource(commit, writtenBy + ".savepoint"));
        RESULTS.clear();
        start(backend, parallelism, UNLIMITED, savepoint).getJobExecutionResult().get();
        String before =
                new String(resource(commit, writtenBy + ".results"), StandardCharsets.US_ASCII);
        assertThat(before.lines().count()).isBetween(MADE / 2L, REQUESTS - 1L);
        List<String> all = new ArrayList<>(RESULTS);
        before.lines().forEach(all::add);
        all.sort(Comparator.naturalOrder());
        assertThat(all).isEqualTo(expected());
    }

    /**
     * Writes the resources into a folder, which is there and is named as the commit. To be run at the commit that
     * they are of. On rocksdb they are in its own format.
     */
    public static void main(String[] args) throws Exception {
        Path target = Path.of(args[0]);
        for (String backend : List.of("hashmap", "rocksdb")) {
            RESULTS.clear();
            SEEN.set(0);
            JobClient job = start(backend, 2, PER_SECOND, null);
            while (SEEN.get() < MADE) {
                Thread.sleep(5);
            }
            SavepointFormatType format =
                    backend.equals("rocksdb")
                            ? SavepointFormatType.NATIVE
                            : SavepointFormatType.CANONICAL;
            Path savepoint = Savepoints.stop(job, target, format);
            assertThat(RESULTS.size())
                    .as("results of requests, some of which wait")
                    .isLessThan(SEEN.get());
            // All state is in this one file, which is small.
            Files.move(savepoint.resolve("_metadata"), target.resolve(backend + ".savepoint"));
            Files.delete(savepoint);
            Files.write(target.resolve(backend + ".results"), RESULTS.stream().sorted().toList());
        }
    }

    private static byte[] resource(String commit, String file) throws IOException {
        String name = "/io/flinkgpu/lookup/" + commit + "/" + file;
        try (InputStream stream = SavepointOfLookupITCase.class.getResourceAsStream(name)) {
            return stream.readAllBytes();
        }
    }

    private static JobClient start(String backend, int parallelism, int perSecond, Path savepoint)
            throws Exception {
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
        GpuStreams.lookup(
                        timed(env, true, perSecond),
                        i -> request(i),
                        timed(env, false, 2L * perSecond),
                        i -> change(i),
                        OPTIONS)
                .tables(FLOATS, HALVES)
                .eventTime()
                .parallelism(parallelism)
                .results()
                .uid("lookup")
                .map(new Remembers())
                .returns(Types.LONG)
                .uid("remembers")
                .sinkTo(new DiscardingSink<>())
                .uid("sink");
        return env.executeAsync();
    }

    private static DataStream<Long> timed(
            StreamExecutionEnvironment env, boolean areRequests, double perSecond) {
        String name = areRequests ? "requests" : "changes";
        GeneratorFunction<Long, Long> generator = i -> i;
        return env.fromSource(
                        new DataGeneratorSource<>(
                                generator,
                                areRequests ? REQUESTS : CHANGES,
                                RateLimiterStrategy.perSecond(perSecond),
                                Types.LONG),
                        WatermarkStrategy.noWatermarks(),
                        name)
                .uid(name)
                .map(new Counts(areRequests))
                .uid(name + "-counts")
                .assignTimestampsAndWatermarks(
                        WatermarkStrategy.<Long>forBoundedOutOfOrderness(
                                        Duration.ofMillis(DISORDER_MILLIS))
                                .withTimestampAssigner(
                                        (i, before) ->
                                                areRequests ? requestTime(i) : changeTime(i)))
                .uid(name + "-times");
    }

    /** Each request with what it finds after all changes that are not later. */
    private static List<String> expected() {
        EmbeddingOracle oracle = new EmbeddingOracle(List.of(FLOATS, HALVES));
        List<Long> changes =
                LongStream.range(0, CHANGES)
                        .boxed()
                        .sorted(Comparator.comparingLong(i -> changeTime(i)))
                        .collect(Collectors.toCollection(ArrayList::new));
        List<Long> requests =
                LongStream.range(0, REQUESTS)
                        .boxed()
                        .sorted(Comparator.comparingLong(i -> requestTime(i)))
                        .toList();
        List<String> expected = new ArrayList<>();
        for (long request : requests) {
            while (!changes.isEmpty() && changeTime(changes.get(0)) <= requestTime(request)) {
                VectorChange change = change(changes.remove(0));
                if (change.isDelete()) {
                    oracle.remove(change.table(), change.id());
                } else {
                    oracle.put(change.table(), change.id(), change.elements());
                }
            }
            expected.add(text(request, oracle.find(request(request))));
        }
        expected.sort(Comparator.naturalOrder());
        return expected;
    }

    private static String text(long request, LookupValues values) {
        float[] all = values.values();
        return IntStream.range(0, all.length)
                .mapToObj(i -> Float.toHexString(all[i]))
                .collect(Collectors.joining(" ", "%03d: ".formatted(request), ""));
    }

    private static LookupRequest request(long i) {
        return LookupRequest.of(
                Bag.of(
                        "floats",
                        Combiner.MEAN,
                        mixed(i, IDS),
                        mixed(i + 1, IDS),
                        mixed(i + 2, IDS)),
                Bag.of("halves", Combiner.NONE, mixed(i + 3, IDS), mixed(i + 4, IDS)));
    }

    private static VectorChange change(long i) {
        String table = table(i);
        if (i % 11 == 3) {
            return VectorChange.delete(table, id(i));
        }
        ByteBuffer elements = ByteBuffer.allocate(12).order(ByteOrder.LITTLE_ENDIAN);
        if (table.equals("floats")) {
            elements.putFloat(i).putFloat(i * 0.1f).putFloat(-i);
        } else {
            elements.putShort(half(i % 100)).putShort(half(0.25f));
        }
        return VectorChange.upsertElements(
                table, id(i), Arrays.copyOf(elements.array(), elements.position()));
    }

    /** A number that BF16 has. */
    private static short half(float number) {
        return (short) (Float.floatToIntBits(number) >>> 16);
    }

    private static String table(long change) {
        return change % 3 == 0 ? "halves" : "floats";
    }

    private static long id(long change) {
        return change * 7 % IDS;
    }

    private static long requestTime(long request) {
        return request * 2 + mixed(request, DISORDER_MILLIS);
    }

    /** No two of a vector are the same, as those with equal timestamps are applied as they arrive. */
    private static long changeTime(long change) {
        return change + mixed(id(change), DISORDER_MILLIS);
    }

    private static int mixed(long i, int bound) {
        long mixed = i * 0x9e3779b97f4a7c15L;
        return (int) Math.floorMod(mixed ^ mixed >>> 32, (long) bound);
    }

    /** Puts results into a list of this process. No failure makes it see one twice. */
    private static final class Remembers implements MapFunction<LookupResult<Long>, Long> {

        private static final long serialVersionUID = 1L;

        @Override
        public Long map(LookupResult<Long> result) {
            RESULTS.add(text(result.record(), result.values()));
            return result.record();
        }
    }

    private record Counts(boolean areCounted) implements MapFunction<Long, Long> {

        @Override
        public Long map(Long number) {
            if (areCounted) {
                SEEN.incrementAndGet();
            }
            return number;
        }
    }
}

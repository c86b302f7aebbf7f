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
import io.flinkgpu.testkit.Clusters;
import io.flinkgpu.testkit.EmbeddingOracle;
import io.flinkgpu.testkit.SavepointResources;

import org.apache.flink.api.common.functions.MapFunction;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;
import org.apache.flink.test.junit5.MiniClusterExtension;

import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

import static io.flinkgpu.testkit.SavepointResources.DISORDER_MILLIS;
import static io.flinkgpu.testkit.SavepointResources.mixed;
import static io.flinkgpu.testkit.SavepointResources.numbers;
import static io.flinkgpu.testkit.SavepointResources.questionTime;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Savepoints of lookups of earlier commits, which are resources of this test, restore with any parallelism: with
 * changed vectors, and with requests and changes that waited for the watermark. The results of before and after are
 * those of a lookup that was never stopped.
 *
 * <p>Covers: LookupOperator.
 */
@Timeout(120)
class SavepointOfLookupITCase {

    @RegisterExtension static final MiniClusterExtension CLUSTER = Clusters.ofFourSlots();

    private static final int REQUESTS = 600;
    private static final int CHANGES = 1_200;
    private static final int IDS = 300;

    /** Requests that are made before a savepoint is taken. */
    private static final int MADE = 300;

    private static final EmbeddingTable FLOATS =
            EmbeddingTable.of("floats", 3, ElementType.F32).withMissing(Missing.constant(0.5f));
    private static final EmbeddingTable HALVES =
            EmbeddingTable.of("halves", 2, ElementType.BF16).withMissing(Missing.skip());
    private static final GpuOptions OPTIONS =
            GpuOptions.DEFAULT
                    .withBackend(BackendChoice.CPU)
                    .withBatchPolicy(new BatchPolicy(50, 1 << 20, Duration.ofMillis(5)));

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
        assertThat(
                        SavepointResources.goOn(
                                "/io/flinkgpu/lookup/" + commit,
                                writtenBy,
                                backend,
                                folder,
                                (env, perSecond) -> start(env, parallelism, perSecond)))
                .isEqualTo(expected());
    }

    /** {@link SavepointResources#write}. */
    public static void main(String[] args) throws Exception {
        SavepointResources.write(
                Path.of(args[0]), MADE, (env, perSecond) -> start(env, 2, perSecond));
    }

    private static JobClient start(StreamExecutionEnvironment env, int parallelism, int perSecond)
            throws Exception {
        GpuStreams.lookup(
                        numbers(
                                env,
                                "requests",
                                true,
                                REQUESTS,
                                perSecond,
                                (i, none) -> questionTime(i)),
                        i -> request(i),
                        numbers(
                                env,
                                "changes",
                                false,
                                CHANGES,
                                2.0 * perSecond,
                                (i, none) -> changeTime(i)),
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
                        .sorted(Comparator.comparingLong(i -> questionTime(i)))
                        .toList();
        List<String> expected = new ArrayList<>();
        for (long request : requests) {
            while (!changes.isEmpty() && changeTime(changes.get(0)) <= questionTime(request)) {
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

    /** No two of a vector are the same, as those with equal timestamps are applied as they arrive. */
    private static long changeTime(long change) {
        return change + mixed(id(change), DISORDER_MILLIS);
    }

    private static final class Remembers implements MapFunction<LookupResult<Long>, Long> {

        private static final long serialVersionUID = 1L;

        @Override
        public Long map(LookupResult<Long> result) {
            SavepointResources.remember(text(result.record(), result.values()));
            return result.record();
        }
    }
}

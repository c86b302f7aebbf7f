package io.flinkgpu.windows;

import io.flinkgpu.api.Aggregate;
import io.flinkgpu.api.BatchPolicy;

import org.apache.flink.runtime.state.StateBackend;
import org.apache.flink.runtime.state.hashmap.HashMapStateBackend;
import org.apache.flink.state.rocksdb.EmbeddedRocksDBStateBackend;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * Jobs that go on from a savepoint of a job with other aggregates, in the middle of windows.
 *
 * <p>Covers: Partial.
 */
class UpgradeTest {

    private static final long SEED = Long.getLong("windows.seed", 20_261_121);
    private static final int READINGS = 60;

    /** Of the first column the sum is no longer kept, of the second the extremes. */
    private static final Query FEWER =
            new Query(
                    List.of(
                            new Query.Part(Column.REAL, List.of(Aggregate.MAX, Aggregate.COUNT)),
                            new Query.Part(Column.BIG, List.of(Aggregate.MEAN)),
                            new Query.Part(Column.PRICE, List.of(Aggregate.SUM, Aggregate.MIN))));

    @ParameterizedTest
    @CsvSource({
        "TUMBLING, OURS, OURS, false",
        "TUMBLING, OURS, OURS, true",
        "SLIDING, FLINK_EXACT, OURS, true",
        "SESSION, OURS, OURS, false",
        "SESSION, OURS, OURS, true",
        "SESSION, OURS_FLINK_STATE, FLINK_EXACT, true",
        "GLOBAL, FLINK_EXACT, OURS, false"
    })
    void fewerAggregatesGoOn(
            Shape.Kind kind, Plan.Engine before, Plan.Engine after, boolean rocksDb)
            throws Exception {
        Random random = new Random(SEED);
        List<Reading> readings = readings(random);
        Job.Saved saved;
        try (Job job = job(plan(kind, all()), before, rocksDb, null)) {
            arrive(job, readings, 0, READINGS / 2);
            saved = job.save(false);
            assertThat(job.recorded("saved").get(0).rows()).as("mid-window").isEmpty();
        }
        // Twice, as on the heap the partials of before are still as they were after the first time.
        try (Job job = job(plan(kind, FEWER), after, rocksDb, saved)) {
            arrive(job, readings, READINGS / 2, READINGS * 3 / 4);
            saved = job.save(false);
        }
        List<String> rows;
        try (Job job = job(plan(kind, FEWER), after, rocksDb, saved)) {
            arrive(job, readings, READINGS * 3 / 4, READINGS);
            rows = end(job);
        }
        try (Job judge = job(plan(kind, FEWER), Plan.Engine.JUDGE, false, null)) {
            arrive(judge, readings, 0, READINGS);
            assertThat(rows).as("seed=%d", SEED).isNotEmpty().isEqualTo(end(judge));
        }
    }

    @ParameterizedTest
    @CsvSource({"OURS, false", "OURS, true", "FLINK_EXACT, true"})
    void moreThanWasKeptIsRefused(Plan.Engine engine, boolean rocksDb) throws Exception {
        Job.Saved saved;
        try (Job job = job(plan(Shape.Kind.TUMBLING, FEWER), engine, rocksDb, null)) {
            arrive(job, readings(new Random(SEED)), 0, READINGS);
            saved = job.save(false);
        }
        Plan<String> more = plan(Shape.Kind.TUMBLING, all());
        assertThatThrownBy(() -> job(more, engine, rocksDb, saved).close())
                .hasStackTraceContaining("DOUBLE: count, min and max")
                .hasStackTraceContaining("DOUBLE: count, sum, min and max");
    }

    private static Query all() {
        return Query.all(Column.REAL, Column.BIG, Column.PRICE);
    }

    private static List<Reading> readings(Random random) {
        Readings numbers = new Readings(random, false);
        List<Reading> readings = new ArrayList<>();
        for (int i = 0; i < READINGS; i++) {
            readings.add(numbers.of("s" + random.nextInt(3)));
        }
        return readings;
    }

    /** All in windows that no watermark reaches. */
    private static void arrive(Job job, List<Reading> readings, int from, int to) throws Exception {
        for (int i = from; i < to; i++) {
            job.arrives(0, readings.get(i), i % 20);
        }
    }

    private static List<String> end(Job job) throws Exception {
        job.watermark(0, Long.MAX_VALUE);
        return job.recorded("end").get(0).rows();
    }

    private static Plan<String> plan(Shape.Kind kind, Query query) {
        return new Plan<>(
                KeyKind.STRING,
                Shape.random(kind, new Random(SEED)),
                query,
                -1,
                false,
                true,
                new BatchPolicy(8, 1 << 16, Duration.ofSeconds(1)),
                false,
                false);
    }

    private static Job job(
            Plan<String> plan, Plan.Engine engine, boolean rocksDb, Job.Saved restored)
            throws Exception {
        StateBackend backend =
                rocksDb ? new EmbeddedRocksDBStateBackend() : new HashMapStateBackend();
        return new Job(Stages.of(plan, engine), plan::row, 1, 1, false, backend, 0, restored);
    }
}

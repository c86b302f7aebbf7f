package io.flinkgpu.backend.plan;

import io.flinkgpu.api.Aggregate;
import io.flinkgpu.api.ColumnType;
import io.flinkgpu.api.ValueSpec;
import io.flinkgpu.api.lines.Delimited;
import io.flinkgpu.api.search.Similarity;
import io.flinkgpu.backend.CompiledProgram;
import io.flinkgpu.backend.SampleBatch;
import io.flinkgpu.backend.cpu.CpuBackend;
import io.flinkgpu.rules.DefaultRules;
import io.flinkgpu.testkit.TestRequests;
import io.flinkgpu.text.RuleCompiler;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.List;
import java.util.stream.LongStream;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Batches to measure with: as large as asked for, the same each time, and fit for their programs.
 *
 * <p>Covers: Samples, GroupedBatch, LineGroups, RedactedBatch, ScoredRows, SearchedBatch.
 */
class SamplesTest {

    private static final int ROWS = 1 << 16;

    private final CpuBackend backend = CpuBackend.open(TestRequests.of(256 << 20));

    @AfterEach
    void nothingIsHeld() {
        backend.close();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 4 << 10, 64 << 10, 4 << 20})
    void logLinesHaveSomeToRedact(int maxBytes) throws Exception {
        try (SampleBatch sample = Samples.logLines().make(backend.allocator(), ROWS, maxBytes);
                CompiledProgram<RedactedBatch> program =
                        backend.compile(new RedactPlan(RuleCompiler.compile(DefaultRules.get())));
                RedactedBatch result = program.submit(sample.batch()).await()) {
            assertSize(sample, maxBytes, 200);
            long matches = LongStream.of(result.matchesPerRule()).sum();
            assertThat(matches).isBetween(result.rows() / 10L, result.rows() * 2L);
        }
    }

    @Test
    void aBatchHasNoMoreRowsThanAreAllowed() {
        try (SampleBatch sample = Samples.logLines().make(backend.allocator(), 10, 4 << 20)) {
            assertThat(sample.batch().rows()).isEqualTo(10);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 4 << 10, 4 << 20})
    void columnsAreOfTheTypesAskedFor(int maxBytes) {
        SampleBatch.Maker maker =
                Samples.columns(
                        List.of(
                                ColumnType.TEXT,
                                ColumnType.LONG,
                                ColumnType.DOUBLE,
                                ColumnType.BOOLEAN,
                                ColumnType.TEXT));
        try (SampleBatch sample = maker.make(backend.allocator(), ROWS, maxBytes);
                SampleBatch again = maker.make(backend.allocator(), ROWS, maxBytes)) {
            assertThat(sample.batch().columns()).isEqualTo(5);
            assertThat(sample.bytes()).isEqualTo(again.bytes()).isGreaterThan(maxBytes / 2);
            assertThat(sample.batch().text(4).dataBytes()).isPositive();
            assertThat(sample.batch().vector(1).getObject(0))
                    .isEqualTo(again.batch().vector(1).getObject(0));
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 4 << 10, 4 << 20})
    void numbersAreOfAThousandKeysInTwoSlices(int maxBytes) throws Exception {
        AggregatePlan plan =
                new AggregatePlan(
                        ColumnType.INT,
                        List.of(
                                all("i", ColumnType.INT),
                                all("f", ColumnType.FLOAT),
                                all("d", ColumnType.decimal(3, 2))));
        try (SampleBatch sample = plan.sample().make(backend.allocator(), 4 * ROWS, maxBytes);
                CompiledProgram<GroupedBatch> program = backend.compile(plan);
                GroupedBatch result = program.submit(sample.batch()).await()) {
            assertThat(result.groups()).isBetween(1, 2_000);
            assertThat(sample.batch().columns()).isEqualTo(plan.input().size());
            assertSize(sample, maxBytes, 200);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 4 << 10, 4 << 20})
    void linesAreOfTheirFormat(int maxBytes) throws Exception {
        Delimited format =
                Delimited.of(';')
                        .string("key")
                        .intNumber("i")
                        .longNumber("l")
                        .decimal("all", 18, 0)
                        .decimal("none", 2, 2)
                        .decimal("one", 1)
                        .doubleNumber("d")
                        .skipped()
                        .isoTimestamp("iso")
                        .epochMillis("millis");
        LinePlan plan =
                new LinePlan(
                        format,
                        0,
                        new TimeSlices(9, 10_000, 0),
                        List.of(1, 6),
                        List.of(all("i", ColumnType.INT), all("d", ColumnType.DOUBLE)));
        try (SampleBatch sample = plan.sample().make(backend.allocator(), ROWS, maxBytes);
                CompiledProgram<LineGroups> program = backend.compile(plan);
                LineGroups result = program.submit(sample.batch()).await()) {
            assertSize(sample, maxBytes, 200);
            assertThat(result.lines()).isPositive();
            assertThat(result.refused()).isZero();
            assertThat(sample.batch().columns()).isEqualTo(plan.input().size());
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 4 << 10, 4 << 20})
    void queriesAreAsAPlanHasThem(int maxBytes) throws Exception {
        SearchPlan plan = new SearchPlan(new CorpusPlan("c", 1 << 20), Similarity.MAX);
        try (SampleBatch sample = plan.sample().make(backend.allocator(), 1 << 16, maxBytes);
                CompiledProgram<SearchedBatch> program = backend.compile(plan);
                SearchedBatch result = program.submit(sample.batch()).await()) {
            assertThat(result.queries()).isEqualTo(sample.batch().rows());
            assertThat(plan.defectOf(result, sample.batch())).isNull();
            assertSize(sample, maxBytes, 300);
        }
    }

    private static void assertSize(SampleBatch sample, int maxBytes, int rowBytes) {
        assertThat(sample.bytes()).isBetween(Math.max(1, maxBytes - rowBytes), maxBytes + rowBytes);
    }

    private static ValueSpec all(String name, ColumnType type) {
        return new ValueSpec(name, type, List.of(Aggregate.values()));
    }
}

package io.flinkgpu.sql.planner;

import org.apache.flink.streaming.api.transformations.OneInputTransformation;
import org.apache.flink.streaming.api.watermark.Watermark;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.planner.plan.nodes.exec.ExecNode;
import org.apache.flink.table.types.logical.RowType;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Random columns and conditions: the Calc on batches gives the same bytes, in the same order, as Flink's.
 *
 * <p>Covers: GpuCalc, CalcCode.
 */
class CalcEqualsFlinkTest {

    private static final int ROWS = 200;
    private static final int COLUMNS = 12;

    /** More with -Dsql.trees=10000. */
    private static final int TREES = Integer.getInteger("sql.trees", 240);

    private final Plans plans = new Plans().source("r", "");

    @BeforeEach
    void loadKey(@TempDir Path folder) throws IOException {
        Path key = Files.writeString(folder.resolve("key"), "0123456789abcdef".repeat(4));
        plans.tables().executeSql("UNLOAD MODULE gpu");
        plans.tables().executeSql("LOAD MODULE gpu WITH ('hash-key.path' = '" + key + "')");
    }

    @Test
    void whatIsSupportedRunsOnBatchesWithFlinksAnswers() throws Exception {
        // Strict: each column with a text function has to run on batches.
        plans.tables().getConfig().set(GpuSqlOptions.STRICT, true);
        compare(false);
    }

    @Test
    void amongWhatIsNotSupportedAnswersAreFlinksAsWell() throws Exception {
        compare(true);
    }

    private void compare(boolean mixed) throws Exception {
        long seed = Long.getLong("sql.seed", new Random().nextLong());
        System.out.println("sql.seed=" + seed + ", mixed=" + mixed + ", trees=" + TREES / 2);
        for (int tree = 0; tree < TREES / 2; tree += COLUMNS) {
            try {
                compare(new Random(seed), mixed);
            } catch (AssertionError | Exception e) {
                throw new AssertionError("sql.seed=" + seed + ", mixed=" + mixed, e);
            }
            seed = new Random(seed).nextLong();
        }
    }

    private void compare(Random random, boolean mixed) throws Exception {
        RandomSql sql = new RandomSql(random, mixed);
        List<String> columns = new ArrayList<>(sql.columns(COLUMNS));
        columns.add(random.nextInt(columns.size()), "i");
        columns.add(random.nextInt(columns.size()), "REGEXP_REPLACE(c, '[a-z]+@', 'X@')");
        if (random.nextBoolean()) {
            columns.add("s");
        }
        if (random.nextBoolean()) {
            columns.add("d + l");
        }
        if (random.nextBoolean()) {
            columns.add("m");
            columns.add("m * 3 + i");
        }
        String query =
                "SELECT "
                        + String.join(", ", columns)
                        + " FROM r"
                        + (random.nextBoolean() ? " WHERE i < 4 OR " + sql.condition(2) : "");
        plans.tables().getConfig().set(GpuSqlOptions.ENABLED, true);
        ExecNode<?> ours = plans.node(query);
        plans.tables().getConfig().set(GpuSqlOptions.ENABLED, false);
        ExecNode<?> flinks = plans.node(query);
        assertThat(ours.getClass().getSimpleName()).as(query).isEqualTo("GpuCalc");

        RowType input = (RowType) ours.getInputEdges().get(0).getOutputType();
        RowType output = (RowType) ours.getOutputType();
        RandomRowData rows =
                new RandomRowData(
                        random,
                        (RowType)
                                plans.tables()
                                        .from("r")
                                        .getResolvedSchema()
                                        .toPhysicalRowDataType()
                                        .getLogicalType(),
                        true);
        boolean reuse = random.nextBoolean();
        try (CalcHarness actual = harness(ours, input, output, reuse);
                CalcHarness expected = harness(flinks, input, output, reuse)) {
            for (int i = 0; i < ROWS; i++) {
                RowData row = rows.next();
                long seed = random.nextLong();
                add(actual, row, new Random(seed));
                add(expected, row, new Random(seed));
            }
            actual.endInput();
            expected.endInput();
            assertSame(query, actual.results(), expected.results());
        }
    }

    private static void assertSame(String query, List<String> actual, List<String> expected) {
        for (int i = 0; i < Math.min(actual.size(), expected.size()); i++) {
            assertThat(actual.get(i)).as(query).isEqualTo(expected.get(i));
        }
        assertThat(actual).as(query).hasSameSizeAs(expected);
    }

    private static void add(CalcHarness harness, RowData row, Random random) throws Exception {
        harness.processElement(
                random.nextBoolean()
                        ? new StreamRecord<>(row, random.nextInt(100))
                        : new StreamRecord<>(row));
        if (random.nextInt(40) == 0) {
            harness.processWatermark(new Watermark(random.nextInt(1000)));
        }
        if (random.nextInt(60) == 0) {
            harness.prepareSnapshotPreBarrier(1);
        }
    }

    private CalcHarness harness(ExecNode<?> node, RowType input, RowType output, boolean reuse)
            throws Exception {
        return new CalcHarness(
                (OneInputTransformation<?, ?>) node.translateToPlan(plans.planner()),
                input,
                output,
                reuse);
    }
}

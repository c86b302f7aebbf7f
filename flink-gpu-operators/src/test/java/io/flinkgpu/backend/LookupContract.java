package io.flinkgpu.backend;

import io.flinkgpu.api.ColumnType;
import io.flinkgpu.backend.plan.LookupPlan;
import io.flinkgpu.backend.plan.TablePlan;
import io.flinkgpu.backend.plan.TransformedBatch;
import io.flinkgpu.column.ColumnBatch;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** What a table that stays where batches run, and is changed by batches, has to do on each backend. */
abstract class LookupContract extends OpenBackend {

    private static final LookupPlan PLAN = new LookupPlan(new TablePlan("names", 2_000, 1 << 20));

    private CompiledProgram<TransformedBatch> program;
    private Resident table;

    @BeforeEach
    void openTable() throws Exception {
        openTable(PLAN);
    }

    private void openTable(LookupPlan plan) throws BackendException {
        program = backend.compile(plan);
        assertThat(program.residents()).hasSameSizeAs(plan.residents());
        table = program.residents().get(0);
    }

    @AfterEach
    void closeAll() {
        if (program != null) {
            program.close();
        }
    }

    @Test
    void findsWhatWasPutInAndNothingElse() throws Exception {
        assertThat(find("a", "", null)).containsExactly(null, null, null);
        String large = "x".repeat(10_000);
        apply(List.of("a", "", large, "a\n", "\u00ff\u0000"), 1L, 2L, 3L, Long.MIN_VALUE, -1L);
        assertThat(find("a", null, large, "", "b", "a\n", large + "x", "\u00ff\u0000", "\u00ff"))
                .containsExactly(1L, null, 3L, 2L, null, Long.MIN_VALUE, null, -1L, null);
        assertThat(find()).isEmpty();
    }

    @Test
    void theLastChangeOfATextCounts() throws Exception {
        apply(List.of("a", "b", "a", "c", "c"), 1L, 2L, 3L, 4L, null);
        assertThat(find("a", "b", "c")).containsExactly(3L, 2L, null);
        apply(List.of("a", "b", "c", "c"), null, 5L, null, 6L);
        assertThat(find("a", "b", "c")).containsExactly(null, 5L, 6L);
        apply(List.of("a", "never", "b", "b"), 7L, null, null, 8L);
        assertThat(find("a", "b", "c", "never")).containsExactly(7L, 8L, 6L, null);
    }

    @Test
    void changesAreCounted() throws Exception {
        assertThat(table.version()).isZero();
        assertThat(table.bytes()).isEqualTo(PLAN.table().bytes());
        apply(List.of("a"), 1L);
        assertThat(find("a", "b")).containsExactly(1L, null);
        apply(List.of("a", "b"), 2L, 3L);
        apply(List.of());
        assertThat(find("a", "b")).containsExactly(2L, 3L);
        assertThat(table.version()).isEqualTo(3);
    }

    @Test
    void severalBatchesAtOnce() throws Exception {
        apply(List.of("a", "b", "c"), 1L, 2L, 3L);
        try (ColumnBatch one = batch("a", "b");
                ColumnBatch two = batch("c", null, "d")) {
            Submission<TransformedBatch> first = program.submit(one);
            Submission<TransformedBatch> second = program.submit(two);
            Submission<TransformedBatch> third = program.submit(one);
            assertThat(values(first)).containsExactly(1L, 2L);
            assertThat(values(second)).containsExactly(3L, null, null);
            assertThat(values(third)).containsExactly(1L, 2L);
        }
    }

    @Test
    void holdsWhatItAskedForAndNoMore() throws Exception {
        openAnother(new LookupPlan(new TablePlan("small", 2, 5)));
        apply(List.of("ab", "cde", "never"), 1L, 2L, null);
        apply(List.of("ab", "cde"), null, 3L);
        apply(List.of("ab", "cde"), 4L, null);
        assertThat(find("ab", "cde", "never")).containsExactly(4L, null, null);
        assertThatThrownBy(() -> apply(List.of("", "i"), 5L, null))
                .isInstanceOf(BackendException.class)
                .hasMessage(
                        "a table has no room for its changes: name=small, keys=3, maxKeys=2,"
                                + " keyBytes=5, maxKeyBytes=5; ask for more keys or bytes");
        openAnother(new LookupPlan(new TablePlan("small", 2, 5)));
        assertThatThrownBy(() -> apply(List.of("abcdef"), 1L))
                .hasMessageContaining("keys=1, maxKeys=2, keyBytes=6, maxKeyBytes=5");
    }

    private void openAnother(LookupPlan plan) throws BackendException {
        program.close();
        openTable(plan);
    }

    @Test
    void whatDoesNotFitIsRefusedWhenItIsCompiled() {
        TablePlan huge = new TablePlan("huge", 1, Long.MAX_VALUE / 2);
        assertThatThrownBy(() -> backend.compile(new LookupPlan(huge)))
                .isInstanceOf(BackendException.class)
                .hasMessageContainingAll("name=huge", "bytes=" + huge.bytes(), "freeBytes=", "; ");
    }

    @Test
    void answersAsAMapDoesWhateverIsChanged() throws Exception {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        Map<String, Long> oracle = new HashMap<>();
        for (int round = 0; round < 60; round++) {
            List<String> keys = new ArrayList<>();
            List<Long> numbers = new ArrayList<>();
            for (int i = random.nextInt(200); i > 0; i--) {
                String key = key(random);
                Long number = random.nextInt(3) == 0 ? null : (Long) random.nextLong();
                keys.add(key);
                numbers.add(number);
                if (number == null) {
                    oracle.remove(key);
                } else {
                    oracle.put(key, number);
                }
            }
            apply(keys, numbers.toArray(Long[]::new));
            String[] asked = new String[100];
            Arrays.setAll(asked, i -> random.nextInt(10) == 0 ? null : key(random));
            List<Object> expected = new ArrayList<>();
            for (String key : asked) {
                expected.add(oracle.get(key));
            }
            assertThat(find(asked)).as("seed=%d, round=%d", seed, round).isEqualTo(expected);
        }
        assertThat(table.version()).isEqualTo(60);
    }

    /** Of a thousand short ones and of a few long ones that begin alike. */
    private static String key(Random random) {
        return random.nextInt(20) == 0
                ? "\u00e9".repeat(1 + random.nextInt(300))
                : random.nextInt(1_000) + "";
    }

    private void apply(List<String> keys, Long... numbers) throws BackendException {
        try (ColumnBatch changes =
                TestColumns.batch(
                        backend.allocator(),
                        keys.size() % 2,
                        PLAN.table().changes(),
                        List.of(keys, Arrays.asList(numbers)))) {
            table.apply(changes);
        }
    }

    private ColumnBatch batch(String... texts) {
        return TestColumns.batch(
                backend.allocator(),
                texts.length % 2,
                List.of(ColumnType.TEXT),
                List.of(Arrays.asList(texts)));
    }

    private List<Object> find(String... texts) throws BackendException {
        try (ColumnBatch batch = batch(texts)) {
            return values(program.submit(batch));
        }
    }

    private static List<Object> values(Submission<TransformedBatch> submission)
            throws BackendException {
        try (TransformedBatch result = submission.await()) {
            return TestColumns.values(result.columns(), 0);
        }
    }
}

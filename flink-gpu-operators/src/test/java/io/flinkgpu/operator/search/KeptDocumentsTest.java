package io.flinkgpu.operator.search;

import io.flinkgpu.api.search.SearchResult;
import io.flinkgpu.api.search.SetChange;
import io.flinkgpu.api.search.SetQuery;
import io.flinkgpu.api.search.Similarity;
import io.flinkgpu.backend.BruteForceSearchBackend;
import io.flinkgpu.testkit.RandomSetOperations;
import io.flinkgpu.testkit.SetSearchOracle;

import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.core.memory.DataOutputSerializer;
import org.apache.flink.runtime.checkpoint.CheckpointOptions;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.runtime.state.KeyedStateBackend;
import org.apache.flink.runtime.state.VoidNamespace;
import org.apache.flink.runtime.state.VoidNamespaceSerializer;
import org.apache.flink.runtime.state.memory.MemCheckpointStreamFactory;
import org.apache.flink.streaming.api.operators.AbstractStreamOperator;
import org.apache.flink.streaming.api.operators.OperatorSnapshotFinalizer;
import org.apache.flink.streaming.api.operators.OperatorSnapshotFutures;

import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Documents in state, whose arrays are written again.
 *
 * <p>Covers: KeptDocuments, PackedDocument.
 */
class KeptDocumentsTest {

    private static final int BYTES = 1 << 20;

    private static final ShardHarness.Settings SETTINGS =
            new ShardHarness.Settings(
                    Similarity.MAX,
                    false,
                    ShardHarness.NEVER_FULL,
                    BYTES,
                    request -> new BruteForceSearchBackend());

    /** A snapshot is written while changes go on. */
    @RepeatedTest(20)
    void aSnapshotHasTheDocumentsThatWereThereAtItsBarrier() throws Exception {
        RandomSetOperations operations = new RandomSetOperations(new Random().nextLong());
        SetSearchOracle oracle = new SetSearchOracle(Similarity.MAX);
        List<SearchResult<Integer>> expected = new ArrayList<>();
        List<SetQuery> queries = new ArrayList<>();
        OperatorSubtaskState state;
        try (ShardHarness<SearchResult<Integer>> harness = SETTINGS.one()) {
            harness.open();
            change(harness, operations, oracle);
            for (int number = 0; number < 50; number++) {
                queries.add(operations.query().withZero(true));
                expected.add(new SearchResult<>(number, oracle.find(queries.get(number))));
            }
            harness.getOperator().prepareSnapshotPreBarrier(1);
            OperatorSnapshotFutures snapshot =
                    harness.getOperator()
                            .snapshotState(
                                    1,
                                    1,
                                    CheckpointOptions.forCheckpointWithDefaultLocation(),
                                    new MemCheckpointStreamFactory(BYTES));
            change(harness, operations, oracle);
            state = OperatorSnapshotFinalizer.create(snapshot).getJobManagerOwnedState();
            change(harness, operations, oracle);
        }
        try (ShardHarness<SearchResult<Integer>> harness = SETTINGS.one().restored(state, 1)) {
            for (int number = 0; number < queries.size(); number++) {
                harness.ask(number, queries.get(number), null);
            }
            harness.checkpoint(2);
            assertThat(harness.results()).as(operations.toString()).isEqualTo(expected);
        }
    }

    private static void change(
            ShardHarness<?> harness, RandomSetOperations operations, SetSearchOracle oracle)
            throws Exception {
        for (int i = 0; i < 200; i++) {
            SetChange change = operations.change();
            harness.change(change, null);
            oracle.apply(change);
        }
    }

    @Test
    void aVersionIsWrittenOverTheOneBeforeWhereItHasRoom() throws Exception {
        try (ShardHarness<SearchResult<Integer>> harness = SETTINGS.one()) {
            harness.open();
            KeyedStateBackend<Long> backend =
                    ((AbstractStreamOperator<?>) harness.getOperator()).getKeyedStateBackend();
            ValueState<byte[]> state =
                    backend.getPartitionedState(
                            VoidNamespace.INSTANCE,
                            VoidNamespaceSerializer.INSTANCE,
                            new ValueStateDescriptor<>(
                                    "documents", PackedDocumentSerializer.INSTANCE));
            backend.setCurrentKey(5L);
            KeptDocuments documents = new KeptDocuments(state, backend);

            byte[] first = packed(100);
            documents.put(first);
            byte[] kept = state.value();
            assertThat(kept).isNotSameAs(first).startsWith(first).hasSize(120);

            documents.put(packed(103));
            assertThat(state.value()).isSameAs(kept);
            assertThat(written(kept)).isEqualTo(written(packed(103)));
            documents.put(packed(80));
            assertThat(state.value()).isSameAs(kept);
            assertThat(written(kept)).isEqualTo(written(packed(80)));

            documents.put(packed(200));
            byte[] larger = state.value();
            assertThat(written(larger)).isEqualTo(written(packed(200)));
            documents.put(packed(20));
            assertThat(state.value()).isNotSameAs(larger).hasSizeLessThan(40);

            documents.remove();
            assertThat(state.value()).isNull();
            // Where state is not on the heap nothing is read.
            new KeptDocuments(state, null).put(first);
            assertThat(state.value()).isSameAs(first);
        }
    }

    /** Of so many elements. */
    private static byte[] packed(int size) {
        int[] elements = new int[size];
        for (int i = 0; i < size; i++) {
            elements[i] = 3 * i;
        }
        return PackedDocument.of(SetChange.upsert(5, elements).withAttributes(1 << 20));
    }

    private static byte[] written(byte[] packed) throws Exception {
        DataOutputSerializer target = new DataOutputSerializer(64);
        PackedDocumentSerializer.INSTANCE.serialize(packed, target);
        return target.getCopyOfBuffer();
    }
}

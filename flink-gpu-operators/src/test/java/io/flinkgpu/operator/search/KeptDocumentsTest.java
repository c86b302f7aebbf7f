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
import org.apache.flink.core.memory.DataInputDeserializer;
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
 * <p>Covers: KeptDocument, KeptDocuments, PackedDocument.
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
            ValueState<byte[]> state = state(backend);
            backend.setCurrentKey(5L);
            KeptDocuments documents = new KeptDocuments(state, backend);

            documents.put(packed(100));
            byte[] kept = state.value();
            assertThat(kept).startsWith(packed(100)).hasSize(120);
            assertThat(written(kept)).isEqualTo(written(100));

            for (int size : new int[] {103, 80, 113}) {
                documents.put(packed(size));
                assertThat(state.value()).isSameAs(kept);
                assertThat(written(kept)).isEqualTo(written(size));
            }

            documents.put(packed(127));
            byte[] larger = state.value();
            assertThat(written(larger)).isEqualTo(written(127));
            documents.put(packed(20));
            assertThat(state.value()).isNotSameAs(larger).hasSizeLessThan(40);
            assertThat(written(state.value())).isEqualTo(written(20));

            documents.remove();
            assertThat(state.value()).isNull();
        }
    }

    /** Where state is not on the heap nothing is read before it is written. */
    @Test
    void elsewhereEachVersionIsAnArray() throws Exception {
        try (ShardHarness<SearchResult<Integer>> harness = SETTINGS.one()) {
            harness.open();
            KeyedStateBackend<Long> backend =
                    ((AbstractStreamOperator<?>) harness.getOperator()).getKeyedStateBackend();
            ValueState<byte[]> state = state(backend);
            backend.setCurrentKey(5L);
            KeptDocuments documents = new KeptDocuments(state, null);
            documents.put(packed(100));
            byte[] first = state.value();
            documents.put(packed(99));
            assertThat(state.value()).isNotSameAs(first);
            assertThat(written(first)).isEqualTo(written(100));
        }
    }

    /** Of any number of bytes, restored and written over by any other. */
    @Test
    void documentsEndWhereTheyDid() throws Exception {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        byte[] kept = KeptDocument.of(new byte[2]);
        for (int run = 0; run < 5_000; run++) {
            byte[] packed = new byte[2 + random.nextInt(random.nextBoolean() ? 300 : 6_000)];
            random.nextBytes(packed);
            if (!KeptDocument.replace(kept, packed)) {
                kept = KeptDocument.of(packed);
            }
            DataOutputSerializer target = new DataOutputSerializer(64);
            PackedDocumentSerializer.INSTANCE.serialize(kept, target);
            kept =
                    PackedDocumentSerializer.INSTANCE.deserialize(
                            new DataInputDeserializer(target.getCopyOfBuffer()));
            assertThat(
                            PackedDocumentSerializer.read(
                                    new DataInputDeserializer(target.getCopyOfBuffer())))
                    .as("seed=%s, run=%s", seed, run)
                    .isEqualTo(packed);
            assertThat(KeptDocument.length(kept)).isEqualTo(packed.length);
            assertThat(kept).startsWith(packed);
            assertThat(kept.length % 8).isZero();
        }
    }

    private static ValueState<byte[]> state(KeyedStateBackend<Long> backend) throws Exception {
        return backend.getPartitionedState(
                VoidNamespace.INSTANCE,
                VoidNamespaceSerializer.INSTANCE,
                new ValueStateDescriptor<>("documents", PackedDocumentSerializer.INSTANCE));
    }

    /** Of so many elements. */
    private static byte[] packed(int size) {
        int[] elements = new int[size];
        for (int i = 0; i < size; i++) {
            elements[i] = 3 * i;
        }
        return PackedDocument.of(SetChange.upsert(5, elements).withAttributes(1 << 20));
    }

    /** What a savepoint would have. */
    private static byte[] written(byte[] kept) throws Exception {
        DataOutputSerializer target = new DataOutputSerializer(64);
        PackedDocumentSerializer.INSTANCE.serialize(kept, target);
        return target.getCopyOfBuffer();
    }

    private static byte[] written(int size) throws Exception {
        byte[] packed = packed(size);
        DataOutputSerializer target = new DataOutputSerializer(64);
        PackedDocumentSerializer.write(packed, packed.length, target);
        return target.getCopyOfBuffer();
    }
}

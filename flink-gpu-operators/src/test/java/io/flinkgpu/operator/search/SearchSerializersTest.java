package io.flinkgpu.operator.search;

import io.flinkgpu.api.search.SearchResult;
import io.flinkgpu.api.search.SearchResultTypeInfo;
import io.flinkgpu.api.search.SetChange;
import io.flinkgpu.api.search.SetMatches;
import io.flinkgpu.api.search.SetMatchesSerializer;
import io.flinkgpu.api.search.SetQuery;
import io.flinkgpu.api.search.SetQueryFormat;
import io.flinkgpu.api.search.Similarity;
import io.flinkgpu.backend.plan.CorpusPlan;
import io.flinkgpu.column.RowValues;
import io.flinkgpu.testkit.RandomSetOperations;

import org.apache.flink.api.common.serialization.SerializerConfigImpl;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.api.common.typeutils.TypeSerializerSnapshot;
import org.apache.flink.api.common.typeutils.base.StringSerializer;
import org.apache.flink.core.memory.DataInputDeserializer;
import org.apache.flink.core.memory.DataOutputSerializer;
import org.apache.flink.util.OutputTag;

import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.util.Random;
import java.util.stream.IntStream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * What is between the operators of a search, and in their state: written and read.
 *
 * <p>Covers: PartialAnswerTypeInfo, SetMatches, SetQueryFormat.
 */
class SearchSerializersTest {

    private static final SetMatches MATCHES =
            new SetMatches(
                    Similarity.OVERLAP,
                    1_024,
                    new long[] {Long.MIN_VALUE, 7},
                    new int[] {1_024, 0},
                    new int[] {1_024, 0});

    @Test
    void whatIsReadIsWhatWasWritten() throws IOException {
        assertThat(again(SetMatchesSerializer.INSTANCE, MATCHES)).isEqualTo(MATCHES);
        SearchResult<String> result = new SearchResult<>("q", MATCHES);
        assertThat(again(new SearchResultTypeInfo<>(Types.STRING), result)).isEqualTo(result);
        for (String record : new String[] {"q", null}) {
            PartialAnswer<String> answer =
                    new PartialAnswer<>(3, 1L << 40, -5, 4, 100, record, MATCHES);
            assertThat(again(new PartialAnswerTypeInfo<>(Types.STRING), answer)).isEqualTo(answer);
        }
        SetQuery query =
                SetQuery.of(5, -1, 0, 9)
                        .withMinScore(Double.NEGATIVE_INFINITY)
                        .withZero(true)
                        .withAttributes(-1, 6);
        NumberedQuery<String> numbered = new NumberedQuery<>(3, 1L << 40, "q", query);
        assertThat(again(new NumberedQueryTypeInfo<>(Types.STRING), numbered)).isEqualTo(numbered);
        assertThat(again(new NumberedQueryTypeInfo<>(Types.STRING), numbered.at(8)))
                .isEqualTo(numbered);
    }

    @Test
    void matchesAreNumbersThatSetsCanHave() {
        for (int wrong : new int[] {-1, 1 << 16}) {
            assertThatThrownBy(
                            () ->
                                    new SetMatches(
                                            Similarity.MAX,
                                            1,
                                            new long[1],
                                            new int[1],
                                            new int[] {wrong}))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage(
                            "a document and its query have at most 1024 elements: common=0, size="
                                    + wrong
                                    + "; give what was found");
        }
    }

    /** Its elements are taken as they are, so that their order is looked at. */
    @Test
    void aQueryWhoseElementsHaveNoOrderIsNotRead() throws IOException {
        DataOutputSerializer target = new DataOutputSerializer(64);
        SetQueryFormat.write(SetQuery.of(3, 7, -1), target);
        byte[] written = target.getCopyOfBuffer();
        assertThat(SetQueryFormat.read(new DataInputDeserializer(written)))
                .isEqualTo(SetQuery.of(3, 7, -1));
        byte[] twice = written.clone();
        System.arraycopy(twice, twice.length - 4, twice, twice.length - 8, 4);
        byte[] none = written.clone();
        none[3] = 0;
        for (byte[] bytes : new byte[][] {twice, none}) {
            assertThatThrownBy(() -> SetQueryFormat.read(new DataInputDeserializer(bytes)))
                    .isInstanceOf(IOException.class)
                    .hasMessageMatching("a query must be as it was written: k=[03], elements=2;.*");
        }
    }

    @RepeatedTest(20)
    void documentsAreReadAsTheyWereWritten() throws IOException {
        RandomSetOperations operations = new RandomSetOperations(new Random().nextLong());
        PackedDocument.Reader reader = new PackedDocument.Reader(1_024);
        RowValues row = new RowValues(3);
        for (int i = 0; i < 100; i++) {
            SetChange change = operations.change();
            TimedChange timed =
                    again(
                            TimedChangeSerializer.INSTANCE,
                            new TimedChange(-1, i, DocumentChange.of(change)));
            assertThat(timed.arrival()).isEqualTo(i);
            assertThat(timed.timestamp()).isEqualTo(-1);
            assertThat(timed.change().id()).isEqualTo(change.id());
            assertThat(timed.change().isDelete()).isEqualTo(change.isDelete());
            if (!change.isDelete()) {
                reader.read(timed.change().packed(), row);
                RowValues elements = row.list(CorpusPlan.ELEMENTS_COLUMN);
                assertThat(
                                IntStream.range(0, elements.columns())
                                        .map(e -> (int) elements.word(e))
                                        .toArray())
                        .as(operations.toString())
                        .isEqualTo(change.elements());
                assertThat((int) row.word(CorpusPlan.ATTRIBUTES_COLUMN))
                        .isEqualTo(change.attributes());
            }
        }
    }

    /** The numbers of similarities are in savepoints. */
    @Test
    void similaritiesKeepTheirNumbers() throws IOException {
        assertThat(Similarity.values())
                .containsExactly(
                        Similarity.MAX,
                        Similarity.JACCARD,
                        Similarity.DICE,
                        Similarity.CONTAINMENT,
                        Similarity.OVERLAP);
        byte[] unknown = {9, 0, 1, 0, 0, 0, 0};
        assertThatThrownBy(
                        () ->
                                SetMatchesSerializer.INSTANCE.deserialize(
                                        new DataInputDeserializer(unknown)))
                .isInstanceOf(IOException.class)
                .hasMessageStartingWith(
                        "what was found for a query must be as it was written: similarity=9,"
                                + " documents=0;");
    }

    @Test
    void anOutputTagFindsTheTypeOfResults() {
        assertThat(new OutputTag<SearchResult<String>>("results") {}.getTypeInfo())
                .isEqualTo(new SearchResultTypeInfo<>(Types.STRING));
    }

    /** What a job would read that has the serializer of a savepoint. */
    private static <T> T again(TypeInformation<T> type, T value) throws IOException {
        TypeSerializer<T> serializer = type.createSerializer(new SerializerConfigImpl());
        assertThat(serializer.duplicate()).isEqualTo(serializer);
        assertThat(serializer.copy(value)).isEqualTo(value);
        return again(serializer, value);
    }

    private static <T> T again(TypeSerializer<T> serializer, T value) throws IOException {
        DataOutputSerializer target = new DataOutputSerializer(64);
        TypeSerializerSnapshot.writeVersionedSnapshot(target, serializer.snapshotConfiguration());
        serializer.serialize(value, target);
        DataInputDeserializer source = new DataInputDeserializer(target.getCopyOfBuffer());
        TypeSerializer<T> restored =
                TypeSerializerSnapshot.<T>readVersionedSnapshot(
                                source, StringSerializer.class.getClassLoader())
                        .restoreSerializer();
        assertThat(restored).isEqualTo(serializer);
        T read = restored.deserialize(source);
        assertThat(source.available()).isZero();
        return read;
    }
}

package io.flinkgpu.bench;

import io.flinkgpu.api.ValueGetter;
import io.flinkgpu.api.search.SetChange;
import io.flinkgpu.api.search.SetQuery;

import org.apache.flink.api.java.tuple.Tuple2;

import java.io.IOException;
import java.io.Serializable;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Arrays;

/**
 * Draws documents and queries in the tasks of a job, from their numbers.
 *
 * @param lengths the file of a real corpus' lengths
 */
record SetDataMaker(String lengths, double skew, long documents, boolean sorted)
        implements Serializable {

    private static final int DIFFERENT_QUERIES = 20_000;

    private SetData data() {
        try {
            return new SetData(
                    SetLengths.read(Path.of(lengths)), SetElementDraws.of(skew), documents, sorted);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * The document of a number; numbers from {@code documents} on are changes: nine of ten replace a document,
     * the others delete it.
     */
    ValueGetter<Long, SetChange> change() {
        return new Change(this);
    }

    /** The query of a number, which is the second field of a record. */
    ValueGetter<Tuple2<Long, Long>, SetQuery> query(int k) {
        return new Query(this, k);
    }

    private static final class Change implements ValueGetter<Long, SetChange> {

        private static final long serialVersionUID = 1L;
        private static final int DELETED_OF = 10;

        private final SetDataMaker maker;
        private transient SetData data;
        private transient SetData.Room room;
        private transient int[] elements;

        Change(SetDataMaker maker) {
            this.maker = maker;
        }

        @Override
        public SetChange get(Long number) {
            if (data == null) {
                data = maker.data();
                room = new SetData.Room();
                elements = new int[SetElementDraws.ELEMENTS];
            }
            long id = number;
            if (id >= data.documents()) {
                SplitMix random = new SplitMix(number);
                id = random.below(data.documents());
                if (random.below(DELETED_OF) == 0) {
                    return SetChange.delete(id);
                }
            }
            int end = data.document(number, id, room, elements, 0);
            return SetChange.upsert(id, Arrays.copyOf(elements, end));
        }
    }

    private static final class Query implements ValueGetter<Tuple2<Long, Long>, SetQuery> {

        private static final long serialVersionUID = 1L;

        private final SetDataMaker maker;
        private final int k;
        private transient SetQuery[] queries;

        Query(SetDataMaker maker, int k) {
            this.maker = maker;
            this.k = k;
        }

        @Override
        public SetQuery get(Tuple2<Long, Long> record) {
            if (queries == null) {
                queries =
                        SearchLab.queries(maker.data(), maker.skew(), DIFFERENT_QUERIES, k)
                                .toArray(new SetQuery[0]);
            }
            return queries[(int) (record.f1 % queries.length)];
        }
    }
}

package io.flinkgpu.backend.plan;

import io.flinkgpu.api.ColumnType;
import io.flinkgpu.api.lookup.Combiner;
import io.flinkgpu.api.lookup.EmbeddingTable;
import io.flinkgpu.backend.BackendException;
import io.flinkgpu.backend.Plan;
import io.flinkgpu.backend.Resident;
import io.flinkgpu.backend.ResidentPlan;
import io.flinkgpu.backend.SampleBatch;
import io.flinkgpu.column.ColumnBatch;

import org.apache.flink.annotation.Internal;

import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.IntVector;
import org.apache.arrow.vector.complex.ListVector;

import java.util.List;

/**
 * Looks bags of ids up in tables; a row is a request. No value is null, but for {@link #WEIGHTS_COLUMN} of a
 * request whose weights are all 1. The result has a row for each: the values of all bags, and where those of each
 * bag end. What they are, bit by bit, is in docs/lookup.md.
 *
 * @param tables what is looked up
 */
@Internal
public record EmbeddingPlan(EmbeddingTablesPlan tables) implements Plan<TransformedBatch> {

    private static final long serialVersionUID = 1L;

    /** The ids of all bags, bag after bag. */
    public static final int IDS_COLUMN = 0;

    /** Of each bag its table and what becomes of its vectors, as {@link #bag} puts them together. */
    public static final int BAGS_COLUMN = 1;

    /** Of each bag where its ids end within the request's, the last of which is their number. */
    public static final int BAG_ENDS_COLUMN = 2;

    /** Of each id its weight; null if all are 1. */
    public static final int WEIGHTS_COLUMN = 3;

    /** Numbers that are not looked up, for a model; a lookup alone does not read them. */
    public static final int DENSE_COLUMN = 4;

    /** Of the result: the values of all bags. */
    public static final int VALUES_COLUMN = 0;

    /** Of the result: where the values of each bag end within the row's. */
    public static final int ENDS_COLUMN = 1;

    public static final ColumnType IDS = ColumnType.list(ColumnType.LONG);
    public static final ColumnType PLACES = ColumnType.list(ColumnType.INT);
    public static final ColumnType NUMBERS = ColumnType.list(ColumnType.FLOAT);

    static final List<ColumnType> INPUT = List.of(IDS, PLACES, PLACES, NUMBERS, NUMBERS);

    private static final Combiner[] COMBINERS = Combiner.values();

    private static final int COMBINER_BITS = 2;

    /** A bag in {@link #BAGS_COLUMN}. */
    public static int bag(int table, Combiner combiner) {
        return table << COMBINER_BITS | combiner.ordinal();
    }

    /** The number of a bag's table. */
    public static int table(int bag) {
        return bag >>> COMBINER_BITS;
    }

    /** What becomes of a bag's vectors. */
    public static Combiner combiner(int bag) {
        return COMBINERS[bag & (1 << COMBINER_BITS) - 1];
    }

    @Override
    public String name() {
        return "Lookup of embeddings";
    }

    @Override
    public List<ColumnType> input() {
        return INPUT;
    }

    @Override
    public List<ResidentPlan> residents() {
        return List.of(tables);
    }

    @Override
    public EmbeddingPlan small() {
        return new EmbeddingPlan(new SmallTables(tables).plan());
    }

    @Override
    public void fillSmall(Resident resident, BufferAllocator allocator, int maxRows, int maxBytes)
            throws BackendException {
        new SmallTables(tables).fill(resident, allocator, maxRows, maxBytes);
    }

    @Override
    public double moreDeviceNanos() {
        return Samples.moreNanos(new SmallTables(tables), Samples.bags(tables));
    }

    @Override
    public SampleBatch.Maker sample() {
        return Samples.requests(new SmallTables(tables));
    }

    @Override
    public String defectOf(TransformedBatch result, ColumnBatch batch) {
        String defect = Plan.defectOfRows(result.columns().rows(), batch);
        for (int row = 0; defect == null && row < batch.rows(); row++) {
            defect = defectOf(result, batch, row);
        }
        return defect;
    }

    private String defectOf(TransformedBatch result, ColumnBatch batch, int row) {
        ListVector bags = (ListVector) batch.vector(BAGS_COLUMN);
        ListVector bagEnds = (ListVector) batch.vector(BAG_ENDS_COLUMN);
        ListVector ends = (ListVector) result.columns().vector(ENDS_COLUMN);
        ListVector values = (ListVector) result.columns().vector(VALUES_COLUMN);
        int count = bags.getElementEndIndex(row) - bags.getElementStartIndex(row);
        if (ends.getElementEndIndex(row) - ends.getElementStartIndex(row) != count) {
            return "a request gets as many bags as it has: row=" + row + ", bags=" + count;
        }
        int ids = 0;
        int end = 0;
        for (int i = 0; i < count; i++) {
            int bag = element(bags, row, i);
            int nextIds = element(bagEnds, row, i);
            int nextEnd = element(ends, row, i);
            if (!isPossible(bag, nextIds - ids, nextEnd - end)) {
                return "a bag gets the values of whole vectors: row=" + row + ", bag=" + i;
            }
            ids = nextIds;
            end = nextEnd;
        }
        return values.getElementEndIndex(row) - values.getElementStartIndex(row) == end
                ? null
                : "a request gets the values of its bags: row=" + row;
    }

    private boolean isPossible(int bag, int ids, int values) {
        EmbeddingTable table = tables.tables().get(table(bag));
        if (combiner(bag) != Combiner.NONE) {
            return values == table.dimension();
        }
        long all = (long) ids * table.dimension();
        return table.missing().isSkip()
                ? values >= 0 && values <= all && values % table.dimension() == 0
                : values == all;
    }

    private static int element(ListVector lists, int row, int index) {
        return ((IntVector) lists.getDataVector()).get(lists.getElementStartIndex(row) + index);
    }

    @Override
    public String remedyForOneRow() {
        return "raise memoryLimitBytes or look fewer ids up in a request";
    }
}

package io.flinkgpu.cells;

import io.flinkgpu.api.CellAggregate;
import io.flinkgpu.api.ColumnType;
import io.flinkgpu.api.ValueSpec;

import org.apache.flink.annotation.Internal;

import java.util.ArrayList;
import java.util.List;

/**
 * A cell that groups keep: of which of a row's columns it is, how it is filled and how two become one.
 *
 * @param value the number of its column
 * @param encoder reads rows as {@link RowCells} lays them out
 */
@Internal
public record KeptCell(int value, CellEncoder encoder, CellFunction function) {

    /** The cells of some columns, in order. */
    public static List<KeptCell> of(List<ValueSpec> values) {
        List<KeptCell> cells = new ArrayList<>();
        int other = values.size() + count(values);
        for (int value = 0; value < values.size(); value++) {
            ColumnType type = values.get(value).type();
            for (CellAggregate aggregate : values.get(value).cells()) {
                cells.add(
                        new KeptCell(
                                value,
                                encoder(type, aggregate, value, other),
                                function(type, aggregate)));
                other += aggregate.other() == null ? 0 : 1;
            }
        }
        return cells;
    }

    /** How many cells some columns keep. */
    public static int count(List<ValueSpec> values) {
        return values.stream().mapToInt(value -> value.cells().size()).sum();
    }

    /** How two cells become one. */
    public static CellFunction function(ColumnType column, CellAggregate aggregate) {
        return switch (aggregate.kind()) {
            case MIN, FIRST, ARG_MIN -> new BestRow(entries(column, aggregate), false);
            case MAX, LAST, ARG_MAX -> new BestRow(entries(column, aggregate), true);
            case TOP -> new GreatestRows(entries(column, aggregate), aggregate.limit());
            case APPROX_DISTINCT -> new DistinctSketch(aggregate.limit(), false);
            case DISTINCT_SKETCH -> new DistinctSketch(aggregate.limit(), true);
            case APPROX_QUANTILE ->
                    new QuantileSketch(QuantileSketch.DEFAULT_ERROR, aggregate.quantile());
        };
    }

    private static CellEncoder encoder(
            ColumnType type, CellAggregate aggregate, int value, int other) {
        return switch (aggregate.kind()) {
            case MIN, MAX -> new EntryEncoder(entries(type, aggregate), value, value, false);
            case FIRST, LAST ->
                    new EntryEncoder(entries(type, aggregate), EntryEncoder.BY_TIME, value, false);
            case ARG_MIN, ARG_MAX ->
                    new EntryEncoder(entries(type, aggregate), value, other, false);
            case TOP -> new EntryEncoder(entries(type, aggregate), value, other, true);
            case APPROX_DISTINCT, DISTINCT_SKETCH -> new CouponEncoder(type, value);
            case APPROX_QUANTILE ->
                    new BucketEncoder(
                            type, value, new QuantileBuckets(QuantileSketch.DEFAULT_ERROR));
        };
    }

    private static Entries entries(ColumnType column, CellAggregate aggregate) {
        return switch (aggregate.kind()) {
            case MIN, MAX -> new Entries(column, null);
            case FIRST, LAST -> new Entries(ColumnType.LONG, column);
            case ARG_MIN, ARG_MAX, TOP -> new Entries(column, aggregate.other());
            case APPROX_DISTINCT, DISTINCT_SKETCH, APPROX_QUANTILE ->
                    throw new IllegalArgumentException("it has no entries");
        };
    }
}

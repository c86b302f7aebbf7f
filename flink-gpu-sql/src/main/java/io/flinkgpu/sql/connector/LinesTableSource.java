package io.flinkgpu.sql.connector;

import io.flinkgpu.api.Lines;

import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.streaming.api.operators.OneInputStreamOperatorFactory;
import org.apache.flink.table.connector.ChangelogMode;
import org.apache.flink.table.connector.source.ScanTableSource;
import org.apache.flink.table.connector.source.abilities.SupportsFilterPushDown;
import org.apache.flink.table.connector.source.abilities.SupportsProjectionPushDown;
import org.apache.flink.table.connector.source.abilities.SupportsWatermarkPushDown;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.expressions.ResolvedExpression;
import org.apache.flink.table.types.DataType;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * The lines of files as rows. A projection decides which fields become values, and not which lines are
 * malformed: those are the same whatever a query reads. Nor does a filter, which is exact where it is taken.
 */
final class LinesTableSource
        implements InPlaceSource,
                SupportsFilterPushDown,
                SupportsProjectionPushDown,
                SupportsWatermarkPushDown {

    private final LinesTable table;
    private final List<String> names;
    private List<LineFilter> filters = List.of();
    private DataType row;
    private int[] columns;
    private WatermarkStrategy<RowData> watermarks;

    /** Of rows that are views of lines; null if they are objects. */
    private TypeInformation<RowData> inPlace;

    /** What reads lines in the place of rows; null if they become rows. */
    private LineOperators operators;

    /**
     * @param row the table's columns
     */
    LinesTableSource(LinesTable table, DataType row) {
        this(table, DataType.getFieldNames(row), row);
    }

    private LinesTableSource(LinesTable table, List<String> names, DataType row) {
        this.table = table;
        this.names = names;
        this.row = row;
        this.columns = IntStream.range(0, DataType.getFieldCount(row)).toArray();
    }

    @Override
    public ChangelogMode getChangelogMode() {
        return ChangelogMode.insertOnly();
    }

    @Override
    public ScanRuntimeProvider getScanRuntimeProvider(ScanContext context) {
        if (operators != null) {
            return new LinesScan(table, operators, watermarks);
        }
        TypeInformation<RowData> type =
                inPlace == null ? context.createTypeInformation(row) : inPlace;
        return new LinesScan(
                table,
                LineOperators.rows(table, columns, filters, type, inPlace != null),
                watermarks);
    }

    /** Takes no filter behind watermarks, which lines that are left out would not advance. */
    @Override
    public Result applyFilters(List<ResolvedExpression> conditions) {
        List<ResolvedExpression> taken = new ArrayList<>();
        List<ResolvedExpression> remaining = new ArrayList<>();
        List<LineFilter> understood = new ArrayList<>(filters);
        for (ResolvedExpression condition : conditions) {
            LineFilter filter =
                    table.format() == null || watermarks != null
                            ? null
                            : new LineFilters(table.format(), names).of(condition);
            if (filter == null) {
                remaining.add(condition);
            } else {
                taken.add(condition);
                understood.add(filter);
            }
        }
        filters = List.copyOf(understood);
        return Result.of(taken, remaining);
    }

    @Override
    public boolean supportsNestedProjection() {
        return false;
    }

    @Override
    public void applyProjection(int[][] projectedFields, DataType producedDataType) {
        columns = Arrays.stream(projectedFields).mapToInt(path -> path[0]).toArray();
        row = producedDataType;
    }

    @Override
    public void applyWatermark(WatermarkStrategy<RowData> watermarkStrategy) {
        watermarks = watermarkStrategy;
    }

    /** None of a line that is one text, nor where the source may run with another parallelism than what reads it. */
    @Override
    public Optional<InPlaceSource> inPlace(TypeInformation<RowData> type) {
        if (table.format() == null || table.parallelism() != null) {
            return Optional.empty();
        }
        LinesTableSource source = copy();
        source.inPlace = type;
        return Optional.of(source);
    }

    @Override
    public Optional<ReadLines> lines() {
        return filters.isEmpty()
                ? Optional.of(
                        new ReadLines(
                                table.format(),
                                table.malformed(),
                                table.options(),
                                Arrays.stream(columns).boxed().toList()))
                : Optional.empty();
    }

    @Override
    public ScanTableSource readBy(
            OneInputStreamOperatorFactory<Lines, RowData> factory, TypeInformation<RowData> type) {
        LinesTableSource source = copy();
        source.operators = LineOperators.of(factory, type);
        return source;
    }

    @Override
    public LinesTableSource copy() {
        LinesTableSource copy = new LinesTableSource(table, names, row);
        copy.filters = filters;
        copy.columns = columns;
        copy.watermarks = watermarks;
        copy.inPlace = inPlace;
        copy.operators = operators;
        return copy;
    }

    @Override
    public String asSummaryString() {
        return LinesTableFactory.IDENTIFIER;
    }
}

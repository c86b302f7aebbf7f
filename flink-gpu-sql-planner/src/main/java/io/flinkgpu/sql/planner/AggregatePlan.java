package io.flinkgpu.sql.planner;

import io.flinkgpu.api.Aggregate;
import io.flinkgpu.sql.aggregate.Accumulator;
import io.flinkgpu.sql.aggregate.AggregatedColumn;
import io.flinkgpu.sql.aggregate.LocalAggregation;

import org.apache.flink.table.data.binary.BinaryRowData;
import org.apache.flink.table.planner.plan.nodes.exec.stream.StreamExecGroupAggregate;
import org.apache.flink.table.planner.plan.utils.AggregateInfo;
import org.apache.flink.table.planner.plan.utils.AggregateInfoList;
import org.apache.flink.table.types.DataType;
import org.apache.flink.table.types.logical.LogicalType;
import org.apache.flink.table.types.logical.RowType;
import org.apache.flink.table.types.logical.utils.LogicalTypeChecks;

import org.apache.calcite.rel.core.AggregateCall;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * What of an aggregation is in the library's tables before it is in Flink's state: all or nothing.
 *
 * @param aggregation null if it stays Flink's
 * @param report of the node
 */
record AggregatePlan(LocalAggregation aggregation, NodeReport report) {

    /** The names of the kinds of nodes in EXPLAIN and {@code gpu.sql.exclude}. */
    static final String LOCAL_WINDOW = "LocalWindowAggregate";

    static final String WINDOW = "WindowAggregate";

    static final String LOCAL_GROUP = "LocalGroupAggregate";

    /** Whether it is in the library's tables. */
    boolean isInTables() {
        return aggregation != null;
    }

    /** Why groups without a local half stay Flink's. */
    static NodeReport ofGroups(StreamExecGroupAggregate node) {
        return new NodeReport(
                node.getId(),
                "GroupAggregate",
                List.of(),
                List.of("it has no local half, which table.exec.mini-batch.enabled = true brings"),
                false);
    }

    /** The reasons of a node to stay Flink's, with the one of rows that may take others back. */
    static List<String> reasons(boolean retracts, List<String> others) {
        List<String> reasons = new ArrayList<>(others);
        if (retracts) {
            reasons.add("rows may take others back");
        }
        return reasons;
    }

    /**
     * Plans an aggregation.
     *
     * @param input the type of its rows
     * @param infos what Flink accumulates
     * @param reasons why the node stays Flink's in any case
     */
    static AggregatePlan of(
            int id,
            String kind,
            int[] grouping,
            RowType input,
            AggregateInfoList infos,
            List<String> reasons,
            Settings settings) {
        Planning planning = new Planning(input, settings);
        planning.reasons.addAll(reasons);
        planning.plan(kind, grouping, infos);
        LocalAggregation aggregation =
                planning.reasons.isEmpty()
                        ? planning.aggregation(grouping, LOCAL_WINDOW.equals(kind))
                        : null;
        List<String> inTables =
                aggregation == null
                        ? List.of()
                        : planning.labels.isEmpty() ? List.of("keys") : planning.labels;
        return new AggregatePlan(
                aggregation,
                new NodeReport(id, kind, inTables, List.copyOf(planning.reasons), false));
    }

    /** One aggregation while it is planned. */
    private static final class Planning {

        private final RowType input;
        private final Settings settings;
        private final Set<String> reasons = new LinkedHashSet<>();
        private final List<String> labels = new ArrayList<>();
        private final List<Column> columns = new ArrayList<>();
        private final List<Accumulator> accumulators = new ArrayList<>();

        Planning(RowType input, Settings settings) {
            this.input = input;
            this.settings = settings;
        }

        void plan(String kind, int[] grouping, AggregateInfoList infos) {
            if (settings.excluded().contains(kind)) {
                reasons.add(kind + " is excluded by gpu.sql.exclude");
            }
            if (infos.distinctInfos().length > 0) {
                reasons.add("DISTINCT needs the values themselves");
            }
            if (grouping.length > LocalAggregation.MAX_KEYS) {
                reasons.add("more than " + LocalAggregation.MAX_KEYS + " fields in a key");
            }
            for (AggregateInfo info : infos.aggInfos()) {
                try {
                    plan(info);
                } catch (UnsupportedException e) {
                    reasons.add(e.getMessage());
                }
            }
            if (columns.size() > LocalAggregation.MAX_COLUMNS) {
                reasons.add("more than " + LocalAggregation.MAX_COLUMNS + " columns");
            }
        }

        private void plan(AggregateInfo info) throws UnsupportedException {
            AggregateCall call = info.agg();
            AggregateSupport.Function function =
                    AggregateSupport.of(info.function())
                            .orElseThrow(
                                    () ->
                                            UnsupportedException.named(
                                                    call.getAggregation().getName()
                                                            + " is not supported"));
            if (settings.excluded().contains(function.name())) {
                throw UnsupportedException.named(
                        function.name() + " is excluded by gpu.sql.exclude");
            }
            int argument =
                    call.getArgList().isEmpty() ? AggregatedColumn.NONE : call.getArgList().get(0);
            AggregatedColumn.Kind kind =
                    argument == AggregatedColumn.NONE
                            ? AggregatedColumn.Kind.COUNTED
                            : function.kind(input.getTypeAt(argument), settings.exactSums());
            int column = column(argument, call.filterArg, kind, function.kept());
            DataType[] types = info.externalAccTypes();
            for (int i = 0; i < types.length; i++) {
                accumulators.add(
                        new Accumulator(
                                function.accumulators().get(i),
                                column,
                                AggregateSupport.bytes(types[i].getLogicalType())));
            }
            labels.add(label(function, argument, call.filterArg));
        }

        private String label(AggregateSupport.Function function, int argument, int filter) {
            return function.name()
                    + "("
                    + (argument == AggregatedColumn.NONE ? "*" : name(argument))
                    + ")"
                    + (filter < 0 ? "" : " FILTER " + name(filter));
        }

        private String name(int column) {
            return input.getFieldNames().get(column);
        }

        private int column(
                int argument, int filter, AggregatedColumn.Kind kind, List<Aggregate> kept) {
            int i = 0;
            while (i < columns.size()
                    && (columns.get(i).argument != argument || columns.get(i).filter != filter)) {
                i++;
            }
            if (i == columns.size()) {
                columns.add(new Column(argument, filter));
            }
            Column column = columns.get(i);
            if (kind != AggregatedColumn.Kind.COUNTED) {
                column.kind = kind;
            }
            column.kept.addAll(kept);
            return i;
        }

        LocalAggregation aggregation(int[] grouping, boolean isSliceSent) {
            if (isSliceSent) {
                accumulators.add(
                        new Accumulator(Accumulator.Kind.SLICE, AggregatedColumn.NONE, Long.BYTES));
            }
            long references = 0;
            for (int i = 0; i < grouping.length; i++) {
                if (!BinaryRowData.isInFixedLengthPart(input.getTypeAt(grouping[i]))) {
                    references |= 1L << i;
                }
            }
            return new LocalAggregation(
                    grouping.length,
                    references,
                    columns.stream().map(this::aggregated).toList(),
                    accumulators);
        }

        private AggregatedColumn aggregated(Column column) {
            LogicalType type =
                    column.kind == AggregatedColumn.Kind.DECIMAL
                                    || column.kind == AggregatedColumn.Kind.TIMESTAMP
                            ? input.getTypeAt(column.argument)
                            : null;
            return new AggregatedColumn(
                    column.argument,
                    column.kind,
                    type == null ? 0 : LogicalTypeChecks.getPrecision(type),
                    column.kind == AggregatedColumn.Kind.DECIMAL
                            ? LogicalTypeChecks.getScale(type)
                            : 0,
                    column.filter,
                    List.copyOf(column.kept));
        }
    }

    /** A column that is aggregated, as far as is known. */
    private static final class Column {

        private final int argument;
        private final int filter;
        private final Set<Aggregate> kept = EnumSet.of(Aggregate.COUNT);
        private AggregatedColumn.Kind kind = AggregatedColumn.Kind.COUNTED;

        Column(int argument, int filter) {
            this.argument = argument;
            this.filter = filter < 0 ? AggregatedColumn.NONE : filter;
        }
    }
}

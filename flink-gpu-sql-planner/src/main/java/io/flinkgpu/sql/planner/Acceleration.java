package io.flinkgpu.sql.planner;

import io.flinkgpu.api.GpuOptions;
import io.flinkgpu.api.Lines;
import io.flinkgpu.sql.aggregate.LocalAggregation;
import io.flinkgpu.sql.connector.ReadLines;

import org.apache.flink.streaming.api.operators.OneInputStreamOperatorFactory;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.planner.calcite.FlinkContext;
import org.apache.flink.table.planner.calcite.FlinkTypeFactory;
import org.apache.flink.table.planner.plan.nodes.exec.ExecEdge;
import org.apache.flink.table.planner.plan.nodes.exec.ExecNode;
import org.apache.flink.table.planner.plan.nodes.exec.ExecNodeGraph;
import org.apache.flink.table.planner.plan.nodes.exec.stream.StreamExecCalc;
import org.apache.flink.table.planner.plan.nodes.exec.stream.StreamExecGroupAggregate;
import org.apache.flink.table.planner.plan.nodes.exec.stream.StreamExecLocalGroupAggregate;
import org.apache.flink.table.planner.plan.nodes.exec.stream.StreamExecLocalWindowAggregate;
import org.apache.flink.table.planner.plan.nodes.exec.stream.StreamExecWindowAggregate;
import org.apache.flink.table.types.logical.RowType;

import org.apache.calcite.rex.RexBuilder;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;

/** The nodes of one plan that are swapped, until this is undone. */
final class Acceleration {

    private final Settings settings;
    private final RexBuilder rexBuilder;
    private final boolean compiled;
    private final Fusion fusion;
    private final Map<ExecNode<?>, ExecNode<?>> standIns = new IdentityHashMap<>();
    private final List<Supplier<NodeReport>> reports = new ArrayList<>();
    private final List<OtherNode> others = new ArrayList<>();
    private final List<Swap> swaps = new ArrayList<>();

    /** For nodes by id, that of the aggregation that reads their rows in place. */
    private final Map<Integer, Integer> fused = new HashMap<>();

    /** An edge that was replaced. */
    private record Swap(ExecNode<?> target, int index, ExecEdge original) {}

    private Acceleration(
            Settings settings, RexBuilder rexBuilder, Fusion fusion, boolean compiled) {
        this.settings = settings;
        this.rexBuilder = rexBuilder;
        this.fusion = fusion;
        this.compiled = compiled;
    }

    /**
     * Swaps what can be swapped below the roots of a plan.
     *
     * @param compiled whether the plan was compiled, so that its nodes have uids
     */
    static Acceleration of(
            ExecNodeGraph graph,
            Settings settings,
            FlinkContext context,
            RexBuilder rexBuilder,
            boolean compiled) {
        FlinkTypeFactory types = (FlinkTypeFactory) rexBuilder.getTypeFactory();
        Acceleration acceleration =
                new Acceleration(
                        settings,
                        rexBuilder,
                        new Fusion(graph, settings, context, types),
                        compiled);
        graph.getRootNodes().forEach(acceleration::visit);
        return acceleration;
    }

    /** A plan whose roots are swapped as well. */
    ExecNodeGraph graph(ExecNodeGraph graph) {
        List<ExecNode<?>> roots = new ArrayList<>();
        graph.getRootNodes().forEach(root -> roots.add(standIns.get(root)));
        return new ExecNodeGraph(graph.getFlinkVersion(), roots);
    }

    /** How the nodes run; what translation finds out is in it afterwards. */
    Report report() {
        return new Report(
                reports.stream()
                        .map(Supplier::get)
                        .map(node -> node.fusedInto(fused.get(node.id())))
                        .toList(),
                others);
    }

    /** Makes the plan Flink's again. */
    void undo() {
        swaps.forEach(swap -> swap.target.replaceInputEdge(swap.index, swap.original));
        swaps.clear();
    }

    /** The node that stands for this one, itself in most cases. */
    private ExecNode<?> visit(ExecNode<?> node) {
        ExecNode<?> known = standIns.get(node);
        if (known != null) {
            return known;
        }
        List<ExecEdge> edges = List.copyOf(node.getInputEdges());
        List<ExecNode<?>> sources = new ArrayList<>();
        edges.forEach(edge -> sources.add(visit(edge.getSource())));
        int reported = reports.size();
        ExecNode<?> standIn = standIn(node);
        if (reports.size() == reported) {
            others.add(OtherNode.of(node));
        }
        standIns.put(node, standIn);
        if (standIn instanceof InPlaceReader reader) {
            fuse(edges.get(0).getSource(), reader, node.getId(), reported);
            sources.set(0, standIns.get(edges.get(0).getSource()));
        }
        if (standIn != node) {
            List<ExecEdge> inputs = new ArrayList<>();
            for (int i = 0; i < edges.size(); i++) {
                inputs.add(edge(sources.get(i), standIn, edges.get(i)));
            }
            standIn.setInputEdges(inputs);
        } else {
            for (int i = 0; i < edges.size(); i++) {
                if (sources.get(i) != edges.get(i).getSource()) {
                    swaps.add(new Swap(node, i, edges.get(i)));
                    node.replaceInputEdge(i, edge(sources.get(i), node, edges.get(i)));
                }
            }
        }
        return standIn;
    }

    /** Has a local aggregation read rows in place, or leaves it to their source, if those in front of it have such. */
    private void fuse(ExecNode<?> input, InPlaceReader reader, int id, int reported) {
        Fusion.Chain chain = fusion.before(input, standIns::get).orElse(null);
        if (chain == null) {
            return;
        }
        if (chain.isFused()) {
            chain.passing().forEach(node -> fused.put(node.getId(), id));
        }
        if (chain.scan() == null) {
            reader.readInPlace(chain.passing());
            return;
        }
        GpuTableSourceScan scan = ofLines(chain, reader).orElse(null);
        if (scan == null) {
            scan = GpuTableSourceScan.of(chain.scan(), chain.source(), compiled);
            readInPlace(chain, scan, reader);
        }
        standIns.put(chain.scan(), scan);
        fused.put(scan.getId(), id);
        others.removeIf(other -> other.id() == chain.scan().getId());
        reports.add(reported, scan::report);
    }

    private void readInPlace(Fusion.Chain chain, GpuTableSourceScan scan, InPlaceReader reader) {
        reader.readInPlace(chain.passing());
        if (!chain.passing().isEmpty()) {
            ExecNode<?> last = chain.passing().get(chain.passing().size() - 1);
            ExecEdge edge = last.getInputEdges().get(0);
            swaps.add(new Swap(last, 0, edge));
            last.replaceInputEdge(0, edge(scan, last, edge));
        }
    }

    /** The scan that does what local windows would, if lines can be aggregated as they are read. */
    private Optional<GpuTableSourceScan> ofLines(Fusion.Chain chain, InPlaceReader reader) {
        ReadLines lines = chain.source().lines().orElse(null);
        if (lines == null
                || !settings.periodicWatermarks()
                || !(reader instanceof GpuLocalWindowAggregate window)) {
            return Optional.empty();
        }
        return LineWindows.of(lines, chain.scan(), chain.passing())
                .flatMap(window::ofLines)
                .map(
                        aggregation ->
                                aggregation.operators(
                                        lines.options().withBackend(settings.backend())))
                .map(operators -> ofLines(chain, window, operators));
    }

    private GpuTableSourceScan ofLines(
            Fusion.Chain chain,
            GpuLocalWindowAggregate window,
            OneInputStreamOperatorFactory<Lines, RowData> operators) {
        window.setOfLines();
        GpuTableSourceScan scan =
                GpuTableSourceScan.aggregating(
                        chain.scan(),
                        chain.source().readBy(operators, InPlaceReader.inPlace(window)),
                        (RowType) window.getOutputType(),
                        compiled);
        ExecNode<?> before = scan;
        for (int i = chain.passing().size() - 1; i >= 0; i--) {
            StreamExecCalc calc = (StreamExecCalc) chain.passing().get(i);
            PassedCalc passed = new PassedCalc(calc, window, compiled);
            passed.setInputEdges(List.of(edge(before, passed, calc.getInputEdges().get(0))));
            standIns.put(calc, passed);
            before = passed;
        }
        return scan;
    }

    private ExecNode<?> standIn(ExecNode<?> node) {
        FlinkTypeFactory types = (FlinkTypeFactory) rexBuilder.getTypeFactory();
        if (node.getClass() == StreamExecLocalWindowAggregate.class) {
            StreamExecLocalWindowAggregate window = (StreamExecLocalWindowAggregate) node;
            return standIn(
                    node,
                    GpuLocalWindowAggregate.plan(window, settings, types),
                    aggregation -> GpuLocalWindowAggregate.of(window, aggregation, compiled));
        }
        if (node.getClass() == StreamExecLocalGroupAggregate.class) {
            StreamExecLocalGroupAggregate group = (StreamExecLocalGroupAggregate) node;
            return standIn(
                    node,
                    GpuLocalGroupAggregate.plan(group, settings, types),
                    aggregation -> GpuLocalGroupAggregate.of(group, aggregation, compiled));
        }
        if (node.getClass() == StreamExecWindowAggregate.class) {
            StreamExecWindowAggregate window = (StreamExecWindowAggregate) node;
            return standIn(
                    node,
                    GpuWindowAggregate.plan(window, settings, types),
                    aggregation -> GpuWindowAggregate.of(window, aggregation, compiled));
        }
        if (node.getClass() == StreamExecGroupAggregate.class) {
            NodeReport report = AggregatePlan.ofGroups((StreamExecGroupAggregate) node);
            reports.add(() -> report);
            return node;
        }
        if (node.getClass() != StreamExecCalc.class) {
            return node;
        }
        StreamExecCalc calc = (StreamExecCalc) node;
        CalcPlan plan = CalcPlan.of(calc, settings, rexBuilder);
        if (!plan.isOnBatches()) {
            reports.add(plan::report);
            return node;
        }
        GpuOptions options = GpuOptions.DEFAULT.withBackend(settings.backend());
        if (plan.hashKey() != null) {
            options = options.withHashKey(plan.hashKey());
        }
        GpuCalc standIn = new GpuCalc(calc, plan, options, compiled);
        reports.add(standIn::report);
        return standIn;
    }

    private ExecNode<?> standIn(
            ExecNode<?> node,
            AggregatePlan plan,
            Function<LocalAggregation, ExecNode<?>> inTables) {
        reports.add(plan::report);
        return plan.isInTables() ? inTables.apply(plan.aggregation()) : node;
    }

    private static ExecEdge edge(ExecNode<?> source, ExecNode<?> target, ExecEdge like) {
        return ExecEdge.builder()
                .source(source)
                .target(target)
                .shuffle(like.getShuffle())
                .exchangeMode(like.getExchangeMode())
                .build();
    }
}

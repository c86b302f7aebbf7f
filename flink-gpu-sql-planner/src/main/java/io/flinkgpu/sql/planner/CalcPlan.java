package io.flinkgpu.sql.planner;

import io.flinkgpu.api.HashKey;
import io.flinkgpu.api.expression.Expression;
import io.flinkgpu.program.Program;
import io.flinkgpu.program.ProgramCompiler;

import org.apache.flink.table.functions.BuiltInFunctionDefinitions;
import org.apache.flink.table.planner.functions.bridging.BridgingSqlFunction;
import org.apache.flink.table.planner.functions.sql.FlinkSqlOperatorTable;
import org.apache.flink.table.planner.plan.nodes.exec.stream.StreamExecCalc;
import org.apache.flink.table.types.logical.RowType;

import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexVisitorImpl;
import org.apache.calcite.sql.SqlOperator;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/**
 * What of a Calc runs in batches.
 *
 * @param program computes some columns
 * @param computed which columns of the output those are, in the order of the program's results
 * @param arguments what the program reads
 * @param hashKey of the program; null if it needs none
 * @param report of the node
 */
record CalcPlan(
        Program program,
        List<Integer> computed,
        List<Arguments.Column> arguments,
        HashKey hashKey,
        NodeReport report) {

    /** The name of the kind of node in EXPLAIN and {@code gpu.sql.exclude}. */
    static final String KIND = "Calc";

    /** Less than this work is not worth the way to columns and back: short text functions alone are not. */
    private static final int MIN_WORK = Support.RULE_WORK;

    /** These read what only an operator of Flink knows. */
    private static final Set<SqlOperator> OF_OPERATOR =
            Set.of(
                    FlinkSqlOperatorTable.PROCTIME_MATERIALIZE,
                    FlinkSqlOperatorTable.STREAMRECORD_TIMESTAMP);

    /** Plans a Calc; a plan without a program leaves it to Flink. */
    static CalcPlan of(StreamExecCalc calc, Settings settings, RexBuilder rexBuilder) {
        return new Planning(calc, settings, rexBuilder).plan();
    }

    /** Whether anything runs in batches. */
    boolean isOnBatches() {
        return program != null;
    }

    /** One Calc while it is planned. */
    private static final class Planning {

        private final StreamExecCalc calc;
        private final Settings settings;
        private final RexBuilder rexBuilder;
        private final CalcFields fields;
        private final List<String> names;
        private final Arguments arguments;
        private final List<Expression> expressions = new ArrayList<>();
        private final List<Integer> computed = new ArrayList<>();
        private final List<String> onBatches = new ArrayList<>();
        private final Set<String> reasons = new LinkedHashSet<>();
        private HashKey hashKey;
        private boolean textLeft;
        private int mostWork;

        Planning(StreamExecCalc calc, Settings settings, RexBuilder rexBuilder) {
            this.calc = calc;
            this.settings = settings;
            this.rexBuilder = rexBuilder;
            fields = CalcFields.of(calc);
            names = ((RowType) calc.getOutputType()).getFieldNames();
            arguments = new Arguments((RowType) calc.getInputEdges().get(0).getOutputType());
        }

        CalcPlan plan() {
            if (settings.excluded().contains(KIND)) {
                return flink("Calc is excluded by gpu.sql.exclude");
            }
            for (int i = 0; i < fields.projection().size(); i++) {
                plan(i, fields.projection().get(i));
            }
            if (fields.condition() != null && hasText(fields.condition())) {
                reasons.add("condition: it is computed before batches are filled");
            }
            if (computed.isEmpty()) {
                return flink(reasons.isEmpty() ? "no text functions" : null);
            }
            if (mostWork < MIN_WORK) {
                textLeft = false;
                return flink("short text functions alone, which cost less than a batch");
            }
            Optional<String> ofOperator = ofOperator();
            if (ofOperator.isPresent()) {
                return flink(ofOperator.get() + " is known to Flink's operator only");
            }
            return compiled();
        }

        private void plan(int column, RexNode node) {
            if (!(node instanceof RexCall)) {
                return;
            }
            RexTranslator translator =
                    new RexTranslator(rexBuilder, arguments, settings.excluded());
            RexTranslator.Findings findings = translator.findings();
            try {
                Expression expression = translator.expression(node);
                if (findings.work() == 0) {
                    return;
                }
                requireOneKey(findings.hashKey());
                expressions.add(expression);
            } catch (UnsupportedException e) {
                boolean text = hasText(node);
                textLeft |= text && !e.getMessage().endsWith("gpu.sql.exclude");
                reasons.add(names.get(column) + ": " + e.getMessage());
                return;
            }
            mostWork = Math.max(mostWork, findings.work());
            computed.add(column);
            onBatches.add(names.get(column));
            findings.checks().forEach(it -> arguments.column(it.column()).require(it.check()));
            findings.lifted()
                    .forEach(it -> reasons.add("a part of " + names.get(column) + ": " + it));
        }

        private void requireOneKey(HashKey key) throws UnsupportedException {
            if (key != null && hashKey != null && !hashKey.equals(key)) {
                throw new UnsupportedException("its key of hashes is another column's");
            }
            hashKey = key == null ? hashKey : key;
        }

        private CalcPlan compiled() {
            Program program;
            try {
                program = ProgramCompiler.compile(arguments.types(), expressions);
            } catch (IllegalArgumentException e) {
                textLeft = true;
                return flink(e.getMessage());
            }
            if (program.columns().isEmpty()) {
                return flink("no column is read");
            }
            List<Arguments.Column> read =
                    program.columns().stream().map(arguments::column).toList();
            return new CalcPlan(program, List.copyOf(computed), read, hashKey, report(onBatches));
        }

        private CalcPlan flink(String reason) {
            if (reason != null) {
                reasons.add(reason);
            }
            return new CalcPlan(null, List.of(), List.of(), null, report(List.of()));
        }

        private NodeReport report(List<String> columns) {
            return new NodeReport(calc.getId(), KIND, columns, List.copyOf(reasons), textLeft);
        }

        /** A function of what Flink's code has to do that only its operator can. */
        private Optional<String> ofOperator() {
            List<RexNode> all = new ArrayList<>(fields.projection());
            all.add(fields.condition());
            return all.stream()
                    .filter(Objects::nonNull)
                    .map(node -> find(node, Planning::isOfOperator))
                    .filter(Objects::nonNull)
                    .map(call -> call.getOperator().getName())
                    .findFirst();
        }

        private static boolean isOfOperator(RexCall call) {
            return OF_OPERATOR.contains(call.getOperator())
                    || call.getOperator() instanceof BridgingSqlFunction function
                            && function.getDefinition()
                                    == BuiltInFunctionDefinitions.CURRENT_WATERMARK;
        }

        private static boolean hasText(RexNode node) {
            return find(node, call -> Support.of(call).filter(it -> it.work() > 0).isPresent())
                    != null;
        }

        /** The first call of a kind within an expression, or null. */
        private static RexCall find(RexNode node, Predicate<RexCall> predicate) {
            RexCall[] found = new RexCall[1];
            node.accept(
                    new RexVisitorImpl<Void>(true) {
                        @Override
                        public Void visitCall(RexCall call) {
                            if (found[0] == null && predicate.test(call)) {
                                found[0] = call;
                            }
                            return super.visitCall(call);
                        }
                    });
            return found[0];
        }
    }
}

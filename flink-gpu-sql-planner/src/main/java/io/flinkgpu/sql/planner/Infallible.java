package io.flinkgpu.sql.planner;

import org.apache.flink.table.planner.functions.sql.FlinkSqlOperatorTable;
import org.apache.flink.table.types.logical.LogicalType;
import org.apache.flink.table.types.logical.LogicalTypeFamily;
import org.apache.flink.table.types.logical.LogicalTypeRoot;
import org.apache.flink.table.types.logical.VarCharType;

import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.SqlOperator;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;

import java.math.BigDecimal;
import java.util.EnumSet;
import java.util.Set;

/** Expressions of numbers that Flink's code computes without an error, whatever the row. */
final class Infallible {

    private static final Set<LogicalTypeRoot> NUMBERS =
            EnumSet.of(
                    LogicalTypeRoot.TINYINT,
                    LogicalTypeRoot.SMALLINT,
                    LogicalTypeRoot.INTEGER,
                    LogicalTypeRoot.BIGINT,
                    LogicalTypeRoot.FLOAT,
                    LogicalTypeRoot.DOUBLE);

    private static final Set<SqlOperator> ARITHMETIC =
            Set.of(
                    FlinkSqlOperatorTable.PLUS,
                    FlinkSqlOperatorTable.MINUS,
                    FlinkSqlOperatorTable.MULTIPLY,
                    FlinkSqlOperatorTable.UNARY_MINUS);

    private static final Set<SqlOperator> DIVISIONS =
            Set.of(
                    FlinkSqlOperatorTable.DIVIDE,
                    FlinkSqlOperatorTable.DIVIDE_INTEGER,
                    FlinkSqlOperatorTable.MOD);

    private Infallible() {}

    static boolean is(RexNode node) {
        LogicalType type = Types.logical(node.getType());
        if (node instanceof RexCall call && call.getOperator() == SqlStdOperatorTable.CAST) {
            // Among themselves numbers are cast as Java casts them; texts of any length hold all.
            return is(call.getOperands().get(0))
                    && (isNumber(node) && isNumber(call.getOperands().get(0))
                            || type.is(LogicalTypeRoot.VARCHAR)
                                    && type.equals(
                                            new VarCharType(
                                                    type.isNullable(), VarCharType.MAX_LENGTH)));
        }
        return isNumber(node)
                && (node instanceof RexInputRef
                        || node instanceof RexLiteral
                        || node instanceof RexCall call
                                && (ARITHMETIC.contains(call.getOperator()) || isDivision(call))
                                && call.getOperands().stream()
                                        .allMatch(each -> isNumber(each) && is(each)));
    }

    private static boolean isNumber(RexNode node) {
        return NUMBERS.contains(Types.logical(node.getType()).getTypeRoot());
    }

    /** Whether it is a division that is not by zero, or of floats, which gives an infinity or NaN then. */
    private static boolean isDivision(RexCall call) {
        if (!DIVISIONS.contains(call.getOperator())) {
            return false;
        }
        if (Types.logical(call.getType()).is(LogicalTypeFamily.APPROXIMATE_NUMERIC)) {
            return true;
        }
        RexNode divisor = call.getOperands().get(1);
        return divisor instanceof RexLiteral literal
                && Types.logical(divisor.getType()).is(LogicalTypeFamily.INTEGER_NUMERIC)
                && Types.holdsAll(divisor.getType(), call.getType())
                && literal.getValueAs(BigDecimal.class) != null
                && literal.getValueAs(BigDecimal.class).signum() != 0;
    }
}

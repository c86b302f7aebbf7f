package io.flinkgpu.sql.planner;

import org.apache.flink.table.planner.functions.sql.FlinkSqlOperatorTable;
import org.apache.flink.table.types.logical.LogicalType;
import org.apache.flink.table.types.logical.LogicalTypeRoot;
import org.apache.flink.table.types.logical.VarCharType;

import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.SqlOperator;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;

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

    private Infallible() {}

    static boolean is(RexNode node) {
        LogicalType type = Types.logical(node.getType());
        if (node instanceof RexCall call && call.getOperator() == SqlStdOperatorTable.CAST) {
            // Numbers become texts of any length; other casts of them may overflow.
            return type.is(LogicalTypeRoot.VARCHAR)
                    && type.equals(new VarCharType(type.isNullable(), VarCharType.MAX_LENGTH))
                    && is(call.getOperands().get(0));
        }
        return NUMBERS.contains(type.getTypeRoot())
                && (node instanceof RexInputRef
                        || node instanceof RexLiteral
                        || node instanceof RexCall arithmetic
                                && ARITHMETIC.contains(arithmetic.getOperator())
                                && arithmetic.getOperands().stream().allMatch(Infallible::is));
    }
}

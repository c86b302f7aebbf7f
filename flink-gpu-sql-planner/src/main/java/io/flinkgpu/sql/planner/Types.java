package io.flinkgpu.sql.planner;

import org.apache.flink.table.planner.calcite.FlinkTypeFactory;
import org.apache.flink.table.types.logical.LogicalType;
import org.apache.flink.table.types.logical.LogicalTypeFamily;
import org.apache.flink.table.types.logical.LogicalTypeRoot;
import org.apache.flink.table.types.logical.utils.LogicalTypeChecks;

import org.apache.calcite.rel.type.RelDataType;

/** Types of SQL. */
final class Types {

    private Types() {}

    static LogicalType logical(RelDataType type) {
        return FlinkTypeFactory.toLogicalType(type);
    }

    /** Whether a cast leaves all values as they are. */
    static boolean holdsAll(RelDataType from, RelDataType to) {
        LogicalType source = logical(from);
        LogicalType target = logical(to);
        if (source.is(LogicalTypeFamily.CHARACTER_STRING)) {
            return target.is(LogicalTypeRoot.VARCHAR)
                    && LogicalTypeChecks.getLength(target) >= LogicalTypeChecks.getLength(source);
        }
        if (source.is(LogicalTypeFamily.INTEGER_NUMERIC)) {
            return target.is(LogicalTypeFamily.INTEGER_NUMERIC) && width(target) >= width(source);
        }
        return source.copy(true).equals(target.copy(true));
    }

    private static int width(LogicalType type) {
        return switch (type.getTypeRoot()) {
            case TINYINT -> 1;
            case SMALLINT -> 2;
            case INTEGER -> 4;
            default -> 8;
        };
    }
}

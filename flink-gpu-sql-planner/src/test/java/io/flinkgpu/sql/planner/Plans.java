package io.flinkgpu.sql.planner;

import io.flinkgpu.api.BackendChoice;

import org.apache.flink.api.dag.Transformation;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.table.api.bridge.java.StreamTableEnvironment;
import org.apache.flink.table.api.internal.TableEnvironmentImpl;
import org.apache.flink.table.operations.QueryOperation;
import org.apache.flink.table.planner.plan.nodes.exec.ExecNode;
import org.apache.flink.table.planner.utils.JavaScalaConversionUtil;

import org.apache.calcite.rel.RelNode;

import java.util.List;

/** Tables of {@link RowTables}, and plans of queries over them. */
final class Plans {

    private final StreamTableEnvironment tables;

    Plans() {
        this(StreamExecutionEnvironment.getExecutionEnvironment());
    }

    Plans(StreamExecutionEnvironment env) {
        tables = StreamTableEnvironment.create(env);
        tables.getConfig().set(GpuSqlOptions.BACKEND, BackendChoice.CPU);
        tables.executeSql("LOAD MODULE gpu");
    }

    /** Creates a source of {@link RandomRowData}. */
    Plans source(String name, String options) {
        tables.executeSql(
                "CREATE TABLE %s (%s) WITH ('connector' = 'rows'%s)"
                        .formatted(name, RandomRowData.SCHEMA, options));
        return this;
    }

    StreamTableEnvironment tables() {
        return tables;
    }

    GpuStreamPlanner planner() {
        return (GpuStreamPlanner) ((TableEnvironmentImpl) tables).getPlanner();
    }

    /** The last node of a query. */
    ExecNode<?> node(String query) {
        GpuStreamPlanner planner = planner();
        QueryOperation operation = (QueryOperation) planner.getParser().parse(query).get(0);
        RelNode rel = planner.createRelBuilder().queryOperation(operation).build();
        return planner.translateToExecNodeGraph(
                        planner.optimize(JavaScalaConversionUtil.toScala(List.of(rel))), false)
                .getRootNodes()
                .get(0);
    }

    /** What the last node of a query becomes. */
    Transformation<?> transformation(String query) {
        return node(query).translateToPlan(planner());
    }
}

package io.flinkgpu.sql.operator;

import org.apache.flink.api.common.functions.DefaultOpenContext;
import org.apache.flink.api.common.functions.FlatMapFunction;
import org.apache.flink.api.common.functions.RuntimeContext;
import org.apache.flink.api.common.functions.util.FunctionUtils;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.runtime.generated.GeneratedFunction;
import org.apache.flink.util.Collector;

import java.io.Closeable;
import java.io.IOException;

/** A function that Flink's planner generated, which makes one row or none of a row. Task thread only. */
final class RowFunction implements Closeable {

    private final FlatMapFunction<RowData, RowData> function;
    private final LastRow last = new LastRow();

    RowFunction(
            GeneratedFunction<FlatMapFunction<RowData, RowData>> function, RuntimeContext context)
            throws Exception {
        this.function = function.newInstance(context.getUserCodeClassLoader());
        FunctionUtils.setFunctionRuntimeContext(this.function, context);
        FunctionUtils.openFunction(this.function, DefaultOpenContext.INSTANCE);
    }

    /** The row, valid until the next one is asked for; null for none. */
    RowData of(RowData row) throws Exception {
        last.row = null;
        function.flatMap(row, last);
        return last.row;
    }

    @Override
    public void close() throws IOException {
        try {
            FunctionUtils.closeFunction(function);
        } catch (Exception e) {
            throw new IOException("a function of a query could not be closed", e);
        }
    }

    /** Holds the row that was made last. */
    private static final class LastRow implements Collector<RowData> {

        private RowData row;

        @Override
        public void collect(RowData row) {
            this.row = row;
        }

        @Override
        public void close() {}
    }
}

package io.flinkgpu.sql.operator;

import io.flinkgpu.Backends;
import io.flinkgpu.api.GpuOptions;
import io.flinkgpu.backend.cpu.CpuBackend;
import io.flinkgpu.operator.BatchOperatorFactory;

import org.apache.flink.annotation.Internal;
import org.apache.flink.table.data.RowData;

/** Makes the operators of Calcs. Here, as what makes them is loaded again where they run. */
@Internal
public final class CalcOperators {

    private CalcOperators() {}

    /** Operators on the options' backend; a batch that a GPU has no memory for runs on the CPU. */
    public static BatchOperatorFactory<RowData, RowData> of(CalcSpec spec, GpuOptions options) {
        return new BatchOperatorFactory<>(spec, options, Backends.of(options), CpuBackend::open);
    }
}

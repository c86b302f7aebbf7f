package io.flinkgpu.sql.planner;

import org.apache.flink.annotation.Internal;
import org.apache.flink.api.common.RuntimeExecutionMode;
import org.apache.flink.configuration.ExecutionOptions;
import org.apache.flink.runtime.util.EnvironmentInformation;
import org.apache.flink.table.delegation.Planner;
import org.apache.flink.table.delegation.PlannerFactory;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Makes planners: this one for streaming SQL on the Flink that it was built for, else Flink's own. */
@Internal
public final class Planners {

    private static final Logger LOG = LoggerFactory.getLogger(Planners.class);

    private Planners() {}

    /**
     * A planner of the version of Flink that runs.
     *
     * @param flink makes Flink's own
     */
    public static Planner create(PlannerFactory.Context context, PlannerFactory flink) {
        return create(context, flink, EnvironmentInformation.getVersion());
    }

    static Planner create(PlannerFactory.Context context, PlannerFactory flink, String version) {
        if (context.getTableConfig().get(ExecutionOptions.RUNTIME_MODE)
                != RuntimeExecutionMode.STREAMING) {
            return flink.create(context);
        }
        if (!Compatibility.isWith(version)) {
            LOG.warn(
                    "SQL is planned by Flink alone: version={}, the planner on batches is for {};"
                            + " use the jar that goes with this version",
                    version,
                    Compatibility.BUILT_FOR);
            return flink.create(context);
        }
        return new GpuStreamPlanner(context);
    }
}

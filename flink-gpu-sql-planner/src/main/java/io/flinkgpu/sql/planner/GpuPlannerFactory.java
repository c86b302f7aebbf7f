package io.flinkgpu.sql.planner;

import org.apache.flink.annotation.Internal;
import org.apache.flink.api.common.RuntimeExecutionMode;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.ExecutionOptions;
import org.apache.flink.runtime.util.EnvironmentInformation;
import org.apache.flink.table.delegation.Planner;
import org.apache.flink.table.delegation.PlannerFactory;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.util.Objects;
import java.util.Set;

/**
 * Makes {@link GpuStreamPlanner}s for streaming SQL on the Flink that this is built for, else Flink's own
 * planners. Not found by Flink itself: it stands in the place of Flink's factory, which hands its own over.
 */
@Internal
public final class GpuPlannerFactory implements PlannerFactory {

    private static final Logger LOG = LoggerFactory.getLogger(GpuPlannerFactory.class);

    private final PlannerFactory flink;
    private final String flinkVersion;

    /**
     * @param flink makes Flink's own planners
     */
    public GpuPlannerFactory(PlannerFactory flink) {
        this(flink, EnvironmentInformation.getVersion());
    }

    GpuPlannerFactory(PlannerFactory flink, String flinkVersion) {
        this.flink = Objects.requireNonNull(flink, "flink");
        this.flinkVersion = flinkVersion;
    }

    @Override
    public String factoryIdentifier() {
        return flink.factoryIdentifier();
    }

    @Override
    public Set<ConfigOption<?>> requiredOptions() {
        return flink.requiredOptions();
    }

    @Override
    public Set<ConfigOption<?>> optionalOptions() {
        return flink.optionalOptions();
    }

    @Override
    public Planner create(Context context) {
        if (context.getTableConfig().get(ExecutionOptions.RUNTIME_MODE)
                != RuntimeExecutionMode.STREAMING) {
            return flink.create(context);
        }
        if (!Compatibility.isWith(flinkVersion)) {
            LOG.warn(
                    "SQL is planned by Flink alone: version={}, the planner on batches is for {};"
                            + " use the jar that goes with this version",
                    flinkVersion,
                    Compatibility.BUILT_FOR);
            return flink.create(context);
        }
        return new GpuStreamPlanner(context);
    }
}

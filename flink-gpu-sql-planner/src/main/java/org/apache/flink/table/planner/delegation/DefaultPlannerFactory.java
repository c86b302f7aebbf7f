package org.apache.flink.table.planner.delegation;

import io.flinkgpu.sql.planner.FlinkPlannerFactory;
import io.flinkgpu.sql.planner.GpuPlannerFactory;

import org.apache.flink.annotation.Internal;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.table.delegation.Planner;
import org.apache.flink.table.delegation.PlannerFactory;

import java.util.Set;

/**
 * Hides Flink's factory of this name, where its planner jar is on the class path behind this one: Flink knows
 * its planner by this name alone, and refuses a second one.
 */
@Internal
public final class DefaultPlannerFactory implements PlannerFactory {

    private final PlannerFactory factory =
            new GpuPlannerFactory(FlinkPlannerFactory.hiddenBy(DefaultPlannerFactory.class));

    @Override
    public String factoryIdentifier() {
        return factory.factoryIdentifier();
    }

    @Override
    public Set<ConfigOption<?>> requiredOptions() {
        return factory.requiredOptions();
    }

    @Override
    public Set<ConfigOption<?>> optionalOptions() {
        return factory.optionalOptions();
    }

    @Override
    public Planner create(Context context) {
        return factory.create(context);
    }
}

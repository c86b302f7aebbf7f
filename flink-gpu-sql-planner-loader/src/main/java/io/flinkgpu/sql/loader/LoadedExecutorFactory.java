package io.flinkgpu.sql.loader;

import org.apache.flink.annotation.Internal;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.table.delegation.Executor;
import org.apache.flink.table.delegation.StreamExecutorFactory;
import org.apache.flink.table.planner.loader.PlannerModule;

import java.util.Set;

/** Flink's factory of executors, loaded as Flink loads it. */
@Internal
public final class LoadedExecutorFactory implements StreamExecutorFactory {

    private final StreamExecutorFactory factory =
            (StreamExecutorFactory) PlannerModule.getInstance().loadExecutorFactory();

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
    public Executor create(Configuration configuration) {
        return factory.create(configuration);
    }

    @Override
    public Executor create(StreamExecutionEnvironment environment) {
        return factory.create(environment);
    }
}

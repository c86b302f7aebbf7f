package io.flinkgpu.sql.planner;

import org.apache.flink.table.delegation.Planner;
import org.apache.flink.table.delegation.PlannerFactory;
import org.apache.flink.table.planner.delegation.DefaultExecutor;
import org.apache.flink.table.planner.delegation.DefaultPlannerFactory;
import org.apache.flink.table.planner.delegation.StreamPlanner;

import org.apache.logging.log4j.Level;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.core.LogEvent;
import org.apache.logging.log4j.core.Logger;
import org.apache.logging.log4j.core.appender.AbstractAppender;
import org.apache.logging.log4j.core.config.Property;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * On a Flink of another version SQL is planned by Flink's own planner, and one line says so.
 *
 * <p>Covers: GpuPlannerFactory, GpuStreamPlanner.
 */
class OtherVersionTest {

    @Test
    void flinksOwnPlannerAndOneLine() {
        List<String> lines = new ArrayList<>();
        AbstractAppender appender =
                new AbstractAppender("lines", null, null, false, Property.EMPTY_ARRAY) {
                    @Override
                    public void append(LogEvent event) {
                        lines.add(event.getMessage().getFormattedMessage());
                    }
                };
        appender.start();
        Logger logger = (Logger) LogManager.getLogger(GpuPlannerFactory.class);
        logger.addAppender(appender);
        logger.setLevel(Level.WARN);
        try {
            PlannerFactory flink = FlinkPlannerFactory.hiddenBy(DefaultPlannerFactory.class);
            Planner planner = new GpuPlannerFactory(flink, "2.3.1").create(context());
            assertThat(planner.getClass()).isEqualTo(StreamPlanner.class);
        } finally {
            logger.removeAppender(appender);
        }
        assertThat(lines)
                .containsExactly(
                        "SQL is planned by Flink alone: version=2.3.1, the planner on batches is"
                                + " for 2.3.0; use the jar that goes with this version");
    }

    @SuppressWarnings("deprecation") // As Flink's planner does.
    private static PlannerFactory.Context context() {
        GpuStreamPlanner planner = new Plans().planner();
        return new PlannerFactory.DefaultPlannerContext(
                new DefaultExecutor(planner.getExecEnv()),
                planner.getTableConfig(),
                OtherVersionTest.class.getClassLoader(),
                planner.moduleManager(),
                planner.catalogManager(),
                planner.functionCatalog());
    }
}

package io.flinkgpu.testkit;

import org.apache.flink.runtime.testutils.MiniClusterResourceConfiguration;
import org.apache.flink.test.junit5.MiniClusterExtension;

/** Flink clusters in the test's own process. */
public final class Clusters {

    private Clusters() {}

    /** One TaskManager with four slots: jobs up to parallelism 4. */
    public static MiniClusterExtension ofFourSlots() {
        return new MiniClusterExtension(
                new MiniClusterResourceConfiguration.Builder()
                        .setNumberTaskManagers(1)
                        .setNumberSlotsPerTaskManager(4)
                        .build());
    }
}

package io.flinkgpu.sql.planner;

/** Which Flink this planner extends: its planner is internal, and may change with each version. */
final class Compatibility {

    /** The version of Flink that this is compiled with. */
    static final String BUILT_FOR = "2.3.0";

    private Compatibility() {}

    static boolean isWith(String flinkVersion) {
        return BUILT_FOR.equals(flinkVersion);
    }
}

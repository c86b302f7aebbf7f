package io.flinkgpu.sql.planner;

import org.apache.flink.table.planner.plan.nodes.exec.ExecNode;

/**
 * A node of a plan of a kind that is always Flink's.
 *
 * @param id of the node
 * @param kind of it
 */
record OtherNode(int id, String kind) {

    private static final String PREFIX = "StreamExec";

    static OtherNode of(ExecNode<?> node) {
        String name = node.getClass().getSimpleName();
        return new OtherNode(
                node.getId(), name.startsWith(PREFIX) ? name.substring(PREFIX.length()) : name);
    }

    /** It as an object of JSON. */
    String json() {
        return "{\"id\": %d, \"kind\": %s}".formatted(id, JsonText.of(kind));
    }
}

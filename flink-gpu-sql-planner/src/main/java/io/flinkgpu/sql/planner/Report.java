package io.flinkgpu.sql.planner;

import org.apache.flink.table.api.TableException;

import java.util.List;

/** How the nodes of a plan run. */
record Report(List<NodeReport> nodes) {

    static final String TITLE = "== GPU Acceleration ==";

    Report {
        nodes = List.copyOf(nodes);
    }

    /** The section of EXPLAIN, empty if there is none. */
    String text(GpuSqlOptions.Explained explained) {
        if (explained == GpuSqlOptions.Explained.NONE) {
            return "";
        }
        StringBuilder text = new StringBuilder();
        text.append(System.lineSeparator()).append(TITLE).append(System.lineSeparator());
        for (NodeReport node : nodes) {
            if (explained == GpuSqlOptions.Explained.ALL || !node.reasons().isEmpty()) {
                text.append(node.text());
            }
        }
        return text.toString();
    }

    /**
     * Refuses a plan in which a text function is left to Flink.
     *
     * @throws TableException that lists the nodes
     */
    void requireNoTextLeft() {
        List<NodeReport> left = nodes.stream().filter(NodeReport::textLeft).toList();
        if (!left.isEmpty()) {
            StringBuilder message =
                    new StringBuilder(
                            "text functions are left to Flink, and gpu.sql.strict=true; rewrite or"
                                    + " exclude them (gpu.sql.exclude):");
            left.forEach(
                    node -> message.append(System.lineSeparator()).append(node.text().strip()));
            throw new TableException(message.toString());
        }
    }
}

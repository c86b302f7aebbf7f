package io.flinkgpu.sql.planner;

import org.apache.flink.table.api.TableException;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * How the nodes of a plan run.
 *
 * @param nodes of kinds that may run in batches
 * @param others of all other kinds, which are Flink's
 */
record Report(List<NodeReport> nodes, List<OtherNode> others) {

    static final String TITLE = "== GPU Acceleration ==";

    /** Of the form that docs/sql.md describes; another one for what readers of the old would misread. */
    private static final int JSON_VERSION = 1;

    Report {
        nodes = List.copyOf(nodes);
        others = List.copyOf(others);
    }

    /** The section of EXPLAIN, empty if there is none. */
    String section(GpuSqlOptions.Explained explained, GpuSqlOptions.ExplainFormat format) {
        if (explained == GpuSqlOptions.Explained.NONE) {
            return "";
        }
        String content =
                switch (format) {
                    case TEXT ->
                            listed(explained).map(NodeReport::text).collect(Collectors.joining());
                    case JSON -> json(explained) + System.lineSeparator();
                };
        return System.lineSeparator() + TITLE + System.lineSeparator() + content;
    }

    private String json(GpuSqlOptions.Explained explained) {
        String rest =
                array(
                        others.stream()
                                .filter(node -> explained == GpuSqlOptions.Explained.ALL)
                                .map(OtherNode::json));
        return "{\"version\": %d, \"nodes\": %s, \"others\": %s}"
                .formatted(JSON_VERSION, array(listed(explained).map(NodeReport::json)), rest);
    }

    /** An array of JSON, an element a line. */
    private static String array(Stream<String> elements) {
        String lines = elements.collect(Collectors.joining(",\n  "));
        return lines.isEmpty() ? "[]" : "[\n  " + lines + "\n]";
    }

    private Stream<NodeReport> listed(GpuSqlOptions.Explained explained) {
        return nodes.stream()
                .filter(
                        node ->
                                switch (explained) {
                                    case ALL -> true;
                                    case NOT_ON_GPU -> !node.reasons().isEmpty();
                                    case NONE -> false;
                                });
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

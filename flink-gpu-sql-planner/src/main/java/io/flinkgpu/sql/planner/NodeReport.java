package io.flinkgpu.sql.planner;

import java.util.List;

/**
 * How a node of a plan runs.
 *
 * @param id of the node
 * @param kind of it
 * @param onBatches what of it runs in batches; empty if nothing does
 * @param reasons why other parts, or all, are Flink's
 * @param textLeft whether a function of text, which is not excluded, is left to Flink
 */
record NodeReport(
        int id, String kind, List<String> onBatches, List<String> reasons, boolean textLeft) {

    NodeReport {
        onBatches = List.copyOf(onBatches);
        reasons = List.copyOf(reasons);
    }

    /** The same with nothing in batches. */
    NodeReport flinks(String reason) {
        return new NodeReport(id, kind, List.of(), List.of(reason), textLeft);
    }

    /** One line, and one for each reason. */
    String text() {
        StringBuilder text = new StringBuilder();
        text.append('[').append(id).append("] ").append(kind).append(": ");
        text.append(onBatches.isEmpty() ? "Flink" : "on batches: " + String.join(", ", onBatches));
        for (String reason : reasons) {
            text.append(System.lineSeparator()).append("    Flink: ").append(reason);
        }
        return text.append(System.lineSeparator()).toString();
    }

    /** The same as an object of JSON. */
    String json() {
        String runs = onBatches.isEmpty() ? "flink" : reasons.isEmpty() ? "batches" : "both";
        return "{\"id\": %d, \"kind\": %s, \"runs\": \"%s\", \"onBatches\": %s, \"reasons\": %s, \"textLeft\": %s}"
                .formatted(
                        id,
                        JsonText.of(kind),
                        runs,
                        JsonText.of(onBatches),
                        JsonText.of(reasons),
                        textLeft);
    }
}

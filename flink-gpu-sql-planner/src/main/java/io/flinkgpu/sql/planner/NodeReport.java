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
 * @param fusedInto the node that reads its rows in place; null if none does
 */
record NodeReport(
        int id,
        String kind,
        List<String> onBatches,
        List<String> reasons,
        boolean textLeft,
        Integer fusedInto) {

    NodeReport {
        onBatches = List.copyOf(onBatches);
        reasons = List.copyOf(reasons);
    }

    /** Of a node whose rows are not read in place. */
    NodeReport(
            int id, String kind, List<String> onBatches, List<String> reasons, boolean textLeft) {
        this(id, kind, onBatches, reasons, textLeft, null);
    }

    /** The same with nothing in batches. */
    NodeReport flinks(String reason) {
        return new NodeReport(id, kind, List.of(), List.of(reason), textLeft, fusedInto);
    }

    /** The same with rows that another node reads in place, or that none does. */
    NodeReport fusedInto(Integer reader) {
        return new NodeReport(id, kind, onBatches, reasons, textLeft, reader);
    }

    /** One line, and one for each reason. */
    String text() {
        StringBuilder text = new StringBuilder();
        text.append('[').append(id).append("] ").append(kind).append(": ");
        text.append(onBatches.isEmpty() ? "Flink" : "on batches: " + String.join(", ", onBatches));
        text.append(fusedInto == null ? "" : "; fused into [" + fusedInto + "]");
        for (String reason : reasons) {
            text.append(System.lineSeparator()).append("    Flink: ").append(reason);
        }
        return text.append(System.lineSeparator()).toString();
    }

    /** The same as an object of JSON. */
    String json() {
        String runs = onBatches.isEmpty() ? "flink" : reasons.isEmpty() ? "batches" : "both";
        return "{\"id\": %d, \"kind\": %s, \"runs\": \"%s\", \"onBatches\": %s, \"reasons\": %s, \"textLeft\": %s%s}"
                .formatted(
                        id,
                        JsonText.of(kind),
                        runs,
                        JsonText.of(onBatches),
                        JsonText.of(reasons),
                        textLeft,
                        fusedInto == null ? "" : ", \"fusedInto\": " + fusedInto);
    }
}

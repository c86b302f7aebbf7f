package io.flinkgpu.sql.script;

import org.apache.flink.shaded.jackson2.com.fasterxml.jackson.core.JsonProcessingException;
import org.apache.flink.shaded.jackson2.com.fasterxml.jackson.databind.JsonNode;
import org.apache.flink.shaded.jackson2.com.fasterxml.jackson.databind.ObjectMapper;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Prints how each statement and node would run, and counts. */
final class Findings {

    private static final String TITLE = "== GPU Acceleration ==";

    private final ObjectMapper json = new ObjectMapper();
    private final PrintStream out;
    private final PrintStream err;
    private final Map<String, Integer> reasons = new TreeMap<>();
    private int planned;
    private int unplanned;
    private int errors;
    private int onBatches;
    private int inPart;
    private int flinks;

    Findings(PrintStream out, PrintStream err) {
        this.out = out;
        this.err = err;
    }

    boolean hasErrors() {
        return errors > 0;
    }

    /** Notes a statement that has no plan. */
    void prepared() {
        unplanned++;
    }

    /** Notes what a reader has to know of a file. */
    void note(String place, String text) {
        out.println(place + ": " + text);
    }

    /** Notes what could not be planned. */
    void failed(String place, String reason) {
        errors++;
        err.println(place + ": " + reason);
    }

    /**
     * Notes a plan.
     *
     * @param explained what EXPLAIN gave, with the section as JSON
     * @param flinksAlone why there is no section
     */
    void planned(String place, String statement, String explained, String flinksAlone) {
        planned++;
        int section = explained.lastIndexOf(TITLE);
        if (section < 0) {
            out.println(place + ": Flink: " + flinksAlone + ": " + statement);
            return;
        }
        JsonNode report;
        try {
            report = json.readTree(explained.substring(section + TITLE.length()));
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("the section of EXPLAIN is no JSON", e);
        }
        List<Line> lines = new ArrayList<>();
        boolean some = false;
        for (JsonNode node : report.get("nodes")) {
            List<String> why = texts(node.get("reasons"));
            List<String> columns = texts(node.get("onBatches"));
            some |= !columns.isEmpty();
            lines.add(new Line(node, how(columns, why)));
            count(columns, why);
        }
        for (JsonNode node : report.get("others")) {
            lines.add(new Line(node, "Flink"));
            flinks++;
        }
        out.println(place + ": " + (some ? "on batches" : "Flink") + ": " + statement);
        lines.sort(Comparator.comparing(Line::id));
        lines.forEach(line -> out.println(place + ":   " + line.text()));
    }

    /** Prints what was counted. */
    void printTotals(int files) {
        out.println();
        out.printf(
                "%d files: %d statements planned, %d without a plan, %d with an error%n",
                files, planned, unplanned, errors);
        out.printf(
                "%d nodes: %d on batches, %d on batches in part, %d Flink's%n",
                onBatches + inPart + flinks, onBatches, inPart, flinks);
        reasons.entrySet().stream()
                .sorted(Map.Entry.<String, Integer>comparingByValue().reversed())
                .forEach(reason -> out.println(reason.getValue() + " x " + reason.getKey()));
    }

    private void count(List<String> columns, List<String> why) {
        if (columns.isEmpty()) {
            flinks++;
        } else if (why.isEmpty()) {
            onBatches++;
        } else {
            inPart++;
        }
        // Without the column that it is about.
        why.forEach(
                it ->
                        reasons.merge(
                                it.substring(it.indexOf(": ") < 0 ? 0 : it.indexOf(": ") + 2),
                                1,
                                Integer::sum));
    }

    private static String how(List<String> columns, List<String> why) {
        String reasons = String.join("; ", why);
        if (columns.isEmpty()) {
            return "Flink: " + reasons;
        }
        String batches = "on batches: " + String.join(", ", columns);
        return why.isEmpty() ? batches : batches + "; Flink: " + reasons;
    }

    private static List<String> texts(JsonNode array) {
        List<String> texts = new ArrayList<>();
        array.forEach(element -> texts.add(element.asText()));
        return texts;
    }

    /** A node's line. */
    private record Line(int id, String text) {

        Line(JsonNode node, String how) {
            this(
                    node.get("id").asInt(),
                    "[%d] %s: %s"
                            .formatted(node.get("id").asInt(), node.get("kind").asText(), how));
        }
    }
}

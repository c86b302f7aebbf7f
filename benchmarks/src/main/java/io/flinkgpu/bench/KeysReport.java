package io.flinkgpu.bench;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Figures as they come: shown, and written to a file after each. One thread's. */
final class KeysReport {

    private final Report head;
    private final Path json;
    private final PrintStream out;
    private final List<Figure> figures = new ArrayList<>();
    private int failures;

    KeysReport(Report head, Path json, PrintStream out) {
        this.head = head;
        this.json = json;
        this.out = out;
    }

    /** All figures of some reports, under the head of the first. */
    static Report read(List<String> files) throws IOException {
        if (files.isEmpty()) {
            throw new IllegalArgumentException("plots need a JSON file that this program wrote");
        }
        List<Figure> figures = new ArrayList<>();
        for (String file : files) {
            figures.addAll(Report.read(Path.of(file)).figures());
        }
        return Report.read(Path.of(files.get(0))).with(figures);
    }

    void add(Figure figure) throws IOException {
        figures.add(figure);
        out.println(figure);
        report().write(json);
    }

    /** Tells something beside the figures. */
    void say(String line) {
        out.println(line);
    }

    /** Tells that something went wrong, so that the program ends with 1. */
    void failed(Throwable cause) {
        cause.printStackTrace(out);
        failures++;
    }

    int failures() {
        return failures;
    }

    Report report() {
        return head.with(List.copyOf(figures));
    }
}

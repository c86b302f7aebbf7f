package io.flinkgpu.bench;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Which runs the figures of docs/performance.md are of: commits, machines and commands. */
final class PerformanceRuns {

    /** Options that say where files go, which the figures do not depend on. */
    private static final Set<String> PLACES = Set.of("--output", "--folder");

    private PerformanceRuns() {}

    /** A sentence: what all have in common. */
    static String summary(List<Report> runs) {
        List<String> commits = runs.stream().map(Report::commit).distinct().toList();
        if (commits.size() != 1) {
            return "They are of "
                    + commits.size()
                    + " commits and of several machines, until [one run](../CONTRIBUTING.md#figures) replaces them.";
        }
        Hardware main = machine(runs);
        String others =
                runs.stream()
                        .filter(run -> !run.hardware().machine().equals(main))
                        .map(run -> link(runs.indexOf(run) + 1))
                        .collect(Collectors.joining(", "));
        return "All are of commit "
                + commits.get(0)
                + (others.isEmpty() ? " and" : " and, but for run " + others + ",")
                + " of [one run](../CONTRIBUTING.md#figures) on one machine: "
                + shown(runs, main)
                + ".";
    }

    /** The table of runs: of each what is not the same of all. */
    static String table(List<Report> runs) {
        boolean oneCommit = runs.stream().map(Report::commit).distinct().count() == 1;
        Hardware main = oneCommit ? machine(runs) : null;
        boolean oneMachine = runs.stream().allMatch(run -> run.hardware().machine().equals(main));
        List<String> head = new ArrayList<>(List.of("run", oneCommit ? "date" : "commit, date"));
        if (!oneMachine) {
            head.add(oneCommit ? "another machine" : "machine");
        }
        head.add("command");
        StringBuilder table = new StringBuilder(row(head.stream()));
        table.append("|" + "---|".repeat(head.size()) + "\n");
        for (int i = 0; i < runs.size(); i++) {
            Report run = runs.get(i);
            List<String> cells = new ArrayList<>();
            cells.add("<a id=\"run-%d\"></a>%d".formatted(i + 1, i + 1));
            String date = run.started().substring(0, 10);
            cells.add(oneCommit ? date : run.commit() + ", " + date);
            if (!oneMachine) {
                boolean same = run.hardware().machine().equals(main);
                cells.add(same ? "" : run.hardware().toString());
            }
            cells.add("`" + command(run) + "`");
            table.append(row(cells.stream()));
        }
        return table.toString();
    }

    private static String row(Stream<String> cells) {
        return cells.collect(Collectors.joining(" | ", "| ", " |\n")).replace("|  |", "| |");
    }

    static String link(int run) {
        return "[" + run + "](#run-" + run + ")";
    }

    /** That of the most runs. */
    private static Hardware machine(List<Report> runs) {
        List<Hardware> all = runs.stream().map(run -> run.hardware().machine()).toList();
        return all.stream()
                .reduce(
                        (a, b) ->
                                Collections.frequency(all, b) > Collections.frequency(all, a)
                                        ? b
                                        : a)
                .orElseThrow();
    }

    /** With what copies of pinned memory reached in one of the runs. */
    private static Hardware shown(List<Report> runs, Hardware machine) {
        return runs.stream()
                .map(Report::hardware)
                .filter(hardware -> hardware.machine().equals(machine) && hardware.bothGbPerS() > 0)
                .findFirst()
                .orElse(machine);
    }

    /** As others start it: files by their names. */
    private static String command(Report run) {
        List<String> words = new ArrayList<>();
        List<String> all = List.of(run.command().split(" +"));
        for (int i = 0; i < all.size(); i++) {
            if (PLACES.contains(all.get(i))) {
                i++;
            } else {
                words.add(all.get(i).substring(all.get(i).lastIndexOf('/') + 1));
            }
        }
        return String.join(" ", words);
    }
}

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

    /** A sentence: what all, or nearly all, have in common. */
    static String summary(List<Report> runs) {
        String commit = commit(runs);
        Hardware machine = machine(runs);
        List<Report> others = runs.stream().filter(run -> !isOf(run, commit, machine)).toList();
        if (isMixed(runs)) {
            return "They are of "
                    + runs.stream().map(Report::commit).distinct().count()
                    + " commits and of several machines, until [one run](../CONTRIBUTING.md#figures) replaces them.";
        }
        String butFor =
                others.stream()
                        .map(run -> link(runs.indexOf(run) + 1))
                        .collect(Collectors.joining(", "));
        return "All are"
                + (butFor.isEmpty() ? "" : ", but for run " + butFor + ",")
                + " of commit "
                + commit
                + ", of [one run](../CONTRIBUTING.md#figures) on one machine: "
                + shown(runs, machine)
                + ".";
    }

    /** Too many are of another commit or machine to be named one by one. */
    private static boolean isMixed(List<Report> runs) {
        String commit = commit(runs);
        Hardware machine = machine(runs);
        return 3 * runs.stream().filter(run -> !isOf(run, commit, machine)).count() > runs.size();
    }

    private static boolean isOf(Report run, String commit, Hardware machine) {
        return run.commit().equals(commit) && run.hardware().machine().equals(machine);
    }

    /** The table of runs: of each what is not the same of most. */
    static String table(List<Report> runs) {
        String commit = commit(runs);
        Hardware machine = machine(runs);
        boolean isOne = runs.stream().allMatch(run -> isOf(run, commit, machine));
        boolean isMixed = isMixed(runs);
        Stream<String> head =
                isOne
                        ? Stream.of("run", "date", "command")
                        : isMixed
                                ? Stream.of("run", "date", "commit, machine", "command")
                                : Stream.of("run", "date", "another commit, machine", "command");
        StringBuilder table = new StringBuilder(row(head));
        table.append("|" + "---|".repeat(isOne ? 3 : 4) + "\n");
        for (int i = 0; i < runs.size(); i++) {
            Report run = runs.get(i);
            List<String> cells = new ArrayList<>();
            cells.add("<a id=\"run-%d\"></a>%d".formatted(i + 1, i + 1));
            cells.add(run.started().substring(0, 10));
            if (!isOne) {
                cells.add(
                        Stream.of(
                                        run.commit().equals(commit) && !isMixed ? "" : run.commit(),
                                        run.hardware().machine().equals(machine) && !isMixed
                                                ? ""
                                                : run.hardware().toString())
                                .filter(cell -> !cell.isEmpty())
                                .collect(Collectors.joining("; ")));
            }
            cells.add("`" + run.command() + "`");
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

    private static String commit(List<Report> runs) {
        return mostFrequent(runs.stream().map(Report::commit).toList());
    }

    private static Hardware machine(List<Report> runs) {
        return mostFrequent(runs.stream().map(run -> run.hardware().machine()).toList());
    }

    private static <T> T mostFrequent(List<T> all) {
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
    static String command(Report run) {
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

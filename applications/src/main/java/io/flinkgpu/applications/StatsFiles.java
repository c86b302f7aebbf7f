package io.flinkgpu.applications;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * The rows that {@link LogStats} wrote.
 *
 * @param rows how many there are
 * @param first some, by start and service
 */
record StatsFiles(long rows, List<Row> first) {

    /** A row as it is written; times are ISO, numbers milliseconds. */
    record Row(
            String service,
            String start,
            String end,
            String count,
            String min,
            String mean,
            String max) {

        private static Row of(String line) {
            String[] fields = line.split("\t", -1);
            return new Row(
                    fields[0], fields[1], fields[2], fields[3], fields[4], fields[5], fields[6]);
        }
    }

    /** Reads all rows and keeps the first. */
    static StatsFiles read(Path folder, int maxRows) throws IOException {
        TreeSet<Row> first =
                new TreeSet<>(Comparator.comparing(Row::start).thenComparing(Row::service));
        long rows = 0;
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : files.filter(StatsFiles::isPart).toList()) {
                try (Stream<String> lines = Files.lines(file)) {
                    for (String line : (Iterable<String>) lines::iterator) {
                        rows++;
                        first.add(Row.of(line));
                        if (first.size() > maxRows) {
                            first.pollLast();
                        }
                    }
                }
            }
        }
        return new StatsFiles(rows, List.copyOf(first));
    }

    private static boolean isPart(Path file) {
        return file.getFileName().toString().startsWith("part-");
    }
}

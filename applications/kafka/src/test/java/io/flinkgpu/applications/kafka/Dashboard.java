package io.flinkgpu.applications.kafka;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** The dashboard for Grafana. */
final class Dashboard {

    private static final Path FILE = Path.of("../../docker/monitoring/grafana-dashboard.json");
    private static final Pattern METRIC = Pattern.compile("flink_[A-Za-z_]+");

    private Dashboard() {}

    /** Names of the metrics that it shows. */
    static SortedSet<String> metrics() throws IOException {
        return METRIC.matcher(Files.readString(FILE))
                .results()
                .map(match -> match.group())
                .collect(Collectors.toCollection(TreeSet::new));
    }
}

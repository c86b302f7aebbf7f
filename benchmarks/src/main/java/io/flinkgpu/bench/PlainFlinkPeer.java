package io.flinkgpu.bench;

import io.flinkgpu.api.BackendChoice;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/**
 * The straightforward Flink job on a small file of measurements, lines of text that are split, and ours,
 * in the same cluster. All have run once before they are timed.
 */
final class PlainFlinkPeer {

    private static final int ROWS = 5_000_000;

    private PlainFlinkPeer() {}

    static void run(Lab lab) throws Exception {
        int rows = lab.settings().pick(ROWS, 100_000);
        Path file = BillionRowsBench.generated(rows).toPath();
        int cores = Runtime.getRuntime().availableProcessors();
        Map<String, Long> at = Map.of("rows", (long) rows);
        try {
            Stations expected =
                    StationsJob.run(lab, BillionRowsBench::peer, cores, file).stations();
            double[] plain = new double[lab.settings().runs()];
            for (int i = 0; i < plain.length; i++) {
                plain[i] = StationsJob.run(lab, BillionRowsBench::peer, cores, file).seconds();
            }
            lab.add(Figure.of("lines", "plain-flink", at, "s", plain));
            for (BackendChoice backend : lab.choices()) {
                StationsJob.run(lab, backend, file).stations().check(backend.name(), expected);
                double[] ours = new double[plain.length];
                for (int i = 0; i < ours.length; i++) {
                    ours[i] = StationsJob.run(lab, backend, file).seconds();
                }
                lab.add(Figure.of("lines", Engines.flink(backend), at, "s", ours));
            }
        } finally {
            Files.delete(file);
        }
    }
}

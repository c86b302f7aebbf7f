package io.flinkgpu.bench;

import org.apache.flink.util.FileUtils;

import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * libcudf's group-by of 50 million rows with text keys, columns of text and doubles that are on the
 * device already, beside our kernels on the same rows as lines, parsing included. Results are compared
 * with those of our job on the file.
 */
final class CudfGroupsPeer {

    private CudfGroupsPeer() {}

    static void run(Lab lab, CudfProcess cudf) throws Exception {
        for (int keys : ManyLines.keys(lab.settings())) {
            ManyLines many = new ManyLines(lab, keys);
            Path folder = Files.createTempDirectory("cudf-groups");
            try {
                Path file = folder.resolve("lines");
                try (OutputStream out = Files.newOutputStream(file)) {
                    for (byte[] lines : many.lines()) {
                        out.write(lines);
                    }
                }
                CudfProcess.Said said = cudf.run(folder, "groups");
                Stations.written(folder.resolve("groups"))
                        .check("libcudf", StationsJob.run(lab, lab.best(), file).stations());
                double[] rates = said.rates("groups", 1e3 * many.at().get("rows"));
                lab.add(Figure.of("groups", "libcudf", many.at(), "M rows/s", rates));
                many.measure("groups");
            } finally {
                FileUtils.deleteDirectory(folder.toFile());
            }
        }
    }
}

package io.flinkgpu.bench;

import org.apache.flink.shaded.jackson2.com.fasterxml.jackson.databind.ObjectMapper;
import org.apache.flink.shaded.jackson2.com.fasterxml.jackson.databind.SerializationFeature;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;

/**
 * All of one run: where, with what, and the figures.
 *
 * @param commit of the code that ran
 * @param command that gives these figures
 * @param started in UTC, ISO 8601
 * @param input folder of the lines, or that they are made up
 * @param hardware of the run
 * @param figures in the order they were measured
 */
public record Report(
        String commit,
        String command,
        String started,
        String input,
        Hardware hardware,
        List<Figure> figures) {

    /** One that starts now, of the code that runs, without figures. */
    static Report begin(String command, String input, Hardware hardware) {
        String commit = System.getProperty("bench.commit", "");
        return new Report(
                commit.isEmpty()
                        ? Hardware.output("git", "describe", "--always", "--dirty", "--exclude=*")
                        : commit,
                command.strip(),
                Instant.now().truncatedTo(ChronoUnit.SECONDS).toString(),
                input,
                hardware,
                List.of());
    }

    /** Replaces the file at once, so that it is whole whenever a run is cut off. */
    void write(Path file) throws IOException {
        Path next = file.resolveSibling(file.getFileName() + ".next");
        mapper().writeValue(next.toFile(), this);
        Files.move(next, file, StandardCopyOption.REPLACE_EXISTING);
    }

    /** Whether sizes were tiny. */
    boolean quick() {
        return command.contains("--quick");
    }

    /** The same with these figures. */
    Report with(List<Figure> others) {
        return new Report(commit, command, started, input, hardware, others);
    }

    /** The same, started by this command. */
    Report withCommand(String other) {
        return new Report(commit, other, started, input, hardware, figures);
    }

    static Report read(Path file) throws IOException {
        return mapper().readValue(file.toFile(), Report.class);
    }

    private static ObjectMapper mapper() {
        return new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);
    }
}

package io.flinkgpu.applications;

import org.apache.flink.core.fs.Path;
import org.apache.flink.core.fs.local.LocalFileSystem;

import java.nio.file.InvalidPathException;
import java.util.Optional;

/** Files of this machine by the names that Flink has for them. */
final class FlinkPaths {

    private FlinkPaths() {}

    static Path of(java.nio.file.Path file) {
        return new Path(file.toUri());
    }

    /**
     * What is wrong with a name that Flink would take for another: it reads a {@code '\\'} as a {@code
     * '/'}, and its names are text.
     *
     * @param what which option names it
     * @param file absolute and normalized
     */
    static Optional<String> nameProblem(String what, java.nio.file.Path file) {
        return isKept(file)
                ? Optional.empty()
                : Optional.of(
                        what
                                + " '"
                                + file
                                + "' has a '\\' or bytes that are not UTF-8 in its name, which Flink"
                                + " takes for another name: rename it");
    }

    private static boolean isKept(java.nio.file.Path file) {
        try {
            Path named = new Path(of(file).toString());
            return LocalFileSystem.getSharedInstance().pathToFile(named).toPath().equals(file);
        } catch (InvalidPathException e) {
            return false;
        }
    }
}

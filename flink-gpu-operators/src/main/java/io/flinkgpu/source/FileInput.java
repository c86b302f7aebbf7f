package io.flinkgpu.source;

import org.apache.flink.core.fs.Path;

import java.io.Serializable;
import java.util.regex.Pattern;

/**
 * Where files are listed.
 *
 * @param base a file, or a directory
 * @param glob what of a directory is meant, by the path below it; empty for all
 * @param regex the same; null for all
 * @param maxDepth how many names such a path has at most
 */
record FileInput(Path base, String glob, Pattern regex, int maxDepth) implements Serializable {

    private static final long serialVersionUID = 1L;

    /** A file, or a directory with all below it. */
    static FileInput of(Path path) {
        return new FileInput(path, "", null, Integer.MAX_VALUE);
    }

    /** The files of a glob; a text without one of its signs is a path. */
    static FileInput ofGlob(String glob) {
        int sign = Globs.firstSign(glob);
        if (sign < 0) {
            return of(new Path(glob));
        }
        int slash = glob.lastIndexOf('/', sign);
        String base = slash < 0 ? "." : slash == 0 ? "/" : glob.substring(0, slash);
        String below = glob.substring(slash + 1);
        int depth = below.contains("**") ? Integer.MAX_VALUE : below.split("/", -1).length;
        return new FileInput(new Path(base), below, Globs.regex(below), depth);
    }

    boolean isGlob() {
        return regex != null;
    }

    /** Whether a file is meant, by its path below the base. */
    boolean matches(String below) {
        return !isGlob() || regex.matcher(below).matches();
    }
}

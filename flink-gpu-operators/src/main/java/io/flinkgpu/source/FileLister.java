package io.flinkgpu.source;

import io.flinkgpu.api.Errors;

import org.apache.flink.connector.file.src.FileSourceSplit;
import org.apache.flink.connector.file.src.enumerate.FileEnumerator;
import org.apache.flink.core.fs.FileStatus;
import org.apache.flink.core.fs.FileSystem;
import org.apache.flink.core.fs.Path;
import org.apache.flink.core.fs.local.LocalFileSystem;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Lists files in an order that does not depend on the file system: inputs as given, files of a
 * directory by path. Each file is one split, for {@link SplitQueue} to cut: a source that checks for new
 * files takes only the first split that is listed of each.
 *
 * <p>Empty files are not listed, so that one which is filled later is seen then.
 *
 * @param inputs what to list
 * @param emptyIsFine whether a glob may match no file
 */
record FileLister(List<FileInput> inputs, boolean emptyIsFine)
        implements FileEnumerator, Serializable {

    private static final long serialVersionUID = 1L;

    FileLister {
        inputs = List.copyOf(inputs);
        if (inputs.isEmpty()) {
            throw new IllegalArgumentException("name a file, a directory or a glob: inputs=[]");
        }
    }

    static FileLister of(List<FileInput> inputs) {
        return new FileLister(inputs, false);
    }

    FileLister emptyIsFine(boolean fine) {
        return new FileLister(inputs, fine);
    }

    /** The folders that it lists, for Flink. */
    Path[] paths() {
        return inputs.stream().map(FileInput::base).toArray(Path[]::new);
    }

    @Override
    public Collection<FileSourceSplit> enumerateSplits(Path[] paths, int minDesiredSplits)
            throws IOException {
        Map<Path, FileStatus> files = new LinkedHashMap<>();
        for (FileInput input : inputs) {
            list(input).forEach(file -> files.putIfAbsent(file.getPath(), file));
        }
        List<FileSourceSplit> splits = new ArrayList<>();
        long listedMillis = System.currentTimeMillis();
        for (FileStatus file : files.values()) {
            if (file.getLen() > 0) {
                splits.add(
                        new FileSourceSplit(
                                SplitQueue.fileId(listedMillis, splits.size()),
                                file.getPath(),
                                0,
                                file.getLen(),
                                file.getModificationTime(),
                                file.getLen()));
            }
        }
        return splits;
    }

    private List<FileStatus> list(FileInput input) throws IOException {
        FileSystem fileSystem = input.base().getFileSystem();
        List<FileStatus> files = new ArrayList<>();
        refuseBackslash("cannot read an input", input.base().getPath());
        FileStatus base = status(fileSystem, input);
        if (base != null && base.isDir()) {
            listBelow(fileSystem, input, base.getPath(), "", 1, files);
        } else if (base != null && !input.isGlob()) {
            files.add(base);
        }
        if (files.isEmpty() && input.isGlob() && !emptyIsFine) {
            throw new FileNotFoundException(
                    "no file matches the glob: directory="
                            + input.base()
                            + ", glob='"
                            + input.glob()
                            + "'; are the names right, and do they not start with '.' or '_'?");
        }
        files.sort(Comparator.comparing(file -> file.getPath().toString()));
        return files;
    }

    /** Null if a glob's directory is not there, in which nothing matches. */
    private static FileStatus status(FileSystem fileSystem, FileInput input) throws IOException {
        try {
            return fileSystem.getFileStatus(input.base());
        } catch (FileNotFoundException e) {
            if (input.isGlob()) {
                return null;
            }
            throw e;
        }
    }

    private static void listBelow(
            FileSystem fileSystem,
            FileInput input,
            Path directory,
            String below,
            int depth,
            List<FileStatus> target)
            throws IOException {
        refuseBackslashes(fileSystem, directory);
        FileStatus[] children;
        try {
            children = fileSystem.listStatus(directory);
        } catch (IllegalArgumentException e) {
            throw new IOException(
                    "cannot list directory "
                            + directory
                            + ", as Flink lists no names with a ':' in them: "
                            + e.getMessage()
                            + "; rename that file, or name all files",
                    e);
        }
        if (children == null) {
            throw new IOException("cannot list directory " + directory + ": make it readable");
        }
        for (FileStatus child : children) {
            String name = child.getPath().getName();
            if (name.startsWith(".") || name.startsWith("_")) {
                continue;
            }
            if (!child.isDir()) {
                if (input.matches(below + name)) {
                    target.add(child);
                }
            } else if (depth < input.maxDepth()) {
                listBelow(
                        fileSystem, input, child.getPath(), below + name + "/", depth + 1, target);
            }
        }
    }

    /** Flink would list another file in place of such a one, or one that there is not. */
    private static void refuseBackslashes(FileSystem fileSystem, Path directory)
            throws IOException {
        String[] names =
                fileSystem instanceof LocalFileSystem local
                        ? local.pathToFile(directory).list()
                        : null;
        if (names != null) {
            for (String name : names) {
                refuseBackslash("cannot list directory " + directory, name);
            }
        }
    }

    private static void refuseBackslash(String what, String name) throws IOException {
        if (name.indexOf('\\') >= 0) {
            throw Errors.io(
                    "%s, as Flink takes a '\\' in a name for a '/': name='%s'; rename it",
                    what, name);
        }
    }
}

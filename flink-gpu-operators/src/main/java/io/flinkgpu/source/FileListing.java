package io.flinkgpu.source;

import io.flinkgpu.api.Errors;

import org.apache.flink.core.fs.FileStatus;
import org.apache.flink.core.fs.FileSystem;
import org.apache.flink.core.fs.Path;
import org.apache.flink.core.fs.local.LocalFileSystem;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;

/**
 * Lists one input once. Symbolic links below a local directory are left out, or followed where they lead
 * to a place below that directory, and not to one that they are in. The input itself may be a link.
 */
final class FileListing {

    /**
     * A file that was found.
     *
     * @param identity of the file, also where it was found by a link
     * @param byLink whether it was
     */
    record Listed(FileStatus file, String identity, boolean byLink) {}

    private final FileInput input;
    private final boolean followsLinks;
    private final LinkWarnings warnings;
    private final FileSystem fileSystem;
    private final List<Listed> files = new ArrayList<>();

    /** Where the input really is; null if links make no difference. */
    private java.nio.file.Path realBase;

    /** The directories under way, as they really are; empty if links make no difference. */
    private final Deque<java.nio.file.Path> realDirectories = new ArrayDeque<>();

    FileListing(FileInput input, boolean followsLinks, LinkWarnings warnings) throws IOException {
        this.input = input;
        this.followsLinks = followsLinks;
        this.warnings = warnings;
        // Unguarded, as the guard's wrapper hides which file system it is.
        this.fileSystem = FileSystem.getUnguardedFileSystem(input.base().toUri());
    }

    /**
     * Lists the files of the input by path.
     *
     * @param emptyIsFine whether a glob may match none
     */
    List<Listed> list(boolean emptyIsFine) throws IOException {
        refuseBackslash("cannot read an input", input.base().getPath());
        FileStatus base = status();
        if (base != null && base.isDir()) {
            if (followsLinks && fileSystem instanceof LocalFileSystem local) {
                realBase = local.pathToFile(base.getPath()).toPath().toRealPath();
                realDirectories.push(realBase);
            }
            listBelow(base.getPath(), "", 1, false);
        } else if (base != null && !input.isGlob()) {
            add(base, false);
        }
        if (files.isEmpty() && input.isGlob() && !emptyIsFine) {
            throw new FileNotFoundException(
                    "no file matches the glob: directory="
                            + input.base()
                            + ", glob='"
                            + input.glob()
                            + "'; are the names right, do they not start with '.' or '_', and are the"
                            + " files no links, which only followLinks(true) follows?");
        }
        files.sort(Comparator.comparing(listed -> listed.file().getPath().toString()));
        return files;
    }

    /** Null if a glob's directory is not there, in which nothing matches. */
    private FileStatus status() throws IOException {
        try {
            return fileSystem.getFileStatus(input.base());
        } catch (FileNotFoundException e) {
            if (input.isGlob()) {
                return null;
            }
            throw e;
        }
    }

    private void listBelow(Path directory, String below, int depth, boolean byLink)
            throws IOException {
        for (FileStatus child : children(directory)) {
            String name = child.getPath().getName();
            java.nio.file.Path link = link(child.getPath());
            if (isHidden(name) || link != null && !isFollowed(link)) {
                continue;
            }
            boolean childByLink = byLink || link != null;
            if (!child.isDir()) {
                if (input.matches(below + name)) {
                    add(child, childByLink);
                }
            } else if (depth < input.maxDepth()) {
                enter(child.getPath(), below + name + "/", depth + 1, childByLink);
            }
        }
    }

    private void enter(Path directory, String below, int depth, boolean byLink) throws IOException {
        if (realBase == null) {
            listBelow(directory, below, depth, byLink);
            return;
        }
        java.nio.file.Path real = local(directory).toRealPath();
        // One that a link leads back to would have itself below it.
        if (!realDirectories.contains(real)) {
            realDirectories.push(real);
            listBelow(directory, below, depth, byLink);
            realDirectories.pop();
        }
    }

    private boolean isFollowed(java.nio.file.Path link) throws IOException {
        if (!link.toRealPath().startsWith(realBase)) {
            warnings.leadsOutside(link, realBase);
            return false;
        }
        return true;
    }

    /** Null if it is none. */
    private java.nio.file.Path link(Path path) {
        java.nio.file.Path local = local(path);
        return local != null && Files.isSymbolicLink(local) ? local : null;
    }

    /** Null on another file system. */
    private java.nio.file.Path local(Path path) {
        return fileSystem instanceof LocalFileSystem local ? local.pathToFile(path).toPath() : null;
    }

    private void add(FileStatus file, boolean byLink) throws IOException {
        Path path = file.getPath();
        String identity = realBase == null ? path.toString() : local(path).toRealPath().toString();
        files.add(new Listed(file, identity, byLink));
    }

    private FileStatus[] children(Path directory) throws IOException {
        try {
            FileStatus[] children =
                    fileSystem instanceof LocalFileSystem local
                            ? localChildren(local, directory)
                            : fileSystem.listStatus(directory);
            if (children == null) {
                throw new IOException("cannot list directory " + directory + ": make it readable");
            }
            return children;
        } catch (IllegalArgumentException e) {
            throw new IOException(
                    "cannot list directory "
                            + directory
                            + ", as Flink lists no names with a ':' in them: "
                            + e.getMessage()
                            + "; rename that file, or name all files",
                    e);
        }
    }

    private static boolean isHidden(String name) {
        return name.startsWith(".") || name.startsWith("_");
    }

    /** Flink's own listing follows links, and fails where one leads nowhere. */
    private FileStatus[] localChildren(LocalFileSystem local, Path directory) throws IOException {
        String[] names = local.pathToFile(directory).list();
        if (names == null) {
            return null;
        }
        Arrays.sort(names);
        List<FileStatus> children = new ArrayList<>();
        for (String name : names) {
            refuseBackslash("cannot list directory " + directory, name);
            if (isHidden(name)) {
                continue;
            }
            Path child = new Path(directory, name);
            java.nio.file.Path link = link(child);
            if (link == null || followsLinks) {
                children.add(fileSystem.getFileStatus(child));
            } else {
                warnings.notFollowed(link);
            }
        }
        return children.toArray(new FileStatus[0]);
    }

    /** Flink would list another file in place of such a one, or one that there is not. */
    private static void refuseBackslash(String what, String name) throws IOException {
        if (name.indexOf('\\') >= 0) {
            throw Errors.io(
                    "%s, as Flink takes a '\\' in a name for a '/': name='%s'; rename it",
                    what, name);
        }
    }
}

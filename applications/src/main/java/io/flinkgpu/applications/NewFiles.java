package io.flinkgpu.applications;

import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;

/** Files that an example is to write and that must not be there before. */
final class NewFiles {

    private NewFiles() {}

    /**
     * Checks that a file can be made.
     *
     * @param file absolute and normalized
     * @throws UsageException if it is there, or its folder is not
     */
    static void check(Path file) throws UsageException {
        Path folder = file.getParent();
        if (Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
            throw new UsageException("output '" + file + "' exists: name a new file");
        }
        if (folder == null || !Files.isDirectory(folder) || !Files.isWritable(folder)) {
            throw unwritable(file, null);
        }
    }

    private static UsageException unwritable(Path file, String reason) {
        return new UsageException(
                "cannot write output '"
                        + file
                        + (reason == null ? "'" : "', " + reason)
                        + ": name a file in a folder that exists and is writable");
    }

    /** Writes a file. */
    interface Writer {

        void write(Path part) throws Exception;
    }

    /**
     * Has a file written under another name, which it loses once it is whole.
     *
     * @param file absolute and normalized; {@link #check checked}
     * @throws UsageException if one of the two is there after all, or the folder takes none
     */
    static void write(Path file, Writer writer) throws Exception {
        Path part = file.resolveSibling(file.getFileName() + ".part");
        try {
            Files.createFile(part);
        } catch (FileSystemException e) {
            throw notMade(e, file);
        }
        try {
            writer.write(part);
            Files.move(part, file);
        } finally {
            Files.deleteIfExists(part);
        }
    }

    /** That a file, or the one it is first written to, is there after all, or cannot be made. */
    static UsageException notMade(FileSystemException error, Path file) {
        if (!(error instanceof FileAlreadyExistsException)) {
            return unwritable(file, error.getReason());
        }
        boolean isFile = error.getFile().equals(file.toString());
        return new UsageException(
                "output '"
                        + error.getFile()
                        + "' exists: name a new file"
                        + (isFile ? "" : ", or delete it if no other run writes it"));
    }
}

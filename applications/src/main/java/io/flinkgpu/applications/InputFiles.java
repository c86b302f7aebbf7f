package io.flinkgpu.applications;

import org.apache.flink.connector.file.src.compression.StandardDeCompressors;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.FileSystemLoopException;
import java.nio.file.FileVisitOption;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The text files of a job, checked so that nothing passes unredacted because its bytes are not plain
 * text.
 *
 * @param files absolute, each once, in the order of the options; those of a directory sorted
 * @param bytes their size together
 */
record InputFiles(List<Path> files, long bytes) {

    static final InputFiles NONE = new InputFiles(List.of(), 0);

    /**
     * Finds the files after the inputs.
     *
     * @param inputs files and directories
     * @throws UsageException naming each input that is missing, unreadable, compressed or empty of
     *     files
     */
    static InputFiles list(List<Path> inputs) throws UsageException {
        List<String> errors = new ArrayList<>();
        Map<Path, Path> fileOf = new LinkedHashMap<>();
        for (Path input : inputs) {
            expand(input, fileOf, errors);
        }
        List<Path> files = List.copyOf(fileOf.values());
        long bytes = 0;
        for (Path file : files) {
            FlinkPaths.nameProblem("input", file).ifPresent(errors::add);
            try {
                encodingProblem(file).ifPresent(errors::add);
                bytes += Files.size(file);
            } catch (IOException e) {
                errors.add("cannot read input '" + file + "': make the file readable");
            }
        }
        if (!errors.isEmpty()) {
            throw new UsageException(errors);
        }
        return new InputFiles(files, bytes);
    }

    /** A file that is read, absolute; what is wrong with it goes to the errors. */
    static Optional<Path> one(String what, Optional<Path> given, List<String> errors) {
        if (given.isPresent() && !Files.isRegularFile(given.get())) {
            boolean isOther = Files.exists(given.get());
            errors.add(
                    what
                            + " '"
                            + given.get()
                            + (isOther
                                    ? "' is no file: name one"
                                    : "' does not exist: name a file"));
            return given;
        }
        try {
            return Optional.of(list(given.stream().toList()).files())
                    .filter(files -> !files.isEmpty())
                    .map(files -> files.get(0));
        } catch (UsageException e) {
            errors.addAll(e.lines());
            return given;
        }
    }

    private static void expand(Path input, Map<Path, Path> fileOf, List<String> errors) {
        if (!Files.exists(input)) {
            errors.add("input '" + input + "' does not exist: name a file or a directory");
        } else if (Files.isRegularFile(input)) {
            add(input, fileOf, errors);
        } else if (Files.isDirectory(input)) {
            try (Stream<Path> walk = Files.walk(input, FileVisitOption.FOLLOW_LINKS)) {
                List<Path> found =
                        walk.filter(file -> !Files.isDirectory(file) && !isHidden(file))
                                .filter(file -> Files.isRegularFile(file) || !Files.exists(file))
                                .sorted()
                                .toList();
                if (found.isEmpty()) {
                    errors.add("input '" + input + "' has no files in it: name another directory");
                }
                found.forEach(file -> add(file, fileOf, errors));
            } catch (UncheckedIOException e) {
                errors.add(
                        e.getCause() instanceof FileSystemLoopException loop
                                ? "input '"
                                        + loop.getFile()
                                        + "' is a link to a folder above it: remove it"
                                : "cannot list input '" + input + "': make the directory readable");
            } catch (IOException e) {
                errors.add("cannot list input '" + input + "': make the directory readable");
            }
        } else {
            errors.add(
                    "input '"
                            + input
                            + "' is neither a file nor a directory: write it to a file first");
        }
    }

    /** Adds a file unless it is there already, perhaps by another name. */
    private static void add(Path file, Map<Path, Path> fileOf, List<String> errors) {
        try {
            fileOf.putIfAbsent(file.toRealPath(), file.toAbsolutePath().normalize());
        } catch (IOException e) {
            errors.add("input '" + file + "' is a link to nothing: remove it or name its target");
        }
    }

    private static boolean isHidden(Path file) {
        String name = file.getFileName().toString();
        return name.startsWith(".") || name.startsWith("_");
    }

    /** What is wrong with a file's first bytes or name, if they are not those of a UTF-8 text. */
    private static Optional<String> encodingProblem(Path file) throws IOException {
        byte[] head;
        try (InputStream in = Files.newInputStream(file)) {
            head = in.readNBytes(6);
        }
        for (Magic magic : Magic.values()) {
            if (magic.starts(head)) {
                return Optional.of("input '" + file + "' is " + magic.what + ": " + magic.remedy);
            }
        }
        String name = file.getFileName().toString();
        return StandardDeCompressors.getDecompressorForFileName(name) == null
                ? Optional.empty()
                : Optional.of(
                        "input '"
                                + file
                                + "' is named like a compressed file: decompress or rename it");
    }

    private enum Magic {
        GZIP("compressed (gzip)", "decompress it first, with gzip -d", 0x1f, 0x8b),
        BZIP2("compressed (bzip2)", "decompress it first, with bzip2 -d", 'B', 'Z', 'h'),
        XZ("compressed (xz)", "decompress it first, with xz -d", 0xfd, '7', 'z', 'X', 'Z', 0),
        ZSTD("compressed (zstd)", "decompress it first, with zstd -d", 0x28, 0xb5, 0x2f, 0xfd),
        LZ4("compressed (lz4)", "decompress it first, with lz4 -d", 0x04, 0x22, 0x4d, 0x18),
        ZIP("compressed (zip)", "unpack it first, with unzip", 'P', 'K', 3, 4),
        UTF_16_LE("UTF-16", "convert it first, with iconv -f UTF-16 -t UTF-8", 0xff, 0xfe),
        UTF_16_BE("UTF-16", "convert it first, with iconv -f UTF-16 -t UTF-8", 0xfe, 0xff);

        private final String what;
        private final String remedy;
        private final int[] bytes;

        Magic(String what, String remedy, int... bytes) {
            this.what = what;
            this.remedy = remedy;
            this.bytes = bytes;
        }

        boolean starts(byte[] head) {
            if (head.length < bytes.length) {
                return false;
            }
            for (int i = 0; i < bytes.length; i++) {
                if ((head[i] & 0xff) != bytes[i]) {
                    return false;
                }
            }
            return true;
        }
    }

    /** For messages: {@code "3 files, 64.0 MB"}. */
    String summary() {
        return String.format(
                Locale.ROOT,
                "%d file%s, %.1f MB",
                files.size(),
                files.size() == 1 ? "" : "s",
                bytes / 1e6);
    }
}

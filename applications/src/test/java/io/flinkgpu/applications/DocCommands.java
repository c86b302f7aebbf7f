package io.flinkgpu.applications;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The commands in the pages of this repository. */
final class DocCommands {

    static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
    private static final Set<String> FOLDERS_LEFT_OUT =
            Set.of("target", "build", "node_modules", ".git", "lab", ".bundle");
    private static final Pattern BLOCK = Pattern.compile("(?ms)^```sh\\n(.*?)^```");
    private static final Pattern INLINE =
            Pattern.compile(
                    "`((?:examples/run|benchmarks/run|\\./mvnw|docker/[\\w-]+\\.sh|sh run\\.sh) [^`\\n]+)`");

    private DocCommands() {}

    /** The files of this repository whose names end so, but for what is built and for lab reports. */
    static List<Path> files(String ending) throws IOException {
        List<Path> found = new ArrayList<>();
        Files.walkFileTree(
                ROOT,
                new SimpleFileVisitor<>() {

                    @Override
                    public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes a) {
                        return FOLDERS_LEFT_OUT.contains(folder.getFileName().toString())
                                ? FileVisitResult.SKIP_SUBTREE
                                : FileVisitResult.CONTINUE;
                    }

                    @Override
                    public FileVisitResult visitFile(Path file, BasicFileAttributes a) {
                        if (file.toString().endsWith(ending)) {
                            found.add(file);
                        }
                        return FileVisitResult.CONTINUE;
                    }
                });
        return found;
    }

    /** The commands of a page, each in one line and without its comment. */
    static List<String> of(Path page) throws IOException {
        String text = Files.readString(page);
        Stream<String> blocks =
                BLOCK.matcher(text)
                        .results()
                        .map(block -> block.group(1).replaceAll("\\\\\\n\\s*", ""))
                        .flatMap(String::lines)
                        .map(line -> line.replaceAll("(^|\\s)# .*", "").strip())
                        .filter(line -> !line.isEmpty() && !line.startsWith("#"));
        Stream<String> inline = INLINE.matcher(text).results().map(match -> match.group(1).strip());
        return Stream.concat(blocks, inline).toList();
    }
}

package io.flinkgpu;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What users may call has a comment, and comments are well-formed: doclint, over the sources of types for users.
 *
 * <p>Covers: flink-gpu-operators/src/main/java.
 */
class PublicApiDocTest {

    private static final Path SOURCES = Path.of("src/main/java");

    /** A record's constructor, which the record's own comment is about. */
    private static final Pattern COMPACT_CONSTRUCTOR = Pattern.compile("\\s*public \\w+ \\{");

    @TempDir Path classes;

    @Test
    void everyPublicMemberHasAComment() throws IOException {
        List<Path> sources;
        try (Stream<Path> files = Files.walk(SOURCES)) {
            sources = files.filter(PublicApiDocTest::isForUsers).toList();
        }
        assertThat(sources).hasSizeGreaterThan(50);
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        DiagnosticCollector<JavaFileObject> found = new DiagnosticCollector<>();
        try (StandardJavaFileManager files = compiler.getStandardFileManager(found, null, null)) {
            List<String> options =
                    List.of(
                            "-proc:none",
                            "-implicit:none",
                            "-Xdoclint:all/public",
                            "-Xmaxwarns",
                            "100000",
                            "-cp",
                            System.getProperty("java.class.path"),
                            "-d",
                            classes.toString());
            compiler.getTask(
                            null,
                            files,
                            found,
                            options,
                            null,
                            files.getJavaFileObjectsFromPaths(sources))
                    .call();
        }
        assertThat(found.getDiagnostics())
                .filteredOn(d -> d.getKind() == Diagnostic.Kind.ERROR)
                .isEmpty();
        List<String> missing =
                found.getDiagnostics().stream()
                        .filter(d -> d.getMessage(Locale.ROOT).equals("no comment"))
                        .filter(d -> !COMPACT_CONSTRUCTOR.matcher(line(d)).matches())
                        .map(d -> d.getSource().getName() + ":" + d.getLineNumber() + line(d))
                        .toList();
        assertThat(missing).isEmpty();
        assertThat(found.getDiagnostics()).as("doclint has seen these sources").isNotEmpty();
    }

    private static boolean isForUsers(Path file) {
        try {
            return file.toString().endsWith(".java")
                    && Files.readString(file).contains("\n@PublicEvolving\n");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String line(Diagnostic<? extends JavaFileObject> diagnostic) {
        try {
            return diagnostic
                    .getSource()
                    .getCharContent(true)
                    .toString()
                    .lines()
                    .skip(diagnostic.getLineNumber() - 1)
                    .findFirst()
                    .orElseThrow();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

package io.flinkgpu;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * That the files which CONTRIBUTING.md says to open are there.
 *
 * <p>Covers: CONTRIBUTING.md.
 */
class ContributingTest {

    private static final Path ROOT = Path.of("..");

    private static final List<Path> FOLDERS =
            List.of(
                    ROOT,
                    Path.of("src/main/java/io/flinkgpu"),
                    Path.of("src/test/java/io/flinkgpu"),
                    Path.of("src/main/resources/io/flinkgpu"));

    private static final Pattern NAMED_FILE =
            Pattern.compile("`([\\w./-]+\\.(?:java|cuh|md|yaml|sh))`");

    @Test
    void namesFilesThatExist() throws IOException {
        List<String> names =
                NAMED_FILE
                        .matcher(Files.readString(ROOT.resolve("CONTRIBUTING.md")))
                        .results()
                        .map(found -> found.group(1))
                        .toList();
        assertThat(names)
                .isNotEmpty()
                .allMatch(name -> FOLDERS.stream().anyMatch(f -> Files.exists(f.resolve(name))));
    }
}

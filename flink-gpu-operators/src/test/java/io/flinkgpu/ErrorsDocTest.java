package io.flinkgpu;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * docs/errors.md quotes what the code says.
 *
 * <p>Covers: Errors.
 */
class ErrorsDocTest {

    private static final Pattern ROW =
            Pattern.compile("(?m)^\\| (`[^|]+) \\| [^|]+ \\| [^|]+ \\|$");
    private static final Pattern QUOTED = Pattern.compile("`([^`]+)`");

    @Test
    void messagesAreThoseOfTheCode() throws IOException {
        StringBuilder code = new StringBuilder();
        for (String module : new String[] {".", "../flink-gpu-sql"}) {
            try (Stream<Path> files = Files.walk(Path.of(module, "src/main/java"))) {
                for (Path file : files.filter(f -> f.toString().endsWith(".java")).toList()) {
                    code.append(Files.readString(file));
                }
            }
        }
        // A literal that goes over several lines.
        String joined = code.toString().replaceAll("\"\\s*\\+\\s*\"", "");
        List<String> messages = new ArrayList<>();
        ROW.matcher(Files.readString(Path.of("../docs/errors.md")))
                .results()
                .forEach(
                        row ->
                                QUOTED.matcher(row.group(1))
                                        .results()
                                        .forEach(quoted -> messages.add(quoted.group(1))));
        assertThat(messages).hasSizeGreaterThan(20);
        for (String message : messages) {
            assertThat(joined.contains(message)).as(message).isTrue();
        }
    }
}

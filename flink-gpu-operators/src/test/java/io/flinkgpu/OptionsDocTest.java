package io.flinkgpu;

import io.flinkgpu.api.BatchPolicy;
import io.flinkgpu.api.GpuOptions;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The tables of docs/options.md are what the code says; with {@code -Ddocs.update=true} they are written.
 *
 * <p>Covers: GpuOptions.
 */
class OptionsDocTest {

    private static final Path DOCS = Path.of("../docs/options.md");
    private static final long MIB = 1L << 20;

    @Test
    void theDocsHaveTheOptionsOfAnOperator() throws Exception {
        check("options of an operator", table(GpuOptions.DEFAULT));
    }

    @Test
    void theDocsHaveTheOptionsOfABatch() throws Exception {
        check("options of a batch", table(BatchPolicy.DEFAULT));
    }

    @Test
    void theDocsHaveSettingsOfFlinkThatTheImageHas() throws IOException {
        String config = Files.readString(Path.of("../docker/config.yaml"));
        String docs = Files.readString(DOCS);
        for (String last :
                new String[] {"parent-first-patterns", "off-heap", "opts", "reporters"}) {
            assertThat(config).contains(last + ":");
            assertThat(docs).contains(last);
        }
    }

    /** A row for each method that changes an option, by its comment, and what it is unless it is called. */
    private static String table(Object defaults) throws Exception {
        Class<?> type = defaults.getClass();
        String source =
                Files.readString(
                        Path.of("src/main/java", type.getName().replace('.', '/') + ".java"));
        Matcher methods =
                Pattern.compile(
                                "/\\*\\*((?:(?!\\*/).)*)\\*/\\s+public "
                                        + type.getSimpleName()
                                        + " with(\\w+)\\((\\w+) \\w+\\)",
                                Pattern.DOTALL)
                        .matcher(source);
        StringBuilder table =
                new StringBuilder("| method | default | what it says |\n|---|---|---|\n");
        int rows = 0;
        while (methods.find()) {
            String name = methods.group(2);
            String accessor = Character.toLowerCase(name.charAt(0)) + name.substring(1);
            Object value = type.getMethod(accessor).invoke(defaults);
            table.append(
                    "| `with%s(%s)` | %s | %s |\n"
                            .formatted(
                                    name, methods.group(3), shown(value), text(methods.group(1))));
            rows++;
        }
        long changing =
                Arrays.stream(type.getMethods())
                        .filter(method -> method.getName().startsWith("with"))
                        .count();
        assertThat(rows).as("methods with a comment").isEqualTo((int) changing);
        return table.toString();
    }

    private static String shown(Object value) {
        if (value instanceof Optional<?> optional) {
            return optional.map(OptionsDocTest::shown).orElse("none");
        }
        if (value instanceof BatchPolicy) {
            return "see below";
        }
        if (value instanceof Duration duration) {
            return duration.toMillis() + " ms";
        }
        if (value instanceof Number number) {
            long whole = number.longValue();
            return whole % MIB == 0 ? whole / MIB + " MiB" : "%,d".formatted(whole);
        }
        if (value instanceof Enum<?> constant) {
            return "`" + constant.getDeclaringClass().getSimpleName() + "." + constant + "`";
        }
        return "`" + value + "`";
    }

    /** A comment as a line of Markdown. */
    private static String text(String comment) {
        return comment.replaceAll("\\s*\n\\s*\\*", "")
                .replaceAll("\\{@(?:code|link) ([^}]*)}", "`$1`")
                .replaceAll("@throws (\\w+) if ", "`$1` if ")
                .replace('#', '.')
                .replaceAll("\\s+", " ")
                .strip();
    }

    private static void check(String block, String expected) throws IOException {
        String begin = "<!-- " + block + ", made by OptionsDocTest -->\n";
        String end = "<!-- end of the " + block + " -->\n";
        String docs = Files.readString(DOCS);
        assertThat(docs).contains(begin).contains(end);
        String updated =
                docs.substring(0, docs.indexOf(begin) + begin.length())
                        + expected
                        + docs.substring(docs.indexOf(end));
        if (Boolean.getBoolean("docs.update")) {
            Files.writeString(DOCS, updated);
        }
        assertThat(docs).isEqualTo(updated);
    }
}

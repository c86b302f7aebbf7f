package io.flinkgpu;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.NavigableMap;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What each package says of itself, and the picture of them all in flink-gpu-operators/README.md: a
 * table of their first sentences and a drawing of what they import. {@code -Darchitecture.update}
 * writes both as they are now.
 *
 * <p>Covers: flink-gpu-operators/README.md.
 */
class PackagesTest {

    private static final Path SOURCES = Path.of("src/main/java/io/flinkgpu");
    private static final Path README = Path.of("README.md");

    private static final Pattern PACKAGE_INFO =
            Pattern.compile(
                    "(?s)/\\*\\*\n \\* (?<what>.*?\\.)\n"
                            + " \\*\n \\* <p>Imported by: .*?\\.\n"
                            + " \\*\n \\* <p>Owns: .*?\\.\n"
                            + " \\*/\n.*package .*");

    private static final SortedMap<String, SortedSet<String>> IMPORTS = MainClasses.imports();

    static Stream<String> packages() {
        return IMPORTS.keySet().stream();
    }

    @ParameterizedTest
    @MethodSource("packages")
    void saysWhatItIsWhoImportsItAndWhatItOwns(String name) throws IOException {
        assertThat(packageInfo(name)).matches(PACKAGE_INFO);
    }

    @Test
    void readmeListsThePackages() throws IOException {
        StringBuilder table = new StringBuilder("| package | what it is |\n|---|---|\n");
        for (String name : IMPORTS.keySet()) {
            Matcher info = PACKAGE_INFO.matcher(packageInfo(name));
            assertThat(info.matches()).as(name).isTrue();
            String what = info.group("what").replaceAll("\\s*\n \\*\\s*", " ");
            table.append("| `" + name + "` | ")
                    .append(what.replaceAll("\\{@code ([^}]*)}", "`$1`"))
                    .append(" |\n");
        }
        check("table", table.toString());
    }

    /** Layers from top to bottom; an arrow that others imply is left out. */
    @Test
    void readmeDrawsTheImports() throws IOException {
        NavigableMap<Integer, SortedSet<String>> layers = new TreeMap<>();
        Map<String, Integer> heights = new HashMap<>();
        IMPORTS.keySet()
                .forEach(
                        name ->
                                layers.computeIfAbsent(height(name, heights), h -> new TreeSet<>())
                                        .add(name));
        StringBuilder drawing = new StringBuilder("```mermaid\nflowchart TD\n");
        layers.descendingMap()
                .forEach(
                        (height, names) -> {
                            drawing.append("  %% layer " + height + "\n");
                            names.forEach(name -> drawing.append("  " + arrows(name) + "\n"));
                        });
        check("drawing", drawing.append("```\n").toString());
    }

    private static int height(String name, Map<String, Integer> known) {
        if (!known.containsKey(name)) {
            int below = -1;
            for (String target : IMPORTS.get(name)) {
                below = Math.max(below, height(target, known));
            }
            known.put(name, below + 1);
        }
        return known.get(name);
    }

    private static String arrows(String name) {
        SortedSet<String> implied = new TreeSet<>();
        IMPORTS.get(name).forEach(target -> addAllBelow(target, implied));
        String targets =
                IMPORTS.get(name).stream()
                        .filter(target -> !implied.contains(target))
                        .collect(Collectors.joining(" & "));
        return targets.isEmpty() ? name : name + " --> " + targets;
    }

    private static void addAllBelow(String name, SortedSet<String> found) {
        for (String target : IMPORTS.get(name)) {
            if (found.add(target)) {
                addAllBelow(target, found);
            }
        }
    }

    private static String packageInfo(String name) throws IOException {
        Path folder =
                name.equals(MainClasses.ROOT) ? SOURCES : SOURCES.resolve(name.replace('.', '/'));
        return Files.readString(folder.resolve("package-info.java"));
    }

    private static void check(String block, String expected) throws IOException {
        String begin = "<!-- " + block + " of packages, made by PackagesTest -->\n";
        String end = "<!-- end of the " + block + " -->\n";
        String readme = Files.readString(README);
        assertThat(readme).contains(begin).contains(end);
        int from = readme.indexOf(begin) + begin.length();
        int to = readme.indexOf(end);
        if (Boolean.getBoolean("architecture.update")) {
            Files.writeString(README, readme.substring(0, from) + expected + readme.substring(to));
        } else {
            assertThat(readme.substring(from, to))
                    .as("run this test with -Darchitecture.update=true, and look at the result")
                    .isEqualTo(expected);
        }
    }
}

package io.flinkgpu;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * That the side bar of the documentation site names the pages that there are, all of them.
 *
 * <p>Covers: docs/site/sidebar.json.
 */
class SiteTest {

    private static final Path ROOT = Path.of("..");

    private static final Pattern PAGE = Pattern.compile("\"page\": *\"([^\"#]+)[^\"]*\"");

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "docs",
                "docs/tutorials",
                "flink-gpu-operators",
                "kernels",
                "docker",
                "docker/kubernetes"
            })
    void namesEveryPageOf(String folder) throws IOException {
        Set<String> pages;
        try (Stream<Path> files = Files.list(ROOT.resolve(folder))) {
            pages =
                    files.map(file -> ROOT.relativize(file).toString().replace('\\', '/'))
                            .filter(file -> file.endsWith(".md"))
                            .collect(Collectors.toCollection(TreeSet::new));
        }
        assertThat(pages).isNotEmpty();
        assertThat(named()).containsAll(pages);
    }

    @Test
    void theLabBookNamesAllOfItsReports() throws IOException {
        Path lab = ROOT.resolve("docs/lab");
        String index = Files.readString(lab.resolve("README.md"));
        try (Stream<Path> reports = Files.list(lab)) {
            assertThat(reports.map(file -> file.getFileName().toString()))
                    .filteredOn(name -> !name.equals("README.md"))
                    .isNotEmpty()
                    .allMatch(name -> name.matches("20\\d\\d-\\d\\d-\\d\\d-[a-z0-9-]+\\.md"))
                    .allMatch(name -> index.contains("(" + name + ")"));
        }
    }

    @Test
    void namesFilesThatExist() throws IOException {
        assertThat(named()).isNotEmpty().allMatch(page -> Files.isRegularFile(ROOT.resolve(page)));
    }

    private static Set<String> named() throws IOException {
        return PAGE.matcher(Files.readString(ROOT.resolve("docs/site/sidebar.json")))
                .results()
                .map(match -> match.group(1))
                .collect(Collectors.toCollection(TreeSet::new));
    }
}

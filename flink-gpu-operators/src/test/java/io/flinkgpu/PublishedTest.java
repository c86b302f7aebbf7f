package io.flinkgpu;

import org.junit.jupiter.api.Test;
import org.w3c.dom.Element;
import org.w3c.dom.Node;
import org.w3c.dom.NodeList;

import javax.xml.parsers.DocumentBuilderFactory;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What a repository asks of a POM that is published, and a host of a project's folder.
 *
 * <p>Covers: pom.xml, flink-gpu-bom/pom.xml, .github/CODEOWNERS.
 */
class PublishedTest {

    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

    /** A version that has its date: {@code ## 0.2.0 (2027-01-31)}. */
    private static final Pattern RELEASED =
            Pattern.compile("(?m)^## (\\d+\\.\\d+\\.\\d+) \\(\\d{4}-\\d{2}-\\d{2}\\)$");

    private static Element pom(String folder) throws Exception {
        return DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(ROOT.resolve(folder).resolve("pom.xml").toFile())
                .getDocumentElement();
    }

    /** The text below a path of elements, the first of each name; empty if there is none. */
    private static String at(Element from, String... path) {
        Element at = from;
        for (String name : path) {
            Element next = null;
            for (Node n = at.getFirstChild(); n != null && next == null; n = n.getNextSibling()) {
                next = n instanceof Element e && e.getTagName().equals(name) ? e : null;
            }
            if (next == null) {
                return "";
            }
            at = next;
        }
        return at.getTextContent().strip();
    }

    private static List<String> modules() throws Exception {
        NodeList found = pom(".").getElementsByTagName("module");
        List<String> modules = new ArrayList<>();
        for (int i = 0; i < found.getLength(); i++) {
            modules.add(found.item(i).getTextContent());
        }
        return modules;
    }

    @Test
    void eachModuleSaysWhatItIs() throws Exception {
        assertThat(modules()).contains("flink-gpu-bom", "flink-gpu-operators");
        for (String module : modules()) {
            assertThat(at(pom(module), "name")).as(module).startsWith("Flink GPU Operators: ");
            assertThat(at(pom(module), "description")).as(module).endsWith(".");
        }
    }

    @Test
    void thoseWithoutAParentHaveAllThatARepositoryAsksFor() throws Exception {
        for (String module : List.of(".", "flink-gpu-bom")) {
            Element pom = pom(module);
            assertThat(at(pom, "url")).isEqualTo("${release.url}");
            assertThat(at(pom, "licenses", "license", "name")).isEqualTo("Apache-2.0");
            assertThat(at(pom, "developers", "developer", "name")).isNotEmpty();
            assertThat(at(pom, "scm", "url")).isEqualTo("${release.url}");
            assertThat(at(pom, "scm", "connection")).startsWith("scm:git:${release.url}");
            assertThat(at(pom, "issueManagement", "url")).startsWith("${release.url}");
            assertThat(Files.readString(ROOT.resolve(module).resolve("pom.xml")))
                    .as("profile sign refuses to publish without an address, or a snapshot")
                    .containsSubsequence(
                            "<id>sign</id>",
                            "<requireReleaseVersion>",
                            "<property>release.url</property>",
                            "<artifactId>maven-gpg-plugin</artifactId>");
        }
        assertThat(at(pom("."), "properties", "release.url"))
                .isEqualTo(at(pom("flink-gpu-bom"), "properties", "release.url"));
        assertThat(at(pom("."), "version")).isEqualTo(at(pom("flink-gpu-bom"), "version"));
    }

    @Test
    void eachReleaseKeepsItsSavepoints() throws IOException {
        String changes = Files.readString(ROOT.resolve("CHANGELOG.md"));
        assertThat(changes).containsPattern("(?m)^## \\d+\\.\\d+\\.\\d+ \\(");
        List<String> released =
                RELEASED.matcher(changes).results().map(match -> match.group(1)).toList();
        for (String version : released) {
            for (String verb : List.of("windows", "source", "search", "lookup")) {
                assertThat(Path.of("src/test/resources/io/flinkgpu", verb, version))
                        .as("savepoints that version %s wrote", version)
                        .isNotEmptyDirectory();
            }
            assertThat(Files.readString(ROOT.resolve("docs/upgrades.md")))
                    .contains("version " + version);
        }
    }

    @Test
    void ownersAreOfFoldersThatExistAndOfOnePlaceholder() throws IOException {
        List<String> lines =
                Files.readAllLines(ROOT.resolve(".github/CODEOWNERS")).stream()
                        .filter(line -> !line.isBlank() && !line.startsWith("#"))
                        .toList();
        assertThat(lines.get(0)).startsWith("* ");
        for (String line : lines) {
            String[] words = line.split(" +");
            assertThat(words).as(line).hasSize(2);
            assertThat(words[1]).matches("@[A-Za-z0-9-]+/[a-z-]+");
            if (!words[0].equals("*")) {
                assertThat(ROOT.resolve(words[0].substring(1))).isDirectory();
            }
        }
        assertThat(lines.stream().map(line -> line.replaceAll(".*@(.+)/.*", "$1")).distinct())
                .hasSize(1);
    }

    @Test
    void hostHasItsTemplates() throws IOException {
        try (Stream<Path> files = Files.list(ROOT.resolve(".github/ISSUE_TEMPLATE"))) {
            assertThat(files.map(file -> file.getFileName().toString()))
                    .contains("bug.md", "request.md", "config.yml");
        }
        assertThat(ROOT.resolve(".github/PULL_REQUEST_TEMPLATE.md")).isNotEmptyFile();
        assertThat(Files.readString(ROOT.resolve(".mvn/wrapper/maven-wrapper.properties")))
                .containsPattern("(?m)^distributionSha256Sum=[0-9a-f]{64}$");
    }
}

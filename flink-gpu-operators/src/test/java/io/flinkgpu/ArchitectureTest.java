package io.flinkgpu;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * What each package may import; {@link PackagesTest} draws what it does import.
 *
 * <p>Covers: flink-gpu-operators/src/main/java.
 */
class ArchitectureTest {

    /**
     * A row a package, its name relative to the root; an indented line goes on with the row above.
     * A package names only packages of rows below its own, so no arrow runs up and none in circles.
     * Names with a capital are groups of other libraries' packages, see {@link #LIBRARIES}.
     */
    private static final String TABLE =
            """
            io.flinkgpu -> operator.lines operator.window.keyed operator.window.local operator.window
                operator.transform operator.redact operator.search operator.lookup
                operator backend.cpu backend.cuda backend.auto backend backend.plan state cells column
                embeddings program text api.lines api.expression api.search api.lookup api Flink
            operator.lines -> operator.window.local operator.window operator.redact operator
                backend backend.plan groups cells column text parse files api.lines api Arrow Flink
            operator.window.keyed -> operator.window.session operator.window.slices
                operator.window groups state column api Flink
            operator.window.session -> operator.window groups state api Arrow Flink
            operator.window.slices -> operator.window groups state api Arrow Flink
            operator.window.local -> operator.window operator backend backend.plan groups cells
                column exact words api Arrow Flink
            operator.window -> groups state cells column api Flink
            operator.transform -> operator backend backend.plan column program api.expression
                api Arrow Flink
            operator.redact -> operator backend backend.plan column text api Arrow Flink
            operator.search -> operator backend backend.plan sets column api.search api Arrow Flink
            operator.lookup -> operator backend backend.plan embeddings column api.lookup api.dense
                api Arrow Flink
            operator -> backend column api Arrow Flink
            backend.cpu -> backend.cpu.lines backend.cpu.aggregate backend.cpu.row
                backend.cpu.transform backend.cpu.redact
                backend.cpu.search backend.cpu.lookup backend.steps backend.views
                backend backend.plan
                program text Arrow
            backend.cpu.lines -> backend.cpu.lines.fast backend.cpu.lines.group
                backend.cpu.aggregate backend.cpu.bytes backend backend.plan column api.lines
                words api Arrow
            backend.cpu.lines.fast -> backend.cpu.lines.group backend.cpu.aggregate backend.plan
                column api.lines
                words api Arrow
            backend.cpu.lines.group -> backend.cpu.aggregate backend.cpu.bytes backend.plan
                column parse exact api.lines words api Arrow
            backend.cpu.aggregate -> backend.cpu.bytes backend backend.plan column exact words
                api Arrow
            backend.cpu.row -> backend.cpu.transform backend column program text api
            backend.cpu.transform -> backend.cpu.bytes backend backend.plan column program
                text api Arrow
            backend.cpu.redact -> backend.cpu.bytes backend backend.plan column text text.automaton api Arrow
            backend.cpu.search -> backend backend.plan column sets api.search api Arrow
            backend.cpu.lookup -> backend.cpu.dense backend backend.plan embeddings column api.lookup
                api.dense api Arrow
            backend.cpu.dense -> api.dense
            backend.cpu.bytes -> column Arrow
            backend.cuda -> backend.cuda.lines backend.cuda.aggregate backend.cuda.transform
                backend.cuda.redact backend.cuda.search backend.cuda.lookup
                backend.cuda.device
                backend.steps backend.views backend backend.plan program text Arrow
            backend.cuda.lines -> backend.cuda.aggregate backend.cuda.device backend
                backend.plan column exact api.lines words api Arrow
            backend.cuda.aggregate -> backend.cuda.device backend backend.plan column exact
                words api Arrow
            backend.cuda.transform -> backend.cuda.device backend backend.plan column program
                text api Arrow
            backend.cuda.redact -> backend.cuda.device backend backend.plan column text
                text.automaton text.validator api Arrow
            backend.cuda.search -> backend.cuda.device backend backend.plan column sets api.search
                api Arrow
            backend.cuda.lookup -> backend.cuda.dense backend.cuda.device api.dense backend backend.plan embeddings column
                api.lookup api Arrow
            backend.cuda.dense -> backend.cuda.device backend api.dense Arrow
            backend.cuda.device -> backend column Arrow JCuda
            backend.auto -> backend column api Arrow
            backend.steps -> backend backend.plan column program text api Arrow
            backend.views -> backend backend.plan column text text.record api Arrow
            backend.plan -> backend column program text sets api.search api.lookup api.dense api.lines
                words api Arrow
            backend -> column api Arrow
            sets -> column api.search api Arrow
            embeddings -> api.lookup api Arrow JSON
            groups -> state cells column words exact api Arrow FlinkValues
            state -> cells column exact api FlinkValues
            cells -> column exact api
            column -> api.expression api Arrow
            program -> text api.expression api
            rules -> text text.automaton api YAML TOML
            source -> files text api Flink
            text.record -> text text.automaton text.fields text.views api
            text.views -> text.automaton api
            text.fields -> api
            text -> text.automaton text.regex text.validator api
            text.automaton -> text.regex
            text.regex -> api
            text.validator ->
            parse -> api.lines api
            onnx -> api.dense Protobuf
            files -> api Flink
            words -> exact api Arrow
            exact ->
            api.search -> api FlinkValues
            api.lookup -> api.dense api Arrow FlinkValues
            api.dense ->
            api.lines -> api
            api.expression -> api
            api -> FlinkValues
            """;

    private static final Map<String, List<String>> LIBRARIES =
            Map.of(
                    "Arrow", List.of("org.apache.arrow.."),
                    "Flink", List.of("org.apache.flink.."),
                    "FlinkValues",
                            List.of(
                                    "org.apache.flink.api.common.typeinfo..",
                                    "org.apache.flink.api.common.typeutils..",
                                    "org.apache.flink.api.common.serialization..",
                                    "org.apache.flink.core.memory..",
                                    "org.apache.flink.types.."),
                    "JCuda", List.of("jcuda.."),
                    "JSON", List.of("com.fasterxml.jackson.."),
                    "Protobuf", List.of("com.google.protobuf.."),
                    "TOML", List.of("org.tomlj.."),
                    "YAML", List.of("org.snakeyaml.engine.."));

    /** Any package may import these. */
    private static final List<String> EVERYWHERE =
            List.of(
                    "java..",
                    "javax.crypto..",
                    "com.sun.management",
                    "org.slf4j..",
                    "org.apache.flink.annotation..");

    /** Folders of verbs, each a package that its neighbours do not know. */
    private static final List<String> FOLDERS = List.of("backend.cpu", "backend.cuda", "operator");

    /** The neighbours that are no verbs: tools of the others. */
    private static final Set<String> TOOLS =
            Set.of(
                    "backend.cpu.bytes",
                    "backend.cpu.dense",
                    "backend.cuda.dense",
                    "backend.cuda.device");

    /** The verbs that import a neighbour nevertheless, and why. */
    private static final Map<String, String> NEIGHBOURS =
            Map.of(
                    "backend.cpu.lines -> backend.cpu.aggregate",
                    "lines are grouped as rows are, and give the same partial aggregates",
                    "backend.cuda.lines -> backend.cuda.aggregate",
                    "lines are grouped as rows are, and give the same partial aggregates",
                    "backend.cpu.row -> backend.cpu.transform",
                    "one record and a batch of them use the same case tables and searches",
                    "operator.lines -> operator.window",
                    "lines become the partials that the window operator merges",
                    "operator.lines -> operator.redact",
                    "redacted lines are the redacted rows of a chunk");

    private static Map<String, List<String>> table() {
        Map<String, List<String>> table = new LinkedHashMap<>();
        for (String row : TABLE.replace("\n    ", " ").lines().toList()) {
            String[] sides = row.split(" ->", 2);
            List<String> names =
                    Arrays.stream(sides[1].split(" +")).filter(s -> !s.isEmpty()).toList();
            assertThat(table.put(sides[0], names)).as("one row for " + sides[0]).isNull();
        }
        return table;
    }

    static Stream<String> packages() {
        return table().keySet().stream();
    }

    @ParameterizedTest
    @MethodSource("packages")
    void importsOnlyWhatTheTableSays(String name) {
        List<String> allowed = new ArrayList<>(EVERYWHERE);
        allowed.add(MainClasses.full(name));
        for (String word : table().get(name)) {
            allowed.addAll(LIBRARIES.getOrDefault(word, List.of(MainClasses.full(word))));
        }
        classes()
                .that()
                .resideInAPackage(MainClasses.full(name))
                .should()
                .onlyDependOnClassesThat(
                        resideInAnyPackage(allowed.toArray(new String[0]))
                                .or(
                                        describe(
                                                "primitives and their arrays",
                                                type -> type.getBaseComponentType().isPrimitive())))
                .check(MainClasses.ALL);
    }

    @Test
    void everyPackageHasARow() {
        assertThat(table().keySet())
                .containsExactlyInAnyOrderElementsOf(MainClasses.imports().keySet());
    }

    @Test
    void noArrowRunsUp() {
        List<String> rows = packages().toList();
        table().forEach(
                        (name, words) -> {
                            List<String> below = rows.subList(rows.indexOf(name) + 1, rows.size());
                            assertThat(words)
                                    .as(name + " names rows below its own")
                                    .allMatch(w -> LIBRARIES.containsKey(w) || below.contains(w));
                        });
    }

    @Test
    void verbsDoNotKnowEachOther() {
        Set<String> arrows = new TreeSet<>();
        MainClasses.imports()
                .forEach(
                        (from, targets) ->
                                targets.stream()
                                        .filter(to -> !TOOLS.contains(to))
                                        .filter(to -> areNeighbours(from, to))
                                        .forEach(to -> arrows.add(verb(from) + " -> " + verb(to))));
        assertThat(arrows).containsExactlyInAnyOrderElementsOf(NEIGHBOURS.keySet());
    }

    /** Whether both are verbs of one folder, or rooms within two of its verbs. */
    private static boolean areNeighbours(String a, String b) {
        return FOLDERS.stream().anyMatch(f -> a.startsWith(f + ".") && b.startsWith(f + "."))
                && !verb(a).equals(verb(b));
    }

    /** {@code backend.cpu.lines} for {@code backend.cpu.lines.group}. */
    private static String verb(String name) {
        String folder =
                FOLDERS.stream().filter(f -> name.startsWith(f + ".")).findAny().orElseThrow();
        return folder + "." + name.substring(folder.length() + 1).split("\\.")[0];
    }

    @Test
    void onlyOneRoomKnowsTheDriver() {
        noClasses()
                .that()
                .resideOutsideOfPackage("io.flinkgpu.backend.cuda.device")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("jcuda..")
                .check(MainClasses.ALL);
    }

    /** What tests of all packages are made of knows none of them. */
    @Test
    void testkitKnowsNoTestsOfPackages() throws Exception {
        Path classes =
                Path.of(getClass().getProtectionDomain().getCodeSource().getLocation().toURI());
        JavaClasses kit =
                new ClassFileImporter().importPath(classes.resolve("io/flinkgpu/testkit"));
        assertThat(kit).hasSizeGreaterThan(50);
        for (JavaClass type : kit) {
            if (!type.getName().matches(".*(Test|ITCase)(\\$.*)?")) {
                assertThat(type.getDirectDependenciesFromSelf())
                        .as(type.getName())
                        .extracting(found -> found.getTargetClass().getBaseComponentType())
                        .filteredOn(to -> !to.getPackageName().equals(type.getPackageName()))
                        .noneMatch(to -> Files.exists(classes.resolve(file(to))));
            }
        }
    }

    private static String file(JavaClass type) {
        return type.getName().replace('.', '/') + ".class";
    }
}

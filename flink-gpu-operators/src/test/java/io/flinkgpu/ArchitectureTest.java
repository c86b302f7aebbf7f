package io.flinkgpu;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.fields;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

/** The table of packages and what each may import; see flink-gpu-operators/README.md. */
class ArchitectureTest {

    private static final JavaClasses CLASSES =
            new ClassFileImporter()
                    .withImportOption(new ImportOption.DoNotIncludeTests())
                    .importPackages("io.flinkgpu");

    private static final String ARROW = "org.apache.arrow..";
    private static final String FLINK = "org.apache.flink..";

    static Stream<Arguments> packages() {
        return Stream.of(
                arguments(
                        "api",
                        List.of(
                                "org.apache.flink.api.common.typeinfo..",
                                "org.apache.flink.api.common.typeutils..",
                                "org.apache.flink.api.common.serialization..",
                                "org.apache.flink.core.memory..",
                                "org.apache.flink.types..")),
                arguments("api.expression", List.of("io.flinkgpu.api")),
                arguments("api.lines", List.of("io.flinkgpu.api")),
                arguments("parse", List.of("io.flinkgpu.api", "io.flinkgpu.api.lines")),
                arguments("text", List.of("io.flinkgpu.api")),
                arguments(
                        "program",
                        List.of(
                                "io.flinkgpu.api",
                                "io.flinkgpu.api.expression",
                                "io.flinkgpu.text")),
                arguments("exact", List.of()),
                arguments(
                        "state",
                        List.of(
                                "io.flinkgpu.api",
                                "io.flinkgpu.exact",
                                "org.apache.flink.api.common.typeinfo..",
                                "org.apache.flink.api.common.typeutils..",
                                "org.apache.flink.api.common.serialization..",
                                "org.apache.flink.core.memory..")),
                arguments("rules", List.of("io.flinkgpu.api", "org.snakeyaml.engine..")),
                arguments(
                        "column", List.of("io.flinkgpu.api", "io.flinkgpu.api.expression", ARROW)),
                arguments(
                        "backend",
                        List.of(
                                "io.flinkgpu.api",
                                "io.flinkgpu.api.lines",
                                "io.flinkgpu.api.expression",
                                "io.flinkgpu.text",
                                "io.flinkgpu.program",
                                "io.flinkgpu.column",
                                ARROW)),
                arguments(
                        "backend.cpu",
                        List.of(
                                "io.flinkgpu.api",
                                "io.flinkgpu.api.lines",
                                "io.flinkgpu.parse",
                                "io.flinkgpu.api.expression",
                                "io.flinkgpu.text",
                                "io.flinkgpu.program",
                                "io.flinkgpu.exact",
                                "io.flinkgpu.column",
                                "io.flinkgpu.backend",
                                ARROW)),
                arguments(
                        "backend.cuda",
                        List.of(
                                "io.flinkgpu.api",
                                "io.flinkgpu.api.lines",
                                "io.flinkgpu.api.expression",
                                "io.flinkgpu.text",
                                "io.flinkgpu.program",
                                "io.flinkgpu.exact",
                                "io.flinkgpu.column",
                                "io.flinkgpu.backend",
                                ARROW,
                                "jcuda..")),
                arguments(
                        "operator",
                        List.of(
                                "io.flinkgpu.api",
                                "io.flinkgpu.api.expression",
                                "io.flinkgpu.text",
                                "io.flinkgpu.program",
                                "io.flinkgpu.column",
                                "io.flinkgpu.backend",
                                ARROW,
                                FLINK)),
                arguments(
                        "operator.window",
                        List.of(
                                "io.flinkgpu.api",
                                "io.flinkgpu.column",
                                "io.flinkgpu.backend",
                                "io.flinkgpu.state",
                                "io.flinkgpu.operator",
                                ARROW,
                                FLINK)),
                arguments(
                        "operator.lines",
                        List.of(
                                "io.flinkgpu.api",
                                "io.flinkgpu.api.lines",
                                "io.flinkgpu.parse",
                                "io.flinkgpu.text",
                                "io.flinkgpu.column",
                                "io.flinkgpu.backend",
                                "io.flinkgpu.state",
                                "io.flinkgpu.operator",
                                "io.flinkgpu.operator.window",
                                ARROW,
                                FLINK)),
                arguments("source", List.of("io.flinkgpu.api", FLINK)));
    }

    /** A package may use itself, the JDK, the logging facade and what is named. */
    @ParameterizedTest
    @MethodSource("packages")
    void importsOnlyWhatTheTableSays(String name, List<String> allowed) {
        String self = "io.flinkgpu." + name;
        List<String> all = new ArrayList<>(allowed);
        all.addAll(List.of(self, "java..", "javax.crypto..", "org.slf4j.."));
        classes()
                .that()
                .resideInAPackage(self)
                .should()
                .onlyDependOnClassesThat(
                        resideInAnyPackage(all.toArray(new String[0]))
                                .or(
                                        describe(
                                                "primitives and their arrays",
                                                type -> type.getBaseComponentType().isPrimitive())))
                .check(CLASSES);
    }

    /** A new package needs its row in the table. */
    @Test
    void everyPackageIsInTheTable() {
        Set<String> known =
                packages().map(row -> "io.flinkgpu." + row.get()[0]).collect(Collectors.toSet());
        known.add("io.flinkgpu");
        assertThat(CLASSES.stream().map(JavaClass::getPackageName)).isSubsetOf(known);
    }

    @Test
    void packagesHaveNoCycles() {
        slices().matching("io.flinkgpu.(**)").should().beFreeOfCycles().check(CLASSES);
    }

    @Test
    void staticStateIsFinal() {
        fields().that()
                .areStatic()
                .and(
                        describe(
                                "are not made by the compiler",
                                field -> !field.getModifiers().contains(JavaModifier.SYNTHETIC)))
                .should()
                .beFinal()
                .check(CLASSES);
    }
}
